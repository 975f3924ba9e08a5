import fc from 'fast-check';
import { expect, it } from 'vitest';
import { bestOf } from './best-of.ts';

it('INT-2 the best of many are those that sorting puts first', () => {
  const items = fc.uniqueArray(fc.integer({ min: -50, max: 50 }));
  fc.assert(
    fc.property(items, fc.nat(12), (numbers, most) => {
      const compare = (one: number, other: number): number => one - other;
      expect(bestOf(numbers, most, compare)).toEqual(numbers.toSorted(compare).slice(0, most));
    }),
  );
});
