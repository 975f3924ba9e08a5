import type { ChunkFacts } from '../../index/chunk-facts.ts';

/** Of a file of which nothing is indexed. */
export function noChunks(): ChunkFacts {
  return { chunks: new Int32Array(0), terms: new Uint32Array(0), weights: new Uint8Array(0) };
}
