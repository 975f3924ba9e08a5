import type { RefreshProgress, RefreshReport } from '../code-intelligence-api.ts';

export interface RefreshRun {
  /** Paths of the folders that are to be looked at; undefined: all. */
  folders: ReadonlySet<string> | undefined;
  signal: AbortSignal;
  onProgress(progress: RefreshProgress): void;
}

export interface JoinOptions {
  /** Paths of the folders that are to be looked at. Default: all. */
  folders?: Iterable<string> | undefined;
  signal?: AbortSignal | undefined;
  onProgress?: ((progress: RefreshProgress) => void) | undefined;
}

interface QueuedRun {
  folders: Set<string> | undefined;
  readonly listeners: Set<(progress: RefreshProgress) => void>;
  readonly stop: AbortController;
  callers: number;
}

/**
 * Lets one refresh run at a time. Who asks before a run has begun shares it; who asks later gets the next one, because
 * what has changed since may lie where the one that runs has looked already.
 */
export class RefreshQueue {
  readonly #run: (run: RefreshRun) => Promise<RefreshReport>;
  readonly #stop = new AbortController();
  /** Ends when every run that is known has ended; it never fails. */
  #idle: Promise<unknown> = Promise.resolve();
  #next: { run: QueuedRun; result: Promise<RefreshReport> } | undefined;

  constructor(run: (run: RefreshRun) => Promise<RefreshReport>) {
    this.#run = run;
  }

  /** @throws the signal's reason, at once: the run itself is only ended when nobody waits for it. What the run throws. */
  async join({ folders, signal, onProgress }: JoinOptions = {}): Promise<RefreshReport> {
    signal?.throwIfAborted();
    this.#next ??= this.#queue();
    const { run, result } = this.#next;
    if (!folders) run.folders = undefined;
    else for (const folder of folders) run.folders?.add(folder);
    if (onProgress) run.listeners.add(onProgress);
    run.callers++;
    try {
      return await (signal ? orAborted(result, signal) : result);
    } finally {
      if (onProgress) run.listeners.delete(onProgress);
      if (--run.callers === 0) run.stop.abort(signal?.reason);
    }
  }

  /** Ends what runs and what waits; whoever waits is given the reason. */
  async dispose(reason: Error): Promise<void> {
    this.#stop.abort(reason);
    await this.#idle;
  }

  #queue(): { run: QueuedRun; result: Promise<RefreshReport> } {
    const run: QueuedRun = { folders: new Set(), listeners: new Set(), stop: new AbortController(), callers: 0 };
    const result = this.#idle.then(() => this.#begin(run));
    // Its callers are told of a failure; those behind it have their turn all the same.
    this.#idle = result.catch(() => undefined);
    return { run, result };
  }

  async #begin({ folders, listeners, stop }: QueuedRun): Promise<RefreshReport> {
    this.#next = undefined;
    const signal = AbortSignal.any([stop.signal, this.#stop.signal]);
    signal.throwIfAborted();
    const onProgress = (progress: RefreshProgress): void => {
      for (const listener of listeners) listener(progress);
    };
    return await this.#run({ folders, signal, onProgress });
  }
}

function orAborted<T>(result: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(signal.reason);
    signal.addEventListener('abort', abort, { once: true });
    result.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}
