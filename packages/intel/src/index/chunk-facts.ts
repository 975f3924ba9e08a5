/** Columns of `ChunkFacts.chunks`, one row a chunk, in the order of the file. Lines count from 1. */
export const ChunkColumn = {
  START_LINE: 0,
  END_LINE: 1,
  /** Its length for BM25, the sum of its term weights, as a step of `LENGTHS`. */
  LENGTH: 2,
  /** Bits of `ChunkFlag`. */
  FLAGS: 3,
  /** Lines of the doc comment of the symbol that it shows; 0 where it has none. */
  DOC_START: 4,
  DOC_END: 5,
  /**
   * Fingerprint of its path, symbol and words, in two halves: a chunk that only moved keeps it, and with it its
   * vector.
   */
  KEY_LOW: 6,
  KEY_HIGH: 7,
} as const;
export const CHUNK_WIDTH = 8;

/** Bits of `ChunkColumn.FLAGS`. */
export const ChunkFlag = {
  /** Code of a function or method. */
  CODE: 1,
  /** In a test or a file of tests. */
  TEST: 2,
} as const;

/** Bits of a posting that hold the weight; the weight is at most what fits. */
export const WEIGHT_BITS = 4;

/**
 * What the index takes of one file. Plain data, like `FileFacts`: it crosses threads and goes to the disk. The arrays may be
 * views on a larger buffer.
 */
export interface ChunkFacts {
  chunks: Int32Array;
  /** `Container.name` of each chunk, or nothing, each ended by a line feed. */
  symbols: string;
  /** 32-bit hashes of the file's terms, ascending, each once. */
  terms: Uint32Array;
  /** Where the postings of each term begin in `postings`; one more at the end. */
  starts: Uint32Array;
  /** `chunk << WEIGHT_BITS | weight`, ascending for each term. */
  postings: Uint32Array;
}

/** Of a file of which nothing is indexed. */
export function noChunks(): ChunkFacts {
  const [terms, starts, postings] = [new Uint32Array(), new Uint32Array(1), new Uint32Array()];
  return { chunks: new Int32Array(), symbols: '', terms, starts, postings };
}
