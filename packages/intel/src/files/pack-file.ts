import { packFacts, unpackFacts } from '../parsing/pack-facts.ts';
import type { FileCodec } from './file-parser.ts';

/** Numbers at the beginning: the lengths of the four arrays, the bytes of `symbols` and of the facts. */
const HEAD = 6;

/**
 * Stores what a parse of a file found: the lengths of its parts (uint32), the arrays of its chunks, their symbols (UTF-8),
 * and the packed facts. What is unpacked must begin at a multiple of 4 in its buffer: arrays are laid over it.
 */
export const fileCodec: FileCodec = {
  pack: ({ facts, chunks: { chunks, symbols, terms, starts, postings } }) => {
    const packed = packFacts(facts);
    const names = Buffer.from(symbols, 'utf8');
    const arrays = [chunks, terms, starts, postings];
    const head = Uint32Array.of(...arrays.map(({ length }) => length), names.length, packed.length);
    const parts = [head, ...arrays].map((part) => Buffer.from(part.buffer, part.byteOffset, part.byteLength));
    return Buffer.concat([...parts, names, packed]);
  },
  unpack: ({ buffer, byteOffset, length }) => {
    let at = byteOffset;
    const take = (count: number, width: number): number => {
      const start = at;
      at += count * width;
      if (at > byteOffset + length) throw new RangeError('a packed file ends too soon');
      return start;
    };
    const [chunkCount = 0, termCount = 0, startCount = 0, postingCount = 0, nameBytes = 0, factBytes = 0] =
      new Uint32Array(buffer, take(HEAD, 4), HEAD);
    const chunks = new Int32Array(buffer, take(chunkCount, 4), chunkCount);
    const terms = new Uint32Array(buffer, take(termCount, 4), termCount);
    const starts = new Uint32Array(buffer, take(startCount, 4), startCount);
    const postings = new Uint32Array(buffer, take(postingCount, 4), postingCount);
    const symbols = Buffer.from(buffer, take(nameBytes, 1), nameBytes).toString('utf8');
    const facts = unpackFacts(new Uint8Array(buffer, take(factBytes, 1), factBytes));
    if (at !== byteOffset + length) throw new RangeError('a packed file goes on behind its end');
    return { facts, chunks: { chunks, symbols, terms, starts, postings } };
  },
};
