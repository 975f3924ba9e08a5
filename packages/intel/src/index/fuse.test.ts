import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fuse } from './fuse.ts';
import type { Found } from './top-hits.ts';

const ranked = (places: readonly number[]): Found[] =>
  places.map((place, i) => ({
    file: place % 3,
    path: `${place % 3}`,
    row: place,
    startLine: place,
    score: 100 - i,
    mask: place,
  }));
const places = fc.uniqueArray(fc.nat(20), { maxLength: 12 });

describe('fusing two lists', () => {
  it('INT-10 counts one over sixty and the rank, times the weight of the list', () => {
    const fused = fuse(ranked([1, 2]), ranked([2, 3]), { weight: 0.5, limit: 10 });
    expect(fused.map(({ row, score }) => [row, score])).toEqual([
      [2, 1 / 62 + 0.5 / 61],
      [1, 1 / 61],
      [3, 0.5 / 62],
    ]);
    expect(fused.map(({ inWords, inMeaning, mask }) => [inWords, inMeaning, mask])).toEqual([
      [true, true, 2],
      [true, false, 1],
      [false, true, 3],
    ]);
  });

  it('INT-10 leaves the first list as it is when the other counts nothing', () => {
    fc.assert(
      fc.property(places, places, (words, meaning) => {
        const fused = fuse(ranked(words), ranked(meaning), { weight: 0, limit: 100 });
        expect(fused.slice(0, words.length).map(({ row }) => row)).toEqual(words);
        expect(new Set(fused.map(({ row }) => row))).toEqual(new Set([...words, ...meaning]));
      }),
    );
  });
});
