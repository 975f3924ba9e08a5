import type { SessionSummary } from '@black-ide/protocol';
import { unwrap } from '../failure.ts';
import { openEngine } from '../headless/open-engine.ts';
import type { Io } from '../io.ts';
import { fitWidth } from '../text/fit-width.ts';
import { shortIdLength } from '../text/short-ids.ts';
import { visibleLine } from '../text/visible-text.ts';
import { when } from '../text/when.ts';

/** `black sessions list`: this folder's sessions, or those of every folder, newest first. */
export async function listSessions({ all, json }: { all: boolean; json: boolean }, io: Io): Promise<number> {
  const opened = await openEngine(io, { face: 'headless', asks: 'refuse', needsHome: true, anywhere: all });
  try {
    const command = { type: 'listSessions' as const, everywhere: all };
    const { sessions } = unwrap(await opened.engine.execute(command));
    if (json) io.out.line(JSON.stringify(sessions, undefined, 2));
    else print(sessions, all, io);
    return 0;
  } finally {
    await opened.dispose();
  }
}

function print(sessions: readonly SessionSummary[], all: boolean, io: Io): void {
  if (sessions.length === 0) {
    io.err.line(
      all
        ? 'There are no sessions yet. black -p "…" begins one.'
        : 'There are no sessions of this folder yet. black -p "…" begins one; --all lists those of other folders.',
    );
    return;
  }
  const length = shortIdLength(sessions.map(({ id }) => id));
  const columns = io.out.isTerminal ? io.out.columns : Number.POSITIVE_INFINITY;
  const folders = all ? [...new Set(sessions.map(({ cwd }) => cwd))] : [undefined];
  for (const folder of folders) {
    if (folder !== undefined) io.out.line(fitWidth(visibleLine(folder), columns));
    for (const session of sessions) {
      if (folder !== undefined && session.cwd !== folder) continue;
      io.out.line(fitWidth(row(session, length, columns), columns));
    }
  }
}

function row(session: SessionSummary, length: number, columns: number): string {
  const { id, modified, messages, atLeast, title, problem } = session;
  const number = `${messages}${atLeast ? '+' : ''}`.padStart(6);
  const count = columns < 60 ? '' : `${number} ${messages === 1 ? 'message ' : 'messages'}`;
  const name = visibleLine(title) || '(no title)';
  const damage = problem ? ` (damaged: ${visibleLine(problem)})` : '';
  return `${id.slice(0, length)}  ${when(modified).padEnd(16)}${count}  ${name}${damage}`;
}
