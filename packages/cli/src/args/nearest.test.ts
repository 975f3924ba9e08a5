import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { nearest } from './nearest.ts';

const WORDS = ['output', 'mode', 'model', 'max-iterations', 'max-cost'];

describe('nearest', () => {
  it.each([
    ['ouptut', 'output'],
    ['modle', 'model'],
    ['MODE', 'mode'],
    ['max-it', 'max-iterations'],
    ['max_cost', 'max-cost'],
  ])('takes %s for %s', (typed, meant) => {
    expect(nearest(typed, WORDS)).toBe(meant);
  });

  it('says nothing of a word that is near to none', () => {
    expect(nearest('frobnicate', WORDS)).toBeUndefined();
    expect(nearest('x', WORDS)).toBeUndefined();
  });

  it('finds a word with one letter changed, dropped, doubled or swapped', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('output', 'max-iterations', 'auto-approve'),
        fc.nat(),
        fc.constantFrom('change', 'drop', 'double', 'swap'),
        (word, at, how) => {
          const i = at % (word.length - 1);
          const typed = {
            change: `${word.slice(0, i)}#${word.slice(i + 1)}`,
            drop: word.slice(0, i) + word.slice(i + 1),
            double: word.slice(0, i) + word[i] + word.slice(i),
            swap: word.slice(0, i) + word[i + 1] + word[i] + word.slice(i + 2),
          }[how];
          expect(nearest(typed, ['output', 'max-iterations', 'auto-approve'])).toBe(word);
        },
      ),
    );
  });
});
