import { setTimeout as delay } from 'node:timers/promises';
import type { Clock } from './clock.ts';

/** Real time: Unix milliseconds and real timers. */
export function systemClock(): Clock {
  return {
    now: () => Date.now(),
    sleep: async (ms, signal) => {
      signal?.throwIfAborted();
      try {
        await delay(ms, undefined, { signal });
      } catch (error) {
        // The timer wraps the reason in an AbortError; callers want the reason itself.
        signal?.throwIfAborted();
        throw error;
      }
    },
  };
}
