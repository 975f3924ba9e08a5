import { readdirSync, readFileSync } from 'node:fs';

/**
 * Bytes of memory that a process and everything below it hold (resident, shared pages counted once for each process).
 * Undefined where there is no `/proc`, or the process has ended. Format: proc_pid_status(5), proc_tid_children(5).
 */
export function memoryOfTree(pid: number, proc = '/proc'): number | undefined {
  const own = residentBytes(pid, proc);
  if (own === undefined) return undefined;
  let total = own;
  const seen = new Set([pid]);
  for (const each of seen) {
    for (const child of childrenOf(each, proc)) {
      if (seen.has(child)) continue;
      seen.add(child);
      total += residentBytes(child, proc) ?? 0;
    }
  }
  return total;
}

function residentBytes(pid: number, proc: string): number | undefined {
  const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(read(`${proc}/${pid}/status`) ?? '')?.[1];
  return kilobytes === undefined ? undefined : Number(kilobytes) * 1024;
}

/** Each thread lists the processes that it has started itself. */
function childrenOf(pid: number, proc: string): number[] {
  let threads: string[];
  try {
    threads = readdirSync(`${proc}/${pid}/task`);
  } catch {
    // It has ended in between.
    return [];
  }
  return threads.flatMap((thread) =>
    (read(`${proc}/${pid}/task/${thread}/children`) ?? '').split(' ').filter(Boolean).map(Number),
  );
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    // It has ended in between, or the system has no such file.
    return undefined;
  }
}
