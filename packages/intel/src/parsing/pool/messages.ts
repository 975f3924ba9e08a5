import type { ParseLimits } from '../source-parser.ts';
import type { JoinedResults } from './join-results.ts';

/** What a worker is started with. */
export interface WorkerSetup {
  /** The workspace: absolute and real. */
  root: string;
  limits: ParseLimits;
  /** Larger files, in bytes, are not even read. */
  maxBytes: number;
  /** One number in shared memory: how many files the worker has begun. */
  begun: Int32Array;
}

export interface FileToParse {
  /** From the root, with `/`. */
  path: string;
  /** It is likely to be parsed again soon, because it is being edited. */
  keep?: boolean;
}

/** To a worker: files that it parses in their order. It answers with their `JoinedResults`, batch after batch. */
export type ParseBatch = readonly FileToParse[];

/** From a worker, once: it is ready for batches. */
export interface WorkerReady {
  ready: true;
}

export type WorkerMessage = WorkerReady | JoinedResults;
