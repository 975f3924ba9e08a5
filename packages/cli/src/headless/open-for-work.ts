import type { Engine } from '@black-ide/engine';
import { CliFailure, unwrap } from '../failure.ts';
import { type Io, warn } from '../io.ts';

/**
 * Opens a stored session to go on with it and answers its id; `session` is an id, the beginning of one, or `latest`.
 * Throws a CliFailure where there is none, and where it can only be read.
 */
export async function openForWork(engine: Engine, session: string, io: Io): Promise<string> {
  const opened = unwrap(await engine.execute({ type: 'openSession', session }));
  for (const problem of opened.problems) warn(io, problem);
  if (opened.readOnly) {
    throw new CliFailure({
      code: 'read_only',
      message: `The session ${opened.sessionId} can only be read: ${opened.readOnly}`,
      next: `End the other one or start a new session with black -p "…"; black sessions show ${opened.sessionId} shows this one.`,
    });
  }
  return opened.sessionId;
}
