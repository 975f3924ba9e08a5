import { BlackError } from '@black-ide/protocol';
import type { Clock } from '../engine-api.ts';
import type { RunBudget } from './run-budget.ts';
import type { SessionPort } from './session-port.ts';

/**
 * Stops a run when its time is up, whatever it is doing. While a person is asked the clock stands still.
 */
export class Deadline {
  readonly #budget: RunBudget;
  readonly #clock: Clock;
  readonly #stop = new AbortController();
  #waiting: AbortController | undefined;

  constructor(budget: RunBudget, clock: Clock) {
    this.#budget = budget;
    this.#clock = clock;
    this.#watch();
  }

  /** Aborted, with a `budget` error as its reason, when the time is up. */
  get signal(): AbortSignal {
    return this.#stop.signal;
  }

  /** The same session; its questions stop the clock. */
  pausing(port: SessionPort): SessionPort {
    return {
      id: port.id,
      path: () => port.path(),
      append: (entry) => port.append(entry),
      emit: (event) => port.emit(event),
      takeQueued: () => port.takeQueued(),
      takeCompaction: () => port.takeCompaction(),
      ask: async (request, signal) => {
        this.#pause();
        try {
          return await port.ask(request, signal);
        } finally {
          this.#watch();
        }
      },
    };
  }

  dispose(): void {
    this.#waiting?.abort();
  }

  #pause(): void {
    this.#budget.pause();
    this.#waiting?.abort();
    this.#waiting = undefined;
  }

  #watch(): void {
    this.#budget.resume();
    const left = this.#budget.timeLeft();
    if (!Number.isFinite(left)) return;
    const waiting = new AbortController();
    this.#waiting = waiting;
    this.#clock.sleep(Math.max(0, left), waiting.signal).then(
      () => this.#stop.abort(new BlackError('budget', this.#budget.exceeded()?.message ?? 'The time is up.')),
      () => undefined,
    );
  }
}
