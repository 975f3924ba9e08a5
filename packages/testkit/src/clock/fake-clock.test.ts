import { expect, it } from 'vitest';
import { FakeClock } from './fake-clock.ts';
import { systemClock } from './system-clock.ts';

it('wakes sleepers in the order of their due times, chains included', async () => {
  const clock = new FakeClock(1000);
  const woken: string[] = [];
  const chain = async (): Promise<void> => {
    for (let step = 1; step <= 3; step++) {
      await clock.sleep(10);
      woken.push(`chain ${step} at ${clock.now()}`);
    }
  };
  const done = Promise.all([chain(), clock.sleep(25).then(() => woken.push(`late at ${clock.now()}`))]);
  await clock.advance(30);
  await done;
  expect(woken).toEqual(['chain 1 at 1010', 'chain 2 at 1020', 'late at 1025', 'chain 3 at 1030']);
  expect(clock.now()).toBe(1030);
  expect(clock.sleeps).toEqual([10, 25, 10, 10]);
  expect(clock.pending).toBe(0);
});

it('lets a test wait for sleepers and jump to the next', async () => {
  const clock = new FakeClock();
  const slept = Promise.resolve().then(async () => await clock.sleep(5000));
  await clock.waitForSleepers();
  expect(await clock.advanceToNext()).toBe(true);
  await slept;
  expect(clock.now()).toBe(5000);
  expect(await clock.advanceToNext()).toBe(false);
});

it('ends a sleep with the reason of the signal, fake and real', async () => {
  for (const clock of [new FakeClock(), systemClock()]) {
    const stop = new AbortController();
    const slept = clock.sleep(60_000, stop.signal);
    stop.abort(new Error('enough'));
    await expect(slept).rejects.toThrow('enough');
    await expect(clock.sleep(1, stop.signal)).rejects.toThrow('enough');
  }
});

it('sleeps in real time', async () => {
  const clock = systemClock();
  const start = clock.now();
  await clock.sleep(5);
  expect(clock.now()).toBeGreaterThan(start);
});
