import { CliFailure, unwrap } from '../failure.ts';
import { type Io, warn } from '../io.ts';
import { visibleLine } from '../text/visible-text.ts';
import type { OpenedEngine } from './open-engine.ts';

/**
 * Opens a stored session to go on with it and answers its id; `name` is an id, the beginning of one, or `latest`.
 * Throws a CliFailure where there is none, and where it can only be read.
 */
export async function openForWork({ engine, cwd }: OpenedEngine, name: string, io: Io): Promise<string> {
  const { sessionId, header, problems, readOnly } = unwrap(
    await engine.execute({ type: 'openSession', session: name }),
  );
  for (const problem of problems) warn(io, visibleLine(problem));
  if (readOnly) {
    throw new CliFailure({
      code: 'read_only',
      message: `The session ${sessionId} can only be read: ${readOnly}`,
      next: `Try again when that is over, or begin a new session with black -p "…"; black sessions show ${sessionId} shows this one.`,
    });
  }
  if (header.cwd && header.cwd !== cwd) {
    warn(io, `The session began in ${visibleLine(header.cwd)}; it goes on in ${visibleLine(cwd)}.`);
  }
  return sessionId;
}
