import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ProcessResult, RunningProcess } from '../processes/start-process.ts';
import type { EventSource } from './event-source.ts';

/** One run of the harness, as `check` sees it. */
export interface KilledRun {
  /** The kill point: 1 for the first event or step. */
  k: number;
  /** False for the last run, which came to its end. */
  killed: boolean;
  /** With `fs-steps`: the killed write had been done by half. */
  torn: boolean;
  result: ProcessResult;
  /** With `fs-steps`: what the process did, the last being the step it did not come to do. */
  steps: string[];
}

/** Where to kill: at events seen from outside, or at steps within the process. */
export type KillPoints<T> =
  | {
      by: 'events';
      source: (context: T) => EventSource;
      /** What is killed. Default the whole group. */
      target?: 'process' | 'group';
    }
  | {
      /** Before every change of a file below the roots, and every start of a process (see `fs-step-hook.ts`; Node only). */
      by: 'fs-steps';
      roots: (context: T) => readonly string[];
      /** Also kill in the middle of each write, half of it done. Default true. */
      tear?: boolean;
    };

export interface KillAnywhereOptions<T> {
  points: KillPoints<T>;
  /** Fresh surroundings for every run. */
  setUp: () => Promise<T>;
  /** Starts the command. `env` must be put into its environment. */
  start: (context: T, env: Record<string, string>) => Promise<RunningProcess>;
  /** Looks at what is left, resumes, compares; a throw ends the harness and names the kill point. */
  check: (context: T, run: KilledRun) => Promise<void>;
  tearDown?: (context: T) => Promise<void>;
  /** First kill point. Default 1. */
  from?: number;
  /** Every how many-th point. Default 1. */
  every?: number;
  /** Gives up after so many runs: the command never ends by itself. Default 1,000. */
  maxRuns?: number;
}

const HOOK = new URL('fs-step-hook.ts', import.meta.url);
const DEFAULT_MAX_RUNS = 1_000;
/** How shells and wrappers report that what they ran was killed with SIGKILL. */
const KILLED_CODE = 137;

/**
 * Runs a command again and again in fresh surroundings, killing it with SIGKILL at the k-th point for k = 1, 2, 3 …, until
 * a run comes to its end unkilled; calls `check` after each. Resolves with the number of kills.
 */
export async function killAnywhere<T>(options: KillAnywhereOptions<T>): Promise<{ kills: number }> {
  const { every = 1, maxRuns = DEFAULT_MAX_RUNS, points } = options;
  let kills = 0;
  for (let k = options.from ?? 1, runs = 0; ; k += every) {
    // The torn variant first: an untouched end of the run must be the last thing seen.
    for (const tear of points.by === 'fs-steps' && (points.tear ?? true) ? [true, false] : [false]) {
      if (runs++ >= maxRuns) throw new Error(`The command was still killed after ${maxRuns} runs`);
      const run = await once(options, k, tear);
      if (!run.killed) return { kills };
      kills++;
    }
  }
}

async function once<T>(options: KillAnywhereOptions<T>, k: number, tear: boolean): Promise<KilledRun> {
  const context = await options.setUp();
  let running: RunningProcess | undefined;
  const start = async (env: Record<string, string>): Promise<RunningProcess> => {
    running = await options.start(context, env);
    return running;
  };
  try {
    const run =
      options.points.by === 'events'
        ? await runWithEvents(start, options.points.source(context), options.points.target ?? 'group', k)
        : await runWithSteps(start, options.points.roots(context), k, tear);
    await options.check(context, run).catch((error: unknown) => {
      throw new Error(describe(run), { cause: error });
    });
    return run;
  } finally {
    // Orphans of a process that was killed alone are there for `check` to see, no longer.
    await running?.dispose();
    await options.tearDown?.(context);
  }
}

function describe(run: KilledRun): string {
  const where = run.killed ? `killed at point ${run.k}` : 'not killed';
  const steps = run.steps.length > 0 ? `, ${run.torn ? 'in the middle of' : 'before'}: ${run.steps.at(-1)}` : '';
  return `The check failed after the run that was ${where}${run.killed ? steps : ''}\nstderr: ${run.result.stderr}`;
}

type Start = (env: Record<string, string>) => Promise<RunningProcess>;

async function runWithEvents(
  start: Start,
  source: EventSource,
  target: 'process' | 'group',
  k: number,
): Promise<KilledRun> {
  let seen = 0;
  let running: RunningProcess | undefined;
  const stop = source(() => {
    if (++seen === k) running?.kill('SIGKILL', target);
  });
  try {
    running = await start({});
    if (seen >= k) running.kill('SIGKILL', target);
    const result = await running.result;
    return { k, killed: wasKilled(result), torn: false, result, steps: [] };
  } finally {
    stop();
  }
}

async function runWithSteps(start: Start, roots: readonly string[], k: number, tear: boolean): Promise<KilledRun> {
  const folder = await mkdtemp(join(tmpdir(), 'black-test-steps-'));
  const log = join(folder, 'steps.log');
  try {
    const running = await start({
      NODE_OPTIONS: `--import=${HOOK.href}`,
      BLACK_TEST_STEP_ROOTS: JSON.stringify(roots),
      BLACK_TEST_STEP_LOG: log,
      BLACK_TEST_KILL_AT: String(k),
      BLACK_TEST_KILL_TEAR: tear ? '1' : '0',
    });
    const result = await running.result;
    return { k, killed: wasKilled(result), torn: tear, result, steps: await readSteps(log) };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function readSteps(log: string): Promise<string[]> {
  try {
    return (await readFile(log, 'utf8')).split('\n').slice(0, -1);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

function wasKilled(result: ProcessResult): boolean {
  return result.signal === 'SIGKILL' || result.code === KILLED_CODE;
}
