/** Named gates that hold a reply back until a test lets it go. A gate once released stays open. */
export class Gates {
  readonly #open = new Set<string>();
  readonly #waiting = new Map<string, Set<() => void>>();
  readonly #watchers = new Map<string, Set<() => void>>();

  /** Resolves when the gate is released; rejects with the signal's reason when that comes first. */
  wait(name: string, signal: AbortSignal): Promise<void> {
    if (this.#open.has(name)) return Promise.resolve();
    return new Promise((resolve, reject) => {
      if (signal.aborted) return reject(signal.reason);
      const waiting = this.#waiting.get(name) ?? new Set();
      this.#waiting.set(name, waiting);
      const leave = () => {
        waiting.delete(pass);
        reject(signal.reason);
      };
      const pass = () => {
        signal.removeEventListener('abort', leave);
        resolve();
      };
      waiting.add(pass);
      signal.addEventListener('abort', leave, { once: true });
      for (const notify of this.#watchers.get(name) ?? []) notify();
      this.#watchers.delete(name);
    });
  }

  /** Resolves when a reply has reached the gate (or has passed it already). */
  reached(name: string): Promise<void> {
    if (this.#open.has(name) || (this.#waiting.get(name)?.size ?? 0) > 0) return Promise.resolve();
    return new Promise((resolve) => {
      const watchers = this.#watchers.get(name) ?? new Set();
      watchers.add(resolve);
      this.#watchers.set(name, watchers);
    });
  }

  release(name: string): void {
    this.#open.add(name);
    const waiting = this.#waiting.get(name);
    this.#waiting.delete(name);
    for (const pass of waiting ?? []) pass();
    for (const notify of this.#watchers.get(name) ?? []) notify();
    this.#watchers.delete(name);
  }
}
