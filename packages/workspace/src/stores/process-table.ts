import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Which process, in a way that outlives the reuse of its number. */
export interface ProcessIdentity {
  pid: number;
  /** When it began, in the system's clock ticks since boot; absent where the system does not tell. */
  startTime?: string;
  /** Which run of the machine; absent where the system does not tell. */
  bootId?: string;
}

/**
 * Tells processes apart: by number, start time and boot where there is `/proc`, by number alone elsewhere.
 * Format: proc_pid_stat(5).
 */
export class ProcessTable {
  readonly #proc: string;

  constructor(proc = '/proc') {
    this.#proc = proc;
  }

  self(): ProcessIdentity {
    const { pid } = process;
    const startTime = this.#stat(pid)?.startTime;
    const bootId = this.#bootId();
    return { pid, ...(startTime ? { startTime } : {}), ...(bootId ? { bootId } : {}) };
  }

  /** Whether that very process still runs. One that has ended and only waits to be reaped does not. */
  isAlive({ pid, startTime, bootId }: ProcessIdentity): boolean {
    if (!Number.isInteger(pid) || pid <= 0) return false;
    const boot = this.#bootId();
    if (bootId !== undefined && boot !== undefined && bootId !== boot) return false;
    const stat = this.#stat(pid);
    if (!stat) return signalReaches(pid);
    return stat.state !== 'Z' && stat.state !== 'X' && (startTime === undefined || startTime === stat.startTime);
  }

  #stat(pid: number): { state: string; startTime: string } | undefined {
    const text = this.#read(String(pid), 'stat');
    // The second field is the program's name in parentheses and may hold anything: `a) Z (b`.
    const fields = text?.slice(text.lastIndexOf(')') + 2).split(' ');
    const [state, startTime] = [fields?.[0], fields?.[19]];
    return state && startTime ? { state, startTime } : undefined;
  }

  #bootId(): string | undefined {
    return this.#read('sys', 'kernel', 'random', 'boot_id')?.trim() || undefined;
  }

  #read(...path: string[]): string | undefined {
    try {
      return readFileSync(join(this.#proc, ...path), 'utf8');
    } catch {
      // No such process, or a system without /proc: both mean that it cannot be told from here.
      return undefined;
    }
  }
}

function signalReaches(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // Somebody else's process exists as well.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
