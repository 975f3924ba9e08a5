import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** A program in a pseudo-terminal of its own, as `script` (util-linux) makes one: no native add-on needed. */
export interface PseudoTerminal {
  /** Milliseconds from the start to the first output that holds the text; rejects when the program ends before. */
  until(text: string): Promise<number>;
  /** Types and answers how many milliseconds pass until the text is on its way back. */
  echo(keys: string, text: string): Promise<number>;
  type(keys: string): void;
  /** The program itself, not the terminal around it. */
  pid(): number;
  close(): Promise<void>;
}

interface Waiting {
  text: string;
  resolve(at: number): void;
  reject(error: Error): void;
}

/** @param command a shell line; the program that it names is the one that is measured. */
export function openPseudoTerminal(
  command: string,
  { cwd, env }: { cwd: string; env: Record<string, string> },
): PseudoTerminal {
  const started = performance.now();
  const child = spawn('script', ['-qfec', `stty cols 100 rows 30; exec ${command}`, '/dev/null'], {
    cwd,
    env: { PATH: process.env.PATH ?? '', LANG: 'C.UTF-8', TERM: 'xterm-256color', SHELL: '/bin/sh', ...env },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  let seen = '';
  let waiting: Waiting | undefined;
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    seen = (seen + chunk).slice(-100_000);
    if (!waiting || !seen.includes(waiting.text)) return;
    waiting.resolve(performance.now());
    waiting = undefined;
  });
  child.once('exit', (code) => waiting?.reject(new Error(`The program ended with ${code}: ${seen.slice(-2_000)}`)));
  const next = (text: string): Promise<number> =>
    new Promise((resolve, reject) => {
      if (seen.includes(text)) resolve(performance.now());
      else waiting = { text, resolve, reject };
    });
  const pid = (): number =>
    Number(readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8').trim().split(' ')[0]);
  return {
    until: async (text) => (await next(text)) - started,
    echo: async (keys, text) => {
      seen = '';
      const pressed = performance.now();
      child.stdin.write(keys);
      return (await next(text)) - pressed;
    },
    type: (keys) => void child.stdin.write(keys),
    pid,
    close: async () => {
      // The terminal goes when its program has gone.
      if (child.exitCode === null) process.kill(pid(), 'SIGTERM');
      await ended;
    },
  };
}

/** Processor time that a process has used, in milliseconds, and its resident memory in MB (Linux' /proc). */
export function usedBy(pid: number): { cpuMs: number; residentMb: number } {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ');
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const TICK_MS = 10;
  return {
    cpuMs: (Number(fields[11]) + Number(fields[12])) * TICK_MS,
    residentMb: Number(/VmRSS:\s+(\d+)/.exec(status)![1]) / 1024,
  };
}
