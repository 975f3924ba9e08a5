import type { SessionHeader, SessionSummary } from '@black-ide/protocol';
import type { OpenedSession } from './open-session-file.ts';
import type { SessionLog } from './session-log.ts';

/** Where the sessions of a program are kept: on disk, or in memory alone. */
export interface SessionBackend {
  /** The log of a new session; nothing is kept before its first entry. */
  create(header: SessionHeader): SessionLog;
  /** @param reference one that `find` answered. @throws BlackError where there is none, or it cannot be read. */
  open(reference: string, cwd: string): OpenedSession;
  /** The sessions that a person may mean by an id, the beginning of one, or a path. */
  find(name: string, cwd: string): string[];
  /** The sessions of a folder, or all, in no certain order. */
  list(cwd?: string): Promise<SessionSummary[]>;
}
