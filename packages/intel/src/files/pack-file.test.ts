import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fileChunker } from '../index/chunk-file.ts';
import { factsOf, randomFile } from '../testing/random-facts.ts';
import { fileCodec } from './pack-file.ts';

const chunk = fileChunker();
const parsed = fc.tuple(randomFile('m.ts'), fc.string({ maxLength: 300 })).map(([file, text]) => {
  const facts = factsOf('m.ts', file);
  return { facts, chunks: chunk(Buffer.from(text), facts, 'm.ts') };
});

describe('fileCodec', () => {
  it('INT-12 gives back what a parse found', () => {
    fc.assert(
      fc.property(parsed, (each) => {
        expect(fileCodec.unpack(fileCodec.pack(each))).toEqual(each);
      }),
    );
  });

  it('INT-12 refuses what was cut off, and what goes on', () => {
    fc.assert(
      fc.property(parsed, fc.nat(), (each, at) => {
        const packed = fileCodec.pack(each);
        expect(() => fileCodec.unpack(packed.slice(0, at % packed.length))).toThrow(RangeError);
        expect(() => fileCodec.unpack(Buffer.concat([packed, Buffer.of(0)]))).toThrow(RangeError);
      }),
    );
  });
});
