import { setImmediate } from 'node:timers/promises';

/** So long nobody else has a turn: a terminal's picture stays fluent. Milliseconds. */
const SLICE_MS = 5;

/**
 * Runs steps to their end and lets others have their turn in between.
 * @throws the signal's reason, between two slices; the steps are ended then.
 */
export async function runInSlices<T>(steps: Generator<void, T, void>, signal?: AbortSignal): Promise<T> {
  try {
    for (;;) {
      const end = performance.now() + SLICE_MS;
      do {
        const step = steps.next();
        if (step.done) return step.value;
      } while (performance.now() < end);
      await setImmediate();
      signal?.throwIfAborted();
    }
  } finally {
    steps.return(undefined as T);
  }
}
