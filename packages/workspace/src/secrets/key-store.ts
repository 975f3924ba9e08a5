import { join } from 'node:path';
import { BlackError } from '@black-ide/protocol';
import { ProcessLock } from '../stores/process-lock.ts';
import { makeStoreFolder } from '../stores/store-folder.ts';
import { canonicalProvider } from './canonical-provider.ts';
import { KeyFile, type KeyRecord, type KeyRecords } from './key-file.ts';
import { type Keyring, SystemKeyring } from './keyring.ts';

export type KeyPlace = KeyRecord['where'];

export interface KeyStoreOptions {
  /** The state folder. */
  home: string;
  /** Default: this machine's own. */
  keyring?: Keyring;
}

export interface StoredKey {
  provider: string;
  where: KeyPlace;
}

/**
 * The providers' keys (IDE-66): in the keyring of the system, or, where there is none, in a file that only its owner can
 * read. Providers go by their canonical name; a key that is there under a legacy name only is moved.
 */
export class KeyStore {
  readonly #home: string;
  readonly #file: KeyFile;
  readonly #keyring: Keyring;

  constructor({ home, keyring = new SystemKeyring() }: KeyStoreOptions) {
    this.#home = home;
    this.#file = new KeyFile(home);
    this.#keyring = keyring;
  }

  /** Who has a key, by name. The keyring is not asked. */
  list(): StoredKey[] {
    const places = new Map<string, KeyPlace>();
    for (const [name, { where }] of this.#file.read()) {
      const provider = canonicalProvider(name);
      if (name === provider || !places.has(provider)) places.set(provider, where);
    }
    return [...places]
      .map(([provider, where]) => ({ provider, where }))
      .sort((a, b) => (a.provider < b.provider ? -1 : 1));
  }

  has(provider: string): boolean {
    const name = canonicalProvider(provider);
    return this.list().some((stored) => stored.provider === name);
  }

  /** @throws BlackError `keyring_failed` where the keyring that holds the key does not give it out. */
  async get(provider: string): Promise<string | undefined> {
    const name = canonicalProvider(provider);
    let records = this.#file.read();
    if (legacyOf(name, records)) {
      await this.#moveLegacy(name);
      records = this.#file.read();
    }
    const record = records.get(name);
    if (!record) return undefined;
    if (record.where === 'file') return record.key;
    try {
      return await this.#keyring.get(account(name));
    } catch (cause) {
      throw new BlackError(
        'keyring_failed',
        `The keyring does not give out the key of ${name}: ${messageOf(cause)}`,
        `Unlock it, or store the key in a file: black auth set ${name} --file.`,
      );
    }
  }

  /**
   * Keeps a key and answers where. White space around it goes: it comes with copying.
   * @throws BlackError `bad_key` for one that no header could carry.
   */
  async set(provider: string, key: string, { inFile = false } = {}): Promise<KeyPlace> {
    const name = canonicalProvider(provider);
    const trimmed = key.trim();
    if (!/^[\x21-\x7e]+$/.test(trimmed) || trimmed.length > 8_192) {
      throw new BlackError('bad_key', 'This is no key: it is empty, too long, or has spaces or other odd characters.');
    }
    const kept = !inFile && (await this.#keep(name, trimmed));
    const before = this.#change((records) => {
      const earlier = records.get(name);
      records.set(name, kept ? { where: 'keyring' } : { where: 'file', key: trimmed });
      return earlier;
    });
    if (!kept && before?.where === 'keyring') await this.#forget(name);
    return kept ? 'keyring' : 'file';
  }

  /** Forgets a key, under its legacy names as well; answers whether there was one. */
  async remove(provider: string): Promise<boolean> {
    const name = canonicalProvider(provider);
    const removed = this.#change((records) => {
      const found = [...records].filter(([each]) => canonicalProvider(each) === name);
      for (const [each] of found) records.delete(each);
      return found;
    });
    for (const [each, { where }] of removed) if (where === 'keyring') await this.#forget(each);
    return removed.length > 0;
  }

  async #moveLegacy(name: string): Promise<void> {
    const records = this.#file.read();
    const legacy = legacyOf(name, records);
    if (!legacy) return;
    const record = records.get(legacy)!;
    const key = record.where === 'file' ? record.key : await this.#keyring.get(account(legacy));
    if (key && !records.has(name)) await this.set(name, key, { inFile: record.where === 'file' });
    this.#change((current) => current.delete(legacy));
    if (record.where === 'keyring') await this.#forget(legacy);
  }

  /** Whether the keyring took the key, and gives it back. */
  async #keep(name: string, key: string): Promise<boolean> {
    try {
      await this.#keyring.set(account(name), key);
      return (await this.#keyring.get(account(name))) === key;
    } catch {
      // No keyring on this machine, or a locked one: the file takes it, and the person is told where it went.
      return false;
    }
  }

  async #forget(name: string): Promise<void> {
    try {
      await this.#keyring.remove(account(name));
    } catch (cause) {
      throw new BlackError(
        'keyring_failed',
        `The key of ${name} is no longer used, but the keyring still holds it: ${messageOf(cause)}`,
        `Remove "${account(name)}" with the keyring's own program.`,
      );
    }
  }

  /** Reads, changes and writes the file; one process at a time. */
  #change<T>(change: (records: KeyRecords) => T): T {
    makeStoreFolder(this.#home);
    const attempt = ProcessLock.acquire(join(this.#home, 'keys.lock'));
    if (!attempt.ok) throw new BlackError('keys_busy', 'Another program is changing the keys.', 'Try again.');
    try {
      const records = this.#file.read();
      const result = change(records);
      this.#file.write(records);
      return result;
    } finally {
      attempt.lock.release();
    }
  }
}

/** The name of a provider's key in a keyring and in VS Code's SecretStorage. */
function account(name: string): string {
  return `black-ide-${name}-key`;
}

function legacyOf(name: string, records: KeyRecords): string | undefined {
  return [...records.keys()].find((each) => each !== name && canonicalProvider(each) === name);
}

function messageOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}
