import { readdirSync, readFileSync } from 'node:fs';

/** The environment variable that every process started for a command inherits. */
export const RUN_MARKER = 'BLACK_RUN_ID';

/** A living process. */
export interface RunningProcess {
  pid: number;
  parent: number;
  group: number;
  session: number;
  /** Clock ticks since boot. */
  startTime: number;
}

/** What makes a process one of a run. */
export interface RunMarks {
  /** Random; part of the value of `BLACK_RUN_ID` in each of its processes. */
  runId: string;
  /** Its shell: leader of a session and a group of its own. */
  pid?: number;
  /** When the shell began; nothing of the run is older. */
  startTime?: number;
}

/** Every living process of the machine; undefined where there is no `/proc`. Format: proc_pid_stat(5). */
export function runningProcesses(proc = '/proc'): RunningProcess[] | undefined {
  let names: string[];
  try {
    names = readdirSync(proc);
  } catch {
    // Not Linux.
    return undefined;
  }
  const found: RunningProcess[] = [];
  for (const name of names) {
    const pid = Number(name);
    if (!Number.isInteger(pid)) continue;
    const entry = runningProcess(pid, proc);
    if (entry) found.push(entry);
  }
  return found.length > 0 ? found : undefined;
}

/** One process by its number; undefined where it has ended, also when nobody has reaped it yet. */
export function runningProcess(pid: number, proc = '/proc'): RunningProcess | undefined {
  const found = readStat(pid, proc);
  return found && found.state !== 'Z' && found.state !== 'X' ? found.entry : undefined;
}

/** When a process began, that has perhaps ended already but was not reaped. */
export function startTimeOf(pid: number, proc = '/proc'): number | undefined {
  return readStat(pid, proc)?.entry.startTime;
}

/**
 * The living processes of a run: the session and group of its shell, those below one of them, and those that carry its
 * marker wherever they hang (a daemon has left group, session and parent, but not its environment).
 */
export function processesOfRun(run: RunMarks, all: readonly RunningProcess[], proc = '/proc'): RunningProcess[] {
  const shell = run.pid === undefined ? undefined : all.find(({ pid }) => pid === run.pid);
  // A number that belongs to a process of another age is somebody else's by now, and so are its session and group.
  const ownsNumber = run.startTime !== undefined && (!shell || shell.startTime === run.startTime);
  const isOld = (entry: RunningProcess): boolean => entry.startTime < (run.startTime ?? 0);
  const found = new Map<number, RunningProcess>();
  for (const entry of all) {
    const inGroup = ownsNumber && (entry.session === run.pid || entry.group === run.pid || entry.pid === run.pid);
    if (!isOld(entry) && (inGroup || carriesMarker(entry.pid, run.runId, proc))) found.set(entry.pid, entry);
  }
  for (let grown = found.size > 0; grown; ) {
    const below = all.filter((entry) => found.has(entry.parent) && !found.has(entry.pid) && !isOld(entry));
    for (const entry of below) found.set(entry.pid, entry);
    grown = below.length > 0;
  }
  found.delete(process.pid);
  return [...found.values()];
}

/** Whether a process was started with the run's marker. */
export function carriesMarker(pid: number, runId: string, proc = '/proc'): boolean {
  const environment = readProc(`${proc}/${pid}/environ`);
  if (!environment?.includes(runId)) return false;
  const prefix = `${RUN_MARKER}=`;
  return environment
    .toString('latin1')
    .split('\0')
    .some((line) => line.startsWith(prefix) && line.slice(prefix.length).split('.').includes(runId));
}

function readStat(pid: number, proc: string): { state: string; entry: RunningProcess } | undefined {
  const stat = readProc(`${proc}/${pid}/stat`)?.toString('latin1');
  if (stat === undefined) return undefined;
  // The second field is the program's name in parentheses and may hold anything: `a) Z (b`.
  const [state = '', ...fields] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [parent, group, session] = fields.map(Number);
  const startTime = Number(fields[18]);
  if (parent === undefined || group === undefined || session === undefined || Number.isNaN(startTime)) return undefined;
  return { state, entry: { pid, parent, group, session, startTime } };
}

function readProc(path: string): Buffer | undefined {
  try {
    return readFileSync(path);
  } catch {
    // It has ended in between, or belongs to somebody else: not ours either way.
    return undefined;
  }
}
