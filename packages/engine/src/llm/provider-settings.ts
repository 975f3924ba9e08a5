import { BlackError } from '@black-ide/protocol';
import { canonicalProvider, isSecretVariable, readSettings } from '@black-ide/workspace';
import * as z from 'zod';
import { JsonDocument } from '../settings/json-document.ts';
import { PROVIDER_KINDS, PROVIDERS, type ProviderKind } from './constants.ts';

/** What the user's `settings.json` says of a provider. */
export interface ProviderSetting {
  kind?: ProviderKind | undefined;
  baseURL?: string | undefined;
  headers?: Record<string, string> | undefined;
  /** The variable that holds its key. */
  apiKeyEnv?: string | undefined;
}

const provider = z.strictObject({
  kind: z.enum(PROVIDER_KINDS).optional(),
  baseURL: z
    .string()
    .refine((value) => /^https?:$/.test(URL.parse(value)?.protocol ?? ''), 'is no http(s) address')
    .optional(),
  headers: z
    .record(
      z.string().regex(/^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/, 'is no name of a header'),
      z.string().regex(/^[\t\x20-\x7e\x80-\xff]*$/, 'has characters that no header can carry'),
    )
    .optional(),
  apiKeyEnv: z
    .string()
    .regex(/^[A-Za-z_][A-Za-z0-9_]*$/, 'is no name of a variable')
    // Commands are not given variables that are named like secrets; any other would reach them with the key in it.
    .refine((name) => isSecretVariable(name, ''), 'must be named like a secret, e.g. …_API_KEY')
    .optional(),
});

const settings = z.looseObject({
  providers: z
    .record(z.string().regex(/^[a-z0-9][a-z0-9._-]{0,63}$/, 'is no id: small letters, digits, . _ -'), provider)
    .optional(),
});

/**
 * The providers of the user's settings. Whatever is wrong there stops everything that would ask a model: half-read
 * settings could send a key to the wrong address.
 * @throws BlackError `bad_settings` with file and line.
 */
export function providerSettings(home: string | undefined): ReadonlyMap<string, ProviderSetting> {
  if (home === undefined) return new Map();
  const { path, text } = readSettings(home);
  if (text === undefined) return new Map();
  const document = new JsonDocument(text);
  const fault = document.faults[0];
  if (fault) throw failure(`${path}:${fault.line}`, fault.message);
  const bad = (what: string, place: readonly PropertyKey[]): BlackError =>
    failure(`${path}:${document.positionOf(place).line}`, what);
  const parsed = settings.safeParse(document.value);
  if (!parsed.success) throw bad(...invalid(parsed.error.issues[0]!));
  const providers = Object.entries(parsed.data.providers ?? {});
  for (const [id, setting] of providers) {
    const problem = impossible(id, setting);
    if (problem) throw bad(`\`${id}\` ${problem}`, ['providers', id]);
  }
  return new Map(providers);
}

function impossible(id: string, { baseURL }: ProviderSetting): string | undefined {
  if (id === PROVIDERS.offline) return 'is built in and has no settings';
  if (canonicalProvider(id) !== id) return `is called \`${canonicalProvider(id)}\``;
  return !Object.hasOwn(PROVIDERS, id) && !baseURL ? 'needs a `baseURL`' : undefined;
}

/** What is wrong, and where. */
function invalid(issue: z.core.$ZodIssue): [what: string, place: PropertyKey[]] {
  const keys = issue.code === 'unrecognized_keys' ? issue.keys.slice(0, 1) : [];
  const place = [...issue.path, ...keys];
  const what = issue.code === 'unrecognized_keys' ? 'is no setting of a provider' : reasonOf(issue);
  return [`\`${place.join('.') || 'settings'}\` ${what}`, place];
}

function reasonOf(issue: z.core.$ZodIssue): string {
  if (issue.code === 'invalid_key') return issue.issues[0]?.message ?? issue.message;
  return issue.code === 'invalid_type' ? `must be of type ${issue.expected}` : issue.message;
}

function failure(place: string, what: string): BlackError {
  return new BlackError('bad_settings', `${place}: ${what}.`, 'Mend the settings; no model is asked until then.');
}
