import type { Worker } from 'node:worker_threads';
import type { FileToParse, ParseBatch, ParseResult, WorkerMessage } from './messages.ts';

/** How a worker ended. */
export interface Ending {
  /** It had started well. */
  wasReady: boolean;
  /** What went wrong; undefined where it ended because there was no more work, or because it was told to. */
  why: string | undefined;
}

export interface ParserThreadOptions<B> {
  /** So long may one file take, in milliseconds. */
  maxFileTime: number;
  /** So long it stays without work, in milliseconds. */
  idleTime: number;
  onReady(): void;
  onResult(batch: B, result: ParseResult): void;
  /** Called once, with the batches that it has not finished, in their order. */
  onEnd(ending: Ending, batches: readonly B[]): void;
}

/** So long may it take to start, on the busiest machine. */
const MAX_START_TIME = 60_000;

/** A worker with the batches that it has before it, each with the caller's own notes `B`. */
export class ParserThread<B> {
  readonly #worker: Worker;
  readonly #options: ParserThreadOptions<B>;
  readonly #batches: { id: number; notes: B }[] = [];
  /** Runs out when a file takes too long, or when there has been no work for long. */
  #timer: NodeJS.Timeout | undefined;
  #nextId = 0;
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

  send(notes: B, files: readonly FileToParse[]): void {
    const id = this.#nextId;
    this.#nextId += 1;
    this.#batches.push({ id, notes });
    this.#worker.postMessage({ batch: id, files } satisfies ParseBatch);
    // Only while it has work is the process to wait for it.
    this.#worker.ref();
    this.#watch();
  }

  /** All files of a batch are done. */
  finish(notes: B): void {
    const place = this.#batches.findIndex((batch) => batch.notes === notes);
    if (place >= 0) this.#batches.splice(place, 1);
    if (this.#batches.length === 0) this.#worker.unref();
    this.#watch();
  }

  async end(): Promise<void> {
    this.#close({ wasReady: this.#isReady, why: undefined });
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
    const batch = this.#batches.find(({ id }) => id === message.batch);
    if (!batch) return;
    this.#timer?.refresh();
    this.#options.onResult(batch.notes, message);
    if (message.isBroken) void this.end();
  }

  #fail(why: string): void {
    this.#close({ wasReady: this.#isReady, why });
    void this.#worker.terminate();
  }

  #close(ending: Ending): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    clearTimeout(this.#timer);
    this.#options.onEnd(
      ending,
      this.#batches.map(({ notes }) => notes),
    );
  }

  #watch(): void {
    clearTimeout(this.#timer);
    if (this.#hasEnded) return;
    const { maxFileTime, idleTime } = this.#options;
    if (!this.#isReady) this.#timer = setTimeout(() => this.#fail('it does not start'), MAX_START_TIME);
    else if (this.#batches.length > 0)
      this.#timer = setTimeout(() => this.#fail('takes too long to parse'), maxFileTime);
    else this.#timer = setTimeout(() => void this.end(), idleTime);
    // What the process waits for is the worker.
    this.#timer.unref();
  }
}

function reasonOf(error: unknown): string {
  const isMemory = error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';
  if (isMemory) return 'takes too much memory to parse';
  return `breaks the parser: ${error instanceof Error ? error.message : String(error)}`;
}
