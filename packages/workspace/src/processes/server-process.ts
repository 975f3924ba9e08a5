import { type ChildProcess, spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { BlackError } from '@black-ide/protocol';
import type { SandboxLaunch } from '../sandbox/sandbox-report.ts';
import { BoundedOutput } from './bounded-output.ts';
import { checkFolder } from './check-folder.ts';
import { endRun } from './end-run.ts';
import { memoryOfTree } from './process-memory.ts';
import { type RunMarks, startTimeOf } from './running-processes.ts';

export interface ServerOptions {
  /** Absolute path. */
  program: string;
  args: readonly string[];
  /** An existing folder. */
  cwd: string;
  /** The whole environment (see `cleanEnvironment`); only the run's marker and `PWD` are added. */
  env: Readonly<Record<string, string | undefined>>;
  /** Receives standard output as it comes. */
  onOutput: (chunk: Buffer) => void;
  /** Contains it: see `Sandbox.contain`. Its environment takes the place of `env`. */
  sandbox?: () => Promise<SandboxLaunch>;
  /** It is ended when it, and what it has started, hold more bytes. Needs `/proc`. No limit without it. */
  maxMemory?: number;
  /** Names the run: 32 hex digits. Random where not given. */
  runId?: string;
  /** How often the memory is looked at. Default: every 5 seconds. */
  memoryCheckMs?: number;
}

export interface ServerEnd {
  /** Null where a signal ended it. */
  exitCode: number | null;
  signal: NodeJS.Signals | null;
  /** Why it was ended by us: it was asked for, it took too much memory, it did not read what was written to it. */
  ended?: 'asked' | 'memory' | 'stuck';
}

/** Of standard error: its beginning and its end. */
const KEPT_ERRORS = 16 * 1024;
const MEMORY_CHECK_MS = 5_000;
/** Who has not read so much does not read at all. */
const MAX_BACKLOG = 64 * 1024 * 1024;
/** After everything was ended: the pipes are empty long before. */
const LAST_WORDS_MS = 250;

/**
 * A program that runs for long and speaks over its standard input and output, such as a language server or a debug
 * adapter: in a process group of its own, its standard error bounded, its memory watched. With it ends everything that
 * it has started. Made by `ProcessRegistry.serve`.
 */
export class ServerProcess {
  readonly pid: number;
  /** Resolves when it and everything it had started has ended; never rejects. */
  readonly ended: Promise<ServerEnd>;
  readonly #child: ChildProcess;
  readonly #marks: RunMarks;
  readonly #stdin: Writable;
  readonly #errors = new BoundedOutput(KEPT_ERRORS);
  #why: ServerEnd['ended'];
  #ending: Promise<unknown> | undefined;

  /**
   * Starts one.
   * @param runId names the run: 32 hex digits; `env` carries it already
   * @throws BlackError `cwd_missing`, `spawn_failed`, `sandbox_failed`
   */
  static async start(options: ServerOptions, runId: string): Promise<ServerProcess> {
    checkFolder(options.cwd);
    const launch = await options.sandbox?.();
    try {
      const child = await spawned(options, launch);
      return new ServerProcess(child, options, runId, launch);
    } catch (cause) {
      await launch?.finish();
      throw cause;
    }
  }

  private constructor(child: ChildProcess, options: ServerOptions, runId: string, launch: SandboxLaunch | undefined) {
    const { stdin, stdout, stderr } = child as ChildProcess & { stdin: Writable; stdout: Readable; stderr: Readable };
    this.#child = child;
    this.pid = child.pid!;
    this.#stdin = stdin;
    const startTime = startTimeOf(this.pid);
    this.#marks = { runId, pid: this.pid, ...(startTime === undefined ? {} : { startTime }) };
    stdout.on('data', options.onOutput);
    stderr.on('data', (chunk: Buffer) => this.#errors.push(chunk));
    // A pipe that breaks tells nothing that the exit does not tell.
    for (const stream of [stdin, stdout, stderr]) stream.on('error', () => stream.destroy());
    this.ended = this.#follow([stdout, stderr], this.#watchMemory(options), launch);
  }

  /** How it can be found by its processes; for the records of the registry. */
  get marks(): RunMarks {
    return this.#marks;
  }

  /** What it wrote to standard error: all of it, or its beginning and end. */
  get errors(): string {
    return this.#errors.text().text;
  }

  /** Writes to its standard input. After its end nothing happens. */
  write(text: string): void {
    if (!this.#stdin.writable) return;
    this.#stdin.write(text);
    if (this.#stdin.writableLength > MAX_BACKLOG) void this.#end('stuck');
  }

  /** Ends it with everything it has started, within a second. */
  async end(): Promise<void> {
    await this.#end('asked');
    await this.ended;
  }

  #end(why: NonNullable<ServerEnd['ended']>): Promise<unknown> {
    this.#why ??= why;
    this.#ending ??= endRun(this.#marks);
    return this.#ending;
  }

  async #follow(
    streams: readonly Readable[],
    timer: NodeJS.Timeout | undefined,
    launch: SandboxLaunch | undefined,
  ): Promise<ServerEnd> {
    const closed = new Promise<void>((resolve) => this.#child.once('close', () => resolve()));
    const { exitCode, signal } = await exitOf(this.#child);
    clearInterval(timer);
    // What it leaves behind may hold the pipes open.
    await (this.#ending ?? endRun(this.#marks));
    // Its last words are in the pipes still.
    await Promise.race([closed, delay(LAST_WORDS_MS, undefined, { ref: false })]);
    this.#stdin.destroy();
    for (const stream of streams) stream.destroy();
    await launch?.finish();
    return { exitCode, signal, ...(this.#why ? { ended: this.#why } : {}) };
  }

  #watchMemory({ maxMemory, memoryCheckMs = MEMORY_CHECK_MS }: ServerOptions): NodeJS.Timeout | undefined {
    if (maxMemory === undefined) return undefined;
    const check = (): void => {
      if ((memoryOfTree(this.pid) ?? 0) > maxMemory) void this.#end('memory');
    };
    return setInterval(check, memoryCheckMs).unref();
  }
}

async function spawned(options: ServerOptions, launch: SandboxLaunch | undefined): Promise<ChildProcess> {
  const { program, args, cwd } = options;
  const env = { ...options.env, ...launch?.env, PWD: cwd };
  const child = launch
    ? spawn(launch.program, [...launch.args, program, ...args], {
        cwd,
        env,
        detached: true,
        stdio: ['pipe', 'pipe', 'pipe', ...launch.descriptors],
      })
    : spawn(program, args, { cwd, env, detached: true, stdio: 'pipe' });
  return await new Promise((resolve, reject) => {
    child.once('error', (cause) => {
      const next = 'Check that the program is installed and may be run.';
      reject(new BlackError('spawn_failed', `${program} cannot be started: ${cause.message}`, next, { cause }));
    });
    child.once('spawn', () => {
      // Signals are sent by number, so nothing else can fail here.
      child.on('error', () => undefined);
      resolve(child);
    });
  });
}

/** Its exit; streams may be open still. */
function exitOf(child: ChildProcess): Promise<Pick<ServerEnd, 'exitCode' | 'signal'>> {
  const { exitCode, signalCode } = child;
  if (exitCode !== null || signalCode !== null) return Promise.resolve({ exitCode, signal: signalCode });
  return new Promise((resolve) => child.once('exit', (code, signal) => resolve({ exitCode: code, signal })));
}
