import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Clock } from '../clock/clock.ts';
import { systemClock } from '../clock/system-clock.ts';
import { embeddingsBody, embeddingWireOf, validateEmbeddings } from './embeddings/embeddings.ts';
import { Gates } from './gates.ts';
import { isRecord, type Json, parseJson } from './json.ts';
import { answerModelCall } from './model-call.ts';
import { DEFAULT_MODELS } from './model-list.ts';
import { modelRequest, type Wire } from './model-request.ts';
import type { RecordedRequest } from './recorded-request.ts';
import type { Script, ScriptModel, ScriptObject } from './script.ts';
import { ServerMemory } from './server-memory.ts';
import { sideRequest } from './side-requests.ts';
import { TurnSelector } from './turn-selector.ts';
import type { WireError } from './wire-errors.ts';
import type { CallAddress } from './wire-kit.ts';
import { wireKit, wireOf } from './wires.ts';

export interface MockModelServerOptions {
  /** 0, the default, takes a free one. */
  port?: number;
  /** Time for drips and for `created` fields. Default real time. */
  clock?: Clock;
  /** Milliseconds for the recorded times. Default `performance.now()`. */
  now?: () => number;
  /** Refuse every other key with 401; by default any non-empty one passes. */
  apiKey?: string;
  /** Let requests without any key pass; servers at home often do. */
  allowMissingKey?: boolean;
  /** Forget the bodies of all but so many of the newest requests; long runs would fill the memory. Default: keep all. */
  keepBodies?: number;
  /** Let fields pass that the providers' own servers refuse; compatible servers often do. */
  allowUnknownFields?: boolean;
  /** Let neighbouring messages of one role pass on the Anthropic wire. */
  allowConsecutiveRoles?: boolean;
  /** Accept thinking signatures that this server did not make. Default false. */
  allowForeignSignatures?: boolean;
}

/**
 * What a listener hears: `request` when a whole body has been read and nothing answered yet, `event` when an event of a
 * stream has been written, `reply` when a reply has ended.
 */
export type ServerHappening = 'request' | 'event' | 'reply';
export type ServerListener = (what: ServerHappening, request: RecordedRequest) => void;

export interface MockModelServer {
  /** `http://127.0.0.1:<port>`, without a path. */
  url: string;
  /** For `ANTHROPIC_BASE_URL` of the official SDK; clients that want `…/v1` may add it. */
  anthropicUrl: string;
  /** For `OPENAI_BASE_URL`, Chat Completions and Responses: ends in `/v1`. */
  openaiUrl: string;
  /** For `GOOGLE_GEMINI_BASE_URL` of the official SDK; clients that want `…/v1beta` may add it. */
  googleUrl: string;
  /** For `OLLAMA_HOST`: below it is also Ollama's imitation of the Chat wire, at `/v1`. */
  ollamaUrl: string;
  /** OpenRouter's base path: ends in `/api/v1`. */
  openrouterUrl: string;
  /** Every request so far, oldest first. */
  requests: readonly RecordedRequest[];
  /** Only the model calls among them. */
  modelCalls(): RecordedRequest[];
  /** Resolves when `count` model calls have arrived. */
  waitForModelCalls(count: number): Promise<void>;
  /** Calls the listener at once whenever something happens. Returns how to stop it. */
  subscribe(listener: ServerListener): () => void;
  /** Opens a gate of the script for good (a `hang` is the gate "hang"). */
  release(gate: string): void;
  /** Resolves when a reply waits at the gate. */
  reached(gate: string): Promise<void>;
  /** Ends all connections. Rejects with what a turn function threw. */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

const LOOPBACK = '127.0.0.1';

/**
 * Starts a model server on loopback that speaks the providers' wires (see `Wire`) and answers as `script` says. Base paths
 * are free: whatever ends as a wire's path does is served.
 */
export async function createMockModelServer(
  script: Script,
  options: MockModelServerOptions = {},
): Promise<MockModelServer> {
  const mock = new MockServer(script, options);
  return await mock.listen();
}

class MockServer {
  readonly #options: MockModelServerOptions;
  readonly #script: Script;
  readonly #selector: TurnSelector;
  readonly #server: Server;
  readonly #gates = new Gates();
  readonly #clock: Clock;
  readonly #now: () => number;
  readonly #requests: RecordedRequest[] = [];
  readonly #closing = new AbortController();
  readonly #failures: unknown[] = [];
  readonly #memory = new ServerMemory();
  readonly #listeners = new Set<ServerListener>();
  #callWatchers: { count: number; resolve: () => void }[] = [];
  #lastReplyEndedAt: number | undefined;
  /** Requests for embeddings that the script has answered. */
  #embeddings = 0;

  constructor(script: Script, options: MockModelServerOptions) {
    this.#options = options;
    this.#script = script;
    this.#selector = new TurnSelector(script);
    this.#clock = options.clock ?? systemClock();
    this.#now = options.now ?? (() => performance.now());
    this.#server = createServer((request, response) => {
      this.#handle(request, response).catch((error: unknown) => {
        if (this.#closing.signal.aborted || response.destroyed) return;
        this.#failures.push(error);
        response.destroy();
      });
    });
    // An idle connection closed by the server while the client reuses it would be a fault nobody scripted.
    this.#server.keepAliveTimeout = 0;
  }

  async listen(): Promise<MockModelServer> {
    await new Promise<void>((resolve, reject) => {
      this.#server.once('error', reject);
      this.#server.listen(this.#options.port ?? 0, LOOPBACK, resolve);
    });
    const { port } = this.#server.address() as AddressInfo;
    const url = `http://${LOOPBACK}:${port}`;
    const close = () => this.#close();
    return {
      url,
      anthropicUrl: url,
      openaiUrl: `${url}/v1`,
      googleUrl: url,
      ollamaUrl: `${url}/ollama`,
      openrouterUrl: `${url}/api/v1`,
      requests: this.#requests,
      modelCalls: () => this.#modelCalls(),
      waitForModelCalls: (count) => this.#waitForModelCalls(count),
      subscribe: (listener) => {
        this.#listeners.add(listener);
        return () => void this.#listeners.delete(listener);
      },
      release: (gate) => this.#gates.release(gate),
      reached: (gate) => this.#gates.reached(gate),
      close,
      [Symbol.asyncDispose]: close,
    };
  }

  #modelCalls(): RecordedRequest[] {
    return this.#requests.filter((request) => request.wire !== undefined);
  }

  #waitForModelCalls(count: number): Promise<void> {
    if (this.#modelCalls().length >= count) return Promise.resolve();
    return new Promise((resolve) => this.#callWatchers.push({ count, resolve }));
  }

  async #close(): Promise<void> {
    if (!this.#closing.signal.aborted) {
      this.#closing.abort(new Error('the mock model server closes'));
      this.#server.closeAllConnections();
      await new Promise<void>((resolve) => this.#server.close(() => resolve()));
    }
    const failures = this.#failures.splice(0);
    if (failures.length === 1) throw failures[0];
    if (failures.length > 1) throw new AggregateError(failures, 'turn functions failed');
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const record = this.#record(request);
    const left = new AbortController();
    response.once('close', () => {
      this.#ending(record);
      record.broken = !response.writableFinished || record.broken === true;
      left.abort(new Error('the connection ended'));
      this.#tell('reply', record);
    });
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    record.rawBody = Buffer.concat(chunks);
    record.body = parseJson(record.rawBody.toString('utf8'));
    this.#announce(record);
    const signal = AbortSignal.any([left.signal, this.#closing.signal]);
    try {
      await this.#route(record, response, signal);
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  }

  #tell(what: ServerHappening, record: RecordedRequest): void {
    for (const listener of this.#listeners) listener(what, record);
  }

  /** Taken before the last write: a fast client's next request must not overtake the time it is measured from. */
  #ending(record: RecordedRequest): void {
    if (record.endedAt !== undefined) return;
    record.endedAt = this.#now();
    if (record.wire !== undefined) this.#lastReplyEndedAt = record.endedAt;
  }

  #record(request: IncomingMessage): RecordedRequest {
    const arrivedAt = this.#now();
    const path = request.url ?? '/';
    const wire = wireOf(request.method ?? '', addressOf(path));
    const record: RecordedRequest = {
      index: -1,
      method: request.method ?? '',
      path,
      headers: request.headers,
      rawBody: Buffer.alloc(0),
      body: undefined,
      arrivedAt,
    };
    if (wire !== undefined) record.wire = wire;
    if (wire !== undefined && this.#lastReplyEndedAt !== undefined) record.gapMs = arrivedAt - this.#lastReplyEndedAt;
    return record;
  }

  #announce(record: RecordedRequest): void {
    if (record.wire !== undefined && isRecord(record.body)) {
      const reading = wireKit(record.wire).read(record.body, addressOf(record.path), this.#memory);
      record.request = modelRequest(record.wire, reading, record.body, record.headers);
    }
    record.index = this.#requests.push(record) - 1;
    const forgotten = this.#requests[record.index - (this.#options.keepBodies ?? Infinity)];
    if (forgotten) Object.assign(forgotten, { rawBody: Buffer.alloc(0), body: undefined, request: undefined });
    const calls = this.#modelCalls().length;
    this.#callWatchers = this.#callWatchers.filter((watcher) => {
      if (calls < watcher.count) return true;
      watcher.resolve();
      return false;
    });
    this.#tell('request', record);
  }

  async #route(record: RecordedRequest, response: ServerResponse, signal: AbortSignal): Promise<void> {
    const address = addressOf(record.path);
    const gate = /^\/__mock\/gates\/([^/]+)\/release$/.exec(address.pathname)?.[1];
    if (gate !== undefined && record.method === 'POST') {
      this.#gates.release(decodeURIComponent(gate));
      return sendJson(record, response, 200, { released: decodeURIComponent(gate) });
    }
    if (record.wire !== undefined) {
      const refusal = this.#refuse(record.wire, record, address);
      if (refusal) return refuse(record, response, refusal);
      return await answerModelCall(record, response, {
        kit: wireKit(record.wire),
        address,
        models: this.#models(),
        selector: this.#selector,
        gates: this.#gates,
        clock: this.#clock,
        signal,
        ending: () => this.#ending(record),
        sent: () => this.#tell('event', record),
        memory: this.#memory,
      });
    }
    const embeddings = embeddingWireOf(record.method, address);
    if (embeddings !== undefined) return await this.#embed(embeddings, record, response, signal);
    const side = sideRequest(record, address, this.#models());
    const denied = this.#checkKey(side.wire, record.headers, address.query);
    if (denied && side.needsKey) return refuse(record, response, denied);
    const { status, body } = side.answer();
    return status === 200 ? sendJson(record, response, status, body) : refuse(record, response, { status, body });
  }

  async #embed(wire: Wire, record: RecordedRequest, response: ServerResponse, signal: AbortSignal): Promise<void> {
    const script = this.#scriptObject()?.embeddings ?? {};
    const { query } = addressOf(record.path);
    const refusal = this.#checkKey(wire, record.headers, query) ?? validateEmbeddings(wire, record.body, script);
    if (refusal) return refuse(record, response, refusal);
    const step = script.answers?.[this.#embeddings++] ?? {};
    if (step.hang) await this.#gates.wait(step.hang === true ? 'hang' : step.hang, signal);
    if (!step.error) {
      return sendJson(record, response, 200, embeddingsBody(wire, record.body as Json, script, step));
    }
    const { status, message, headers, body = wireKit(wire).error(status, message).body } = step.error;
    for (const [name, value] of Object.entries(headers ?? {})) response.setHeader(name, value);
    sendJson(record, response, status, body as object | string);
  }

  #scriptObject(): ScriptObject | undefined {
    return Array.isArray(this.#script) || typeof this.#script === 'function' ? undefined : this.#script;
  }

  #models(): readonly ScriptModel[] {
    return this.#scriptObject()?.models ?? DEFAULT_MODELS;
  }

  #checkKey(wire: Wire, headers: IncomingMessage['headers'], query: URLSearchParams): WireError | undefined {
    const wanted = this.#options.apiKey ?? this.#scriptObject()?.apiKey;
    return this.#options.allowMissingKey ? undefined : wireKit(wire).checkKey(headers, query, wanted);
  }

  /** Key first, then headers, then the body: the order in which the real servers look. */
  #refuse(wire: Wire, record: RecordedRequest, address: CallAddress): WireError | undefined {
    const kit = wireKit(wire);
    const denied = this.#checkKey(wire, record.headers, address.query) ?? kit.checkHeaders?.(record.headers);
    if (denied) return denied;
    if (!isRecord(record.body)) return kit.notJson;
    const { allowUnknownFields = false, allowConsecutiveRoles = false, allowForeignSignatures = false } = this.#options;
    const options = { allowUnknownFields, allowConsecutiveRoles, allowForeignSignatures };
    return kit.validate(record.body, { ...options, models: this.#models(), memory: this.#memory }, address);
  }
}

function addressOf(path: string): CallAddress {
  const { pathname, searchParams } = new URL(path, 'http://mock');
  return { pathname, query: searchParams };
}

/** @param body a string goes out as it is. */
function sendJson(record: RecordedRequest, response: ServerResponse, status: number, body: object | string): void {
  record.status = status;
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  response.writeHead(status, { 'content-type': 'application/json' }).end(text);
}

function refuse(record: RecordedRequest, response: ServerResponse, refusal: WireError): void {
  record.refusal = refusal;
  sendJson(record, response, refusal.status, refusal.body);
}
