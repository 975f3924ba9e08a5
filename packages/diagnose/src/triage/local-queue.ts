import { join } from 'node:path';
import { BlackError } from '@black-ide/protocol';
import {
  errnoOf,
  listStoreFolder,
  makeStoreFolder,
  ProcessLock,
  readStoreFile,
  removeStoreFile,
  writeFileAtomic,
  writeNewFile,
} from '@black-ide/workspace';
import {
  deadlyOutcome,
  MOST_DEATHS,
  type QueueCounts,
  type TakenJob,
  type TriageJob,
  type TriageOutcome,
  type TriageQueue,
} from './queue.ts';

const JOB = /^(\d{8})\.([\w-]+)\.json$/;
const OUTCOME = /^([\w-]+)\.json$/;

/**
 * A queue on the disk, for the processes of one machine. Below its folder, `jobs/<order>.<id>.json` says what there is to
 * do, `outcomes/<id>.json` what is done, a lock `running/<id>` who works on it, and `deaths/<id>.<n>` how often somebody
 * began: nothing else is state, so that a process may die between any two of these.
 */
export class LocalQueue implements TriageQueue {
  readonly #folder: string;
  /** Names of jobs that may be without an outcome, in their order, the next last; empty: to be read anew. */
  #ahead: string[] = [];
  readonly #held = new Set<ProcessLock>();

  /** @param folder made where it is not there. @throws the system's error. */
  constructor(folder: string) {
    this.#folder = folder;
    for (const name of ['jobs', 'outcomes', 'running', 'deaths']) makeStoreFolder(join(folder, name));
  }

  /** @throws BlackError `queue_busy` where another process adds for long. */
  async add(jobs: readonly TriageJob[]): Promise<{ added: number; known: number }> {
    const lock = ProcessLock.acquire(join(this.#folder, 'adding'));
    if (!lock.ok) {
      throw new BlackError('queue_busy', `Process ${lock.heldBy.pid} adds reports just now.`, 'Try again in a moment.');
    }
    try {
      const names = this.#jobs();
      const known = new Set(names.map(idOf));
      let order = Number(names.at(-1)?.slice(0, 8) ?? 0);
      let added = 0;
      for (const job of jobs) {
        if (known.has(job.id)) continue;
        known.add(job.id);
        const name = `${String(++order).padStart(8, '0')}.${job.id}.json`;
        writeFileAtomic(join(this.#folder, 'jobs', name), JSON.stringify(job));
        added += 1;
      }
      return { added, known: jobs.length - added };
    } finally {
      lock.lock.release();
    }
  }

  async take(): Promise<TakenJob | undefined> {
    if (this.#ahead.length === 0) this.#ahead = this.#waiting().reverse();
    for (let name = this.#ahead.pop(); name !== undefined; name = this.#ahead.pop()) {
      const taken = this.#tryToTake(name);
      if (taken) return taken;
    }
    return undefined;
  }

  async counts(): Promise<QueueCounts> {
    const done = this.#done();
    const left = this.#jobs().filter((name) => !done.has(idOf(name)));
    const locked = new Set(listStoreFolder(join(this.#folder, 'running')).map(({ name }) => name));
    const running = left.filter((name) => locked.has(idOf(name))).length;
    return { waiting: left.length - running, running, done: done.size };
  }

  async outcomes(): Promise<TriageOutcome[]> {
    return [...this.#done()].flatMap((id) => {
      const text = readStoreFile(this.#outcome(id));
      return text === undefined ? [] : [JSON.parse(text) as TriageOutcome];
    });
  }

  async close(): Promise<void> {
    for (const lock of this.#held) lock.release();
    this.#held.clear();
  }

  #tryToTake(name: string): TakenJob | undefined {
    const id = idOf(name);
    const attempt = ProcessLock.acquire(join(this.#folder, 'running', id));
    if (!attempt.ok) return undefined;
    const { lock } = attempt;
    this.#held.add(lock);
    const release = (): void => {
      lock.release();
      this.#held.delete(lock);
    };
    const text = readStoreFile(this.#outcome(id)) === undefined ? readStoreFile(this.#job(name)) : undefined;
    if (text === undefined) {
      // It was finished between our look and our lock.
      release();
      return undefined;
    }
    const job = JSON.parse(text) as TriageJob;
    const begun = this.#begin(id);
    if (begun === undefined) {
      this.#keep(deadlyOutcome(job));
      release();
      return undefined;
    }
    return {
      job,
      finish: async (outcome) => {
        const isFirst = this.#keep(outcome);
        for (let death = 0; death < MOST_DEATHS; death += 1) removeStoreFile(this.#death(id, death));
        release();
        return isFirst;
      },
      giveBack: async () => {
        removeStoreFile(begun);
        release();
      },
    };
  }

  /** Notes that somebody begins. @returns the note; undefined where as many as may have died of it. */
  #begin(id: string): string | undefined {
    for (let death = 0; death < MOST_DEATHS; death += 1) {
      const note = this.#death(id, death);
      try {
        writeNewFile(note, '');
        return note;
      } catch (cause) {
        if (errnoOf(cause) !== 'EEXIST') throw cause;
      }
    }
    return undefined;
  }

  /** The first outcome of a report stays. */
  #keep(outcome: TriageOutcome): boolean {
    if (readStoreFile(this.#outcome(outcome.id)) !== undefined) return false;
    writeFileAtomic(this.#outcome(outcome.id), JSON.stringify(outcome));
    return true;
  }

  #job(name: string): string {
    return join(this.#folder, 'jobs', name);
  }

  #death(id: string, death: number): string {
    return join(this.#folder, 'deaths', `${id}.${death}`);
  }

  #outcome(id: string): string {
    return join(this.#folder, 'outcomes', `${id}.json`);
  }

  /** Names of all jobs, in their order. */
  #jobs(): string[] {
    const names = listStoreFolder(join(this.#folder, 'jobs')).map(({ name }) => name);
    return names.filter((name) => JOB.test(name)).sort();
  }

  #waiting(): string[] {
    const done = this.#done();
    return this.#jobs().filter((name) => !done.has(idOf(name)));
  }

  #done(): Set<string> {
    const names = listStoreFolder(join(this.#folder, 'outcomes')).map(({ name }) => OUTCOME.exec(name)?.[1]);
    return new Set(names.filter((id) => id !== undefined));
  }
}

function idOf(name: string): string {
  return JOB.exec(name)![2]!;
}
