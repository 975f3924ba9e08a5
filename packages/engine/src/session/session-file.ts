import { dirname, join } from 'node:path';
import { BlackError, customData, type Entry, type SessionHeader } from '@black-ide/protocol';
import {
  AppendLog,
  makeStoreFolder,
  type ProcessIdentity,
  ProcessLock,
  realPathOf,
  workspaceKey,
  writeFileAtomic,
} from '@black-ide/workspace';
import { sessionFileName } from './session-ids.ts';
import type { SessionLog } from './session-log.ts';

/** The folder of a workspace's sessions. */
export function sessionFolder(home: string, cwd: string): string {
  return join(home, 'sessions', workspaceKey(realPathOf(cwd)));
}

/** The lock of a session's file. */
export function lockPath(path: string): string {
  return `${path.replace(/\.jsonl$/, '')}.lock`;
}

/** The lines of a whole session. */
export function sessionText(header: SessionHeader, entries: readonly Entry[]): string {
  return [header, ...entries].map((line) => `${JSON.stringify(line)}\n`).join('');
}

interface Open {
  lock: ProcessLock;
  log: AppendLog;
}

/**
 * A session's file. A new one appears with its first entry: header and entry are one write, so that no file is ever
 * without its header and nobody finds files of sessions in which nothing happened.
 */
export class SessionFile implements SessionLog {
  readonly path: string;
  readonly #home: string;
  readonly #header: SessionHeader;
  #headerWritten: boolean;
  /** Lines that alone are no reason for a file. */
  readonly #held: string[] = [];
  #open: Open | undefined;

  private constructor(home: string, path: string, header: SessionHeader, headerWritten: boolean, open?: Open) {
    this.#home = home;
    this.path = path;
    this.#header = header;
    this.#headerWritten = headerWritten;
    this.#open = open;
  }

  /** The file of a new session; nothing is on disk yet. */
  static create(home: string, header: SessionHeader): SessionFile {
    return new SessionFile(home, join(sessionFolder(home, header.cwd), sessionFileName(header)), header, false);
  }

  /**
   * The file of a session that was read; the lock, where it is held, is the file's from now on.
   * @param headerWritten false where the file has none (any more): it is written with the next entry.
   * @throws BlackError `log_unwritable`; the lock is released then.
   */
  static of(
    home: string,
    path: string,
    header: SessionHeader,
    headerWritten: boolean,
    lock?: ProcessLock,
  ): SessionFile {
    return new SessionFile(home, path, header, headerWritten, lock && { lock, log: openLog(path, lock) });
  }

  append(entry: Entry, line: string): void {
    if (!this.#headerWritten && asksForTrust(entry)) {
      this.#held.push(line);
      return;
    }
    this.#open ??= this.#begin();
    const lines = this.#headerWritten ? [line] : [JSON.stringify(this.#header), ...this.#held.splice(0), line];
    // What a person has answered must not be asked again after a power cut.
    this.#open.log.append(lines, customData(entry, 'response') !== undefined);
    this.#headerWritten = true;
  }

  branch(header: SessionHeader, entries: readonly Entry[]): SessionFile {
    const folder = header.cwd ? sessionFolder(this.#home, header.cwd) : dirname(this.path);
    const path = join(folder, sessionFileName(header));
    makeFolder(folder);
    const lock = lockFor(path);
    try {
      writeFileAtomic(path, sessionText(header, entries));
    } catch (cause) {
      lock.release();
      throw unwritable(cause);
    }
    return SessionFile.of(this.#home, path, header, true, lock);
  }

  dispose(): void {
    this.#open?.log.dispose();
    this.#open?.lock.release();
    this.#open = undefined;
  }

  #begin(): Open {
    makeFolder(dirname(this.path));
    const lock = lockFor(this.path);
    return { lock, log: openLog(this.path, lock, true) };
  }
}

/**
 * Whether an entry is the question whether the folder is trusted, or its answer. The answer is stored elsewhere; whoever
 * only opened a folder and answered it has not begun a session.
 */
function asksForTrust(entry: Entry): boolean {
  return (customData(entry, 'request') ?? customData(entry, 'response'))?.kind === 'trust';
}

/** Who holds a session's file, in words for a person. */
export function heldMessage({ pid }: ProcessIdentity): string {
  return `Another process (${pid}) has this session open.`;
}

function makeFolder(path: string): void {
  try {
    makeStoreFolder(path);
  } catch (cause) {
    throw unwritable(cause);
  }
}

function unwritable(cause: unknown): BlackError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  const next = 'Check that the disk has room and that the folder is writable: `black doctor` tells.';
  return new BlackError('session_unwritable', `The session cannot be written: ${reason}`, next, { cause });
}

function lockFor(path: string): ProcessLock {
  const attempt = ProcessLock.acquire(lockPath(path));
  if (attempt.ok) return attempt.lock;
  throw new BlackError('session_held', heldMessage(attempt.heldBy), 'Start a new session.');
}

function openLog(path: string, lock: ProcessLock, exclusive = false): AppendLog {
  try {
    return AppendLog.open(path, { exclusive });
  } catch (cause) {
    lock.release();
    throw cause;
  }
}
