import { isRecord } from '../content.ts';
import type { View } from './view.ts';

/** How far a task is, by its newest `update_plan`. */
export interface PlanProgress {
  done: number;
  total: number;
  /** The step that is being worked on; absent between two. */
  current?: string;
}

/** The steps of the newest task; undefined where it has told none, or has ended. */
export function planProgress(view: View): PlanProgress | undefined {
  // Only the newest task is looked through: a face asks with every frame.
  for (let at = view.items.length - 1; at >= 0; at--) {
    const item = view.items[at]!;
    if (item.kind === 'taskStart' || item.kind === 'taskEnd') return undefined;
    if (item.kind !== 'toolResult' || item.name !== 'update_plan' || item.isError || !isRecord(item.details)) continue;
    const { done, total, current } = item.details;
    if (typeof done !== 'number' || typeof total !== 'number') continue;
    return { done, total, ...(typeof current === 'string' ? { current } : {}) };
  }
  return undefined;
}
