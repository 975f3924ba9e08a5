import type { Wire } from './model-request.ts';

/** How the reference client understands what each wire sends. */

export type Json = Record<string, unknown>;

export interface Reply {
  status: number;
  headers: Headers;
  text: string;
  thinking: string;
  signature: string;
  calls: { id: string; name: string; rawArgs: string }[];
  /** Finish or stop reason, or status, as sent. */
  finish: string | undefined;
  usage: Record<string, unknown> | undefined;
  /** The end mark was seen, `[DONE]` for example. */
  finished: boolean;
  /** Event names in order; where they have none "chunk", and "[DONE]". */
  events: string[];
  /** Lines that belong to no event. */
  strayLines: string[];
  /** Error event or error body. */
  error: unknown;
  /** Sizes of the pieces in which the body came. */
  pieces: number[];
  raw: Buffer;
}

/** Takes an event of a stream. */
export function takeEvent(reply: Reply, wire: Wire, name: string, data: string): void {
  if (data === '[DONE]') {
    reply.events.push('[DONE]');
    reply.finished = true;
    return;
  }
  const value = JSON.parse(data) as Json;
  if (wire === 'anthropic') takeAnthropic(reply, name, value);
  else if (wire === 'responses') takeResponses(reply, name, value);
  else if (wire === 'google') takeGoogle(reply, value);
  else if (wire === 'ollama') takeOllama(reply, value);
  else takeChunk(reply, value);
}

function takeChunk(reply: Reply, chunk: Json): void {
  reply.events.push('chunk');
  if (chunk.error !== undefined) reply.error = chunk.error;
  if (chunk.usage) reply.usage = chunk.usage as Json;
  for (const choice of (chunk.choices ?? []) as Json[]) {
    const delta = choice.delta as Json;
    reply.text += String(delta.content ?? '');
    reply.thinking += String(delta.reasoning_content ?? delta.reasoning ?? '');
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

function takeResponses(reply: Reply, name: string, event: Json): void {
  if (event.type !== name) throw new Error(`event ${name} carries type ${String(event.type)}`);
  if (event.sequence_number !== reply.events.length) throw new Error(`event ${name} is out of order`);
  reply.events.push(name);
  if (name === 'error') reply.error = event;
  if (name === 'response.output_text.delta') reply.text += String(event.delta);
  if (name === 'response.reasoning_summary_text.delta') reply.thinking += String(event.delta);
  if (name === 'response.output_item.added') {
    const item = event.item as Json;
    if (item.type === 'function_call') {
      reply.calls.push({ id: String(item.call_id), name: String(item.name), rawArgs: '' });
    }
  }
  if (name === 'response.function_call_arguments.delta') reply.calls.at(-1)!.rawArgs += String(event.delta);
  if (name === 'response.output_item.done') {
    const item = event.item as Json;
    if (item.type === 'reasoning') reply.signature += String(item.encrypted_content);
  }
  if (name === 'response.completed' || name === 'response.incomplete') {
    const response = event.response as Json;
    reply.finish = String(response.status);
    reply.usage = response.usage as Json;
    reply.finished = true;
  }
}

function takeGoogle(reply: Reply, chunk: Json): void {
  reply.events.push('chunk');
  if (chunk.error !== undefined) reply.error = chunk.error;
  if (chunk.usageMetadata) reply.usage = chunk.usageMetadata as Json;
  for (const candidate of (chunk.candidates ?? []) as Json[]) {
    for (const part of ((candidate.content as Json).parts ?? []) as Json[]) {
      if (part.thought === true) reply.thinking += String(part.text);
      else reply.text += String(part.text ?? '');
      reply.signature += String(part.thoughtSignature ?? '');
      if (!part.functionCall) continue;
      const { id, name, args } = part.functionCall as Json;
      reply.calls.push({ id: String(id), name: String(name), rawArgs: JSON.stringify(args) });
    }
    if (candidate.finishReason === undefined) continue;
    reply.finish = String(candidate.finishReason);
    reply.finished = true;
  }
}

function takeOllama(reply: Reply, line: Json): void {
  reply.events.push('chunk');
  if (line.error !== undefined) {
    reply.error = line.error;
    return;
  }
  const message = line.message as Json;
  reply.text += String(message.content);
  reply.thinking += String(message.thinking ?? '');
  for (const call of (message.tool_calls ?? []) as Json[]) {
    const { name, arguments: args } = call.function as Json;
    reply.calls.push({ id: String(call.id), name: String(name), rawArgs: JSON.stringify(args) });
  }
  if (line.done !== true) return;
  reply.finish = String(line.done_reason);
  reply.usage = line;
  reply.finished = true;
}

/** Takes a reply that was not streamed. */
export function takeBody(reply: Reply, wire: Wire, body: Json): void {
  if (reply.status !== 200) {
    reply.error = body;
    return;
  }
  if (wire === 'google') takeGoogle(reply, body);
  else if (wire === 'ollama') takeOllama(reply, body);
  else {
    reply.finished = true;
    reply.usage = body.usage as Json;
    if (wire === 'anthropic') takeMessage(reply, body);
    else if (wire === 'responses') takeResponse(reply, body);
    else takeCompletion(reply, body);
  }
}

function takeCompletion(reply: Reply, body: Json): void {
  const choice = (body.choices as Json[])[0] as Json;
  const message = choice.message as Json;
  reply.finish = String(choice.finish_reason);
  reply.text = String(message.content ?? '');
  reply.thinking = String(message.reasoning_content ?? message.reasoning ?? '');
  reply.calls = ((message.tool_calls ?? []) as Json[]).map((call) => {
    const fn = call.function as Json;
    return { id: String(call.id), name: String(fn.name), rawArgs: String(fn.arguments) };
  });
}

function takeMessage(reply: Reply, body: Json): void {
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

function takeResponse(reply: Reply, body: Json): void {
  reply.finish = String(body.status);
  for (const item of body.output as Json[]) {
    if (item.type === 'message') reply.text += (item.content as Json[]).map((part) => part.text).join('');
    if (item.type === 'reasoning') {
      reply.thinking += (item.summary as Json[]).map((part) => part.text).join('');
      reply.signature += String(item.encrypted_content);
    }
    if (item.type === 'function_call') {
      reply.calls.push({ id: String(item.call_id), name: String(item.name), rawArgs: String(item.arguments) });
    }
  }
}
