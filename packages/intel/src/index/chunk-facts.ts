/** Columns of `ChunkFacts.chunks`, one row a chunk, in the order of the file. Lines count from 1. */
export const ChunkColumn = {
  START_LINE: 0,
  END_LINE: 1,
  /** Its length for BM25, the sum of its term weights, as a step of `LENGTHS`. */
  LENGTH: 2,
  /** Lines of the doc comment of the symbol that it begins with; 0 where there is none. */
  DOC_START: 3,
  DOC_END: 4,
  /** Fingerprint of its path, symbol and words, in two halves: a chunk that only moved keeps it, and with it its vector. */
  KEY_LOW: 5,
  KEY_HIGH: 6,
} as const;
export const CHUNK_WIDTH = 7;

/** Bits of a posting that hold the weight; the weight is at most what fits. */
export const WEIGHT_BITS = 4;

/**
 * What the index takes of one file. Plain data, like `FileFacts`: it crosses threads. Each array has a buffer of its own
 * and can be transferred.
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
