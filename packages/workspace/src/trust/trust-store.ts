import { realpathSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { BlackError, isRecord } from '@black-ide/protocol';
import { errnoOf } from '../stores/errno.ts';
import { ProcessLock } from '../stores/process-lock.ts';
import { readStoreFile } from '../stores/read-store-file.ts';
import { makeStoreFolder } from '../stores/store-folder.ts';
import { writeFileAtomic } from '../stores/write-file-atomic.ts';

export interface TrustedFolder {
  /** The real path. */
  folder: string;
  /** ISO 8601: when a person said so. */
  since: string;
}

export interface TrustStoreOptions {
  /** The state folder. */
  home: string;
  /** Milliseconds since the epoch. */
  now: () => number;
  /** The person's home folder: it is never trusted for good. Default: the system's. */
  userHome?: string;
}

/** Others hold the lock for the length of one write. */
const LOCK_TRIES = 100;
const LOCK_WAIT_MS = 20;

/**
 * `trust.json`: the folders that a person trusts (IDE-67). The key is the real path of the very folder that was opened and
 * nothing else: no `.git`, `commondir` or parent lends its trust, so that a repository inside a trusted folder is asked
 * about on its own. What cannot be read trusts nothing.
 */
export class TrustStore {
  readonly path: string;
  readonly #options: TrustStoreOptions;

  constructor(options: TrustStoreOptions) {
    this.#options = options;
    this.path = join(options.home, 'trust.json');
  }

  /** @throws BlackError `bad_trust_file`. */
  list(): TrustedFolder[] {
    const text = this.#text();
    if (text === undefined) return [];
    const value = parsed(text);
    if (!isRecord(value) || value.version !== 1 || !isRecord(value.folders))
      throw this.#bad('it is no list of folders');
    return Object.entries(value.folders).map(([folder, entry]) => {
      if (!isRecord(entry) || typeof entry.since !== 'string') throw this.#bad(`the entry of ${folder} is not right`);
      return { folder, since: entry.since };
    });
  }

  /** Whether this very folder is trusted. @throws BlackError `bad_trust_file`. */
  has(folder: string): boolean {
    const real = realFolder(folder);
    return real !== undefined && this.list().some((each) => each.folder === real);
  }

  /**
   * Trusts a folder for good.
   * @returns its real path.
   * @throws BlackError `no_folder`, `too_wide` for a file system's root and the person's home, `bad_trust_file`,
   *   `trust_held` where another process writes for seconds; the system's error.
   */
  async add(folder: string): Promise<string> {
    const real = realFolder(folder);
    if (real === undefined) throw new BlackError('no_folder', `${folder} is no folder.`, 'Name a folder that exists.');
    if (this.#isTooWide(real)) {
      throw new BlackError(
        'too_wide',
        `${real} holds far more than one project, so it is not trusted for good.`,
        'Trust the project itself, or use --trust for one run.',
      );
    }
    const since = new Date(this.#options.now()).toISOString();
    await this.#change((folders) => folders.set(real, { since }));
    return real;
  }

  /** Takes trust back. @returns whether there was any. @throws BlackError as `add`. */
  async remove(folder: string): Promise<boolean> {
    // The folder may be gone: then its path as it was stored is what a person names.
    const real = realFolder(folder) ?? folder;
    return await this.#change((folders) => folders.delete(real));
  }

  async #change<T>(change: (folders: Map<string, { since: string }>) => T): Promise<T> {
    makeStoreFolder(this.#options.home);
    const lock = await this.#lock();
    try {
      const folders = new Map(this.list().map(({ folder, since }) => [folder, { since }]));
      const result = change(folders);
      const sorted = Object.fromEntries([...folders].sort(([a], [b]) => (a < b ? -1 : 1)));
      const text = `${JSON.stringify({ version: 1, folders: sorted }, undefined, 2)}\n`;
      writeFileAtomic(this.path, text, { mode: 0o600, durable: true });
      return result;
    } finally {
      lock.release();
    }
  }

  async #lock(): Promise<ProcessLock> {
    for (let tries = 0; tries < LOCK_TRIES; tries++) {
      const attempt = ProcessLock.acquire(`${this.path}.lock`);
      if (attempt.ok) return attempt.lock;
      await sleep(LOCK_WAIT_MS);
    }
    throw new BlackError('trust_held', `Another process holds ${this.path}.`, 'Try again when it has ended.');
  }

  #isTooWide(real: string): boolean {
    return dirname(real) === real || real === realFolder(this.#options.userHome ?? homedir());
  }

  #text(): string | undefined {
    try {
      return readStoreFile(this.path);
    } catch (cause) {
      throw this.#bad(cause instanceof Error ? cause.message : String(cause));
    }
  }

  #bad(reason: string): BlackError {
    return new BlackError(
      'bad_trust_file',
      `${this.path} cannot be read, so no folder counts as trusted: ${reason}.`,
      'Move it away and trust your folders again: black trust FOLDER.',
    );
  }
}

/** The real path of a folder; undefined where it is none. */
function realFolder(path: string): string | undefined {
  try {
    const real = realpathSync.native(path);
    return statSync(real).isDirectory() ? real : undefined;
  } catch (cause) {
    if (errnoOf(cause) === undefined) throw cause;
    return undefined;
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Reported by the caller, as any other text that is no list.
    return undefined;
  }
}
