import type { Check, DoctorFacts } from './check.ts';

const PROVIDERS = [
  { name: 'Anthropic', key: 'ANTHROPIC_API_KEY', address: 'ANTHROPIC_BASE_URL', keyless: false },
  { name: 'OpenAI', key: 'OPENAI_API_KEY', address: 'OPENAI_BASE_URL', keyless: true },
] as const;

/** Which models could be asked, told from the environment alone: no value of a key is shown, no server is called. */
export function checkProviders({ io }: DoctorFacts): Check[] {
  const checks = PROVIDERS.map((provider) => checkProvider(provider, io.world.env));
  const usable = PROVIDERS.some(({ key, address, keyless }) => {
    const { env } = io.world;
    return Boolean(env[key]) || (keyless && Boolean(env[address]));
  });
  const detail = usable ? 'built in' : 'built in; it answers as long as no model is set up, and is no language model';
  return [...checks, { name: 'Offline provider', state: 'ok', detail }];
}

function checkProvider(
  { name, key, address, keyless }: (typeof PROVIDERS)[number],
  env: Readonly<Record<string, string | undefined>>,
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
  if (keyless && base) return { name, state: 'ok', detail: `no ${key}, as a server of your own may need none${where}` };
  return { name, state: 'warn', detail: `${key} is not set${where}`, fix: `export ${key}=…` };
}

/** An address without what may be secret in it: user, password, query. Undefined when it is none. */
function shownAddress(address: string): string | undefined {
  const url = URL.parse(address);
  return url && /^https?:$/.test(url.protocol) ? url.origin + url.pathname : undefined;
}
