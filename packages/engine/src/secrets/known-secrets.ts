import { isSecretVariable, type KeyStore, SecretMask } from '@black-ide/workspace';
import { BUILT_IN } from '../llm/constants.ts';

type Keys = Pick<KeyStore, 'get' | 'has' | 'list'>;

/**
 * The secrets of an environment: the keys of providers, whatever they look like, and everything else that is named like
 * a secret and looks like one. `DB_PASSWORD=postgres` is none that could be kept out of a conversation.
 */
export function knownSecrets(env: Readonly<Record<string, string | undefined>>): SecretMask {
  const providers: readonly string[] = Object.values(BUILT_IN).flatMap(({ keys }) => keys);
  const values = Object.entries(env).flatMap(([name, value = '']) => {
    if (providers.includes(name)) return [value];
    return isSecretVariable(name, value) && looksRandom(value.trim()) ? [value] : [];
  });
  return new SecretMask(values);
}

/** The key store, from which every key that is taken is known from then on. */
export class LearningKeys implements Keys {
  readonly #keys: Keys;
  readonly #secrets: SecretMask;

  constructor(keys: Keys, secrets: SecretMask) {
    this.#keys = keys;
    this.#secrets = secrets;
  }

  has(provider: string): boolean {
    return this.#keys.has(provider);
  }

  list(): ReturnType<Keys['list']> {
    return this.#keys.list();
  }

  async get(provider: string): Promise<string | undefined> {
    const key = await this.#keys.get(provider);
    if (key !== undefined) this.#secrets.learn(key);
    return key;
  }
}

/** Letters and digits, long enough, and neither a path nor an address without a password. */
function looksRandom(value: string): boolean {
  if (value.length < 12 || /\s/.test(value) || /^[~.]?\//.test(value)) return false;
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(value)) return /:\/\/[^/\s]*@/.test(value);
  return /\d/.test(value) && /[A-Za-z]/.test(value);
}
