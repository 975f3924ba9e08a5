import { basename } from 'node:path';
import { BlackError, type Entry, SESSION_VERSION, type SessionHeader } from '@black-ide/protocol';
import { errnoOf, readLogLines } from '@black-ide/workspace';
import { idInFileName } from './session-ids.ts';
import { type ParsedSession, SessionParser } from './session-parser.ts';

/** A session as it is told to a reader. */
export interface ReadSession {
  /** Absent in memory. */
  path?: string;
  header: SessionHeader;
  /** Of the current version, whatever the file's is. */
  entries: Entry[];
  problems: string[];
}

/**
 * Reads a session without opening it: no lock is taken, nothing is migrated on disk, nothing is written. Another process
 * may be writing it; what is not complete yet is left out.
 * @throws BlackError `session_not_found`, `session_unreadable`, `not_a_session`.
 */
export function readSessionFile(path: string): ReadSession {
  const { header, entries, problems } = parseSessionFile(path);
  return {
    path,
    header: header ?? {
      type: 'session',
      version: SESSION_VERSION,
      id: idInFileName(basename(path)) ?? basename(path),
      timestamp: entries[0]?.timestamp ?? '',
      cwd: '',
    },
    entries,
    problems,
  };
}

/** What a session's file holds. @throws BlackError as `readSessionFile`. */
export function parseSessionFile(path: string): ParsedSession {
  const parser = new SessionParser();
  try {
    readLogLines(path, (text, number, complete) => parser.line(text, number, complete));
  } catch (cause) {
    throw unreadable(path, cause);
  }
  const parsed = parser.finish();
  if (parsed.plausible) return parsed;
  throw new BlackError('not_a_session', `${path} holds no session.`, 'Nothing in it was changed.');
}

/** Why a session's file cannot be read, in words for a person. */
export function unreadable(path: string, cause: unknown): BlackError {
  if (errnoOf(cause) === 'ENOENT') return new BlackError('session_not_found', `There is no session file ${path}.`);
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new BlackError('session_unreadable', `${path} cannot be read: ${reason}`, 'Nothing in it was changed.');
}
