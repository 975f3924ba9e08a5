import { type ChildProcessByStdio, spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';

export interface StartOptions {
  command: string;
  args?: readonly string[];
  cwd?: string;
  /** The whole environment; nothing is inherited. */
  env?: Record<string, string | undefined>;
  /** Written and closed at once. Without it stdin is closed at once; `open` leaves it open for `stdin`. */
  stdin?: string | Uint8Array | 'open';
}

export interface ProcessResult {
  stdout: string;
  stderr: string;
  /** Null when a signal ended it. */
  code: number | null;
  signal: NodeJS.Signals | null;
}

/** A real process, the leader of a process group of its own, its output collected as it comes. */
export interface RunningProcess {
  pid: number;
  stdin: Writable;
  /** What came so far. */
  stdout(): string;
  stderr(): string;
  /** Resolves when stdout (or stderr, if said) holds a match. Rejects when the process ends without one. */
  waitForOutput(pattern: RegExp, stream?: 'stdout' | 'stderr'): Promise<RegExpExecArray>;
  /** Sends a signal to the process alone, or to its whole group. One that is gone already is fine. */
  kill(signal: NodeJS.Signals, target?: 'process' | 'group'): void;
  /** Resolves when the process itself has ended, even if a grandchild still holds its output open. */
  result: Promise<ProcessResult>;
  /** Kills the whole group and waits for the end. */
  dispose(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

interface Waiter {
  stream: 'stdout' | 'stderr';
  pattern: RegExp;
  resolve: (match: RegExpExecArray) => void;
  reject: (error: Error) => void;
}

/** Output that is already in the pipe when the process ends is read for so long; a grandchild may hold the pipe for ever. */
const DRAIN_MS = 200;

/** Starts a process. Rejects when the command cannot be started. */
export async function startProcess(options: StartOptions): Promise<RunningProcess> {
  const child = spawn(options.command, options.args ?? [], {
    cwd: options.cwd,
    env: options.env ?? {},
    detached: true,
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  await new Promise<void>((resolve, reject) => {
    child.once('spawn', resolve);
    child.once('error', reject);
  });
  return new Running(child, options.stdin).face();
}

class Running {
  readonly #child: ChildProcessByStdio<Writable, Readable, Readable>;
  readonly #chunks = { stdout: [] as Buffer[], stderr: [] as Buffer[] };
  readonly #result: Promise<ProcessResult>;
  #waiters: Waiter[] = [];

  constructor(child: ChildProcessByStdio<Writable, Readable, Readable>, stdin: StartOptions['stdin']) {
    this.#child = child;
    for (const stream of ['stdout', 'stderr'] as const) {
      child[stream].on('data', (chunk: Buffer) => {
        this.#chunks[stream].push(chunk);
        this.#serveWaiters();
      });
    }
    // A process may end without reading what it is sent.
    child.stdin.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE' && error.code !== 'ECONNRESET') throw error;
    });
    if (stdin !== 'open') child.stdin.end(stdin);
    this.#result = this.#ended();
  }

  face(): RunningProcess {
    const dispose = async (): Promise<void> => {
      this.#kill('SIGKILL', 'group');
      await this.#result;
    };
    return {
      pid: this.#child.pid!,
      stdin: this.#child.stdin,
      stdout: () => this.#text('stdout'),
      stderr: () => this.#text('stderr'),
      waitForOutput: (pattern, stream = 'stdout') => this.#waitFor(pattern, stream),
      kill: (signal, target = 'process') => this.#kill(signal, target),
      result: this.#result,
      dispose,
      [Symbol.asyncDispose]: dispose,
    };
  }

  async #ended(): Promise<ProcessResult> {
    const closed = new Promise<void>((resolve) => this.#child.once('close', () => resolve()));
    const [code, signal] = await new Promise<[number | null, NodeJS.Signals | null]>((resolve) => {
      this.#child.once('exit', (exitCode, exitSignal) => resolve([exitCode, exitSignal]));
    });
    let timer: NodeJS.Timeout | undefined;
    const drained = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, DRAIN_MS);
    });
    await Promise.race([closed, drained]);
    clearTimeout(timer);
    this.#child.stdout.destroy();
    this.#child.stderr.destroy();
    const result = { stdout: this.#text('stdout'), stderr: this.#text('stderr'), code, signal };
    for (const waiter of this.#waiters.splice(0)) {
      const ending = signal === null ? `exit code ${code}` : signal;
      const output = `stdout: ${result.stdout}\nstderr: ${result.stderr}`;
      waiter.reject(
        new Error(`The process ended (${ending}) without ${waiter.pattern} on ${waiter.stream}\n${output}`),
      );
    }
    return result;
  }

  #text(stream: 'stdout' | 'stderr'): string {
    return Buffer.concat(this.#chunks[stream]).toString('utf8');
  }

  #waitFor(pattern: RegExp, stream: 'stdout' | 'stderr'): Promise<RegExpExecArray> {
    return new Promise((resolve, reject) => {
      this.#waiters.push({ pattern, stream, resolve, reject });
      this.#serveWaiters();
      if (this.#child.exitCode !== null || this.#child.signalCode !== null) {
        void this.#result.then(() => reject(new Error(`The process has ended without ${pattern} on ${stream}`)));
      }
    });
  }

  #serveWaiters(): void {
    this.#waiters = this.#waiters.filter((waiter) => {
      const match = new RegExp(waiter.pattern.source, waiter.pattern.flags.replaceAll('g', '')).exec(
        this.#text(waiter.stream),
      );
      if (match) waiter.resolve(match);
      return match === null;
    });
  }

  #kill(signal: NodeJS.Signals, target: 'process' | 'group'): void {
    try {
      process.kill(target === 'group' ? -this.#child.pid! : this.#child.pid!, signal);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
  }
}
