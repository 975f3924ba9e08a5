import { basename } from 'node:path';
import { BlackError, type Entry, SESSION_VERSION, type SessionHeader } from '@black-ide/protocol';
import { keepOriginal, ProcessLock, readFileEnds, writeFileAtomic } from '@black-ide/workspace';
import { parseSessionFile, unreadable } from './read-session-file.ts';
import { heldMessage, lockPath, SessionFile, sessionText } from './session-file.ts';
import { idInFileName, newSessionId, type RandomHex } from './session-ids.ts';
import type { ReadOnly, SessionLog } from './session-log.ts';
import type { ParsedSession } from './session-parser.ts';

export interface OpenedSession {
  header: SessionHeader;
  entries: Entry[];
  log: SessionLog;
  problems: string[];
  readOnly?: ReadOnly;
}

export interface OpenFacts {
  home: string;
  /** Stands in where the file has lost its header. */
  cwd: string;
  now: () => number;
  randomHex: RandomHex;
}

/**
 * Opens a session's file for this process, or for reading only where another living one holds it, it is of a later
 * version, or it cannot be written. An old version is migrated: the new file takes the place of the old one, which is
 * kept beside it. A file is never changed because it could not be read.
 * @throws BlackError `session_not_found`, `session_unreadable`, `not_a_session`.
 */
export function openSessionFile(path: string, facts: OpenFacts): OpenedSession {
  readable(path);
  const held = takeLock(path);
  try {
    const parsed = parseSessionFile(path);
    const header = parsed.header ?? newHeader(path, parsed, facts);
    const { entries, problems } = parsed;
    const readOnly = held.readOnly ?? (parsed.tooNew ? tooNew() : migrate(path, parsed, header));
    if (readOnly) {
      held.lock?.release();
      return { header, entries, problems, readOnly, log: SessionFile.of(facts.home, path, header, true) };
    }
    const headerWritten = parsed.header !== undefined || parsed.migrated;
    return { header, entries, problems, ...openForWriting(path, header, headerWritten, held.lock!, facts.home) };
  } catch (cause) {
    held.lock?.release();
    throw cause;
  }
}

function openForWriting(
  path: string,
  header: SessionHeader,
  headerWritten: boolean,
  lock: ProcessLock,
  home: string,
): Pick<OpenedSession, 'log' | 'readOnly'> {
  try {
    return { log: SessionFile.of(home, path, header, headerWritten, lock) };
  } catch (cause) {
    return { log: SessionFile.of(home, path, header, headerWritten), readOnly: unwritable(cause) };
  }
}

/** Fails before anything is made beside a file that is not there or not ours to read. */
function readable(path: string): void {
  try {
    readFileEnds(path, 0, 0);
  } catch (cause) {
    throw unreadable(path, cause);
  }
}

function takeLock(path: string): { lock?: ProcessLock; readOnly?: ReadOnly } {
  try {
    const attempt = ProcessLock.acquire(lockPath(path));
    return attempt.ok ? { lock: attempt.lock } : { readOnly: held(attempt.heldBy) };
  } catch (cause) {
    return { readOnly: unwritable(cause) };
  }
}

/** Replaces the file of an old version; the bytes as they were stay beside it under the version's name (SES-5). */
function migrate(path: string, parsed: ParsedSession, header: SessionHeader): ReadOnly | undefined {
  if (!parsed.migrated) return undefined;
  try {
    keepOriginal(path, `${path}.before-v${SESSION_VERSION}`);
    writeFileAtomic(path, sessionText(header, parsed.entries), { durable: true });
    return undefined;
  } catch (cause) {
    return unwritable(cause);
  }
}

function newHeader(path: string, { entries }: ParsedSession, { cwd, now, randomHex }: OpenFacts): SessionHeader {
  return {
    type: 'session',
    version: SESSION_VERSION,
    id: idInFileName(basename(path)) ?? newSessionId(randomHex),
    timestamp: entries[0]?.timestamp || new Date(now()).toISOString(),
    cwd,
  };
}

function held(heldBy: { pid: number }): ReadOnly {
  const next = 'Close it there first. black sessions show and export read it all the same.';
  return { reason: 'held', message: heldMessage(heldBy), next, heldBy };
}

function tooNew(): ReadOnly {
  return {
    reason: 'newer_version',
    message: 'This session was written by a newer version of the program.',
    next: 'Update Black IDE to continue it.',
  };
}

function unwritable(cause: unknown): ReadOnly {
  const { message, next = 'Fork the session and go on in the copy.' } = BlackError.toValue(cause);
  return { reason: 'unwritable', message, next };
}
