import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { BlackError } from '@black-ide/protocol';
import type { ChunkFacts } from '../../index/chunk-facts.ts';
import { noChunks } from '../../index/chunk-facts.ts';
import type { FileFacts } from '../file-facts.ts';
import { packFacts, unpackFacts } from '../pack-facts.ts';
import type { ParseLimits } from '../source-parser.ts';
import { withoutSymbols } from '../without-symbols.ts';
import type { FileResult } from './join-results.ts';
import type { FileToParse, WorkerSetup } from './messages.ts';
import { type Ending, ParserThread } from './parser-thread.ts';

/** What became of one file. */
export interface FileParsed {
  /** From the root, with `/`. */
  path: string;
  facts: FileFacts;
  /** The same as bytes, see `packFacts`. */
  packed: Uint8Array<ArrayBuffer>;
  chunks: ChunkFacts;
  /** Size and time of change of the very content that the facts are of; 0 where it could not be read. */
  size: number;
  mtimeMs: number;
}

export interface ParserPoolOptions {
  /** The workspace: absolute and real, without a slash at its end. */
  root: string;
  /** Default: one less than the machine's cores, at least 1 and at most 4: the main thread works on what they find. */
  workers?: number;
  limits?: ParseLimits;
  /** Larger files, in bytes, are not read at all. Default 4 MB. */
  maxBytes?: number;
  /** A file on which a worker is at work for longer, in milliseconds, is given up. Default 30 s. */
  maxFileTime?: number;
  /** Workers without work end after so many milliseconds. Default 60 s. */
  idleTime?: number;
  /** Starts another program in the worker. */
  startWorker?(setup: WorkerSetup): Worker;
}

export interface ParseOptions {
  /** Called with each file as soon as it is done, in no particular order, each once. */
  onFile(parsed: FileParsed): void;
  signal?: AbortSignal;
}

const MAX_WORKERS = 4;
const BATCH_FILES = 8;
/** A worker has its next batch at hand when it is done with one. */
const BATCHES_AT_ONCE = 2;
/** So many files are worth the start of another worker. */
const FILES_PER_WORKER = 64;
/** What follows so many files takes memory, and none of it in a worker: see `settle` of the layers. */
const FILES_BEFORE_REST = 1_000;
const MAX_FAILED_STARTS = 2;

/** What one call of `parse` still waits for. */
interface Run {
  waiting: FileToParse[];
  count: number;
  /** Files that are not done. */
  open: number;
  options: ParseOptions;
  settle(error?: unknown): void;
  isSettled: boolean;
}

interface Batch {
  run: Run;
  files: readonly FileToParse[];
}

/**
 * Parses files in worker threads. Workers start when there is work and end after a while without; a file that breaks one
 * is skipped, and another worker goes on with the rest. An idle pool does not keep the process alive.
 */
export class ParserPool {
  readonly #setup: Omit<WorkerSetup, 'begun'>;
  readonly #options: Required<Pick<ParserPoolOptions, 'workers' | 'maxFileTime' | 'idleTime' | 'startWorker'>>;
  readonly #threads: (ParserThread<Batch> | undefined)[];
  readonly #runs: Run[] = [];
  #failedStarts = 0;
  #isDisposed = false;

  constructor({ root, limits = {}, maxBytes = 4 * 1024 * 1024, ...options }: ParserPoolOptions) {
    this.#setup = { root, limits, maxBytes };
    this.#options = {
      workers: options.workers ?? Math.min(Math.max(availableParallelism() - 1, 1), MAX_WORKERS),
      maxFileTime: options.maxFileTime ?? 30_000,
      idleTime: options.idleTime ?? 60_000,
      startWorker: options.startWorker ?? startParserWorker,
    };
    this.#threads = new Array(this.#options.workers).fill(undefined);
  }

  /** How many worker threads there are now. */
  get threads(): number {
    return this.#threads.filter((thread) => thread !== undefined).length;
  }

  /**
   * Parses files. Calls at the same time share the workers; one for a few files goes before one for many.
   *
   * @throws BlackError `parser_broken` when no worker can be started; the signal's reason; what `onFile` throws
   */
  parse(files: readonly FileToParse[], options: ParseOptions): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const { signal } = options;
    const onAbort = () => run.settle(signal?.reason);
    const run: Run = {
      waiting: [...files],
      count: files.length,
      open: files.length,
      options,
      isSettled: false,
      settle: (error) => {
        if (run.isSettled) return;
        run.isSettled = true;
        run.waiting.length = 0;
        this.#runs.splice(this.#runs.indexOf(run), 1);
        signal?.removeEventListener('abort', onAbort);
        if (error === undefined) resolve();
        else reject(error);
      },
    };
    const place = this.#runs.findIndex((other) => other.waiting.length > files.length);
    this.#runs.splice(place < 0 ? this.#runs.length : place, 0, run);
    if (this.#isDisposed)
      run.settle(new BlackError('parser_closed', 'The parser is closed.', 'Open the workspace again.'));
    else if (signal?.aborted) onAbort();
    else if (files.length === 0) run.settle();
    else {
      signal?.addEventListener('abort', onAbort);
      this.#schedule();
    }
    return promise;
  }

  /** Ends all workers; what is being parsed is given up. */
  async dispose(): Promise<void> {
    this.#isDisposed = true;
    const closed = new BlackError('parser_closed', 'The parser was closed.', 'Open the workspace again.');
    for (const run of [...this.#runs]) run.settle(closed);
    await Promise.all(this.#threads.map((thread) => thread?.end()));
  }

  #schedule(): void {
    for (const [place, thread] of this.#threads.entries()) {
      const waiting = this.#runs.reduce((sum, run) => sum + run.waiting.length, 0);
      if (waiting === 0) break;
      if (thread) this.#feed(thread);
      else if (place === 0 || waiting > FILES_PER_WORKER * place) this.#feed(this.#start(place));
    }
  }

  #feed(thread: ParserThread<Batch>): void {
    while (thread.load < BATCHES_AT_ONCE) {
      const run = this.#runs.find(({ waiting }) => waiting.length > 0);
      if (!run) return;
      const files = run.waiting.splice(0, BATCH_FILES);
      thread.send({ run, files }, files);
    }
  }

  #start(place: number): ParserThread<Batch> {
    const { maxFileTime, idleTime, startWorker } = this.#options;
    const begun = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
    const thread = new ParserThread<Batch>(startWorker({ ...this.#setup, begun }), {
      begun,
      maxFileTime,
      idleTime,
      onReady: () => {
        this.#failedStarts = 0;
      },
      onResults: (batch, results) => this.#take(thread, batch, results),
      onEnd: (ending, batches) => this.#replace(place, ending, batches),
    });
    this.#threads[place] = thread;
    return thread;
  }

  #take(thread: ParserThread<Batch>, { run, files }: Batch, results: readonly FileResult[]): void {
    if (!run.isSettled) run.waiting.unshift(...files.slice(results.length));
    this.#feed(thread);
    for (const [index, { packed, chunks, size, mtimeMs }] of results.entries()) {
      const path = files[index]?.path;
      if (path === undefined || run.isSettled) return;
      this.#deliver(run, { path, facts: unpackFacts(packed), packed, chunks, size, mtimeMs });
    }
  }

  #deliver(run: Run, parsed: FileParsed): void {
    if (run.isSettled) return;
    try {
      run.options.onFile(parsed);
      run.open -= 1;
      if (run.open > 0) return;
      run.settle();
      if (run.count >= FILES_BEFORE_REST && this.#runs.length === 0) this.#rest();
    } catch (error) {
      run.settle(error);
    }
  }

  /** Ends workers that have nothing to do, as they would after a while. */
  #rest(): void {
    for (const thread of this.#threads) if (thread?.load === 0) void thread.end();
  }

  /** A thread is gone: the file that it was at is skipped, all others are given to another. */
  #replace(place: number, { wasReady, why, begun }: Ending, batches: readonly Batch[]): void {
    this.#threads[place] = undefined;
    if (this.#isDisposed) return;
    const left = batches.flatMap(({ run, files }) => files.map((file) => ({ run, file })));
    const [culprit] = wasReady && why !== undefined && begun > 0 ? left.splice(begun - 1, 1) : [];
    for (const { run, file } of left.reverse()) if (!run.isSettled) run.waiting.unshift(file);
    if (!wasReady && why !== undefined) {
      this.#failedStarts += 1;
      if (this.#failedStarts >= MAX_FAILED_STARTS) this.#giveUp(why);
    }
    if (culprit) this.#deliver(culprit.run, this.#skipped(culprit.file.path, why));
    this.#schedule();
  }

  #skipped(path: string, why: string | undefined): FileParsed {
    const facts = withoutSymbols('skipped', 0, undefined, why);
    return { path, facts, packed: packFacts(facts), chunks: noChunks(), size: 0, mtimeMs: 0 };
  }

  #giveUp(why: string): void {
    this.#failedStarts = 0;
    const broken = new BlackError(
      'parser_broken',
      `No thread for parsing can be started: ${why}`,
      'Install Black IDE again, or run `npm ci` in its folder.',
    );
    for (const run of [...this.#runs]) run.settle(broken);
  }
}

/** One for each worker of a pool. */
function startParserWorker(setup: WorkerSetup): Worker {
  return new Worker(new URL('./parser-worker.ts', import.meta.url), {
    workerData: setup,
    name: 'parser',
    // What the main thread was started with is not meant for this one.
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: 192, maxYoungGenerationSizeMb: 8 },
  });
}
