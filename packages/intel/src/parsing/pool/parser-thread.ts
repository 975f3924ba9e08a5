import type { Worker } from 'node:worker_threads';
import { type FileResult, splitResults } from './join-results.ts';
import type { FileToParse, ParseBatch, WorkerMessage } from './messages.ts';

/** How a worker ended. */
export interface Ending {
  /** It had started well. */
  wasReady: boolean;
  /** What went wrong; undefined where it ended because there was no more work, or because it was told to. */
  why: string | undefined;
  /** How many files of the batches that it has not finished it had begun. */
  begun: number;
}

export interface ParserThreadOptions<B> {
  /** So long may one file take, in milliseconds; it is noticed after twice that at the latest. */
  maxFileTime: number;
  /** The worker counts in it the files that it has begun. */
  begun: Int32Array;
  /** So long it stays without work, in milliseconds. */
  idleTime: number;
  onReady(): void;
  /** A batch is done; where the worker broke down in it, with fewer results than it has files. */
  onResults(batch: B, results: readonly FileResult[]): void;
  /** Called once, with the batches that it has not finished, in their order. */
  onEnd(ending: Ending, batches: readonly B[]): void;
}

/** So long may it take to start, on the busiest machine. */
const MAX_START_TIME = 60_000;

/** A worker with the batches that it has before it, each with the caller's own notes `B`. */
export class ParserThread<B> {
  readonly #worker: Worker;
  readonly #options: ParserThreadOptions<B>;
  readonly #batches: B[] = [];
  /** Runs out when a file takes too long, or when there has been no work for long. */
  #timer: NodeJS.Timeout | undefined;
  /** How many files have results. */
  #done = 0;
  /** How many files were begun when the clock was looked at last. */
  #seen = 0;
  #isReady = false;
  #hasEnded = false;

  constructor(worker: Worker, options: ParserThreadOptions<B>) {
    this.#worker = worker;
    this.#options = options;
    worker.on('message', (message: WorkerMessage) => this.#take(message));
    worker.on('error', (error) => this.#fail(reasonOf(error)));
    worker.on('exit', () => this.#fail('the parser ended unexpectedly'));
    worker.unref();
  }

  /** How many batches it has before it. */
  get load(): number {
    return this.#batches.length;
  }

  send(batch: B, files: readonly FileToParse[]): void {
    this.#batches.push(batch);
    this.#worker.postMessage(files satisfies ParseBatch);
    // Only while it has work is the process to wait for it.
    this.#worker.ref();
    this.#watch();
  }

  async end(): Promise<void> {
    this.#close(undefined);
    await this.#worker.terminate();
  }

  #take(message: WorkerMessage): void {
    if (this.#hasEnded) return;
    if ('ready' in message) {
      this.#isReady = true;
      this.#watch();
      this.#options.onReady();
      return;
    }
    const batch = this.#batches.shift();
    if (!batch) return;
    const results = splitResults(message);
    this.#done += results.length;
    if (this.#batches.length === 0) this.#worker.unref();
    this.#watch();
    this.#options.onResults(batch, results);
    if (results.at(-1)?.isBroken) void this.end();
  }

  #fail(why: string): void {
    this.#close(why);
    void this.#worker.terminate();
  }

  #close(why: string | undefined): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    clearTimeout(this.#timer);
    this.#options.onEnd({ wasReady: this.#isReady, why, begun: this.#begun - this.#done }, this.#batches);
  }

  /** A file is at work for too long when it was already begun at the last look. */
  #look(): void {
    if (this.#begun === this.#seen) this.#fail('takes too long to parse');
    else this.#watch();
  }

  get #begun(): number {
    return Atomics.load(this.#options.begun, 0);
  }

  #watch(): void {
    clearTimeout(this.#timer);
    if (this.#hasEnded) return;
    const { maxFileTime, idleTime } = this.#options;
    if (!this.#isReady) this.#timer = setTimeout(() => this.#fail('it does not start'), MAX_START_TIME);
    else if (this.#batches.length > 0) {
      this.#seen = this.#begun;
      this.#timer = setTimeout(() => this.#look(), maxFileTime);
    } else this.#timer = setTimeout(() => void this.end(), idleTime);
    // What the process waits for is the worker.
    this.#timer.unref();
  }
}

function reasonOf(error: unknown): string {
  const isMemory = error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';
  if (isMemory) return 'takes too much memory to parse';
  return `breaks the parser: ${error instanceof Error ? error.message : String(error)}`;
}
