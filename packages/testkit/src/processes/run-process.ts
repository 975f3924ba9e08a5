import { type ProcessResult, type RunningProcess, type StartOptions, startProcess } from './start-process.ts';

export interface RunOptions extends StartOptions {
  /** After so long the whole group is killed and the call rejects with the output so far. Default a minute. */
  timeoutMs?: number;
  /** Resolves at the moment at which the process is to be killed with SIGKILL. */
  killAt?: (running: RunningProcess) => Promise<unknown>;
  /** What `killAt` kills. Default the whole group. */
  killTarget?: 'process' | 'group';
}

const DEFAULT_TIMEOUT = 60_000;

/**
 * Runs a process to its end; whatever is left of its group afterwards is killed, unless only the process itself was to
 * be killed: then its orphans are the test's to look at.
 */
export async function runProcess(options: RunOptions): Promise<ProcessResult> {
  const running = await startProcess(options);
  const timeoutMs = options.timeoutMs ?? DEFAULT_TIMEOUT;
  let timedOut = false;
  const timer = setTimeout(() => {
    timedOut = true;
    running.kill('SIGKILL', 'group');
  }, timeoutMs);
  const target = options.killTarget ?? 'group';
  const killing = options.killAt?.(running).then(() => running.kill('SIGKILL', target));
  try {
    // A `killAt` that never comes true must not keep the run from ending.
    const result = await (killing
      ? Promise.race([running.result, killing.then(() => running.result)])
      : running.result);
    if (timedOut) {
      const command = [options.command, ...(options.args ?? [])].join(' ');
      throw new Error(
        `Not finished after ${timeoutMs} ms: ${command}\nstdout: ${result.stdout}\nstderr: ${result.stderr}`,
      );
    }
    return result;
  } finally {
    clearTimeout(timer);
    if (target === 'group') running.kill('SIGKILL', 'group');
  }
}
