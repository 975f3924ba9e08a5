import type { SessionHeader, SessionSummary } from '@black-ide/protocol';
import type { OpenedSession } from './open-session-file.ts';
import type { ReadSession } from './read-session-file.ts';
import type { SessionLog } from './session-log.ts';

/** Where the sessions of a program are kept: on disk, or in memory alone. */
export interface SessionBackend {
  /** The log of a new session; nothing is kept before its first entry. */
  create(header: SessionHeader): SessionLog;
  /** @param reference one that `find` answered. @throws BlackError where there is none, or it cannot be read. */
  open(reference: string, cwd: string): OpenedSession;
  /** What a session tells, without opening it. @throws BlackError as `open`. */
  read(reference: string): ReadSession;
  /** Calls the visitor with every line until it answers false. @throws what keeps it from being read. */
  readLines(reference: string, visit: (line: string) => boolean): void;
  /** Moves a session to the trash. @returns where it lies now; undefined in memory. @throws BlackError */
  putAway(reference: string): string | undefined;
  /** The sessions in the trash that a person may mean by an id or the beginning of one. */
  findPutAway(name: string): string[];
  /** Takes a session back. @param reference one that `findPutAway` answered. @returns its reference. @throws BlackError */
  takeBack(reference: string): string;
  /** The sessions that a person may mean by an id, the beginning of one, or a path. */
  find(name: string, cwd: string): string[];
  /** The sessions of a folder, or all, in no certain order. */
  list(cwd?: string): Promise<SessionSummary[]>;
}
