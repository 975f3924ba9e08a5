import type { ChunkFacts } from '../../index/chunk-facts.ts';

/** What became of one file in a worker. */
export interface FileResult {
  /** See `packFacts`. */
  packed: Uint8Array<ArrayBuffer>;
  chunks: ChunkFacts;
  /** Of the file as it was read; 0 where it could not be. */
  size: number;
  mtimeMs: number;
  /** The worker's memory may be in disorder: it is to be replaced. */
  isBroken: boolean;
}

/** Several results for the way between threads. */
export interface JoinedResults {
  /** All arrays of all results, one after another: each buffer that is transferred costs as much as a small file's parse. */
  buffer: ArrayBuffer;
  results: (Omit<FileResult, 'packed' | 'chunks'> & { symbols: string; lengths: readonly number[] })[];
}

/** Puts results into one buffer, which is to be transferred. */
export function joinResults(results: readonly FileResult[]): JoinedResults {
  const size = results.reduce((sum, result) => sum + arraysOf(result).reduce((own, part) => own + padded(part), 0), 0);
  const bytes = new Uint8Array(size);
  let at = 0;
  const joined = results.map((result) => {
    const arrays = arraysOf(result);
    for (const part of arrays) {
      bytes.set(new Uint8Array(part.buffer, part.byteOffset, part.byteLength), at);
      at += padded(part);
    }
    const { size, mtimeMs, isBroken, chunks } = result;
    return { size, mtimeMs, isBroken, symbols: chunks.symbols, lengths: arrays.map(({ length }) => length) };
  });
  return { buffer: bytes.buffer, results: joined };
}

/** What was joined; the arrays are views on the one buffer. */
export function splitResults({ buffer, results }: JoinedResults): FileResult[] {
  let at = 0;
  return results.map(({ symbols, lengths, ...rest }) => {
    const [chunkCount = 0, termCount = 0, startCount = 0, postingCount = 0, factBytes = 0] = lengths;
    const chunks = new Int32Array(buffer, at, chunkCount);
    const terms = new Uint32Array(buffer, chunks.byteOffset + padded(chunks), termCount);
    const starts = new Uint32Array(buffer, terms.byteOffset + padded(terms), startCount);
    const postings = new Uint32Array(buffer, starts.byteOffset + padded(starts), postingCount);
    const packed = new Uint8Array(buffer, postings.byteOffset + padded(postings), factBytes);
    at = packed.byteOffset + padded(packed);
    return { ...rest, packed, chunks: { chunks, symbols, terms, starts, postings } };
  });
}

function arraysOf({ packed, chunks: { chunks, terms, starts, postings } }: FileResult) {
  return [chunks, terms, starts, postings, packed];
}

/** Arrays begin at multiples of 4. */
function padded({ byteLength }: { byteLength: number }): number {
  return byteLength + (-byteLength & 3);
}
