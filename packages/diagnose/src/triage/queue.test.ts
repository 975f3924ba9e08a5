import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { LocalQueue } from './local-queue.ts';
import { MOST_DEATHS, type TriageJob, type TriageOutcome, type TriageQueue } from './queue.ts';
import { RedisQueue } from './redis-queue.ts';
import { RedisServer } from './testing/redis-server.ts';
import { work } from './work.ts';

const WORKER = join(import.meta.dirname, 'testing/worker.ts');
/** A dead worker of the tests is believed to live for so long. */
const LOCK_MS = 600;

let redis: RedisServer;
beforeAll(async () => {
  redis = await RedisServer.start();
});
afterAll(() => redis[Symbol.asyncDispose]());

/** A queue of nobody else, and how another process finds it. */
interface Place {
  open(): Promise<TriageQueue>;
  words: string[];
  dispose(): Promise<void>;
}

const KINDS: { kind: string; place(): Promise<Place> }[] = [
  {
    kind: 'on the disk',
    place: async () => {
      const folder = mkdtempSync(join(tmpdir(), 'black-triage-'));
      return {
        open: async () => new LocalQueue(folder),
        words: ['local', folder],
        dispose: async () => rmSync(folder, { recursive: true }),
      };
    },
  },
  {
    kind: 'on Redis',
    place: async () => ({
      open: () => RedisQueue.open({ url: redis.url, name: 'test', lockMs: LOCK_MS }),
      words: ['redis', redis.url],
      dispose: async () => {
        const { Redis } = await import('ioredis');
        const connection = new Redis(redis.url);
        await connection.flushall();
        connection.disconnect();
      },
    }),
  },
];

const jobOf = (number: number, text = `report ${number}`): TriageJob => ({
  id: `r${number}`,
  source: `reports/${number}.md`,
  text,
});
const many = (count: number, text?: string): TriageJob[] => Array.from({ length: count }, (_, at) => jobOf(at, text));
const doneOf = ({ id, source }: TriageJob): TriageOutcome => ({ id, source, status: 'done', result: { id } });
const byId = (outcomes: TriageOutcome[]): TriageOutcome[] => outcomes.sort((x, y) => (x.id < y.id ? -1 : 1));

describe.each(KINDS)('a queue $kind', ({ place: make }) => {
  let place: Place;
  beforeEach(async () => {
    place = await make();
  });
  afterEach(() => place.dispose());

  async function open(): Promise<TriageQueue> {
    const queue = await place.open();
    onTestFinished(() => queue.close());
    return queue;
  }

  it('DX-12 gives each report to one worker, in their order, and keeps its outcome', async () => {
    const queue = await open();
    expect(await queue.add([jobOf(1), jobOf(2)])).toEqual({ added: 2, known: 0 });
    const [first, second, none] = [await queue.take(), await queue.take(), await queue.take()];
    expect([first?.job, second?.job, none]).toEqual([jobOf(1), jobOf(2), undefined]);
    expect(await queue.counts()).toEqual({ waiting: 0, running: 2, done: 0 });
    expect(await first!.finish(doneOf(jobOf(1)))).toBe(true);
    await second!.giveBack();
    expect(await queue.counts()).toEqual({ waiting: 1, running: 0, done: 1 });
    expect((await queue.take())?.job).toEqual(jobOf(2));
    expect(await queue.outcomes()).toEqual([doneOf(jobOf(1))]);
  });

  it('DX-12 takes a report once, however often it comes and whatever became of it', async () => {
    const queue = await open();
    await queue.add([jobOf(1), jobOf(2), jobOf(1)]);
    expect(await queue.counts()).toEqual({ waiting: 2, running: 0, done: 0 });
    const taken = await queue.take();
    await taken!.finish(doneOf(taken!.job));
    expect(await queue.add([jobOf(1), jobOf(2), jobOf(3)])).toEqual({ added: 1, known: 2 });
    const later = await open();
    expect(await later.add(many(4))).toEqual({ added: 1, known: 3 });
    expect(await later.counts()).toEqual({ waiting: 3, running: 0, done: 1 });
  });

  it('DX-12 is worked on by several at once, until all is done', async () => {
    const queue = await open();
    await queue.add(many(40));
    let atOnce = 0;
    let most = 0;
    const told: string[] = [];
    await work({
      queue,
      jobs: 4,
      signal: new AbortController().signal,
      onOutcome: ({ id }) => told.push(id),
      handle: async ({ id }) => {
        most = Math.max(most, ++atOnce);
        await new Promise((resolve) => setImmediate(resolve));
        atOnce -= 1;
        return { id };
      },
    });
    expect(most).toBe(4);
    expect(told.toSorted()).toEqual(
      many(40)
        .map(({ id }) => id)
        .toSorted(),
    );
    expect(byId(await queue.outcomes())).toEqual(byId(many(40).map(doneOf)));
  });

  it('DX-12 tells of a report that cannot be diagnosed, after it was tried again, and goes on', async () => {
    const queue = await open();
    await queue.add(many(2));
    const tries: string[] = [];
    await work({
      queue,
      jobs: 1,
      signal: new AbortController().signal,
      handle: async ({ id }) => {
        tries.push(id);
        if (id === 'r0') throw new Error('no such model');
        return { id };
      },
    });
    expect(tries).toEqual(['r0', 'r0', 'r0', 'r1']);
    expect(byId(await queue.outcomes())).toEqual([
      { id: 'r0', source: 'reports/0.md', status: 'failed', error: 'no such model' },
      doneOf(jobOf(1)),
    ]);
  });

  it('DX-12 a cancelled run gives back what it was at, and the next goes on there', async () => {
    const queue = await open();
    await queue.add(many(3));
    const stop = new AbortController();
    const handle = async ({ id }: TriageJob, signal: AbortSignal): Promise<unknown> => {
      if (id === 'r1') stop.abort(new Error('enough'));
      signal.throwIfAborted();
      return { id };
    };
    await expect(work({ queue, jobs: 1, signal: stop.signal, handle })).rejects.toThrow('enough');
    expect(await queue.counts()).toEqual({ waiting: 2, running: 0, done: 1 });
    await work({ queue, jobs: 1, signal: new AbortController().signal, handle: async ({ id }) => ({ id }) });
    expect(byId(await queue.outcomes())).toEqual(many(3).map(doneOf));
  });

  it('DX-12 workers that are killed at random lose no report, and none is told twice', async () => {
    const queue = await open();
    const count = 40;
    await queue.add(many(count, '20'));
    const begun: string[] = [];
    const workers = new Set<ChildProcess>();
    const begin = (): ChildProcess => {
      const worker = spawn(process.execPath, [WORKER, ...place.words], { stdio: ['ignore', 'pipe', 'inherit'] });
      workers.add(worker);
      createInterface({ input: worker.stdout! }).on('line', (line) => {
        if (!line.startsWith('begins')) return;
        begun.push(line.slice('begins '.length));
        // Every fourth beginning ends its worker in the middle.
        if (begun.length % 4 === 0 && begun.length < count) worker.kill('SIGKILL');
      });
      return worker;
    };
    const run = async (): Promise<void> => {
      for (;;) {
        const worker = begin();
        const [code] = await once(worker, 'exit');
        workers.delete(worker);
        if (code === 0) return;
      }
    };
    onTestFinished(() => {
      for (const worker of workers) worker.kill('SIGKILL');
    });
    await Promise.all([run(), run()]);
    const outcomes = await queue.outcomes();
    expect(outcomes.map(({ id }) => id).toSorted()).toEqual(
      many(count)
        .map(({ id }) => id)
        .toSorted(),
    );
    expect(outcomes.filter(({ status }) => status === 'done').length).toBeGreaterThan(count / 2);
    expect(begun.length).toBeGreaterThan(count);
    expect(await queue.counts()).toEqual({ waiting: 0, running: 0, done: count });
  });

  it('DX-12 a report that ends its worker every time is told as failed', async () => {
    const queue = await open();
    await queue.add([jobOf(1, '60000')]);
    for (let death = 0; death < MOST_DEATHS; death += 1) {
      const worker = spawn(process.execPath, [WORKER, ...place.words], { stdio: ['ignore', 'pipe', 'inherit'] });
      const lines = createInterface({ input: worker.stdout });
      for await (const line of lines) if (line.startsWith('begins')) break;
      worker.kill('SIGKILL');
      await once(worker, 'exit');
    }
    const handle = (): Promise<never> => Promise.reject(new Error('it came to another'));
    await work({ queue, jobs: 1, signal: new AbortController().signal, handle });
    expect(await queue.outcomes()).toEqual([
      { id: 'r1', source: 'reports/1.md', status: 'failed', error: 'its worker died 3 times' },
    ]);
  });
});

describe('a queue on Redis', () => {
  it('DX-12 says what to do where no server answers, and never tells a password', async () => {
    await expect(RedisQueue.open({ url: 'redis://me:secret@127.0.0.1:1', name: 'x' })).rejects.toMatchObject({
      code: 'queue_unreachable',
      message: expect.stringMatching(/^No Redis answers at redis:\/\/…@127\.0\.0\.1:1: .*ECONNREFUSED/),
      next: expect.stringContaining('Start redis-server'),
    });
    await expect(RedisQueue.open({ url: 'http://x', name: 'x' })).rejects.toMatchObject({ code: 'bad_queue_url' });
  });

  it('DX-12 goes on when the server was lost in the middle and is back', async () => {
    await using own = await RedisServer.start();
    const states: string[] = [];
    const queue = await RedisQueue.open({
      url: own.url,
      name: 'test',
      lockMs: LOCK_MS,
      onConnection: (state) => states.push(state),
    });
    onTestFinished(() => queue.close());
    await queue.add(many(6));
    let handled = 0;
    await work({
      queue,
      jobs: 1,
      signal: new AbortController().signal,
      handle: async ({ id }) => {
        handled += 1;
        if (handled === 3) {
          await own.stop();
          await own.start();
        }
        return { id };
      },
    });
    expect(byId(await queue.outcomes())).toEqual(many(6).map(doneOf));
    expect(states.slice(0, 2)).toEqual(['lost', 'back']);
  });
});
