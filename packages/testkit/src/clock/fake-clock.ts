import type { Clock } from './clock.ts';

interface Sleeper {
  dueAt: number;
  order: number;
  wake: () => void;
}

/**
 * A clock that moves only when told. Sleepers wake in the order of their due times, and code that runs on after a wake
 * gets to start its next sleep before time goes further, so that a chain of sleeps takes the time it should.
 */
export class FakeClock implements Clock {
  #now: number;
  #order = 0;
  #sleepers: Sleeper[] = [];
  #watchers: { count: number; resolve: () => void }[] = [];
  /** Every duration asked for, oldest first; what a back-off test looks at. */
  readonly sleeps: number[] = [];

  constructor(startAt = 0) {
    this.#now = startAt;
  }

  now(): number {
    return this.#now;
  }

  /** How many sleeps are waiting. */
  get pending(): number {
    return this.#sleepers.length;
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    if (signal?.aborted) return Promise.reject(signal.reason);
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const leave = () => {
      this.#sleepers = this.#sleepers.filter((other) => other !== sleeper);
      reject(signal?.reason);
    };
    const wake = () => {
      signal?.removeEventListener('abort', leave);
      resolve();
    };
    const sleeper: Sleeper = { dueAt: this.#now + Math.max(0, ms), order: this.#order++, wake };
    signal?.addEventListener('abort', leave, { once: true });
    this.sleeps.push(ms);
    this.#sleepers.push(sleeper);
    this.#watchers = this.#watchers.filter((watcher) => {
      if (this.#sleepers.length < watcher.count) return true;
      watcher.resolve();
      return false;
    });
    return promise;
  }

  /** Resolves as soon as `count` sleeps are waiting: the condition to wait on before `advance`. */
  waitForSleepers(count = 1): Promise<void> {
    if (this.#sleepers.length >= count) return Promise.resolve();
    return new Promise((resolve) => this.#watchers.push({ count, resolve }));
  }

  /** Moves time on by `ms`, waking what falls due on the way. */
  async advance(ms: number): Promise<void> {
    const end = this.#now + ms;
    for (let next = this.#earliest(); next && next.dueAt <= end; next = this.#earliest()) {
      this.#now = Math.max(this.#now, next.dueAt);
      this.#sleepers = this.#sleepers.filter((other) => other !== next);
      next.wake();
      await settle();
    }
    this.#now = end;
    await settle();
  }

  /** Moves time to the next sleeper's due time and wakes it; false when none waits. */
  async advanceToNext(): Promise<boolean> {
    const next = this.#earliest();
    if (!next) return false;
    await this.advance(Math.max(0, next.dueAt - this.#now));
    return true;
  }

  #earliest(): Sleeper | undefined {
    return this.#sleepers.reduce<Sleeper | undefined>((first, other) => {
      if (!first || other.dueAt < first.dueAt) return other;
      return other.dueAt === first.dueAt && other.order < first.order ? other : first;
    }, undefined);
  }
}

/** Lets every promise callback that is ready run; one turn of the event loop does. */
function settle(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
