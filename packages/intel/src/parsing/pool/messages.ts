import type { ChunkFacts } from '../../index/chunk-facts.ts';
import type { ParseLimits } from '../source-parser.ts';

/** What a worker is started with. */
export interface WorkerSetup {
  /** The workspace: absolute and real. */
  root: string;
  limits: ParseLimits;
  /** Larger files, in bytes, are not even read. */
  maxBytes: number;
}

export interface FileToParse {
  /** From the root, with `/`. */
  path: string;
  /** It is likely to be parsed again soon, because it is being edited. */
  keep?: boolean;
}

/** To a worker: files that it parses in their order. */
export interface ParseBatch {
  batch: number;
  files: readonly FileToParse[];
}

/** From a worker: one file of a batch is done. */
export interface ParseResult {
  batch: number;
  /** Of the file in the batch. */
  index: number;
  /** See `packFacts`. */
  packed: Uint8Array<ArrayBuffer>;
  chunks: ChunkFacts;
  /** Of the file as it was read; 0 where it could not be. */
  size: number;
  mtimeMs: number;
  /** The worker's memory may be in disorder: it is to be replaced. */
  isBroken: boolean;
}

/** From a worker, once: it is ready for batches. */
export interface WorkerReady {
  ready: true;
}

export type WorkerMessage = WorkerReady | ParseResult;
