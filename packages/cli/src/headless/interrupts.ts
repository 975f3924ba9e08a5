import { EXIT } from '../failure.ts';
import type { World } from '../world.ts';

/**
 * What Ctrl+C and a polite kill do: the first asks the work to stop, the second ends the process at once.
 */
export class Interrupts {
  readonly #controller = new AbortController();
  readonly #stopListening: () => void;

  constructor(world: World) {
    this.#stopListening = world.onInterrupt(() => {
      if (this.#controller.signal.aborted) world.exit(EXIT.cancelled);
      else this.cancel();
    });
  }

  /** Aborted by the first interrupt. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Asks the work to stop for a reason of our own, as an interrupt would. */
  cancel(): void {
    this.#controller.abort();
  }

  dispose(): void {
    this.#stopListening();
  }
}

/** Settles with the promise, or rejects with the signal's reason when that comes first. */
export async function orAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted();
  const aborted = Promise.withResolvers<never>();
  const onAbort = (): void => aborted.reject(signal.reason);
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    return await Promise.race([promise, aborted.promise]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}
