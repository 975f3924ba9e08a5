/** Columns of `ChunkFacts.chunks`. */
export const ChunkColumn = {
  START_LINE: 0,
  END_LINE: 1,
  /** Row of the symbol in the facts of the same parse; -1 where the chunk is none. */
  SYMBOL: 2,
  /** Its length for BM25: the sum of its term weights. */
  LENGTH: 3,
  /** Where its terms begin in `terms` and `weights`; they end where the next chunk's begin, or at the end. */
  FIRST_TERM: 4,
} as const;
export const CHUNK_WIDTH = 5;

/** What the lexical index takes of one file. Plain data, like `FileFacts`. */
export interface ChunkFacts {
  chunks: Int32Array;
  /** 32-bit hashes of terms, ascending within a chunk, each once. */
  terms: Uint32Array;
  /** How often each term counts in its chunk, fields weighed in. */
  weights: Uint8Array;
}
