import type { Request } from '@black-ide/protocol';
import { type Io, warn } from '../io.ts';
import { requestContent, requestText } from '../text/request-text.ts';
import { visibleLine } from '../text/visible-text.ts';

/** Says on stderr what waits for an answer, and the commands that answer it. */
export function printWaiting(task: { sessionId: string; saved: boolean }, requests: readonly Request[], io: Io): void {
  for (const request of requests) {
    const [title, ...facts] = [...requestText(request), ...requestContent(request)];
    warn(io, `${request.kind === 'loop_limit' ? 'Stopped at the limit' : 'Stopped to ask'}: ${title}`);
    for (const fact of facts) io.err.line(`       ${fact}`);
  }
  if (!task.saved) {
    io.err.line('       The session is not saved; run again with --yes, or with a folder for BLACKIDE_HOME.');
    return;
  }
  for (const { id, kind, options } of requests) {
    const which = requests.length > 1 ? ` ${id}` : '';
    if (kind === 'ask_user') {
      io.err.line(`       answer: black approve ${task.sessionId}${which} --reason "the answer"`);
      continue;
    }
    const isPlan = kind === 'plan';
    if (isPlan) io.err.line('       The files can be edited first; what they say when you approve is carried out.');
    io.err.line(`       yes: black approve ${task.sessionId}${which}`);
    const lasting = options.find(({ value }) => value === 'allow-session');
    if (lasting) {
      const what = visibleLine(lasting.label.replace(/ in this session$/, ''));
      io.err.line(`       from now on: black approve ${task.sessionId}${which} --for session|folder   (${what})`);
    }
    io.err.line(
      `       no:  black reject ${task.sessionId}${which}${isPlan ? ' (--feedback "…" has it made anew)' : ''}`,
    );
  }
}
