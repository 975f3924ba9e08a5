import type { Entry, SessionHeader } from '@black-ide/protocol';

/** Where a session's entries are kept: a file, or memory alone. */
export interface SessionLog {
  /** The file; undefined in memory. */
  readonly path: string | undefined;
  /**
   * Keeps an entry, given with its line of JSON. When this returns the entry survives the end of our process.
   * @throws BlackError; the entry is not kept then.
   */
  append(entry: Entry, line: string): void;
  /**
   * Begins another session with these entries, all or nothing, and answers its log. This one stays as it is.
   * @throws BlackError where it cannot be written.
   */
  branch(header: SessionHeader, entries: readonly Entry[]): SessionLog;
  dispose(): void;
}

/** Why a session takes no entries, and what the person can do. */
export interface ReadOnly {
  /** `held` by another living process; of a `newer_version` than ours; `unwritable` on this disk. */
  reason: 'held' | 'newer_version' | 'unwritable';
  message: string;
  next: string;
  /** The process that holds it, where one does. */
  heldBy?: { pid: number };
}
