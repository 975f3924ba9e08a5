import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { WEIGHT_BITS } from './chunk-facts.ts';
import { PostingReader, PostingWriter } from './postings.ts';

const WEIGHTS = 1 << WEIGHT_BITS;
const list = fc
  .uniqueArray(fc.oneof(fc.nat(300), fc.nat(40_000), fc.nat(100_000_000)), { maxLength: 60 })
  .chain((chunks) =>
    fc.tuple(
      fc.constant(chunks.sort((x, y) => x - y)),
      fc.array(fc.integer({ min: 1, max: WEIGHTS - 1 }), { minLength: chunks.length, maxLength: chunks.length }),
    ),
  );

describe('lists of postings', () => {
  it('INT-12 are read as they were written, one after another', () => {
    fc.assert(
      fc.property(fc.array(list, { maxLength: 6 }), (lists) => {
        const writer = new PostingWriter(0);
        const starts = lists.map(([chunks, weights]) => {
          const start = writer.position;
          writer.open(chunks.length);
          chunks.forEach((chunk, i) => {
            writer.add(chunk, weights[i]!);
          });
          return start;
        });
        starts.push(writer.position);
        const bytes = writer.take();
        lists.forEach(([chunks, weights], i) => {
          const reader = new PostingReader(bytes, starts[i]!, starts[i + 1]!);
          expect(reader.length).toBe(chunks.length);
          const read: number[][] = [];
          while (reader.next()) read.push([reader.chunk, reader.weight]);
          expect(read).toEqual(chunks.map((chunk, j) => [chunk, weights[j]]));
        });
      }),
    );
  });

  it('INT-8 are added up as they are read', () => {
    fc.assert(
      fc.property(list, ([all, weights]) => {
        const chunks = all.map((_, i) => i * 150);
        const writer = new PostingWriter(8);
        writer.open(chunks.length);
        chunks.forEach((chunk, i) => {
          writer.add(chunk, weights[i]!);
        });
        const room = chunks.length * 150;
        const lengths = Uint8Array.from({ length: room }, (_, i) => i % 256);
        const worth = Float32Array.from({ length: 256 * WEIGHTS }, (_, i) => i);
        const sums = { scores: new Float32Array(room), masks: new Int32Array(room).fill(1), lengths, worth };
        const bytes = writer.take();
        new PostingReader(bytes, 0, bytes.length).addTo(sums, 2, 4);
        chunks.forEach((chunk, i) => {
          expect(sums.scores[chunk]).toBe(2 * (lengths[chunk]! * WEIGHTS + weights[i]!));
          expect(sums.masks[chunk]).toBe(5);
        });
        expect(sums.scores.filter((score) => score > 0).length).toBe(chunks.length);
      }),
    );
  });
});
