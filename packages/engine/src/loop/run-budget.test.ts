import { zeroUsage } from '@black-ide/protocol';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Reservation, RunBudget } from './run-budget.ts';

const usage = (tokens: number, cost = 0) => ({
  ...zeroUsage(),
  totalTokens: tokens,
  cost: { ...zeroUsage().cost, total: cost },
});

function reserved(budget: RunBudget, tokens: number, cost = 0): Reservation {
  const result = budget.reserve({ tokens, cost });
  if (!result.ok) throw new Error(result.stop.message);
  return result.reservation;
}

describe('RunBudget', () => {
  it('IDE-24 sets aside before a call and books the provider’s own numbers after it', () => {
    const budget = new RunBudget({ tokens: 1_000, cost: 1 }, () => 0);
    const first = reserved(budget, 600, 0.5);
    expect(budget.reserve({ tokens: 600, cost: 0 })).toMatchObject({ ok: false, stop: { limit: 'tokens' } });
    first.commit(usage(200, 0.1));
    first.release();
    first.commit(usage(200, 0.1));
    expect(budget.spent).toEqual({ tokens: 200, cost: 0.1, turns: 1 });
    expect(budget.reserve({ tokens: 600, cost: 0.95 })).toMatchObject({ ok: false, stop: { limit: 'cost' } });
    reserved(budget, 600).release();
    expect(budget.spent.tokens).toBe(200);
    reserved(budget, 600).commit(usage(900));
    expect(budget.exceeded()).toMatchObject({ limit: 'tokens', next: 'Raise --max-tokens to go on.' });
  });

  it('IDE-24 is shared downward: what children spend and set aside counts above, and they are held tighter, never looser', () => {
    const parent = new RunBudget({ tokens: 1_000, depth: 1 }, () => 0);
    const one = parent.child({ tokens: 5_000 });
    const two = parent.child({ tokens: 300 });
    if (!one.ok || !two.ok) throw new Error('no child');
    expect(two.budget.reserve({ tokens: 301, cost: 0 })).toMatchObject({ ok: false, stop: { limit: 'tokens' } });
    const held = reserved(one.budget, 800);
    expect(two.budget.reserve({ tokens: 250, cost: 0 })).toMatchObject({ ok: false });
    held.commit(usage(1_000));
    expect(parent.spent.tokens).toBe(1_000);
    expect(two.budget.exceeded()).toMatchObject({ limit: 'tokens' });
    expect(one.budget.child()).toMatchObject({ ok: false, stop: { limit: 'depth' } });
    expect(parent.child()).toMatchObject({ ok: false, stop: { limit: 'tokens' } });
  });

  it('IDE-24 property: whatever runs side by side, no more is begun than fits, and the sums agree', () => {
    const calls = fc.array(fc.record({ child: fc.nat(3), expected: fc.nat(400), actual: fc.nat(400) }), {
      maxLength: 40,
    });
    fc.assert(
      fc.property(calls, fc.integer({ min: 1, max: 3_000 }), (wanted, limit) => {
        const parent = new RunBudget({ tokens: limit }, () => 0);
        const children = Array.from({ length: 4 }, () => parent.child()).flatMap((made) =>
          made.ok ? [made.budget] : [],
        );
        const running: { reservation: Reservation; expected: number; actual: number }[] = [];
        for (const { child, expected, actual } of wanted) {
          const result = children[child]!.reserve({ tokens: expected, cost: 0 });
          if (!result.ok) continue;
          running.push({ reservation: result.reservation, expected, actual: Math.min(actual, expected) });
          const held = running.reduce((sum, one) => sum + one.expected, 0);
          expect(held).toBeLessThanOrEqual(limit);
        }
        for (const { reservation, actual } of running) reservation.commit(usage(actual));
        expect(parent.spent.tokens).toBe(running.reduce((sum, one) => sum + one.actual, 0));
        expect(parent.spent.tokens).toBe(children.reduce((sum, one) => sum + one.spent.tokens, 0));
      }),
    );
  });

  it('IDE-24 time counts from the beginning, less what a person was waited for; turns and absurd numbers', () => {
    let now = 1_000;
    const budget = new RunBudget({ timeMs: 500, turns: 2 }, () => now, { cost: 0, tokens: 0, turns: 1 });
    now = 1_400;
    budget.pause();
    now = 9_000;
    expect(budget.timeLeft()).toBe(100);
    expect(budget.exceeded()).toBeUndefined();
    budget.resume();
    now = 9_100;
    expect(budget.exceeded()).toMatchObject({ limit: 'timeMs', message: 'Reached the time limit of 0.5 s.' });
    now = 9_000;
    reserved(budget, 1).commit(usage(Number.NaN, -5));
    expect(budget.spent).toEqual({ cost: 0, tokens: 0, turns: 2 });
    expect(budget.exceeded()).toMatchObject({ limit: 'turns' });
  });
});
