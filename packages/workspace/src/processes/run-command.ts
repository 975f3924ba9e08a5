import type { ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import type { Readable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import { setTimeout as delay } from 'node:timers/promises';
import { BlackError } from '@black-ide/protocol';
import type { SandboxLaunch, SandboxReport } from '../sandbox/sandbox-report.ts';
import { BoundedOutput } from './bounded-output.ts';
import { checkFolder } from './check-folder.ts';
import { endRun, groupIsThere } from './end-run.ts';
import { findShell } from './find-shell.ts';
import { processesOfRun, type RunMarks, runningProcesses, startTimeOf } from './running-processes.ts';
import { SpillFile, type SpillOptions } from './spill-file.ts';
import { startShell } from './start-shell.ts';
import { keepersOf, type SupervisedShell } from './supervised-shell.ts';

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
  /** Contains it: see `Sandbox.contain`. Its environment takes the place of `env`. */
  sandbox?: () => Promise<SandboxLaunch>;
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
  /** What the sandbox kept it from; undefined where it ran without one. */
  sandbox?: SandboxReport;
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
 * @throws BlackError `cwd_missing`, `shell_missing`, `invalid_command`, `command_too_long`, `spawn_failed`, `sandbox_failed`; whatever
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
  const launch = await options.sandbox?.();
  let report: SandboxReport | undefined;
  let result: CommandResult;
  try {
    result = await new CommandRun(runId, output, options).run(shell, began, launch);
  } finally {
    report = await launch?.finish();
  }
  return report ? { ...result, sandbox: report } : result;
}

type Stop = 'aborted' | 'timedOut' | 'failed';

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
  readonly #runId: string;
  readonly #output: BoundedOutput;
  readonly #options: RunCommandOptions;
  readonly #decoder = new StringDecoder('utf8');
  readonly #stopped: Promise<Stop>;
  #stop: (why: Stop) => void = () => undefined;
  #spill: SpillFile | undefined;
  #spillProblem: string | undefined;
  #failure: { error: unknown } | undefined;
  #lastOutput = 0;
  /** The shell's own, as the sandbox tells it. */
  #exitCode: number | undefined;

  constructor(runId: string, output: BoundedOutput, options: RunCommandOptions) {
    this.#runId = runId;
    this.#output = output;
    this.#options = options;
    this.#stopped = new Promise((resolve) => {
      this.#stop = resolve;
    });
  }

  async run(shell: string, began: number, launch: SandboxLaunch | undefined): Promise<CommandResult> {
    const { command, cwd, env, temporaryFolder, signal, timeoutMs } = this.#options;
    const { child, stream, supervised } = await startShell({
      shell,
      command,
      cwd,
      env,
      runId: this.#runId,
      ...(temporaryFolder === undefined ? {} : { temporaryFolder }),
      ...(launch ? { sandbox: launch } : {}),
      onChunk: (chunk) => this.#receive(chunk),
    });
    const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()));
    const exited = supervised ? supervised.exited.then((code) => this.#told(code)) : gone;
    const drained = new Promise<void>((resolve) => stream.once('close', () => resolve()));
    const marks = marksOf(child.pid!, this.#runId);
    const abort = (): void => this.#stop('aborted');
    if (signal?.aborted) abort();
    signal?.addEventListener('abort', abort, { once: true });
    const timer =
      timeoutMs === undefined ? undefined : setTimeout(() => this.#stop('timedOut'), Math.min(timeoutMs, MAX_TIMER_MS));
    this.#guard(() => this.#options.onStarted?.(marks));
    const why = await Promise.race([exited.then(() => 'exited' as const), this.#stopped]);
    if (why === 'exited') await Promise.race([this.#letItEnd(marks, drained, supervised), this.#stopped]);
    clearTimeout(timer);
    signal?.removeEventListener('abort', abort);
    const { found, survivors } = await endRun(marks, supervised && ((all) => keepersOf(marks.pid!, all)));
    // Where nothing was found before its end, it has not begun yet, and is not to.
    if (supervised && why !== 'exited' && found === 0) await endRun(marks);
    else if (supervised) await withTimeLimit(exited, EXIT_PATIENCE_MS);
    supervised?.release();
    await withTimeLimit(Promise.all([gone, drained]), why === 'exited' ? LAST_DRAIN_MS : EXIT_PATIENCE_MS);
    if (supervised) {
      // Bubblewrap's own end is that of all inside.
      if (child.exitCode === null && child.signalCode === null) await endRun(marks);
      const error = why === 'exited' ? supervised.failure() : undefined;
      if (error) this.#failure ??= { error };
    }
    return this.#finish(why, child, stream, { endedInBackground: why === 'exited' ? found : 0, survivors }, began);
  }

  #told(code: number | undefined): void {
    this.#exitCode = code;
  }

  #finish(
    why: Stop | 'exited',
    child: ChildProcess,
    stream: Readable,
    background: Pick<Ending, 'endedInBackground' | 'survivors'>,
    began: number,
  ): CommandResult {
    stream.destroy();
    this.#deliver(this.#decoder.end());
    try {
      this.#spill?.close();
    } catch (error) {
      this.#spillProblem = error instanceof Error ? error.message : String(error);
    }
    if (this.#failure) throw this.#failure.error;
    const ending: Ending = {
      exitCode: this.#exitCode ?? child.exitCode,
      signal: this.#exitCode === undefined ? child.signalCode : null,
      timedOut: why === 'timedOut',
      aborted: why === 'aborted',
      ...background,
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
  async #letItEnd(marks: RunMarks, drained: Promise<void>, supervised: SupervisedShell | undefined): Promise<void> {
    const began = performance.now();
    await this.#drainWhileItFlows(drained);
    const isThere = supervised ? () => hasCompany(marks) : () => groupIsThere(marks.pid!);
    while (isThere() && performance.now() - began < DRAIN_MS) await delay(POLL_MS);
  }

  /** Until the end of the output, or until it has been silent for a while. */
  async #drainWhileItFlows(drained: Promise<void>): Promise<void> {
    const began = performance.now();
    let open = true;
    const closed = drained.then(() => {
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

/** Whether more is left in a sandbox than what stands around the shell. */
function hasCompany(marks: RunMarks): boolean {
  const all = runningProcesses() ?? [];
  const keepers = keepersOf(marks.pid!, all);
  return processesOfRun(marks, all).some(({ pid }) => !keepers.has(pid));
}

function marksOf(pid: number, runId: string): RunMarks {
  const startTime = startTimeOf(pid);
  return { runId, pid, ...(startTime === undefined ? {} : { startTime }) };
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
