import { describe, expect, it } from 'vitest';
import type { Entry } from '../entries.ts';
import { zeroUsage } from '../messages.ts';
import { costs } from './costs.ts';
import { eventsOf } from './events-of.ts';
import { emptyView, foldEntries, reduce } from './reduce.ts';

const usage = (total: number) => ({ ...zeroUsage(), input: 10, totalTokens: 10, cost: { ...zeroUsage().cost, total } });

function log(...lines: object[]): Entry[] {
  return lines.map((line, i) => ({ id: `e${i}`, parentId: i ? `e${i - 1}` : null, timestamp: '', ...line }) as Entry);
}

const answer = (total: number, model = 'big') => ({
  type: 'message',
  message: { role: 'assistant', content: [], provider: 'p', model, usage: usage(total), stopReason: 'stop' },
});
const start = (messageId: string) => ({
  type: 'custom',
  customType: 'task_start',
  data: { messageId, mode: 'Agent', model: 'p/big', maxIterations: 5 },
});
const end = { type: 'custom', customType: 'task_end', data: { outcome: 'completed', message: '' } };

describe('costs', () => {
  const entries = log(
    start('m1'),
    answer(1),
    {
      type: 'compaction',
      summary: 's',
      firstKeptEntryId: 'e0',
      tokensBefore: 1,
      usage: usage(4),
      provider: 'p',
      model: 'big',
    },
    answer(2, 'small'),
    end,
    {
      type: 'compaction',
      summary: 's',
      firstKeptEntryId: 'e0',
      tokensBefore: 1,
      usage: usage(8),
      provider: 'p',
      model: 'big',
    },
    start('m2'),
    answer(16),
    { type: '__proto__', usage: usage(32) },
  );

  it('IDE-24 tells what was spent by source, model, task and turn', () => {
    const found = costs(foldEntries('s', entries));
    expect(found.total.cost.total).toBe(63);
    const totals = (record: Record<string, { cost: { total: number } }>) =>
      Object.entries(record).map(([key, { cost }]) => [key, cost.total]);
    expect(totals(found.bySource)).toEqual([
      ['turn', 19],
      ['compaction', 12],
      ['__proto__', 32],
    ]);
    expect(totals(found.byModel)).toEqual([
      ['p/big', 29],
      ['p/small', 2],
      ['unknown', 32],
    ]);
    expect(found.tasks.map(({ messageId, turns, usage: { cost } }) => [messageId, turns, cost.total])).toEqual([
      ['m1', 2, 7],
      ['m2', 1, 48],
    ]);
    expect(found.tasks[0]!.spending.map(({ source }) => source)).toEqual(['turn', 'compaction', 'turn']);
  });

  it('IDE-12 the fold of the live events gives the same as the fold of the log', () => {
    let view = emptyView('s');
    for (const entry of entries) for (const event of eventsOf(entry)) view = reduce(view, event);
    expect(costs(view)).toEqual(costs(foldEntries('s', entries)));
  });

  it('SES-17 a view tells that the conversation is being condensed, and no longer when it is done or given up', () => {
    const [entry] = log({ type: 'compaction', summary: 's', firstKeptEntryId: 'e0', tokensBefore: 1 });
    const busy = reduce(emptyView('s'), { type: 'CompactingChanged', reason: 'manual' });
    expect(busy.live.compacting).toBe('manual');
    expect(reduce(busy, { type: 'CompactingChanged' }).live.compacting).toBeUndefined();
    expect(reduce(busy, eventsOf(entry!)[0]!).live.compacting).toBeUndefined();
  });
});
