import { setTimeout as delay } from 'node:timers/promises';
import { BlackError } from '@black-ide/protocol';
import { rejectOnAbort } from './client/bell.ts';
import { collectDiagnostics } from './client/collect-diagnostics.ts';
import { LanguageClient, type Serve } from './client/language-client.ts';
import type {
  CheckedFile,
  CollectOptions,
  DiagnosticsByFile,
  DiagnosticsSource,
  FileEvent,
} from './diagnostics/diagnostics-source.ts';
import type { DiskTexts } from './disk-texts.ts';
import type { FoundServer } from './servers/server-finder.ts';
import type { ServerFacts, ServerSpec } from './servers/server-spec.ts';
import { uriOfPath } from './wire/uris.ts';

export interface ManagedServerOptions {
  found: FoundServer;
  disk: DiskTexts;
  serve: Serve;
  facts: () => Promise<ServerFacts>;
  /** It is ended when nobody has needed it for so long, in milliseconds. */
  idleMs: () => number;
  /** How long to wait before each restart; there are no more than these. Default 0.5, 2 and 8 s. */
  backoffMs?: readonly number[];
  /** How long it may take to be ready. */
  startMs?: number;
}

/** How a server stands; `waiting`: it has crashed and will be started again when it is needed. */
export type ServerState = 'idle' | 'starting' | 'ready' | 'waiting' | 'failed';

export interface ServerStatus {
  id: string;
  title: string;
  program: string;
  root: string;
  state: ServerState;
  pid?: number;
  /** What it does at the moment, in its words. */
  activities: string[];
  /** The last that it wanted a person to know. */
  message?: string;
  crashes: number;
  /** Why it is not there, after a crash. */
  problem?: string;
}

const BACKOFF_MS = [500, 2_000, 8_000];
/** How long a server may take to end in its own way; at the end of a session nobody wants to wait. */
const FAREWELL_MS = 1_000;
const LAST_FAREWELL_MS = 200;
/** Created, changed, deleted, as the protocol numbers them. */
const EVENT_TYPES = { created: 1, changed: 2, deleted: 3 } as const;
/** So often a question for diagnostics is put again to a server that was started anew. */
const COLLECT_TRIES = 3;

/**
 * A language server of one project over its whole life (INT-19, INT-21): started when something needs it, ended when
 * nothing has for a while, started again after a crash, each time later, at most three times.
 */
export class ManagedServer implements DiagnosticsSource {
  readonly id: string;
  readonly #options: ManagedServerOptions;
  readonly #backoff: readonly number[];
  readonly #listeners = new Set<() => void>();
  readonly #disposed = new AbortController();
  #starting: Promise<LanguageClient> | undefined;
  #client: LanguageClient | undefined;
  #uses = 0;
  #idle: NodeJS.Timeout | undefined;
  #crashes = 0;
  #restartAt = 0;
  #problem: BlackError | undefined;
  /** Whoever asks for diagnostics waits for those who asked before: the texts that they want to be seen may differ. */
  #collecting: Promise<void> = Promise.resolve();
  /** What the server has told, told on: `LanguageClient.toldCount`. */
  #toldCount = 0;
  /** It was told of changes of the disk, and has not been asked since. */
  #disturbed = false;

  constructor(options: ManagedServerOptions) {
    this.#options = options;
    this.#backoff = options.backoffMs ?? BACKOFF_MS;
    this.id = `${options.found.spec.id}\0${options.found.root}`;
  }

  get spec(): ServerSpec {
    return this.#options.found.spec;
  }

  get title(): string {
    return this.spec.title;
  }

  get root(): string {
    return this.#options.found.root;
  }

  get answersForOldTexts(): boolean {
    return this.spec.checksOnSave === undefined;
  }

  get warning(): string | undefined {
    return this.#client?.warning;
  }

  /** Somebody waits for it. */
  get isUsed(): boolean {
    return this.#uses > 0;
  }

  get state(): ServerState {
    if (this.#crashes > this.#backoff.length) return 'failed';
    if (this.#client) return 'ready';
    if (this.#starting && performance.now() >= this.#restartAt) return 'starting';
    return this.#problem ? 'waiting' : 'idle';
  }

  get status(): ServerStatus {
    const { spec, program, root } = this.#options.found;
    const { pid, activities = [], message } = this.#client ?? {};
    return {
      id: spec.id,
      title: spec.title,
      program,
      root,
      state: this.state,
      ...(pid === undefined ? {} : { pid }),
      activities,
      ...(message === undefined ? {} : { message }),
      crashes: this.#crashes,
      ...(this.#problem ? { problem: this.#problem.message } : {}),
    };
  }

  /**
   * Starts the server where it does not run, and acts with it; meanwhile it is not idle.
   * @throws BlackError `server_failed`, `server_ended`, `server_timeout`, `disposed`; the signal's reason; what `act` throws
   */
  async use<T>(act: (client: LanguageClient) => Promise<T>, signal: AbortSignal): Promise<T> {
    const either = AbortSignal.any([signal, this.#disposed.signal]);
    this.#uses++;
    clearTimeout(this.#idle);
    try {
      return await act(await this.#ready(either));
    } finally {
      if (--this.#uses === 0 && !this.#disposed.signal.aborted) {
        this.#idle = setTimeout(() => void this.stop(), this.#options.idleMs()).unref();
      }
    }
  }

  async collect(
    files: readonly CheckedFile[],
    options: CollectOptions,
    signal: AbortSignal,
  ): Promise<DiagnosticsByFile> {
    const before = this.#collecting;
    const mine = Promise.withResolvers<void>();
    this.#collecting = mine.promise;
    try {
      await rejectOnAbort(before, signal);
      return await this.#collect(files, options, signal);
    } finally {
      void before.then(mine.resolve);
    }
  }

  /** Files have changed on the disk. Starts nothing. */
  noticed(events: readonly FileEvent[]): void {
    const client = this.#client;
    if (!client || client.capabilities.optionsOf('workspace/didChangeWatchedFiles').length === 0) return;
    const changes = events.map(({ path, type }) => ({ uri: uriOfPath(path), type: EVENT_TYPES[type] }));
    if (changes.length === 0) return;
    client.notify('workspace/didChangeWatchedFiles', { changes });
    this.#disturbed = true;
  }

  onLater(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Ends it as one that hangs: that counts as a crash. */
  async hangs(why: BlackError): Promise<void> {
    const client = this.#client;
    if (!client) return;
    this.#lost(client, why);
    await client.kill();
  }

  /** Ends it until it is needed again; one that is just being started is needed. */
  async stop(patienceMs = FAREWELL_MS): Promise<void> {
    clearTimeout(this.#idle);
    const client = this.#client;
    this.#client = undefined;
    await client?.stop(patienceMs);
  }

  async dispose(): Promise<void> {
    this.#disposed.abort(new BlackError('disposed', 'The session has ended.'));
    const starting = this.#starting;
    await this.stop(LAST_FAREWELL_MS);
    await starting?.then(
      (client) => client.kill(),
      () => undefined,
    );
  }

  async #collect(
    files: readonly CheckedFile[],
    options: CollectOptions,
    signal: AbortSignal,
  ): Promise<DiagnosticsByFile> {
    for (let tries = 1; ; tries++) {
      try {
        return await this.use(async (client) => {
          this.#toldCount = Number.POSITIVE_INFINITY;
          const release = client.documents.hold(files.map(({ path }) => path));
          const disturbed = this.#disturbed;
          this.#disturbed = false;
          try {
            return await collectDiagnostics(client, files, { ...options, disturbed, disk: this.#options.disk }, signal);
          } finally {
            release();
            this.#toldCount = client.toldCount;
          }
        }, signal);
      } catch (cause) {
        const isCrash = cause instanceof BlackError && cause.code === 'server_ended';
        if (!isCrash || this.state === 'failed' || tries >= COLLECT_TRIES) throw cause;
      }
    }
  }

  async #ready(signal: AbortSignal): Promise<LanguageClient> {
    signal.throwIfAborted();
    if (this.state === 'failed') {
      const why = this.#problem?.message ?? '';
      throw new BlackError(
        'server_failed',
        `${this.title} is not started again: ${why}`,
        `It is ${this.#options.found.program}.`,
      );
    }
    if (this.#client) return this.#client;
    this.#starting ??= this.#launch();
    return await rejectOnAbort(this.#starting, signal);
  }

  async #launch(): Promise<LanguageClient> {
    const { found, serve, facts, startMs } = this.#options;
    const { signal } = this.#disposed;
    try {
      const wait = this.#restartAt - performance.now();
      if (wait > 0) await delay(wait, undefined, { signal });
      const client = await LanguageClient.start(
        { ...found, serve, facts: await facts(), ...(startMs === undefined ? {} : { startMs }) },
        signal,
      );
      this.#client = client;
      this.#starting = undefined;
      this.#problem = undefined;
      this.#toldCount = client.toldCount;
      void client.ended.then((reason) => this.#lost(client, reason));
      void this.#followNews(client);
      return client;
    } catch (cause) {
      this.#starting = undefined;
      if (signal.aborted) throw signal.reason;
      throw this.#crashed(BlackError.toValue(cause));
    }
  }

  /** The process is gone; where that was asked for, somebody else is the client already. */
  #lost(client: LanguageClient, reason: BlackError): void {
    if (this.#client !== client) return;
    this.#client = undefined;
    this.#crashed(reason);
  }

  #crashed({ code, message }: { code: string; message: string }): BlackError {
    const problem = new BlackError(code === 'internal' ? 'server_ended' : code, message);
    this.#problem = problem;
    const wait = this.#backoff[this.#crashes];
    this.#crashes++;
    this.#restartAt = performance.now() + (wait ?? 0);
    return problem;
  }

  /** Tells when the server has told something while nobody asked. */
  async #followNews(client: LanguageClient): Promise<void> {
    try {
      for (;;) {
        await client.news.until(
          () => Boolean(client.failure) || client.toldCount > this.#toldCount,
          this.#disposed.signal,
        );
        if (client.failure) return;
        this.#toldCount = client.toldCount;
        for (const listener of this.#listeners) listener();
      }
    } catch {
      // The session has ended.
    }
  }
}
