import { readdirSync, readFileSync } from 'node:fs';

export interface ProcessEntry {
  pid: number;
  parent: number;
  group: number;
  /** Clock ticks since boot; with the pid it names a process for good. */
  startTime: string;
  state: string;
  command: string;
}

/** Reads a file of a process that may end at any moment; undefined when it has, or is not ours to read. */
function readProc(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? '';
    if (['ENOENT', 'ESRCH', 'EACCES', 'EPERM'].includes(code)) return undefined;
    throw error;
  }
}

/** Every living process of the machine, from `/proc` (Linux only); ended ones that wait for their parent are left out. */
export function readProcessTable(): ProcessEntry[] {
  const entries: ProcessEntry[] = [];
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const stat = readProc(`/proc/${name}/stat`);
    if (stat === undefined) continue;
    // The name in parentheses may hold anything, so the fields are counted from its end (see proc_pid_stat(5)).
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const state = fields[0] ?? '';
    if (state === 'Z' || state === 'X') continue;
    const shown = (readProc(`/proc/${name}/cmdline`) ?? '').replaceAll('\0', ' ').trim();
    entries.push({
      pid: Number(name),
      parent: Number(fields[1]),
      group: Number(fields[2]),
      startTime: fields[19] ?? '',
      state,
      command: shown === '' ? stat.slice(stat.indexOf('('), stat.lastIndexOf(')') + 1) : shown,
    });
  }
  return entries;
}

/** The processes below `pid`, and those whose environment carries `marker`, wherever they hang by now. */
export function findProcesses(pid: number, marker?: string): ProcessEntry[] {
  const table = readProcessTable();
  const below = new Set([pid]);
  for (let grown = true; grown; ) {
    const more = table.filter((entry) => below.has(entry.parent) && !below.has(entry.pid));
    for (const entry of more) below.add(entry.pid);
    grown = more.length > 0;
  }
  const marked = (entry: ProcessEntry): boolean =>
    marker !== undefined && (readProc(`/proc/${entry.pid}/environ`) ?? '').split('\0').includes(marker);
  return table.filter((entry) => entry.pid !== pid && (below.has(entry.pid) || marked(entry)));
}
