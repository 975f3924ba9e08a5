import { emptyView, type View } from '@black-ide/protocol';
import { expect, it } from 'vitest';
import { widthOf } from '../text/fit-width.ts';
import { painter } from '../text/painter.ts';
import { activityLines, Since } from './activity.ts';

const paint = painter({}, false);

function live(more: Partial<View['live']>): Pick<View, 'live'> {
  return { live: { ...emptyView('s').live, running: true, ...more } };
}

it('tells from the third second on how long it takes and what stops it, beside a command of any length', () => {
  const since = new Since();
  const tool = { callId: 'c', name: 'run_command', args: { command: 'make '.repeat(40) }, output: '' };
  const at = (now: number, columns: number) =>
    activityLines(live({ tools: [tool] }), { columns, paint, since, now })[0]!;
  expect(at(0, 40)).toBe('… working');
  expect(at(1_000, 40)).not.toContain('Ctrl+C');
  expect(at(65_000, 40)).toMatch(/^… \$ make.*… · 1 min 5 s · Ctrl\+C stops$/);
  for (let columns = 36; columns < 120; columns++) expect(widthOf(at(65_000, columns))).toBeLessThanOrEqual(columns);
});

it('IDE-20 a wait for the next attempt is told first and counts down, its reason whole at 40 columns', () => {
  const since = new Since();
  const retry = { attempt: 1, delayMs: 20_000, reason: 'The provider says that too many requests were sent (429).' };
  const at = (now: number) => activityLines(live({ retry }), { columns: 40, paint, since, now });
  expect(at(1_000)[0]).toMatch(/^↻ trying again in 20 s \(attempt 2\)/);
  expect(at(9_500)[0]).toContain('in 12 s');
  expect(at(9_500).join(' ').replace(/\s+/g, ' ')).toContain(retry.reason);
  expect(at(60_000)[0]).toContain('trying again now');
  const next = { ...retry, attempt: 2 };
  expect(activityLines(live({ retry: next }), { columns: 40, paint, since, now: 61_000 })[0]).toContain('in 20 s');
});
