import { expect, it } from 'vitest';
import { painter } from '../text/painter.ts';
import { type PlanStep, planLines, planSteps } from './plan-lines.ts';

const paint = painter({}, false);

function plan(done: number, left: number): PlanStep[] {
  return Array.from({ length: done + left }, (_, at) => ({
    step: `step ${at}`,
    status: at < done ? 'completed' : at === done ? 'in_progress' : 'pending',
  }));
}

it('shows a plan whole where it fits, else what is done and what comes late as numbers', () => {
  expect(planLines(plan(1, 2), 40, paint, 6)).toEqual(['✓ step 0', '▸ step 1', '· step 2']);
  expect(planLines(plan(4, 9), 40, paint, 6)).toEqual([
    '✓ 4 of 13 steps done',
    '▸ step 4',
    '· step 5',
    '· step 6',
    '· step 7',
    '  … and 5 more',
  ]);
  expect(planLines(plan(9, 0), 40, paint, 6)).toEqual(['✓ 9 of 9 steps done']);
  for (let done = 0; done < 12; done++) {
    for (let limit = 3; limit < 9; limit++) {
      expect(planLines(plan(done, 12 - done), 20, paint, limit).length).toBeLessThanOrEqual(limit);
    }
  }
});

it('takes only what is a step out of a log', () => {
  expect(
    planSteps({ steps: [{ step: 'a', status: 'pending' }, { step: 'b', status: 'constructor' }, null, 'x'] }),
  ).toEqual([{ step: 'a', status: 'pending' }]);
  expect(planSteps(null)).toEqual([]);
  expect(planSteps({ steps: 'many' })).toEqual([]);
});
