import { BlackError } from '@black-ide/protocol';
import { type KeyPlace, KeyStore } from '@black-ide/workspace';
import type { Check, DoctorFacts } from './check.ts';

interface Provider {
  name: string;
  /** As in `black auth set`. */
  id: string;
  key: string;
  address: string;
  /** A server at that address may need no key. */
  keyless: boolean;
  /** Told of only where something of it is set. */
  rare: boolean;
}

const PROVIDERS: readonly Provider[] = [
  provider('Anthropic', 'anthropic', 'ANTHROPIC_API_KEY', 'ANTHROPIC_BASE_URL'),
  { ...provider('OpenAI', 'openai', 'OPENAI_API_KEY', 'OPENAI_BASE_URL'), keyless: true },
  { ...provider('Google', 'google', 'GEMINI_API_KEY', 'GOOGLE_GEMINI_BASE_URL'), rare: true },
  { ...provider('OpenRouter', 'openrouter', 'OPENROUTER_API_KEY', 'OPENROUTER_BASE_URL'), rare: true },
];

function provider(name: string, id: string, key: string, address: string): Provider {
  return { name, id, key, address, keyless: false, rare: false };
}

/** Which models could be asked: no value of a key is shown, no server is called, no keyring opened. */
export function checkProviders({ io, home }: DoctorFacts): Check[] {
  const { env } = io.world;
  const stored = storedKeys(home);
  if (!(stored instanceof Map)) return [stored, OFFLINE];
  const usable = PROVIDERS.some(
    ({ id, key, address, keyless }) => Boolean(env[key]) || stored.has(id) || (keyless && Boolean(env[address])),
  );
  // Where one model can be asked, nobody misses those of which nothing is set.
  const told = PROVIDERS.filter(
    ({ id, key, address, rare }) => (!rare && !usable) || env[key] || env[address] || stored.has(id),
  );
  const checks = told.map((each) => checkProvider(each, env, stored.get(each.id)));
  return [...checks, usable ? OFFLINE : { ...OFFLINE, detail: ALONE }];
}

const OFFLINE: Check = { name: 'Offline provider', state: 'ok', detail: 'built in' };
const ALONE = 'built in; it answers as long as no model is set up, and is no language model';

/** Where the stored keys are, by provider; or what is wrong with the file that says so. */
function storedKeys(home: string | undefined): Map<string, KeyPlace> | Check {
  if (home === undefined) return new Map();
  try {
    return new Map(new KeyStore({ home }).list().map(({ provider: id, where }) => [id, where]));
  } catch (cause) {
    const { message, next } = BlackError.toValue(cause);
    return { name: 'Stored keys', state: 'fail', detail: message, ...(next ? { fix: next } : {}) };
  }
}

function checkProvider(
  { name, id, key, address, keyless }: Provider,
  env: Readonly<Record<string, string | undefined>>,
  stored: KeyPlace | undefined,
): Check {
  const value = env[key];
  const base = env[address];
  const shown = base ? shownAddress(base) : undefined;
  if (base && !shown) {
    const fix = `export ${address}=https://host/v1, or unset ${address}`;
    return { name, state: 'fail', detail: `${address} is no http(s) address`, fix };
  }
  const where = shown ? `, at ${shown}` : '';
  if (value && value.trim() !== value) {
    const fix = `export ${key}="$(printf %s "$${key}" | tr -d '[:space:]')"`;
    return { name, state: 'warn', detail: `${key} has white space around it${where}`, fix };
  }
  if (value) return { name, state: 'ok', detail: `${key} is set${where}` };
  if (stored) return { name, state: 'ok', detail: `its key is stored in ${PLACES[stored]}${where}` };
  if (keyless && base) return { name, state: 'ok', detail: `no ${key}, as a server of your own may need none${where}` };
  return { name, state: 'warn', detail: `${key} is not set${where}`, fix: `export ${key}=…, or black auth set ${id}` };
}

const PLACES: Readonly<Record<KeyPlace, string>> = { keyring: 'the keyring', file: 'a file that only you can read' };

/** An address without what may be secret in it: user, password, query. Undefined when it is none. */
function shownAddress(address: string): string | undefined {
  const url = URL.parse(address);
  return url && /^https?:$/.test(url.protocol) ? url.origin + url.pathname : undefined;
}
