import type { Wire } from './model-request.ts';
import { type Json, type Reply, takeBody, takeEvent } from './reference-readers.ts';

/**
 * A small client of every wire, written from the providers' documents and independent of the server's code. It is what
 * the server's tests read replies with.
 */

export type { Reply } from './reference-readers.ts';

export interface CallOptions {
  stream?: boolean;
  body?: Json;
  headers?: Record<string, string>;
  signal?: AbortSignal;
}

interface CallShape {
  path(stream: boolean): string;
  headers: Record<string, string>;
  body(stream: boolean): Json;
}

const MODEL = 'mock-model';
const USER = [{ role: 'user', content: 'Hello' }];
const BEARER = { authorization: 'Bearer test-key' };

function chatShape(path: string): CallShape {
  return {
    path: () => path,
    headers: BEARER,
    body: (stream) => ({
      model: MODEL,
      messages: USER,
      stream,
      ...(stream ? { stream_options: { include_usage: true } } : {}),
    }),
  };
}

/** Thinking is asked for wherever a wire shows it only then. */
const SHAPES: Record<Wire, CallShape> = {
  chat: chatShape('/v1/chat/completions'),
  'ollama-chat': chatShape('/ollama/v1/chat/completions'),
  openrouter: chatShape('/api/v1/chat/completions'),
  anthropic: {
    path: () => '/v1/messages',
    headers: { 'x-api-key': 'test-key', 'anthropic-version': '2023-06-01' },
    body: (stream) => ({ model: MODEL, messages: USER, stream, max_tokens: 1000 }),
  },
  responses: {
    path: () => '/v1/responses',
    headers: BEARER,
    body: (stream) => ({
      model: MODEL,
      input: USER,
      stream,
      store: false,
      reasoning: { summary: 'auto' },
      include: ['reasoning.encrypted_content'],
    }),
  },
  google: {
    path: (stream) => `/v1beta/models/${MODEL}:${stream ? 'streamGenerateContent?alt=sse' : 'generateContent'}`,
    headers: { 'x-goog-api-key': 'test-key' },
    body: () => ({
      contents: [{ role: 'user', parts: [{ text: 'Hello' }] }],
      generationConfig: { thinkingConfig: { includeThoughts: true } },
    }),
  },
  ollama: {
    path: () => '/api/chat',
    headers: {},
    body: (stream) => ({ model: MODEL, messages: USER, stream, think: true }),
  },
};

/** Sends one model call and reads the reply to its end. Rejects when the connection breaks; see `partial` of the error. */
export async function callModel(url: string, wire: Wire, options: CallOptions = {}): Promise<Reply> {
  const stream = options.stream ?? true;
  const shape = SHAPES[wire];
  const init: RequestInit = {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...shape.headers, ...options.headers },
    body: JSON.stringify({ ...shape.body(stream), ...options.body }),
  };
  if (options.signal) init.signal = options.signal;
  const response = await fetch(`${url}${shape.path(stream)}`, init);
  const reply = emptyReply(response);
  const type = response.headers.get('content-type') ?? '';
  const onEvent = (name: string, data: string) => takeEvent(reply, wire, name, data);
  const decoder = type.startsWith('text/event-stream')
    ? new EventDecoder(onEvent, reply.strayLines)
    : type.startsWith('application/x-ndjson')
      ? new LineDecoder(onEvent, reply.strayLines)
      : undefined;
  const chunks: Uint8Array[] = [];
  try {
    for await (const chunk of response.body ?? []) {
      chunks.push(chunk);
      reply.pieces.push(chunk.length);
      decoder?.push(chunk);
    }
  } catch (error) {
    reply.raw = Buffer.concat(chunks);
    throw Object.assign(new Error('the reply broke off', { cause: error }), { partial: reply });
  }
  reply.raw = Buffer.concat(chunks);
  if (!decoder) takeBody(reply, wire, JSON.parse(reply.raw.toString()) as Json);
  return reply;
}

function emptyReply(response: Response): Reply {
  return {
    status: response.status,
    headers: response.headers,
    text: '',
    thinking: '',
    signature: '',
    calls: [],
    finish: undefined,
    usage: undefined,
    finished: false,
    events: [],
    strayLines: [],
    error: undefined,
    pieces: [],
    raw: Buffer.alloc(0),
  };
}

/** Cuts bytes into lines, and gives what they carry on. */
abstract class Decoder {
  readonly #decoder = new TextDecoder('utf-8', { fatal: true });
  protected readonly onEvent: (name: string, data: string) => void;
  protected readonly stray: string[];
  #buffer = '';

  constructor(onEvent: (name: string, data: string) => void, stray: string[]) {
    this.onEvent = onEvent;
    this.stray = stray;
  }

  push(chunk: Uint8Array): void {
    this.#buffer += this.#decoder.decode(chunk, { stream: true });
    const lines = this.#buffer.split('\n');
    this.#buffer = lines.pop() ?? '';
    for (const line of lines) this.line(line.endsWith('\r') ? line.slice(0, -1) : line);
  }

  protected abstract line(line: string): void;
}

/** Server-sent events as the WHATWG standard reads them, as far as the providers use it. */
class EventDecoder extends Decoder {
  #name = '';
  #data: string[] = [];

  protected override line(line: string): void {
    if (line === '') {
      if (this.#data.length > 0) this.onEvent(this.#name, this.#data.join('\n'));
      this.#name = '';
      this.#data = [];
    } else if (line.startsWith('event: ')) this.#name = line.slice(7);
    else if (line.startsWith('data: ')) this.#data.push(line.slice(6));
    else this.stray.push(line);
  }
}

class LineDecoder extends Decoder {
  protected override line(line: string): void {
    if (line.startsWith('{')) this.onEvent('', line);
    else this.stray.push(line);
  }
}
