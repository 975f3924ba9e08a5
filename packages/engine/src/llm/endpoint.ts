import { BlackError } from '@black-ide/protocol';
import { BUILT_IN, PROVIDERS, type ProviderKind } from './constants.ts';
import type { ProviderSetting } from './provider-settings.ts';

export type Env = Readonly<Record<string, string | undefined>>;

/** Where a provider is and what it speaks; everything but the key. */
export interface Endpoint {
  provider: string;
  kind: ProviderKind;
  /** With the version in the path, without a slash at its end. */
  baseURL: string;
  /** The address is another than the provider's own. */
  moved: boolean;
  headers: Readonly<Record<string, string>>;
  /** Variables that may hold the key, in this order. */
  keys: readonly string[];
  /** It is of no use without a key. */
  needsKey: boolean;
}

/**
 * The person's environment wins over the settings, and those over what is built in. Undefined: no such
 * provider.
 * @throws BlackError `bad_address`.
 */
export function endpointOf(provider: string, env: Env, setting: ProviderSetting | undefined): Endpoint | undefined {
  const builtIn = Object.hasOwn(BUILT_IN, provider) ? BUILT_IN[provider as keyof typeof BUILT_IN] : undefined;
  if (!builtIn && !setting?.baseURL) return undefined;
  const own = builtIn && env[builtIn.address]?.trim();
  const address = own ? own : setting?.baseURL;
  if (address !== undefined && !isAddress(address, builtIn?.kind)) {
    const variable = own ? builtIn?.address : 'baseURL';
    throw new BlackError(
      'bad_address',
      `${variable} of ${provider} is no http(s) address.`,
      'Write it as https://host/v1.',
    );
  }
  const kind = setting?.kind ?? kindOf(provider, builtIn?.kind, address !== undefined);
  const keys = [...(setting?.apiKeyEnv ? [setting.apiKeyEnv] : []), ...(builtIn?.keys ?? [])];
  return {
    provider,
    kind,
    baseURL: address === undefined ? builtIn!.baseURL : completed(address, kind),
    moved: address !== undefined,
    headers: setting?.headers ?? {},
    keys,
    // A compatible server at home often needs no key at all.
    needsKey: kind !== 'ollama' && !(kind === 'openai-compatible' && address !== undefined && !setting?.apiKeyEnv),
  };
}

/** Ollama's variable may be a bare host. */
function isAddress(address: string, kind: ProviderKind | undefined): boolean {
  const url = URL.parse(kind === 'ollama' ? ollamaHost(address) : address);
  return url !== null && /^https?:$/.test(url.protocol);
}

/** Servers that take the place of OpenAI speak its older wire; the newer one is asked for by `kind`. */
function kindOf(provider: string, builtIn: ProviderKind | undefined, moved: boolean): ProviderKind {
  if (!builtIn || (provider === PROVIDERS.openai && moved)) return 'openai-compatible';
  return builtIn;
}

/**
 * For some wires the variable's convention is the host alone, and the library wants the version in the path. Ollama's
 * may have no scheme, and `0.0.0.0` is where it listens, not where it can be reached.
 */
function completed(address: string, kind: ProviderKind): string {
  const plain = address.replace(/\/+$/, '');
  if (kind === 'anthropic') return versioned(plain, 'v1');
  if (kind === 'google') return versioned(plain, 'v1beta');
  return kind === 'ollama' ? versioned(ollamaHost(plain), 'v1') : plain;
}

function versioned(base: string, version: string): string {
  return /\/v\d+(beta|alpha)?$/.test(base) ? base : `${base}/${version}`;
}

function ollamaHost(host: string): string {
  const url = URL.parse(/^https?:\/\//.test(host) ? host : `http://${host}`);
  if (!url) return host;
  if (url.hostname === '0.0.0.0') url.hostname = '127.0.0.1';
  const explicit = /:\d+(\/|$)/.test(host.replace(/^https?:\/\//, ''));
  if (!url.port && !explicit && !/^https?:\/\//.test(host)) url.port = '11434';
  return url.href.replace(/\/+$/, '');
}
