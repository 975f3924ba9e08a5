import { execFile } from 'node:child_process';

export type ProgramProbe =
  | { ok: true /** The first line it printed. */; line: string }
  | { ok: false; problem: string };

/** How long a program may take to tell its version, in milliseconds. */
const PATIENCE_MS = 3_000;

/**
 * Runs a program to see whether it works: by its absolute path, without a shell, in the root folder, with next to no
 * environment, without input, for a bounded time.
 */
export function probeProgram(
  path: string,
  args: readonly string[],
  options: { env?: Readonly<Record<string, string | undefined>>; patienceMs?: number; signal?: AbortSignal } = {},
): Promise<ProgramProbe> {
  const { env = {}, patienceMs = PATIENCE_MS, signal } = options;
  const onWindows = process.platform === 'win32';
  return new Promise((resolve) => {
    const child = execFile(
      path,
      [...args],
      {
        ...(onWindows ? {} : { cwd: '/' }),
        env: onWindows ? { SystemRoot: env.SystemRoot } : { LC_ALL: 'C', PATH: '/usr/bin:/bin' },
        timeout: patienceMs,
        killSignal: 'SIGKILL',
        maxBuffer: 64 * 1024,
        windowsHide: true,
        ...(signal ? { signal } : {}),
      },
      (error, stdout) => {
        if (!error) resolve({ ok: true, line: stdout.split('\n', 1)[0]!.trim() });
        else if (child.killed) resolve({ ok: false, problem: `it did not answer in ${patienceMs / 1000} s` });
        else resolve({ ok: false, problem: error.message.split('\n', 1)[0]! });
      },
    );
    child.stdin?.on('error', () => child.stdin?.destroy());
    child.stdin?.end();
  });
}
