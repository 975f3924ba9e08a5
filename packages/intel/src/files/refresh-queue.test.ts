import { beforeEach, describe, expect, it } from 'vitest';
import type { RefreshProgress, RefreshReport } from '../code-intelligence-api.ts';
import { RefreshQueue, type RefreshRun } from './refresh-queue.ts';

const REPORT: RefreshReport = { added: 0, changed: 0, removed: 0, unchanged: 0, took: 0, rebuilt: undefined };

/** A run that ends when it is told to, or is aborted. */
interface HeldRun extends RefreshRun {
  end(): void;
  fail(error: Error): void;
}

let runs: HeldRun[];
let queue: RefreshQueue;
let wake: () => void;

beforeEach(() => {
  runs = [];
  wake = () => undefined;
  queue = new RefreshQueue(
    (run) =>
      new Promise((resolve, reject) => {
        run.signal.addEventListener('abort', () => reject(run.signal.reason));
        const number = runs.length + 1;
        runs.push({ ...run, end: () => resolve({ ...REPORT, added: number }), fail: reject });
        wake();
      }),
  );
});

async function begun(count: number): Promise<HeldRun> {
  while (runs.length < count) {
    await new Promise<void>((resolve) => {
      wake = resolve;
    });
  }
  return runs[count - 1]!;
}

const stop = new Error('stop');

describe('RefreshQueue', () => {
  it('INT-4 shares a run among those who ask before it begins; who asks later gets the next', async () => {
    const first = Promise.all([queue.join(), queue.join()]);
    await begun(1);
    const second = Promise.all([queue.join(), queue.join()]);
    runs[0]!.end();
    expect(await first).toMatchObject([{ added: 1 }, { added: 1 }]);
    (await begun(2)).end();
    expect(await second).toMatchObject([{ added: 2 }, { added: 2 }]);
  });

  it('INT-4 looks at all the folders that those who share it ask for', async () => {
    const waiting = [queue.join({ folders: ['a'] }), queue.join({ folders: ['b', 'a'] })];
    expect((await begun(1)).folders).toEqual(new Set(['a', 'b']));
    waiting.push(queue.join({ folders: ['a'] }), queue.join(), queue.join({ folders: ['b'] }));
    runs[0]!.end();
    expect((await begun(2)).folders).toBeUndefined();
    runs[1]!.end();
    expect(await Promise.all(waiting)).toHaveLength(5);
  });

  it('tells everybody how far it is', async () => {
    const told: RefreshProgress[] = [];
    const onProgress = (progress: RefreshProgress): void => void told.push(progress);
    const waiting = Promise.all([queue.join({ onProgress }), queue.join({ onProgress: (each) => onProgress(each) })]);
    (await begun(1)).onProgress({ done: 1, total: 2 });
    expect(told).toEqual([
      { done: 1, total: 2 },
      { done: 1, total: 2 },
    ]);
    runs[0]!.end();
    await waiting;
  });

  it('IDE-18 lets one go who is cancelled, and ends the run when it was the last', async () => {
    const [one, other] = [new AbortController(), new AbortController()];
    const cancelled = queue.join({ signal: one.signal });
    const staying = queue.join({ signal: other.signal });
    const run = await begun(1);
    one.abort(stop);
    await expect(cancelled).rejects.toBe(stop);
    expect(run.signal.aborted).toBe(false);
    other.abort(stop);
    await expect(staying).rejects.toBe(stop);
    expect(run.signal.aborted).toBe(true);
    await expect(queue.join({ signal: one.signal })).rejects.toBe(stop);
    const next = queue.join();
    (await begun(2)).end();
    expect(await next).toMatchObject({ added: 2 });
  });

  it('does not begin a run that nobody waits for any more', async () => {
    const first = queue.join();
    await begun(1);
    const cancel = new AbortController();
    const second = queue.join({ signal: cancel.signal });
    cancel.abort(stop);
    await expect(second).rejects.toBe(stop);
    runs[0]!.end();
    await first;
    const third = queue.join();
    (await begun(2)).end();
    expect(await third).toMatchObject({ added: 2 });
  });

  it('goes on after a run that failed', async () => {
    const first = queue.join();
    await begun(1);
    const second = queue.join();
    runs[0]!.fail(stop);
    await expect(first).rejects.toBe(stop);
    (await begun(2)).end();
    expect(await second).toMatchObject({ added: 2 });
  });

  it('ends what runs and what waits when it is disposed', async () => {
    const first = queue.join();
    await begun(1);
    const second = queue.join();
    const ends = Promise.allSettled([first, second]);
    await queue.dispose(stop);
    expect(await ends).toMatchObject([{ reason: stop }, { reason: stop }]);
    await expect(queue.join()).rejects.toBe(stop);
    expect(runs).toHaveLength(1);
  });
});
