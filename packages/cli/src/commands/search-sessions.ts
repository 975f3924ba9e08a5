import type { FoundSession, SearchMatch } from '@black-ide/protocol';
import type { SearchInvocation } from '../args/parse-invocation.ts';
import { unwrap } from '../failure.ts';
import { openEngine } from '../headless/open-engine.ts';
import { type Io, warn } from '../io.ts';
import { fitWidth } from '../text/fit-width.ts';
import { type Painter, painter } from '../text/painter.ts';
import { shortIdLength } from '../text/short-ids.ts';
import { visibleLine } from '../text/visible-text.ts';
import { when } from '../text/when.ts';

const WHO: Readonly<Record<SearchMatch['in'], string>> = {
  title: 'title',
  user: 'you',
  assistant: 'black',
  summary: 'sum',
  command: '$',
};

/** `black sessions search`: the sessions that hold all that is asked for, newest first, with the places. */
export async function searchSessions({ query, all, limit, json }: SearchInvocation, io: Io): Promise<number> {
  const opened = await openEngine(io, { face: 'headless', asks: 'refuse', needsHome: true, anywhere: all });
  try {
    const command = { type: 'searchSessions' as const, query, everywhere: all, ...(limit ? { limit } : {}) };
    const { sessions, searched, truncated, problems } = unwrap(await opened.engine.execute(command));
    for (const problem of problems) warn(io, visibleLine(problem));
    if (json) io.out.line(JSON.stringify(sessions, undefined, 2));
    else if (sessions.length === 0) io.err.line(nothing(searched, all));
    else {
      print(sessions, all, io);
      if (truncated) io.err.line(`There may be more; --limit ${sessions.length * 4} shows more.`);
    }
    return 0;
  } finally {
    await opened.dispose();
  }
}

function nothing(searched: number, all: boolean): string {
  const what = `Nothing found in ${searched} ${searched === 1 ? 'session' : 'sessions'}`;
  return all ? `${what}.` : `${what} of this folder; --all searches those of every folder.`;
}

function print(sessions: readonly FoundSession[], all: boolean, io: Io): void {
  const paint = painter(io.world.env, io.out.isTerminal);
  const columns = io.out.isTerminal ? io.out.columns : Number.POSITIVE_INFINITY;
  const length = shortIdLength(sessions.map(({ id }) => id));
  for (const { id, title, modified, cwd, matches } of sessions) {
    const name = visibleLine(title) || '(no title)';
    io.out.line(paint.bold(fitWidth(`${id.slice(0, length)}  ${when(modified)}  ${name}`, columns)));
    if (all) io.out.line(paint.dim(fitWidth(`  ${visibleLine(cwd)}`, columns)));
    // The title is in the line above.
    for (const match of matches.filter((each) => each.in !== 'title')) io.out.line(place(match, columns, paint));
  }
}

/** A match in one line; painted where nothing had to be made visible or cut, since its ranges hold then. */
function place({ in: where, text, ranges }: SearchMatch, columns: number, paint: Painter): string {
  const head = `  ${WHO[where].padEnd(6)}`;
  const shown = fitWidth(visibleLine(text), columns - head.length);
  let painted = '';
  let at = 0;
  for (const [start, end] of ranges) {
    if (!text.startsWith(shown.slice(0, end)) || end > shown.length) break;
    painted += shown.slice(at, start) + paint.accent(shown.slice(start, end));
    at = end;
  }
  return paint.dim(head) + painted + shown.slice(at);
}
