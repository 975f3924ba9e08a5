import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BlackError } from '@black-ide/protocol';
import { makeStoreFolder } from '../stores/store-folder.ts';
import { type CommandResult, type RunCommandOptions, runCommand } from './run-command.ts';
import { RunRecords } from './run-records.ts';
import { RUN_MARKER } from './running-processes.ts';
import { type ServerOptions, ServerProcess } from './server-process.ts';
import { markerValue } from './start-shell.ts';
import { type SweptOrphans, sweepOrphans } from './sweep-orphans.ts';

export interface ProcessRegistryOptions {
  /** Where running commands are written down, for the case that we are killed. Without it they are not. */
  stateFolder?: string;
  /** Our own environment: where we are ourselves part of a run, our commands are too. */
  env?: Readonly<Record<string, string | undefined>>;
  /** Told when the state folder cannot be used (`run_not_recorded`, `sweep_failed`); commands run all the same. */
  onProblem?: (problem: BlackError) => void;
}

/** Runs commands and owns whatever they start: after `dispose` nothing of it is left. */
export class ProcessRegistry {
  readonly #stateFolder: string | undefined;
  readonly #records: RunRecords | undefined;
  readonly #outerRun: string | undefined;
  readonly #onProblem: (problem: BlackError) => void;
  readonly #runs = new Map<AbortController, Promise<unknown>>();
  #disposed = false;

  constructor({ stateFolder, env = {}, onProblem = () => undefined }: ProcessRegistryOptions = {}) {
    this.#stateFolder = stateFolder;
    this.#records = stateFolder === undefined ? undefined : new RunRecords(stateFolder);
    this.#outerRun = env[RUN_MARKER];
    this.#onProblem = onProblem;
  }

  /** How many commands run now. */
  get running(): number {
    return this.#runs.size;
  }

  /**
   * Makes a folder, for its owner alone, for what belongs to a run. It goes with the run, and where we are killed with the
   * next sweep.
   * @throws the system's error
   */
  makeFolder(runId: string): string {
    const folder = this.#folderOf(runId);
    makeStoreFolder(folder);
    return folder;
  }

  /**
   * Runs one command; see `runCommand`.
   * @throws what `runCommand` throws; BlackError `disposed` after `dispose`.
   */
  async run(options: RunCommandOptions): Promise<CommandResult> {
    return await this.#track((stop) => this.#run(options, stop));
  }

  /**
   * Owns a process that the caller starts itself: it is written down, told to end by `dispose`, and where we are killed
   * `sweepOrphans` finds it.
   * @param start receives the environment variables its process must have, and the signal that ends it.
   * @throws what `start` throws; BlackError `disposed` after `dispose`.
   */
  async own<T>(start: (marks: Readonly<Record<string, string>>, stop: AbortSignal) => Promise<T>): Promise<T> {
    const runId = randomBytes(16).toString('hex');
    return await this.#track((stop) =>
      this.#recorded(runId, () => start({ [RUN_MARKER]: markerValue(this.#outerRun, runId) }, stop)),
    );
  }

  /**
   * Starts a program that runs for long and speaks over standard input and output; it is ended by `dispose` at the latest,
   * and where we are killed `sweepOrphans` finds it.
   * @throws what `ServerProcess.start` throws; BlackError `disposed` after `dispose`.
   */
  async serve(options: ServerOptions): Promise<ServerProcess> {
    const runId = options.runId ?? randomBytes(16).toString('hex');
    const started = Promise.withResolvers<ServerProcess>();
    this.#track((stop) =>
      this.#recorded(runId, async () => {
        const env = { ...options.env, [RUN_MARKER]: markerValue(this.#outerRun, runId) };
        const server = await ServerProcess.start({ ...options, env }, runId);
        this.#record((records) => records.write(server.marks));
        const end = (): void => void server.end();
        if (stop.aborted) end();
        stop.addEventListener('abort', end, { once: true });
        started.resolve(server);
        await server.ended;
      }),
    ).catch(started.reject);
    return await started.promise;
  }

  /** Ends every command and what it started, within a second. Nothing can be started afterwards. */
  async dispose(): Promise<void> {
    this.#disposed = true;
    const running = [...this.#runs];
    for (const [stop] of running) stop.abort();
    await Promise.allSettled(running.map(([, promise]) => promise));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.dispose();
  }

  /** Ends what earlier processes left when they were killed; see `sweepOrphans`. For the start. */
  async sweepOrphans(): Promise<SweptOrphans> {
    const nothing = { runs: 0, processes: 0, survivors: [] };
    if (this.#stateFolder === undefined) return nothing;
    try {
      return await sweepOrphans(this.#stateFolder);
    } catch (cause) {
      this.#problem('sweep_failed', 'Commands of earlier sessions cannot be looked for', cause);
      return nothing;
    }
  }

  async #track<T>(act: (stop: AbortSignal) => Promise<T>): Promise<T> {
    if (this.#disposed) throw new BlackError('disposed', 'No command can be started any more: the session has ended.');
    const stop = new AbortController();
    const promise = act(stop.signal);
    this.#runs.set(stop, promise);
    try {
      return await promise;
    } finally {
      this.#runs.delete(stop);
    }
  }

  #run(options: RunCommandOptions, stop: AbortSignal): Promise<CommandResult> {
    const runId = options.runId ?? randomBytes(16).toString('hex');
    return this.#recorded(runId, () =>
      runCommand({
        ...options,
        runId,
        env: this.#outerRun ? { ...options.env, [RUN_MARKER]: this.#outerRun } : options.env,
        signal: options.signal ? AbortSignal.any([options.signal, stop]) : stop,
        onStarted: (run) => {
          this.#record((records) => records.write(run));
          options.onStarted?.(run);
        },
      }),
    );
  }

  async #recorded<T>(runId: string, act: () => Promise<T>): Promise<T> {
    this.#record((records) => records.write({ runId }));
    try {
      return await act();
    } finally {
      rmSync(this.#folderOf(runId), { recursive: true, force: true });
      this.#record((records) => records.remove(runId));
    }
  }

  #folderOf(runId: string): string {
    return this.#records?.folderOf(runId) ?? join(tmpdir(), `black-run-${runId}`);
  }

  #record(act: (records: RunRecords) => void): void {
    try {
      if (this.#records) act(this.#records);
    } catch (cause) {
      this.#problem('run_not_recorded', 'The running command cannot be written down', cause);
    }
  }

  #problem(code: string, what: string, cause: unknown): void {
    const reason = cause instanceof Error ? cause.message : String(cause);
    this.#onProblem(new BlackError(code, `${what}: ${reason}`, 'Make the state folder writable.', { cause }));
  }
}
