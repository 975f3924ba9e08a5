import { createRequire } from 'node:module';

/** A store of the operating system for secrets. Every call may throw: locked, not there, forbidden. */
export interface Keyring {
  get(account: string): Promise<string | undefined>;
  set(account: string, secret: string): Promise<void>;
  remove(account: string): Promise<void>;
}

const SERVICE = 'black-ide';
/** A locked keyring may wait for a person who is not there. */
const PATIENCE_MS = 10_000;

/**
 * The keyring of this machine: Keychain, Credential Manager, or the Secret Service. On Linux nothing else will do: the
 * kernel's own keyring forgets at the next start. Loaded on first use; where its library does not load, calls throw.
 */
export class SystemKeyring implements Keyring {
  async get(account: string): Promise<string | undefined> {
    return (await this.#entry(account).getPassword(AbortSignal.timeout(PATIENCE_MS))) ?? undefined;
  }

  async set(account: string, secret: string): Promise<void> {
    await this.#entry(account).setPassword(secret, AbortSignal.timeout(PATIENCE_MS));
  }

  async remove(account: string): Promise<void> {
    await this.#entry(account).deleteCredential(AbortSignal.timeout(PATIENCE_MS));
  }

  #entry(account: string) {
    const require = createRequire(import.meta.url);
    const { AsyncEntry } = require('@napi-rs/keyring') as typeof import('@napi-rs/keyring');
    return new AsyncEntry(SERVICE, account, { linux: { store: 'secret-service' } });
  }
}
