import type { Wire } from './model-request.ts';

/**
 * A small client of both wires, written from the providers' documents and independent of the server's code. It is what
 * the server's tests read replies with.
 */

export interface Reply {
  status: number;
  headers: Headers;
  text: string;
  thinking: string;
  signature: string;
  calls: { id: string; name: string; rawArgs: string }[];
  /** `finish_reason` or `stop_reason` as sent. */
  finish: string | undefined;
  usage: Record<string, unknown> | undefined;
  /** The end mark was seen: `[DONE]` or `message_stop`. */
  finished: boolean;
  /** Event names in order; Chat chunks are "chunk" and "[DONE]". */
  events: string[];
  /** Lines that belong to no event. */
  strayLines: string[];
  /** Error event or error body. */
  error: unknown;
  /** Sizes of the pieces in which the body came. */
  pieces: number[];
  raw: Buffer;
}

type Json = Record<string, unknown>;

export interface CallOptions {
  stream?: boolean;
  messages?: unknown[];
  body?: Json;
  headers?: Record<string, string>;
  signal?: AbortSignal;
}

const USER = [{ role: 'user', content: 'Hello' }];

/** Sends one model call and reads the reply to its end. Rejects when the connection breaks; see `partial` of the error. */
export async function callModel(url: string, wire: Wire, options: CallOptions = {}): Promise<Reply> {
  const stream = options.stream ?? true;
  const common = { model: 'mock-model', messages: options.messages ?? USER, stream };
  const body =
    wire === 'chat'
      ? { ...common, ...(stream ? { stream_options: { include_usage: true } } : {}), ...options.body }
      : { ...common, max_tokens: 1000, ...options.body };
  const headers: Record<string, string> =
    wire === 'chat'
      ? { authorization: 'Bearer test-key' }
      : { 'x-api-key': 'test-key', 'anthropic-version': '2023-06-01' };
  const path = wire === 'chat' ? '/v1/chat/completions' : '/v1/messages';
  const init: RequestInit = {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers, ...options.headers },
    body: JSON.stringify(body),
  };
  if (options.signal) init.signal = options.signal;
  const response = await fetch(`${url}${path}`, init);
  const reply = emptyReply(response);
  const streamed = response.headers.get('content-type')?.startsWith('text/event-stream') ?? false;
  const decoder = new EventDecoder((name, data) => takeEvent(reply, wire, name, data), reply.strayLines);
  const chunks: Uint8Array[] = [];
  try {
    for await (const chunk of response.body ?? []) {
      chunks.push(chunk);
      reply.pieces.push(chunk.length);
      if (streamed) decoder.push(chunk);
    }
  } catch (error) {
    reply.raw = Buffer.concat(chunks);
    throw Object.assign(new Error('the reply broke off', { cause: error }), { partial: reply });
  }
  reply.raw = Buffer.concat(chunks);
  if (!streamed) takeBody(reply, wire, JSON.parse(reply.raw.toString()) as Json);
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

/** Server-sent events as the WHATWG standard reads them, as far as both providers use it. */
class EventDecoder {
  readonly #decoder = new TextDecoder('utf-8', { fatal: true });
  readonly #onEvent: (name: string, data: string) => void;
  readonly #stray: string[];
  #buffer = '';
  #name = '';
  #data: string[] = [];

  constructor(onEvent: (name: string, data: string) => void, stray: string[]) {
    this.#onEvent = onEvent;
    this.#stray = stray;
  }

  push(chunk: Uint8Array): void {
    this.#buffer += this.#decoder.decode(chunk, { stream: true });
    const lines = this.#buffer.split('\n');
    this.#buffer = lines.pop() ?? '';
    for (const line of lines) this.#line(line);
  }

  #line(line: string): void {
    if (line === '') {
      if (this.#data.length > 0) this.#onEvent(this.#name, this.#data.join('\n'));
      this.#name = '';
      this.#data = [];
    } else if (line.startsWith('event: ')) this.#name = line.slice(7);
    else if (line.startsWith('data: ')) this.#data.push(line.slice(6));
    else this.#stray.push(line);
  }
}

function takeEvent(reply: Reply, wire: Wire, name: string, data: string): void {
  if (wire === 'anthropic') takeAnthropic(reply, name, JSON.parse(data) as Json);
  else if (data === '[DONE]') {
    reply.events.push('[DONE]');
    reply.finished = true;
  } else takeChunk(reply, JSON.parse(data) as Json);
}

function takeChunk(reply: Reply, chunk: Json): void {
  reply.events.push('chunk');
  if (chunk.error !== undefined) reply.error = chunk.error;
  if (chunk.usage) reply.usage = chunk.usage as Json;
  for (const choice of (chunk.choices ?? []) as Json[]) {
    const delta = choice.delta as Json;
    reply.text += String(delta.content ?? '');
    reply.thinking += String(delta.reasoning_content ?? '');
    if (choice.finish_reason) reply.finish = String(choice.finish_reason);
    for (const part of (delta.tool_calls ?? []) as Json[]) {
      const at = part.index as number;
      const fn = part.function as Json;
      reply.calls[at] ??= { id: String(part.id), name: String(fn.name), rawArgs: '' };
      reply.calls[at].rawArgs += String(fn.arguments);
    }
  }
}

function takeAnthropic(reply: Reply, name: string, event: Json): void {
  if (event.type !== name) throw new Error(`event ${name} carries type ${String(event.type)}`);
  reply.events.push(name);
  if (name === 'error') reply.error = event;
  if (name === 'message_start') reply.usage = { ...((event.message as Json).usage as Json) };
  if (name === 'message_stop') reply.finished = true;
  if (name === 'content_block_start') {
    const block = event.content_block as Json;
    if (block.type === 'tool_use') reply.calls.push({ id: String(block.id), name: String(block.name), rawArgs: '' });
  }
  if (name === 'content_block_delta') {
    const delta = event.delta as Json;
    reply.text += String(delta.text ?? '');
    reply.thinking += String(delta.thinking ?? '');
    reply.signature += String(delta.signature ?? '');
    const call = reply.calls.at(-1);
    if (call) call.rawArgs += String(delta.partial_json ?? '');
  }
  if (name === 'message_delta') {
    reply.finish = String((event.delta as Json).stop_reason);
    reply.usage = { ...reply.usage, ...(event.usage as Json) };
  }
}

function takeBody(reply: Reply, wire: Wire, body: Json): void {
  if (reply.status !== 200) {
    reply.error = body;
    return;
  }
  reply.finished = true;
  reply.usage = body.usage as Json;
  if (wire === 'chat') {
    const choice = (body.choices as Json[])[0] as Json;
    const message = choice.message as Json;
    reply.finish = String(choice.finish_reason);
    reply.text = String(message.content ?? '');
    reply.thinking = String(message.reasoning_content ?? '');
    reply.calls = ((message.tool_calls ?? []) as Json[]).map((call) => {
      const fn = call.function as Json;
      return { id: String(call.id), name: String(fn.name), rawArgs: String(fn.arguments) };
    });
    return;
  }
  reply.finish = String(body.stop_reason);
  for (const block of body.content as Json[]) {
    if (block.type === 'text') reply.text += String(block.text);
    if (block.type === 'thinking') {
      reply.thinking += String(block.thinking);
      reply.signature += String(block.signature);
    }
    if (block.type === 'tool_use') {
      reply.calls.push({ id: String(block.id), name: String(block.name), rawArgs: JSON.stringify(block.input) });
    }
  }
}
