import { setTimeout as delay } from 'node:timers/promises';
import { errnoOf } from '../stores/errno.ts';
import {
  processesOfRun,
  type RunMarks,
  type RunningProcess,
  runningProcess,
  runningProcesses,
} from './running-processes.ts';

/** From SIGTERM to SIGKILL. */
const GRACE_MS = 300;
/** From the start until a process that cannot be killed (another user's, stuck in the kernel) is given up. */
const PATIENCE_MS = 900;
const POLL_MS = 10;
const NOBODY: ReadonlySet<number> = new Set();

export interface EndedRun {
  /** How many processes were found alive. */
  found: number;
  /** Those that are alive still. */
  survivors: number[];
}

/**
 * Ends every process of a run, wherever it hangs: SIGTERM, after a short grace SIGKILL, again until none is found.
 * Takes less than a second. Without `/proc` only the process group can be reached.
 * @param spared names those processes of the run that somebody else ends
 */
export async function endRun(
  run: RunMarks,
  spared: (all: readonly RunningProcess[]) => ReadonlySet<number> = () => NOBODY,
): Promise<EndedRun> {
  const first = runningProcesses();
  if (!first) return endGroup(run.pid);
  const victims = new Map<string, RunningProcess>();
  const look = (all: readonly RunningProcess[]): RunningProcess[] => {
    const keepers = spared(all);
    for (const entry of processesOfRun(run, all)) if (!keepers.has(entry.pid)) victims.set(keyOf(entry), entry);
    return [...victims.values()].filter(isStillThere);
  };
  const began = performance.now();
  let alive = look(first);
  for (const entry of alive) signal(entry.pid, 'SIGTERM');
  // A stopped process gets the signal only when it goes on.
  for (const entry of alive) signal(entry.pid, 'SIGCONT');
  while (alive.length > 0 && performance.now() - began < GRACE_MS) {
    await delay(POLL_MS);
    alive = alive.filter(isStillThere);
    // The last look finds what was started meanwhile.
    if (alive.length === 0) alive = look(runningProcesses() ?? []);
  }
  while (alive.length > 0 && performance.now() - began < PATIENCE_MS) {
    for (const entry of alive) signal(entry.pid, 'SIGKILL');
    await delay(POLL_MS);
    alive = look(runningProcesses() ?? []);
  }
  return { found: victims.size, survivors: alive.map(({ pid }) => pid) };
}

/** Whether the group of a shell has members: cheap, and without `/proc` the only question there is. */
export function groupIsThere(pid: number): boolean {
  return signal(-pid, 0);
}

async function endGroup(pid: number | undefined): Promise<EndedRun> {
  if (pid === undefined || !signal(-pid, 'SIGTERM')) return { found: 0, survivors: [] };
  const began = performance.now();
  while (groupIsThere(pid)) {
    const waited = performance.now() - began;
    if (waited > PATIENCE_MS) return { found: 1, survivors: [pid] };
    if (waited > GRACE_MS) signal(-pid, 'SIGKILL');
    await delay(POLL_MS);
  }
  return { found: 1, survivors: [] };
}

function keyOf({ pid, startTime }: RunningProcess): string {
  return `${pid}/${startTime}`;
}

function isStillThere(entry: RunningProcess): boolean {
  return runningProcess(entry.pid)?.startTime === entry.startTime;
}

/** False where there is no such process, or it is another user's. */
function signal(pid: number, name: NodeJS.Signals | 0): boolean {
  try {
    process.kill(pid, name);
    return true;
  } catch (error) {
    if (['ESRCH', 'EPERM'].includes(errnoOf(error) ?? '')) return false;
    throw error;
  }
}
