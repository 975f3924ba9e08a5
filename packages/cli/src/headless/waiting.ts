import type { Request } from '@black-ide/protocol';
import { type Io, warn } from '../io.ts';
import { visibleLine } from '../text/visible-text.ts';

/** Says on stderr what waits for an answer, and the commands that answer it. */
export function printWaiting(task: { sessionId: string; saved: boolean }, requests: readonly Request[], io: Io): void {
  for (const { kind, title } of requests) {
    warn(io, `${kind === 'loop_limit' ? 'Stopped at the limit' : 'Stopped to ask'}: ${visibleLine(title)}`);
  }
  if (!task.saved) {
    io.err.line('       The session is not saved; run again with --yes, or with a folder for BLACKIDE_HOME.');
    return;
  }
  for (const { id } of requests) {
    const which = requests.length > 1 ? ` ${id}` : '';
    io.err.line(`       black approve ${task.sessionId}${which}`);
    io.err.line(`       black reject ${task.sessionId}${which}`);
  }
}
