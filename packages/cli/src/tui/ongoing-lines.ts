import { fitWidth } from '../text/fit-width.ts';
import type { Painter } from '../text/painter.ts';
import { visibleLine } from '../text/visible-text.ts';
import type { Chat } from './chat.ts';
import { currentPlan, planLines } from './plan-lines.ts';

export interface OngoingFacts {
  columns: number;
  rows: number;
  paint: Painter;
  /** In the clock's milliseconds. */
  now: number;
  /** Nothing is written in the input. */
  isEmpty: boolean;
}

/** What stands above the question and the input while something goes on: the answer as it is written, plan, tools, queue. */
export function ongoingLines(chat: Chat, facts: OngoingFacts): string[] {
  const { columns, rows, paint, now } = facts;
  const partial = chat.partial.slice(-Math.max(Math.floor(rows / 2), 3));
  // While a person is asked, nothing else goes on.
  const works = chat.request === undefined;
  const plan = works ? planLines(currentPlan(chat.view), columns, paint, rows < 24 ? 3 : 6) : [];
  const activity = works ? chat.activity(columns, paint, now) : [];
  const apart = partial.length > 0 && plan.length + activity.length > 0 ? [''] : [];
  return [...partial, ...apart, ...plan, ...activity, ...queueLines(chat.view.live.queue, facts)];
}

function queueLines(queue: readonly string[], { columns, paint, isEmpty }: OngoingFacts): string[] {
  const shown = queue.slice(0, 3).map((text) => fitWidth(`  queued: ${visibleLine(text)}`, columns));
  if (queue.length > shown.length) shown.push(`  … and ${queue.length - shown.length} more`);
  if (shown.length > 0 && isEmpty) shown.push('  ↑ takes the last one back');
  return shown.map(paint.dim);
}
