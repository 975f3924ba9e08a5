import { CliFailure, unwrap } from '../failure.ts';
import { type Io, warn } from '../io.ts';
import { visibleLine } from '../text/visible-text.ts';
import type { OpenedEngine } from './open-engine.ts';

/** A session that can be gone on with. */
export interface OpenSession {
  sessionId: string;
  /** The folder in which it began; empty in sessions of other programs that do not tell. */
  began: string;
}

/** What an opened session is for. */
export interface SessionUse {
  /** It is only looked at: also while another program has it open. */
  reads?: boolean;
  /** What to do where it can only be read. */
  next?: (sessionId: string) => string;
}

/**
 * Opens a stored session to go on with it; `name` is an id, the beginning of one, or `latest`.
 * Throws a CliFailure where there is none, and where it can only be read.
 */
export async function openForWork(
  { engine }: OpenedEngine,
  name: string,
  io: Io,
  { reads = false, next = tryAgain }: SessionUse = {},
): Promise<OpenSession> {
  const { sessionId, header, problems, readOnly } = unwrap(
    await engine.execute({ type: 'openSession', session: name }),
  );
  for (const problem of problems) warn(io, visibleLine(problem));
  if (readOnly && !reads) {
    throw new CliFailure({
      code: 'read_only',
      message: `The session ${sessionId} can only be read: ${readOnly}`,
      next: next(sessionId),
    });
  }
  return { sessionId, began: header.cwd };
}

const tryAgain = (sessionId: string): string =>
  `Try again when that is over, or begin a new session with black -p "…"; black sessions show ${sessionId} shows this one.`;
