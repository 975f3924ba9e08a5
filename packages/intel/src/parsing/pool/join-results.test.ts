import { expect, it } from 'vitest';
import { noChunks } from '../../index/chunk-facts.ts';
import { type FileResult, joinResults, splitResults } from './join-results.ts';

it('INT-1 takes results apart as they were put together, whatever their lengths', () => {
  const results: FileResult[] = [0, 1, 2, 3, 5].map((length) => ({
    packed: Uint8Array.from({ length }, (_, index) => 255 - index),
    chunks: {
      chunks: Int32Array.from({ length: 8 * length }, (_, index) => index - 4),
      symbols: 'Cart.total\n'.repeat(length),
      terms: Uint32Array.from({ length }, (_, index) => 0xffffffff - index),
      starts: Uint32Array.from({ length: length + 1 }, (_, index) => index),
      postings: Uint32Array.from({ length: 2 * length }, (_, index) => index),
    },
    size: length,
    mtimeMs: length + 0.5,
    isBroken: length === 5,
  }));
  results.push({ packed: new Uint8Array(), chunks: noChunks(), size: 0, mtimeMs: 0, isBroken: false });
  const joined = joinResults(results);
  expect(splitResults(structuredClone(joined, { transfer: [joined.buffer] }))).toEqual(results);
});
