import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { closeSync, statSync } from 'node:fs';
import { Socket } from 'node:net';
import type { Readable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import { setTimeout as delay } from 'node:timers/promises';
import { BlackError } from '@black-ide/protocol';
import { errnoOf } from '../stores/errno.ts';
import { BoundedOutput } from './bounded-output.ts';
import { endRun, groupIsThere } from './end-run.ts';
import { findShell } from './find-shell.ts';
import { openOutputPipe } from './output-pipe.ts';
import { RUN_MARKER, type RunMarks, runningProcess } from './running-processes.ts';
import { SpillFile, type SpillOptions } from './spill-file.ts';

export interface RunCommandOptions {
  /** A shell command line. */
  command: string;
  /** An existing folder. */
  cwd: string;
  /** The whole environment (see `cleanEnvironment`); only the run's marker and `PWD` are added. */
  env: Readonly<Record<string, string | undefined>>;
  /** Absolute path of a shell that takes `-c`. Default: bash where there is one, else sh. */
  shell?: string;
  /** After so long the command and everything it started is ended. No limit without it. */
  timeoutMs?: number;
  /** Ends the command and everything it started. */
  signal?: AbortSignal;
  /** Receives stdout and stderr, in the order in which they came, as it comes; never torn within a character. */
  onOutput?: (text: string) => void;
  /** The most bytes of output to keep. Default 64 KiB. */
  maxOutputBytes?: number;
  /** Takes the output, raw, where it is longer than what is kept. */
  spillFile?: SpillOptions;
  /** Names the run: 32 hex digits. Random where not given. */
  runId?: string;
  /** Told as soon as the shell runs. */
  onStarted?: (run: RunMarks) => void;
  /** Where the pipe for the output is made for a moment. Default: the system's temporary folder. */
  temporaryFolder?: string;
}

export interface CommandResult {
  /** Null where a signal ended the shell. */
  exitCode: number | null;
  signal: NodeJS.Signals | null;
  timedOut: boolean;
  aborted: boolean;
  /** Stdout and stderr together: all of it, or its beginning and end around a line that says how much was cut. */
  output: string;
  /** How much of the output is not in `output`. */
  cutBytes: number;
  totalBytes: number;
  /** The file with the output, where there was too much of it. */
  spilledTo?: string;
  /** Why there is no such file, or why it is not complete. */
  spillProblem?: string;
  /** How many background processes had outlived the shell and were ended with the command. */
  endedInBackground: number;
  /** Processes that could not be ended: another user's, or stuck in the kernel. */
  survivors: number[];
  durationMs: number;
}

const DEFAULT_MAX_OUTPUT = 64 * 1024;
/** After the shell's exit: what is in the pipe already is read for so long although somebody still holds it open. */
const DRAIN_MS = 100;
const POLL_MS = 5;
/** After everything was ended: the pipe is empty long before. */
const LAST_DRAIN_MS = 250;
/** A longer timer would fire at once. */
const MAX_TIMER_MS = 2 ** 31 - 1;
/** A shell that was killed has told so by then. */
const EXIT_PATIENCE_MS = 500;

/**
 * Runs a command line in a real shell, with a session and process group of its own, without a terminal and with an empty
 * stdin, so that whoever asks for input fails at once. Memory stays bounded however much it prints.
 *
 * It is over when the shell has ended, whoever still holds the output open. Background processes belong to the command:
 * they are ended with it, daemons too where `/proc` finds them (by session, parent and an inherited environment marker).
 *
 * @throws BlackError `cwd_missing`, `shell_missing`, `invalid_command`, `command_too_long`, `spawn_failed`; whatever
 *   `onOutput` and `onStarted` throw, after everything was ended.
 */
export async function runCommand(options: RunCommandOptions): Promise<CommandResult> {
  const began = performance.now();
  const shell = findShell(options.shell);
  checkFolder(options.cwd);
  if (options.command.includes('\0')) {
    throw new BlackError('invalid_command', 'The command contains a NUL character.', 'Send it without.');
  }
  const output = new BoundedOutput(options.maxOutputBytes ?? DEFAULT_MAX_OUTPUT);
  if (options.signal?.aborted) return resultOf(NOT_STARTED, output, began);
  const runId = options.runId ?? randomBytes(16).toString('hex');
  const { child, stream } = await start(shell, runId, options);
  return new CommandRun(child, stream, runId, output, options).finish(began);
}

interface Ending {
  exitCode: number | null;
  signal: NodeJS.Signals | null;
  timedOut: boolean;
  aborted: boolean;
  endedInBackground: number;
  survivors: number[];
  spilledTo?: string;
  spillProblem?: string;
}

const NOT_STARTED: Ending = {
  exitCode: null,
  signal: null,
  timedOut: false,
  aborted: true,
  endedInBackground: 0,
  survivors: [],
};

function resultOf(ending: Ending, output: BoundedOutput, began: number): CommandResult {
  const { text, cutBytes } = output.text();
  const durationMs = performance.now() - began;
  return { ...ending, output: text, cutBytes, totalBytes: output.totalBytes, durationMs };
}

class CommandRun {
  readonly #child: ChildProcess;
  readonly #stream: Readable;
  readonly #marks: RunMarks;
  readonly #output: BoundedOutput;
  readonly #options: RunCommandOptions;
  readonly #decoder = new StringDecoder('utf8');
  readonly #exited: Promise<void>;
  readonly #drained: Promise<void>;
  #spill: SpillFile | undefined;
  #spillProblem: string | undefined;
  #failure: { error: unknown } | undefined;
  #stop: (why: 'aborted' | 'timedOut' | 'failed') => void = () => undefined;
  #lastOutput = 0;

  constructor(child: ChildProcess, stream: Readable, runId: string, output: BoundedOutput, options: RunCommandOptions) {
    this.#child = child;
    this.#stream = stream;
    this.#output = output;
    this.#options = options;
    const pid = child.pid!;
    const startTime = runningProcess(pid)?.startTime;
    this.#marks = { runId, pid, ...(startTime === undefined ? {} : { startTime }) };
    this.#exited = new Promise((resolve) => child.once('exit', () => resolve()));
    this.#drained = new Promise((resolve) => stream.once('close', () => resolve()));
    // A pipe that breaks has no more output; its `close` follows.
    stream.on('error', () => stream.destroy());
  }

  async finish(began: number): Promise<CommandResult> {
    const stopped = new Promise<'aborted' | 'timedOut' | 'failed'>((resolve) => {
      this.#stop = resolve;
    });
    const { signal, timeoutMs } = this.#options;
    const abort = (): void => this.#stop('aborted');
    if (signal?.aborted) abort();
    signal?.addEventListener('abort', abort, { once: true });
    const timer =
      timeoutMs === undefined ? undefined : setTimeout(() => this.#stop('timedOut'), Math.min(timeoutMs, MAX_TIMER_MS));
    this.#guard(() => this.#options.onStarted?.(this.#marks));
    this.#stream.on('data', (chunk: Buffer) => this.#receive(chunk));
    this.#stream.once('end', () => this.#stream.destroy());
    const why = await Promise.race([this.#exited.then(() => 'exited' as const), stopped]);
    if (why === 'exited') await Promise.race([this.#letItEnd(), stopped]);
    clearTimeout(timer);
    signal?.removeEventListener('abort', abort);
    const { found, survivors } = await endRun(this.#marks);
    await withTimeLimit(
      Promise.all([this.#exited, this.#drained]),
      why === 'exited' ? LAST_DRAIN_MS : EXIT_PATIENCE_MS,
    );
    this.#stream.destroy();
    this.#deliver(this.#decoder.end());
    this.#spill?.close();
    if (this.#failure) throw this.#failure.error;
    const ending: Ending = {
      exitCode: this.#child.exitCode,
      signal: this.#child.signalCode,
      timedOut: why === 'timedOut',
      aborted: why === 'aborted',
      endedInBackground: why === 'exited' ? found : 0,
      survivors,
      ...(this.#spill ? { spilledTo: this.#spill.path } : {}),
      ...(this.#spillProblem === undefined ? {} : { spillProblem: this.#spillProblem }),
    };
    return resultOf(ending, this.#output, began);
  }

  #receive(chunk: Buffer): void {
    this.#lastOutput = performance.now();
    this.#spillOver(chunk);
    this.#output.push(chunk);
    if (this.#options.onOutput) this.#deliver(this.#decoder.write(chunk));
  }

  #deliver(text: string): void {
    if (text !== '') this.#guard(() => this.#options.onOutput?.(text));
  }

  /** A listener that throws ends the command. */
  #guard(call: () => void): void {
    if (this.#failure) return;
    try {
      call();
    } catch (error) {
      this.#failure = { error };
      this.#stop('failed');
    }
  }

  #spillOver(chunk: Buffer): void {
    const { spillFile, maxOutputBytes = DEFAULT_MAX_OUTPUT } = this.#options;
    if (!spillFile || this.#spillProblem !== undefined) return;
    try {
      const before = this.#output.whole;
      if (!this.#spill && before && before.length + chunk.length > maxOutputBytes) {
        this.#spill = new SpillFile(spillFile);
        this.#spill.write(before);
      }
      this.#spill?.write(chunk);
    } catch (error) {
      this.#spillProblem = error instanceof Error ? error.message : String(error);
    }
  }

  /** What the shell did not wait for, such as the reader of `> >(cat > file)`, gets a moment to end by itself. */
  async #letItEnd(): Promise<void> {
    const began = performance.now();
    await this.#drainWhileItFlows();
    while (groupIsThere(this.#marks.pid!) && performance.now() - began < DRAIN_MS) await delay(POLL_MS);
  }

  /** Until the end of the output, or until it has been silent for a while. */
  async #drainWhileItFlows(): Promise<void> {
    const began = performance.now();
    let open = true;
    const closed = this.#drained.then(() => {
      open = false;
    });
    for (let wait = DRAIN_MS; open && wait > 0; ) {
      await withTimeLimit(closed, wait);
      // Somebody who goes on printing for ever is no reason to wait for ever.
      const busy = Math.min(this.#lastOutput, began + DRAIN_MS * 5);
      wait = Math.max(busy, began) + DRAIN_MS - performance.now();
    }
  }
}

async function start(
  shell: string,
  runId: string,
  options: RunCommandOptions,
): Promise<{ child: ChildProcess; stream: Readable }> {
  const pipe = await openOutputPipe(options.temporaryFolder);
  const { cwd } = options;
  const env = { ...options.env, PWD: cwd, [RUN_MARKER]: markerValue(options.env[RUN_MARKER], runId) };
  try {
    if (pipe) {
      const stdio = ['ignore', pipe.writeEnd, pipe.writeEnd] as const;
      const child = await spawned(
        spawn(shell, ['-c', options.command], { cwd, env, detached: true, stdio: [...stdio] }),
      );
      return { child, stream: new Socket({ fd: pipe.readEnd, readable: true, writable: false }) };
    }
    // The shell sends both streams into the one socket and becomes the shell that runs the command.
    const args = ['-c', 'exec "$0" -c "$1" 2>&1', shell, options.command];
    const child = await spawned(spawn(shell, args, { cwd, env, detached: true, stdio: ['ignore', 'pipe', 'ignore'] }));
    return { child, stream: child.stdout! };
  } catch (error) {
    if (pipe) closeSync(pipe.readEnd);
    throw startFailure(error, options, shell);
  } finally {
    if (pipe) closeSync(pipe.writeEnd);
  }
}

/** A run inside a run carries both names, so that ending the outer one finds it. */
function markerValue(outer: string | undefined, runId: string): string {
  return outer ? `${outer}.${runId}` : runId;
}

function spawned(child: ChildProcess): Promise<ChildProcess> {
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    if (child.pid === undefined) return;
    child.off('error', reject);
    // Signals are sent to the group by number, so nothing else can fail here.
    child.on('error', () => undefined);
    resolve(child);
  });
}

function startFailure(cause: unknown, { cwd, command }: RunCommandOptions, shell: string): BlackError {
  checkFolder(cwd);
  findShell(shell);
  const message = cause instanceof Error ? cause.message : String(cause);
  if (errnoOf(cause) === 'E2BIG') {
    return new BlackError(
      'command_too_long',
      `The command is too long for this system (${Buffer.byteLength(command)} bytes).`,
      'Write it into a script file and run that.',
      { cause },
    );
  }
  return new BlackError(
    'spawn_failed',
    `The shell cannot be started: ${message}`,
    'Close other programs, then try again.',
    {
      cause,
    },
  );
}

function checkFolder(cwd: string): void {
  let problem = 'is not a folder';
  try {
    if (statSync(cwd).isDirectory()) return;
  } catch (error) {
    problem = errnoOf(error) === 'ENOENT' ? 'does not exist (any more)' : `cannot be entered (${errnoOf(error)})`;
  }
  throw new BlackError('cwd_missing', `The folder ${cwd} ${problem}.`, 'Choose another folder for the command.');
}

/** Waits for a thing, but not longer than that. */
async function withTimeLimit(thing: Promise<unknown>, milliseconds: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, milliseconds);
  });
  await Promise.race([thing, limit]);
  clearTimeout(timer);
}
