import { BlackError, type ProviderSummary } from '@black-ide/protocol';
import { canonicalProvider, KeyStore, stateHome } from '@black-ide/workspace';
import { nearest } from '../args/nearest.ts';
import { UsageError } from '../args/usage-error.ts';
import { CliFailure, EXIT, unwrap } from '../failure.ts';
import { openEngine } from '../headless/open-engine.ts';
import { readSecret } from '../headless/read-secret.ts';
import { type Io, warn } from '../io.ts';
import { fitWidth } from '../text/fit-width.ts';
import { visibleLine } from '../text/visible-text.ts';
import type { World } from '../world.ts';

/** `black auth list`: which providers have a key and where; never the key (IDE-66). */
export async function listKeys({ json }: { json: boolean }, io: Io): Promise<number> {
  const providers = await providersOf(io);
  if (json) io.out.line(JSON.stringify(providers, undefined, 2));
  else for (const provider of providers) io.out.line(fitWidth(row(provider), columnsOf(io)));
  return EXIT.done;
}

/** `black auth set`: the key comes from a hidden prompt or standard input. */
export async function setKey({ provider, file }: { provider: string; file: boolean }, io: Io): Promise<number> {
  const { id, key, variables } = await known(provider, io);
  const secret = await readSecret(`Key for ${id}: `, io);
  if (secret === undefined) return EXIT.cancelled;
  const where = await stored(() => keyStore(io).set(id, secret, { inFile: file }));
  const place = where === 'keyring' ? 'in the keyring' : 'in a file that only you can read';
  io.err.line(`The key for ${id} is stored ${place}.`);
  if (key === 'environment') warn(io, `${variables.join(' or ')} is set and comes first.`);
  return EXIT.done;
}

/** `black auth remove`: forgets a stored key. */
export async function removeKey({ provider }: { provider: string }, io: Io): Promise<number> {
  const id = canonicalProvider(provider);
  const removed = await stored(() => keyStore(io).remove(id));
  if (!removed) throw new CliFailure({ code: 'no_key', message: `There is no stored key for ${visibleLine(id)}.` });
  io.err.line(`The key for ${id} is forgotten.`);
  return EXIT.done;
}

const PLACES = { environment: 'in the environment', keyring: 'in the keyring', file: 'in a file' } as const;

function row({ id, key, needsKey, variables, address }: ProviderSummary): string {
  const variable = key === 'environment' ? ` (${variables.join(' or ')})` : '';
  const where = key ? PLACES[key] + variable : needsKey ? 'no key' : 'needs no key';
  return `${id.padEnd(12)}  ${where.padEnd(20)}  ${address}`;
}

async function known(name: string, io: Io): Promise<ProviderSummary> {
  const id = canonicalProvider(name);
  const providers = await providersOf(io);
  const found = providers.find((provider) => provider.id === id);
  if (found) return found;
  const meant = nearest(
    id,
    providers.map((provider) => provider.id),
  );
  throw new UsageError(
    `There is no provider ${JSON.stringify(name)}.`,
    meant
      ? `Did you mean black auth set ${meant}?`
      : 'Your own ones are named in settings.json: {"providers": {"mine": {"baseURL": "https://…/v1"}}}',
  );
}

async function providersOf(io: Io): Promise<ProviderSummary[]> {
  const opened = await openEngine(io, { face: 'headless', asks: 'refuse', needsHome: true, anywhere: true });
  try {
    return unwrap(await opened.engine.execute({ type: 'listProviders' })).providers;
  } finally {
    await opened.dispose();
  }
}

function keyStore({ world }: Io): KeyStore {
  const home = stateHome({ env: world.env, cwd: workingFolder(world), platform: world.platform });
  if (home) return new KeyStore({ home, ...(world.keyring ? { keyring: world.keyring } : {}) });
  throw new CliFailure({
    code: 'no_home',
    message: 'There is no home folder to keep keys in.',
    next: 'Set BLACKIDE_HOME.',
  });
}

/** Against which a relative BLACKIDE_HOME counts; any will do where the folder is gone. */
function workingFolder(world: World): string {
  try {
    return world.cwd();
  } catch {
    return '/';
  }
}

/** What the store refuses is the person's business, not a fault inside. */
async function stored<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    if (cause instanceof BlackError) throw new CliFailure(BlackError.toValue(cause));
    const message = cause instanceof Error ? cause.message : String(cause);
    throw new CliFailure({ code: 'keys_failed', message: `The keys cannot be changed: ${message}` });
  }
}

function columnsOf({ out }: Io): number {
  return out.isTerminal ? out.columns : Number.POSITIVE_INFINITY;
}
