import { describe, expect, it } from 'vitest';
import type { Entry } from '../entries.ts';
import { planProgress } from './plan-progress.ts';
import { foldEntries } from './reduce.ts';

let count = 0;
const entry = (fields: object): Entry =>
  ({ ...fields, id: `e${count++}`, parentId: count > 1 ? `e${count - 2}` : null, timestamp: '' }) as Entry;
const task = () =>
  entry({
    type: 'custom',
    customType: 'task_start',
    data: { messageId: 'm', mode: 'Agent', model: 'x/y', maxIterations: 25 },
  });
const end = () => entry({ type: 'custom', customType: 'task_end', data: { outcome: 'completed', message: '' } });
const steps = (details: unknown, toolName = 'update_plan', isError = false) =>
  entry({
    type: 'message',
    message: { role: 'toolResult', toolCallId: 'c', toolName, content: [], details, isError },
  });
const progress = (...entries: Entry[]) => planProgress(foldEntries('s', entries));

describe('planProgress', () => {
  it('IDE-33 is that of the newest update of the task that runs', () => {
    expect(progress(task(), steps({ done: 0, total: 2, current: 'a' }), steps({ done: 1, total: 2 }))).toEqual({
      done: 1,
      total: 2,
    });
    expect(progress(task(), steps({ done: 0, total: 2, current: 'a' }), steps(null))).toMatchObject({ current: 'a' });
  });

  it('IDE-33 there is none before the first, after the end, in the next task, or where it failed', () => {
    const told = steps({ done: 1, total: 2 });
    expect(progress()).toBeUndefined();
    expect(progress(told, task())).toBeUndefined();
    expect(progress(task(), told, end())).toBeUndefined();
    expect(progress(task(), steps({ done: 1, total: 2 }, 'update_plan', true))).toBeUndefined();
    expect(progress(task(), steps({ done: 1, total: 2 }, 'other'))).toBeUndefined();
    expect(progress(task(), steps({ done: 'x' }))).toBeUndefined();
  });
});
