import type { Failure } from './io-errors.ts';

/** One file version that the agent knows; plain data for the session log. */
export interface LedgerEntry {
  /** The real path. */
  path: string;
  version: string;
}

/**
 * Remembers which version of which file the agent has seen, so that it never overwrites what it does not know (IDE-52).
 * Rebuilt from the log when a session resumes: hand in what its reads and writes reported, oldest first.
 */
export class ReadLedger {
  readonly #versions = new Map<string, string>();

  constructor(entries: Iterable<LedgerEntry> = []) {
    for (const entry of entries) this.record(entry);
  }

  /** The agent has read this version, or written it itself. */
  record({ path, version }: LedgerEntry): void {
    this.#versions.set(path, version);
  }

  /** The file is gone, or no longer known. */
  forget(path: string): void {
    this.#versions.delete(path);
  }

  /** The version that the agent has seen last. */
  versionOf(path: string): string | undefined {
    return this.#versions.get(path);
  }

  /**
   * Says whether the agent may change a file that now has this version: `not_read` when it never saw the file,
   * `changed_since_read` when it saw another version.
   *
   * @param shownAs the path as people and models know it
   */
  check({ path, version }: LedgerEntry, shownAs: string): { ok: true } | Failure {
    const seen = this.#versions.get(path);
    if (seen === version) return { ok: true };
    const error =
      seen === undefined
        ? { code: 'not_read', message: `${shownAs} was not read yet.`, next: 'Read it first, then change it.' }
        : {
            code: 'changed_since_read',
            message: `${shownAs} has changed since it was read.`,
            next: 'Read it again, then make the change anew.',
          };
    return { ok: false, error };
  }

  /** Everything known, as plain data. */
  entries(): LedgerEntry[] {
    return [...this.#versions].map(([path, version]) => ({ path, version }));
  }
}
