import { setTimeout as sleep } from 'node:timers/promises';
import type { TriageJob, TriageOutcome, TriageQueue } from './queue.ts';

/** A queue that is empty is looked at again after so many milliseconds. */
const LOOK_MS = 500;
/** A handler that throws is tried again: a server may have been away. */
const MOST_TRIES = 3;

export interface WorkOptions {
  queue: TriageQueue;
  /** Makes the result of a report. What it throws is tried again, and in the end told as the outcome. */
  handle(job: TriageJob, signal: AbortSignal): Promise<unknown>;
  /** Reports at the same time. */
  jobs: number;
  signal: AbortSignal;
  /** Goes on when the queue is empty, until the signal. */
  follow?: boolean;
  onOutcome?(outcome: TriageOutcome): void;
  /** For tests. */
  wait?(ms: number, signal: AbortSignal): Promise<unknown>;
}

/**
 * Works on a queue until nobody has anything left to do, also those of others: who dies leaves theirs to us.
 * @throws the signal's reason, after what was under way has been given back; the queue's errors.
 */
export async function work(options: WorkOptions): Promise<void> {
  const { jobs, signal } = options;
  const ended = new AbortController();
  const until = AbortSignal.any([signal, ended.signal]);
  const workers = Array.from({ length: jobs }, () => workOne(options, until));
  try {
    await Promise.all(workers);
  } catch (cause) {
    ended.abort(cause);
    await Promise.allSettled(workers);
    throw cause;
  }
}

async function workOne(options: WorkOptions, signal: AbortSignal): Promise<void> {
  const { queue, follow = false, onOutcome, wait = (ms, until) => sleep(ms, undefined, { signal: until }) } = options;
  for (;;) {
    signal.throwIfAborted();
    const taken = await queue.take();
    if (!taken) {
      const { waiting, running } = await queue.counts();
      if (waiting + running === 0 && !follow) return;
      await wait(LOOK_MS, signal);
      continue;
    }
    let outcome: TriageOutcome;
    try {
      outcome = await outcomeOf(taken.job, options, signal);
    } catch (cause) {
      await taken.giveBack();
      throw cause;
    }
    if (await taken.finish(outcome)) onOutcome?.(outcome);
  }
}

/** @throws the signal's reason, and nothing else. */
async function outcomeOf(job: TriageJob, { handle }: WorkOptions, signal: AbortSignal): Promise<TriageOutcome> {
  const { id, source } = job;
  for (let tries = 1; ; tries += 1) {
    try {
      return { id, source, status: 'done', result: await handle(job, signal) };
    } catch (cause) {
      signal.throwIfAborted();
      const error = cause instanceof Error ? cause.message : String(cause);
      if (tries === MOST_TRIES) return { id, source, status: 'failed', error };
    }
  }
}
