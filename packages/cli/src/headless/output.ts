import type { OutputStream } from '../world.ts';

/** Characters that may wait in a stream before what can be left out is left out. */
const BACKLOG = 1_000_000;

/**
 * A stream of the process as something to print to: a reader that went away (EPIPE) is noticed and borne quietly, any
 * other failure is kept, and everything can be waited for before the process ends.
 */
export class Output {
  /** Why nothing can be written any more; undefined while it works. */
  failure: Error | undefined;
  readonly #stream: OutputStream;
  readonly #onBroken: Set<() => void> = new Set();
  #pending: Promise<void> = Promise.resolve();

  constructor(stream: OutputStream) {
    this.#stream = stream;
    stream.on('error', (error: Error) => this.#break(error));
  }

  get isTerminal(): boolean {
    return this.#stream.isTTY === true;
  }

  /** The width to draw to: 80 where the terminal does not say. */
  get columns(): number {
    const { columns } = this.#stream;
    return columns !== undefined && columns > 0 ? columns : 80;
  }

  /** Whether the reader is far behind. */
  get isBehind(): boolean {
    return this.#stream.writableLength > BACKLOG;
  }

  /** Whether the reader went away, as `head` does. */
  get isClosed(): boolean {
    const code = (this.failure as NodeJS.ErrnoException | undefined)?.code;
    return code === 'EPIPE' || code === 'ERR_STREAM_DESTROYED' || code === 'ECONNRESET';
  }

  write(text: string): void {
    if (this.failure || text === '') return;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#pending = promise;
    this.#stream.write(text, (error) => {
      if (error) this.#break(error);
      resolve();
    });
  }

  line(text: string): void {
    this.write(`${text}\n`);
  }

  /** Resolves when everything written has left the process, or cannot. */
  flush(): Promise<void> {
    return this.#pending;
  }

  /** Calls the listener once when the reader goes away. */
  onceClosed(listener: () => void): void {
    if (this.failure) listener();
    else this.#onBroken.add(listener);
  }

  #break(error: Error): void {
    if (this.failure) return;
    this.failure = error;
    for (const listener of this.#onBroken) listener();
    this.#onBroken.clear();
  }
}
