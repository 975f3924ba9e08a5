import type { View } from '@black-ide/protocol';
import { fitWidth } from '../text/fit-width.ts';
import type { Painter } from '../text/painter.ts';
import { visibleLine } from '../text/visible-text.ts';

export interface PlanStep {
  step: string;
  status: 'pending' | 'in_progress' | 'completed';
}

const MARKS = { completed: '✓', in_progress: '▸', pending: '·' } as const;

/** The steps that a call of `update_plan` told, from its details as they come out of a log. */
export function planSteps(details: unknown): PlanStep[] {
  const { steps } = (details ?? {}) as { steps?: unknown };
  if (!Array.isArray(steps)) return [];
  return steps.filter(
    (each): each is PlanStep =>
      typeof each === 'object' &&
      each !== null &&
      typeof (each as PlanStep).step === 'string' &&
      Object.hasOwn(MARKS, String((each as PlanStep).status)),
  );
}

/** The steps of the task that runs, as its newest plan tells them; none where it has told none. */
export function currentPlan({ items, live }: Pick<View, 'items' | 'live'>): PlanStep[] {
  // Only the newest task is looked through: it is asked with every frame.
  for (let at = items.length - 1; live.running && at >= 0; at--) {
    const item = items[at]!;
    if (item.kind === 'taskStart' || item.kind === 'taskEnd') return [];
    if (item.kind === 'toolResult' && item.name === 'update_plan' && !item.isError) return planSteps(item.details);
  }
  return [];
}

/** A plan in at most so many lines: what is done and what comes late are only counted where there are too many. */
export function planLines(steps: readonly PlanStep[], columns: number, paint: Painter, limit: number): string[] {
  const draw = ({ step, status }: PlanStep): string => {
    const text = fitWidth(`${MARKS[status]} ${visibleLine(step)}`, columns);
    return status === 'in_progress' ? text : paint.dim(text);
  };
  if (steps.length <= limit) return steps.map(draw);
  const begin = steps.findIndex(({ status }) => status !== 'completed');
  const done = begin < 0 ? steps.length : begin;
  const room = Math.max(limit - (done > 0 ? 1 : 0) - 1, 1);
  const left = steps.slice(done);
  const shown = left.length <= room + 1 ? left : left.slice(0, room);
  const more = left.length - shown.length;
  return [
    ...(done > 0 ? [paint.dim(`${MARKS.completed} ${done} of ${steps.length} steps done`)] : []),
    ...shown.map(draw),
    ...(more > 0 ? [paint.dim(`  … and ${more} more`)] : []),
  ];
}
