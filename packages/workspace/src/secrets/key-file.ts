import { chmodSync, closeSync, fstatSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { BlackError, isRecord } from '@black-ide/protocol';
import { errnoOf } from '../stores/errno.ts';
import { makeStoreFolder } from '../stores/store-folder.ts';
import { writeFileAtomic } from '../stores/write-file-atomic.ts';

/** Where the key of a provider is: in the file itself, or in the keyring under an account's name. */
export type KeyRecord = { where: 'file'; key: string } | { where: 'keyring' };

/** By provider. */
export type KeyRecords = Map<string, KeyRecord>;

/**
 * `keys.json` in the state folder, for its owner alone: which providers have a key, and the keys that no keyring takes.
 * One small file, so that asking who has a key costs no start of a keyring.
 */
export class KeyFile {
  readonly path: string;
  readonly #home: string;

  constructor(home: string) {
    this.#home = home;
    this.path = join(home, 'keys.json');
  }

  /**
   * The records; none where there is no file. A file that others could read is closed to them.
   * @throws BlackError `bad_key_file`: it is never guessed at, nor overwritten.
   */
  read(): KeyRecords {
    let text: string;
    try {
      text = this.#readPrivately();
    } catch (cause) {
      const code = errnoOf(cause);
      if (code === 'ENOENT' || code === 'ENOTDIR') return new Map();
      throw this.#bad(cause instanceof Error ? cause.message : String(cause));
    }
    return this.#parse(text);
  }

  write(records: KeyRecords): void {
    makeStoreFolder(this.#home);
    const keys = Object.fromEntries([...records].sort(([a], [b]) => (a < b ? -1 : 1)));
    writeFileAtomic(this.path, `${JSON.stringify({ version: 1, keys }, undefined, 2)}\n`, {
      mode: 0o600,
      durable: true,
    });
  }

  #readPrivately(): string {
    const fd = openSync(this.path, 'r');
    try {
      if (process.platform !== 'win32' && (fstatSync(fd).mode & 0o077) !== 0) chmodSync(this.path, 0o600);
      return readFileSync(fd, 'utf8');
    } finally {
      closeSync(fd);
    }
  }

  #parse(text: string): KeyRecords {
    const value = parsed(text);
    if (!isRecord(value) || value.version !== 1 || !isRecord(value.keys)) throw this.#bad('it is not a list of keys');
    const records: KeyRecords = new Map();
    for (const [provider, record] of Object.entries(value.keys)) {
      if (!isRecord(record)) throw this.#bad(`the entry of ${provider} is no object`);
      if (record.where === 'keyring') records.set(provider, { where: 'keyring' });
      else if (record.where === 'file' && typeof record.key === 'string' && record.key !== '') {
        records.set(provider, { where: 'file', key: record.key });
      } else throw this.#bad(`the entry of ${provider} has no key`);
    }
    return records;
  }

  #bad(reason: string): BlackError {
    return new BlackError(
      'bad_key_file',
      `${this.path} cannot be read: ${reason}.`,
      'Move it away and store the keys again: black auth set PROVIDER.',
    );
  }
}

/** Undefined where the text is no JSON: its own message would quote what may be a key. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
