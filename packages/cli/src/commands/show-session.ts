import { isUnpriced, openRequests, timeline } from '@black-ide/protocol';
import { unwrap } from '../failure.ts';
import { openEngine } from '../headless/open-engine.ts';
import { printWaiting } from '../headless/waiting.ts';
import { type Io, warn } from '../io.ts';
import { costLine } from '../text/cost-line.ts';
import { painter } from '../text/painter.ts';
import { timelineText } from '../text/timeline-text.ts';
import { visibleLine } from '../text/visible-text.ts';
import { when } from '../text/when.ts';

/** `black sessions show`: what happened in a session, in plain words or as data. Also while another process works in it. */
export async function showSession({ session, json }: { session: string; json: boolean }, io: Io): Promise<number> {
  const anywhere = session !== 'latest';
  const opened = await openEngine(io, { face: 'headless', asks: 'refuse', needsHome: true, anywhere });
  try {
    const { sessionId, header, path, view, problems } = unwrap(
      await opened.engine.execute({ type: 'readSession', session }),
    );
    for (const problem of problems) warn(io, visibleLine(problem));
    if (json) {
      const { title, usage, labels } = view;
      const data = {
        sessionId,
        title,
        header,
        path,
        usage,
        labels,
        requests: openRequests(view),
        timeline: timeline(view),
      };
      io.out.line(JSON.stringify(data, undefined, 2));
      return 0;
    }
    const paint = painter(io.world.env, io.out.isTerminal);
    const columns = io.out.isTerminal ? io.out.columns : Number.POSITIVE_INFINITY;
    io.out.line(paint.bold(visibleLine(view.title || `Session ${sessionId}`)));
    io.out.line(paint.dim(`${sessionId} · ${visibleLine(header.cwd)} · ${when(header.timestamp)}`));
    io.out.line('');
    for (const line of timelineText(timeline(view), columns, paint)) io.out.line(line);
    const { usage } = view;
    io.out.line('');
    io.out.line(
      paint.dim(
        costLine(
          { usage, cost: usage.cost.total, unpriced: view.spending.some(isUnpriced), turns: turnsOf(view.items) },
          columns,
        ),
      ),
    );
    printWaiting({ sessionId, saved: true }, openRequests(view), io);
    return 0;
  } finally {
    await opened.dispose();
  }
}

function turnsOf(items: readonly { kind: string }[]): number {
  return items.filter(({ kind }) => kind === 'assistant').length;
}
