/** Those who wait for something to become true, each up to a time of their own. */
export class Waiters {
  readonly #checks = new Set<() => void>();

  /** Something may have become true. */
  wake(): void {
    for (const check of [...this.#checks]) check();
  }

  /** Resolves when it is true, or after so long. @throws the signal's reason */
  async until(isTrue: () => boolean, waitMs: number, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    await new Promise<void>((resolve) => {
      const finish = (): void => {
        clearTimeout(timer);
        this.#checks.delete(check);
        signal.removeEventListener('abort', finish);
        resolve();
      };
      const check = (): void => {
        if (isTrue()) finish();
      };
      const timer = setTimeout(finish, waitMs);
      this.#checks.add(check);
      signal.addEventListener('abort', finish);
      check();
    });
    signal.throwIfAborted();
  }
}
