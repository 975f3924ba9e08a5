import type { FileId } from '../files/file-table.ts';

export interface SearchHit {
  /** From 1. */
  rank: number;
  file: FileId;
  path: string;
  startLine: number;
  endLine: number;
  /** `Container.name`; undefined where the chunk is no symbol. */
  symbol: string | undefined;
  score: number;
  /** Words of the query that it has, rarest first, and which rankers found it. */
  why: { words: string[]; rankers: ('words' | 'meaning')[] };
}

export interface SearchOptions {
  limit?: number;
  /** Only below this folder or in this file. */
  path?: string;
  signal?: AbortSignal;
}

/** The questions that the hybrid index answers (INT-7 … INT-13). */
export interface CodeIndex {
  readonly chunkCount: number;
  /** By words alone: from memory, at once. */
  searchWords(query: string, options?: SearchOptions): SearchHit[];
  /** By words, and by meaning where an embedder is at hand and has shown that it helps. */
  search(query: string, options?: SearchOptions): Promise<SearchHit[]>;
}

/** Turns texts into vectors of one length; handed in by whoever has a model. */
export interface Embedder {
  /** Names model and length: vectors of another are thrown away. */
  readonly id: string;
  /**
   * One vector a text, in their order; undefined for a text that failed. Models put texts that are looked for and texts
   * that are looked through apart: `query` and `document`.
   * @throws when the whole request failed.
   */
  embed(
    texts: readonly string[],
    purpose: 'query' | 'document',
    signal?: AbortSignal,
  ): Promise<(Float32Array | undefined)[]>;
}
