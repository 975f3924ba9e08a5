import { basename } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { BlackError, isRecord } from '@black-ide/protocol';
import type { ServerEnd, ServerOptions, ServerProcess } from '@black-ide/workspace';
import { JsonRpcConnection, RPC_CODES, RpcError } from '../../rpc/json-rpc-connection.ts';
import { languageOf } from '../servers/server-finder.ts';
import type { ServerFacts, ServerSpec } from '../servers/server-spec.ts';
import { uriOfPath } from '../wire/uris.ts';
import { answerServer, type ServerQuestions } from './answer-server.ts';
import { Bell, rejectOnAbort } from './bell.ts';
import { clientCapabilities } from './client-capabilities.ts';
import { endedWords } from './ended-words.ts';
import { limited } from './limited.ts';
import { OpenDocuments } from './open-documents.ts';
import { PublishedDiagnostics } from './published-diagnostics.ts';
import { ServerCapabilities } from './server-capabilities.ts';

/** Starts the process of a server; environment, sandbox and bounds are the caller's business. */
export type Serve = (start: Pick<ServerOptions, 'program' | 'args' | 'cwd' | 'onOutput'>) => Promise<ServerProcess>;

export interface ClientOptions {
  spec: ServerSpec;
  /** Absolute. */
  program: string;
  /** The project: absolute. */
  root: string;
  serve: Serve;
  facts: ServerFacts;
  /** How long the server may take to be ready. Default 60 s. */
  startMs?: number;
}

export interface RequestOptions {
  signal?: AbortSignal;
  /** Default 30 s. */
  timeoutMs?: number;
}

const START_MS = 60_000;
const REQUEST_MS = 30_000;
/** Of what it prints beside its messages. */
const MAX_NOISE = 2_000;
const MAX_MESSAGE = 300;
/** What rust-analyzer warns of when it cannot run the compiler; its other warnings are about hints and the like. */
const CHECK_FAILED = /check failed/i;
/** A request that the server drops because something has changed meanwhile is asked so often. */
const TRIES = 5;
const RETRY_MS = 20;

/** One running language server, from the handshake to its end. */
export class LanguageClient {
  readonly spec: ServerSpec;
  readonly root: string;
  readonly published = new PublishedDiagnostics();
  /** Rings whenever the server tells something: diagnostics, progress, its state, its end. */
  readonly news = new Bell();
  /** Resolves with the reason when the process is gone. */
  readonly ended: Promise<BlackError>;
  /** It has told something, so that an empty answer means that there is nothing. */
  isWarm = false;
  readonly #options: ClientOptions;
  readonly #settings: Record<string, unknown>;
  readonly #rpc: JsonRpcConnection;
  readonly #busy = new Map<string, string>();
  #process: ServerProcess | undefined;
  #capabilities = new ServerCapabilities(undefined);
  #documents: OpenDocuments | undefined;
  #noise = '';
  #ended: BlackError | undefined;
  #tell: (reason: BlackError) => void = () => undefined;
  #quiescent: boolean | undefined;
  #refreshes = 0;
  #checksEnded = 0;
  #message: string | undefined;
  #warning: string | undefined;

  /**
   * Starts a server and shakes hands.
   * @throws BlackError `server_ended`, `server_timeout`, and those of `ServerProcess.start`
   */
  static async start(options: ClientOptions, signal?: AbortSignal): Promise<LanguageClient> {
    const client = new LanguageClient(options);
    try {
      await client.#start(signal);
      return client;
    } catch (cause) {
      await client.kill();
      throw cause;
    }
  }

  private constructor(options: ClientOptions) {
    this.#options = options;
    this.spec = options.spec;
    this.root = options.root;
    this.#settings = options.spec.settings?.(options.facts) ?? {};
    this.ended = new Promise((resolve) => {
      this.#tell = resolve;
    });
    this.#rpc = new JsonRpcConnection({
      write: (text) => this.#process?.write(text),
      onNotification: (method, params) => this.#notified(method, params),
      onRequest: (method, params) => answerServer(method, params, this.#questions()),
      onNoise: (bytes) => {
        this.#noise = (this.#noise + bytes.toString('utf8')).slice(-MAX_NOISE);
      },
    });
  }

  get pid(): number | undefined {
    return this.#process?.pid;
  }

  get capabilities(): ServerCapabilities {
    return this.#capabilities;
  }

  get documents(): OpenDocuments {
    this.#documents ??= new OpenDocuments({
      notify: (method, params) => this.notify(method, params),
      capabilities: this.#capabilities,
      languageOf: (path) => languageOf(this.spec, path),
    });
    return this.#documents;
  }

  /** Why it is gone; undefined while it runs. */
  get failure(): BlackError | undefined {
    return this.#ended;
  }

  /** Whether it has read the project: undefined where it does not tell such things. */
  get quiescent(): boolean | undefined {
    return this.#quiescent;
  }

  /** How often it has told that diagnostics have to be asked for anew. */
  get refreshes(): number {
    return this.#refreshes;
  }

  /** How often it has told something about diagnostics: published some, or that they have to be asked for anew. */
  get toldCount(): number {
    return this.published.serial + this.#refreshes;
  }

  /** What it does at the moment, in its words. */
  get activities(): string[] {
    return [...this.#busy.values()];
  }

  /** The last that it wanted a person to know. */
  get message(): string | undefined {
    return this.#message;
  }

  /** What keeps it from telling everything. */
  get warning(): string | undefined {
    return this.#warning;
  }

  /** Whether the check runs that it makes on its own after a save. */
  get isChecking(): boolean {
    return [...this.#busy.keys()].some((token) => this.#isCheck(token));
  }

  /** How many of those checks have ended. */
  get checksEnded(): number {
    return this.#checksEnded;
  }

  /**
   * Asks the server.
   * @throws RpcError its refusal; BlackError `server_ended`, `server_timeout`; the signal's reason
   */
  async request(
    method: string,
    params: unknown,
    { signal, timeoutMs = REQUEST_MS }: RequestOptions = {},
  ): Promise<unknown> {
    const limit = limited(timeoutMs, ...(signal ? [signal] : []));
    try {
      for (let tries = 1; ; tries++) {
        try {
          return await this.#rpc.request(method, params, limit.signal);
        } catch (cause) {
          if (limit.isOver()) throw this.#timeout(method, timeoutMs);
          if (!isDropped(cause) || tries >= TRIES) throw cause;
          await delay(RETRY_MS * tries);
        }
      }
    } finally {
      limit.clear();
    }
  }

  notify(method: string, params: unknown): void {
    this.#rpc.notify(method, params);
  }

  /** Ends it as the protocol wants, within so many milliseconds; where it does not follow, by force. */
  async stop(patienceMs: number): Promise<void> {
    if (this.#ended) return;
    const limit = limited(patienceMs);
    try {
      await this.#rpc.request('shutdown', undefined, limit.signal);
      this.notify('exit', undefined);
      await rejectOnAbort(this.ended, limit.signal);
    } catch {
      // It does not answer, or is gone already.
    } finally {
      limit.clear();
    }
    await this.kill();
  }

  /** Ends it at once. */
  async kill(): Promise<void> {
    await this.#process?.end();
  }

  async #start(signal?: AbortSignal): Promise<void> {
    const { spec, program, root, serve, facts, startMs = START_MS } = this.#options;
    signal?.throwIfAborted();
    const process_ = await serve({
      program,
      args: spec.args,
      cwd: root,
      onOutput: (chunk) => this.#rpc.receive(chunk),
    });
    this.#process = process_;
    void process_.ended.then((end) => this.#gone(end));
    const folder = { uri: uriOfPath(root), name: basename(root) };
    const params = {
      // In the sandbox it does not see us, and many a server ends where its parent is gone.
      processId: facts.contained ? null : process.pid,
      clientInfo: { name: 'black' },
      rootPath: root,
      rootUri: folder.uri,
      workspaceFolders: [folder],
      capabilities: clientCapabilities(spec.checksOnSave !== undefined),
      ...(spec.initializationOptions ? { initializationOptions: spec.initializationOptions(facts) } : {}),
    };
    const initialized = await this.request('initialize', params, { timeoutMs: startMs, ...(signal ? { signal } : {}) });
    this.#capabilities = new ServerCapabilities(initialized);
    this.notify('initialized', {});
    if (spec.settings) this.notify('workspace/didChangeConfiguration', { settings: this.#settings });
  }

  #gone(end: ServerEnd): void {
    const words = endedWords(end, this.#process?.errors ?? '', this.#noise);
    this.#ended = new BlackError('server_ended', `${this.spec.title} ${words}.`);
    this.#rpc.close(this.#ended);
    this.#tell(this.#ended);
    this.news.ring();
  }

  #questions(): ServerQuestions {
    return {
      root: this.root,
      settings: this.#settings,
      capabilities: this.#capabilities,
      onRegistered: () => this.news.ring(),
      onRefresh: () => {
        this.#refreshes++;
        this.news.ring();
      },
      onWarning: (warning) => {
        this.#warning = warning;
      },
    };
  }

  #timeout(method: string, timeoutMs: number): BlackError {
    const seconds = Math.round(timeoutMs / 100) / 10;
    return new BlackError('server_timeout', `${this.spec.title} has not answered \`${method}\` in ${seconds} s.`);
  }

  #notified(method: string, params: unknown): void {
    if (method === 'textDocument/publishDiagnostics') this.published.take(params);
    else if (method === '$/progress') this.#progress(params);
    else if (method === 'experimental/serverStatus' && isRecord(params)) this.#status(params);
    else if (method === 'window/showMessage' && isRecord(params))
      this.#message = String(params.message).slice(0, MAX_MESSAGE);
    else return;
    this.news.ring();
  }

  #progress(params: unknown): void {
    const { token, value } = isRecord(params) ? params : {};
    if (!isRecord(value)) return;
    if (value.kind === 'begin') this.#busy.set(String(token), String(value.title ?? ''));
    else if (value.kind === 'end' && this.#busy.delete(String(token)) && this.#isCheck(String(token))) {
      this.#checksEnded++;
    }
  }

  #isCheck(token: string): boolean {
    return this.spec.checksOnSave?.test(token) ?? false;
  }

  #status({ quiescent, health, message }: Record<string, unknown>): void {
    if (typeof quiescent === 'boolean') this.#quiescent = quiescent;
    const text = typeof message === 'string' ? message.slice(0, MAX_MESSAGE) : undefined;
    if (text !== undefined) this.#message = text;
    const isSerious = health === 'error' || (health === 'warning' && CHECK_FAILED.test(text ?? ''));
    this.#warning = isSerious ? text : undefined;
  }
}

function isDropped(cause: unknown): boolean {
  return (
    cause instanceof RpcError && (cause.code === RPC_CODES.contentModified || cause.code === RPC_CODES.serverCancelled)
  );
}
