import { randomUUID } from 'node:crypto';
import { BlackError } from '@black-ide/protocol';
import { type Job, Queue, Worker } from 'bullmq';
import { Redis } from 'ioredis';
import {
  deadlyOutcome,
  MOST_DEATHS,
  type QueueCounts,
  type TakenJob,
  type TriageJob,
  type TriageOutcome,
  type TriageQueue,
} from './queue.ts';

/** Who does not say for so long that it still works on a report is dead. Milliseconds. */
const LOCK_MS = 30_000;
/** Outcomes that are asked for at once. */
const PAGE = 500;

export interface RedisQueueOptions {
  /** `redis://[[user]:password@]host[:port][/number]`, or `rediss://…`. */
  url: string;
  /** Tells the queues of one server apart. Letters, digits, `-`, `_` and `.`. */
  name: string;
  /** How long a silent worker is believed to live, in milliseconds. */
  lockMs?: number;
  /** Told when the server is lost, and when it is back. */
  onConnection?(state: 'lost' | 'back'): void;
}

/**
 * A queue on Redis, by BullMQ, for workers on any number of machines. A report is a job whose id is the report's; its
 * outcome is the job's return value. Who dies with one loses its lock, and the next look for such jobs gives it to others.
 */
export class RedisQueue implements TriageQueue {
  readonly #queue: Queue<TriageJob, TriageOutcome>;
  readonly #worker: Worker<TriageJob, TriageOutcome>;
  readonly #connection: Redis;
  readonly #lockMs: number;
  readonly #renewals = new Set<NodeJS.Timeout>();

  private constructor(connection: Redis, { name, lockMs = LOCK_MS }: RedisQueueOptions) {
    this.#connection = connection;
    this.#lockMs = lockMs;
    const shared = { connection, prefix: 'black-triage' };
    this.#queue = new Queue(name, shared);
    this.#worker = new Worker(name, null, {
      ...shared,
      autorun: false,
      lockDuration: lockMs,
      stalledInterval: lockMs,
      maxStalledCount: MOST_DEATHS - 1,
    });
    // What goes wrong is told by the call that meets it; the connection tries again by itself.
    this.#queue.on('error', () => undefined);
    this.#worker.on('error', () => undefined);
  }

  /** @throws BlackError `bad_queue_url`; `queue_unreachable` where no server answers there. */
  static async open(options: RedisQueueOptions): Promise<RedisQueue> {
    const connection = new Redis(checked(options.url), {
      lazyConnect: true,
      maxRetriesPerRequest: null,
      retryStrategy: (tries) => Math.min(100 * 2 ** tries, 5_000),
    });
    const failed = Promise.withResolvers<never>();
    connection.once('error', failed.reject);
    try {
      await Promise.race([connection.connect(), failed.promise]);
    } catch (cause) {
      connection.disconnect();
      const why = cause instanceof Error ? cause.message : String(cause);
      throw new BlackError(
        'queue_unreachable',
        `No Redis answers at ${withoutPassword(options.url)}: ${why}`,
        'Start redis-server there, or leave --queue out: then a queue on this machine is used.',
        { cause },
      );
    }
    connection.removeAllListeners('error').on('error', () => undefined);
    connection.on('close', () => options.onConnection?.('lost')).on('ready', () => options.onConnection?.('back'));
    const queue = new RedisQueue(connection, options);
    await queue.#worker.startStalledCheckTimer();
    return queue;
  }

  async add(jobs: readonly TriageJob[]): Promise<{ added: number; known: number }> {
    const states = await Promise.all(jobs.map(({ id }) => this.#queue.getJobState(id)));
    const fresh = new Map(jobs.filter((_, at) => states[at] === 'unknown').map((job) => [job.id, job]));
    await this.#queue.addBulk([...fresh].map(([id, data]) => ({ name: 'report', data, opts: { jobId: id } })));
    return { added: fresh.size, known: jobs.length - fresh.size };
  }

  async take(): Promise<TakenJob | undefined> {
    const token = randomUUID();
    const job = await this.#worker.getNextJob(token, { block: false });
    if (!job) return undefined;
    // By this BullMQ says that its workers died too often, and leaves the rest to whoever gets it.
    if (job.deferredFailure) {
      await job.moveToCompleted(deadlyOutcome(job.data), token, false);
      return await this.take();
    }
    const renewal = setInterval(() => {
      // A server that is away for longer gives the report to somebody else; `finish` then tells.
      job.extendLock(token, this.#lockMs).catch(() => undefined);
    }, this.#lockMs / 3);
    this.#renewals.add(renewal);
    const ended = (): void => {
      clearInterval(renewal);
      this.#renewals.delete(renewal);
    };
    return {
      job: job.data,
      finish: async (outcome) => {
        try {
          await job.moveToCompleted(outcome, token, false);
          return true;
        } catch (cause) {
          if (await this.#isOurs(job, token)) throw cause;
          return false;
        } finally {
          ended();
        }
      },
      giveBack: async () => {
        ended();
        await job.moveToWait(token);
      },
    };
  }

  async counts(): Promise<QueueCounts> {
    const { waiting, prioritized, delayed, active, completed, failed } = await this.#queue.getJobCounts();
    return {
      waiting: sum(waiting, prioritized, delayed),
      running: sum(active),
      done: sum(completed, failed),
    };
  }

  async outcomes(): Promise<TriageOutcome[]> {
    const found: TriageOutcome[] = [];
    for (let at = 0; ; at += PAGE) {
      const jobs = await this.#queue.getJobs(['completed', 'failed'], at, at + PAGE - 1, true);
      found.push(...jobs.map((job) => job.returnvalue ?? deadlyOutcome(job.data)));
      if (jobs.length < PAGE) return found;
    }
  }

  async close(): Promise<void> {
    for (const renewal of this.#renewals) clearInterval(renewal);
    await this.#worker.close(true);
    await this.#queue.close();
    this.#connection.disconnect();
  }

  async #isOurs(job: Job, token: string): Promise<boolean> {
    return (await this.#connection.get(`${this.#queue.toKey(job.id!)}:lock`)) === token;
  }
}

function checked(url: string): string {
  const protocol = URL.canParse(url) ? new URL(url).protocol : '';
  if (protocol === 'redis:' || protocol === 'rediss:') return url;
  throw new BlackError(
    'bad_queue_url',
    `${withoutPassword(url)} is no address of a Redis.`,
    'Write redis://HOST:6379.',
  );
}

function withoutPassword(url: string): string {
  return url.replace(/\/\/[^/@]*@/, '//…@');
}

function sum(...counts: (number | undefined)[]): number {
  return counts.reduce<number>((all, count) => all + (count ?? 0), 0);
}
