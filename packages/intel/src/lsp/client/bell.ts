/** Rings when something has changed; whoever waits for a condition looks at it again. */
export class Bell {
  #next = Promise.withResolvers<void>();

  ring(): void {
    this.#next.resolve();
    this.#next = Promise.withResolvers<void>();
  }

  /** Resolves as soon as the condition holds; it is looked at now and at each ring. @throws the signal's reason */
  async until(condition: () => boolean, signal: AbortSignal): Promise<void> {
    while (!condition()) await rejectOnAbort(this.#next.promise, signal);
  }

  /** Resolves at the next ring, or after so many milliseconds. @returns whether it rang. @throws the signal's reason */
  async rings(within: number, signal: AbortSignal): Promise<boolean> {
    let timer: NodeJS.Timeout | undefined;
    const silence = new Promise<boolean>((resolve) => {
      timer = setTimeout(() => resolve(false), within).unref();
    });
    try {
      return await rejectOnAbort(Promise.race([this.#next.promise.then(() => true), silence]), signal);
    } finally {
      clearTimeout(timer);
    }
  }
}

/** The promise, or the signal's reason as soon as it fires. */
export async function rejectOnAbort<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted();
  let abort: () => void = () => undefined;
  const aborted = new Promise<never>((_, reject) => {
    abort = () => reject(signal.reason);
    signal.addEventListener('abort', abort, { once: true });
  });
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}
