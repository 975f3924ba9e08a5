import { type BackgroundCommand, BlackError } from '@black-ide/protocol';
import { sandboxNotes } from '../sandbox/sandbox-notes.ts';
import type { SandboxLaunch } from '../sandbox/sandbox-report.ts';
import { plainText } from './plain-text.ts';
import type { ProcessRegistry } from './process-registry.ts';
import type { CommandResult } from './run-command.ts';
import { UnreadOutput } from './unread-output.ts';

export interface BackgroundCommandsOptions {
  processes: ProcessRegistry;
  /** Milliseconds since the epoch. */
  now: () => number;
  /** Told whenever a command begins or ends. */
  onChange?: (commands: BackgroundCommand[]) => void;
}

export interface BackgroundOutput {
  command: BackgroundCommand;
  /** What it printed since the last reading. */
  text: string;
  /** Characters that came since then and were not kept. */
  dropped: number;
  /** Characters that wait for the next reading. */
  left: number;
}

const MAX_RUNNING = 16;
const MAX_KEPT = 32;
const TAIL_CHARS = 2_000;

interface Job {
  state: BackgroundCommand;
  unread: UnreadOutput;
  /** The end of all that it has printed, read or not. */
  tail: string;
  stop: AbortController;
  done: Promise<void>;
  /** Those who wait for something to happen. */
  wake: Set<() => void>;
}

/**
 * Commands that go on while the conversation does. Their output waits to be read, bounded; they end with the session,
 * and nothing of them is left then.
 */
export class BackgroundCommands {
  readonly #options: BackgroundCommandsOptions;
  readonly #jobs = new Map<string, Job>();
  #count = 0;
  #disposed = false;

  constructor(options: BackgroundCommandsOptions) {
    this.#options = options;
  }

  /** All that are known, oldest first. */
  list(): BackgroundCommand[] {
    return [...this.#jobs.values()].map(({ state }) => ({ ...state }));
  }

  /** The same, each with the last line that it has printed; nothing counts as read by this. */
  listWithOutput(): (BackgroundCommand & { lastLine: string })[] {
    return [...this.#jobs.values()].map(({ state, tail }) => {
      return { ...state, lastLine: plainText(tail).trimEnd().split('\n').at(-1)! };
    });
  }

  /**
   * Starts a command and answers as soon as it runs.
   * @throws BlackError `too_many_commands`, `disposed`, and what `runCommand` throws
   */
  async start(options: {
    command: string;
    cwd: string;
    env: Readonly<Record<string, string | undefined>>;
    /** Without it there is no limit. */
    timeoutMs?: number;
    sandbox?: () => Promise<SandboxLaunch>;
  }): Promise<BackgroundCommand> {
    if (this.#disposed) throw new BlackError('disposed', 'No command can be started any more: the session has ended.');
    const running = this.list().filter(({ state }) => state === 'running').length;
    if (running >= MAX_RUNNING) {
      const next = 'Stop one that is no longer needed.';
      throw new BlackError('too_many_commands', `${running} commands run in the background already.`, next);
    }
    this.#count += 1;
    const { command } = options;
    const startedAt = this.#options.now();
    const state: BackgroundCommand = { id: `bg${this.#count}`, command, state: 'running', exitCode: null, startedAt };
    const job: Job = {
      state,
      unread: new UnreadOutput(),
      tail: '',
      stop: new AbortController(),
      done: Promise.resolve(),
      wake: new Set(),
    };
    this.#jobs.set(state.id, job);
    await new Promise<void>((resolve, reject) => {
      const result = this.#options.processes.run({
        ...options,
        maxOutputBytes: 0,
        signal: job.stop.signal,
        onStarted: () => resolve(),
        onOutput: (text) => {
          job.unread.push(text);
          job.tail = (job.tail + text).slice(-TAIL_CHARS);
          wake(job);
        },
      });
      job.done = result.then(
        (ended) => this.#ended(job, ended, options.cwd),
        (cause: unknown) => {
          this.#failed(job, cause);
          reject(cause);
        },
      );
    }).catch((cause: unknown) => {
      this.#jobs.delete(state.id);
      throw cause;
    });
    this.#forgetOld();
    this.#told();
    return { ...state };
  }

  /**
   * Takes what a command printed since the last reading. With `waitMs` it waits for so long for output, or the
   * command's end, where there is none yet.
   * @throws BlackError `unknown_command`; the signal's reason
   */
  async read(
    id: string,
    { maxChars, waitMs = 0, signal }: { maxChars: number; waitMs?: number; signal?: AbortSignal },
  ): Promise<BackgroundOutput> {
    const job = this.#job(id);
    if (waitMs > 0 && job.unread.length === 0 && job.state.state === 'running') await waitFor(job, waitMs, signal);
    signal?.throwIfAborted();
    return { ...job.unread.take(maxChars), command: { ...job.state } };
  }

  /** Ends a command and everything it started. @throws BlackError `unknown_command` */
  async stop(id: string): Promise<BackgroundCommand> {
    const job = this.#job(id);
    job.stop.abort();
    await job.done;
    return { ...job.state };
  }

  /** Ends what was started at this time or later; all without one. */
  async stopAll(since = 0): Promise<void> {
    const jobs = [...this.#jobs.values()].filter(({ state }) => state.startedAt >= since);
    for (const { stop } of jobs) stop.abort();
    await Promise.all(jobs.map(({ done }) => done));
  }

  /** Ends all of them and tells nobody: whoever listened has gone. Nothing can be started afterwards. */
  async dispose(): Promise<void> {
    this.#disposed = true;
    await this.stopAll();
  }

  #job(id: string): Job {
    const job = this.#jobs.get(id);
    if (job) return job;
    const known = [...this.#jobs.keys()].join(', ');
    throw new BlackError(
      'unknown_command',
      `There is no background command ${id}; those of an earlier run ended with it.`,
      known ? `There are: ${known}.` : 'Start it again.',
    );
  }

  #ended(job: Job, { exitCode, aborted, timedOut, sandbox }: CommandResult, root: string): void {
    const notes = sandbox ? sandboxNotes(sandbox, { root, output: '', failed: exitCode !== 0 }) : [];
    for (const note of notes) job.unread.push(`${note}\n`);
    job.state.state = aborted || timedOut ? 'stopped' : 'exited';
    job.state.exitCode = exitCode;
    this.#settled(job);
  }

  #failed(job: Job, cause: unknown): void {
    job.state.state = 'failed';
    job.unread.push(`${BlackError.toValue(cause).message}\n`);
    this.#settled(job);
  }

  #settled(job: Job): void {
    wake(job);
    this.#told();
  }

  #forgetOld(): void {
    for (const [id, { state }] of this.#jobs) {
      if (this.#jobs.size <= MAX_KEPT) return;
      if (state.state !== 'running') this.#jobs.delete(id);
    }
  }

  #told(): void {
    if (!this.#disposed) this.#options.onChange?.(this.list());
  }
}

function wake(job: Job): void {
  for (const each of job.wake) each();
  job.wake.clear();
}

/** Until something happens to the job, the time is over, or the signal is aborted. */
async function waitFor(job: Job, waitMs: number, signal: AbortSignal | undefined): Promise<void> {
  await new Promise<void>((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', end);
      job.wake.delete(end);
      resolve();
    };
    const timer = setTimeout(end, waitMs);
    signal?.addEventListener('abort', end, { once: true });
    job.wake.add(end);
    if (signal?.aborted) end();
  });
}
