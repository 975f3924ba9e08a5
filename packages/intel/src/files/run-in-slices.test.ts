import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { runInSlices } from './run-in-slices.ts';

/** Steps of a millisecond each. */
function* steps(count: number, onEnd: () => void = () => undefined): Generator<void, string, void> {
  try {
    for (let step = 0; step < count; step++) {
      const end = performance.now() + 1;
      while (performance.now() < end);
      yield;
    }
    return 'done';
  } finally {
    onEnd();
  }
}

describe('runInSlices', () => {
  it('INT-4 lets others have their turn, and gives the result', async () => {
    let turns = 0;
    let isRunning = true;
    const others = (async () => {
      for (; isRunning; turns++) await setImmediate();
    })();
    expect(await runInSlices(steps(40))).toBe('done');
    isRunning = false;
    await others;
    expect(turns).toBeGreaterThan(3);
  });

  it('IDE-18 ends the steps when it is cancelled', async () => {
    const stop = new AbortController();
    let ended = false;
    const run = runInSlices(
      steps(100_000, () => {
        ended = true;
      }),
      stop.signal,
    );
    stop.abort(new Error('stop'));
    await expect(run).rejects.toThrow('stop');
    expect(ended).toBe(true);
  });
});
