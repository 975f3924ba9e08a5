import type { IncomingHttpHeaders } from 'node:http';
import type { Json } from './json.ts';

/**
 * The ways in which models are spoken to. `ollama` is Ollama's own API, `ollama-chat` its imitation of OpenAI's;
 * `openrouter` is the Chat wire with what OpenRouter adds to it.
 */
export const WIRES = ['chat', 'anthropic', 'responses', 'google', 'ollama', 'ollama-chat', 'openrouter'] as const;
export type Wire = (typeof WIRES)[number];

/** An image in a request: its bytes, or where they are. */
export type ModelImage = { mediaType: string; data: Buffer } | { url: string };

/** One message of a request in wire-neutral form. */
export interface ModelMessage {
  role: 'user' | 'assistant' | 'toolResult';
  /** All text of the message, blocks joined by newlines. */
  text: string;
  images: ModelImage[];
  toolCalls: { id: string; name: string; args: unknown; rawArgs: string }[];
  /** Only for `toolResult`; on wires without ids the function's name. */
  toolCallId?: string;
  isError?: boolean;
}

/** What a wire's reader finds in a body. */
export interface RequestReading {
  model: string;
  stream: boolean;
  system: string;
  messages: ModelMessage[];
  tools: { name: string; description: string; parameters: unknown }[];
}

/** A request to the model, the same shape for every wire; what matchers and turn functions look at. */
export interface ModelRequest extends RequestReading {
  wire: Wire;
  /** Text of the newest user message that has any; empty when there is none. */
  lastUserText: string;
  /** The tool results that the request ends with, oldest first. */
  lastToolResults: ModelMessage[];
  assistantCount: number;
  /** Assistant messages after the newest user text. */
  assistantSinceUser: number;
  headers: IncomingHttpHeaders;
  /** The parsed body as it came. */
  body: Json;
}

/** What every wire says in the same way about a request that has been read. */
export function modelRequest(
  wire: Wire,
  reading: RequestReading,
  body: Json,
  headers: IncomingHttpHeaders,
): ModelRequest {
  const { messages } = reading;
  const userAt = messages.findLastIndex((message) => message.role === 'user' && message.text !== '');
  const resultsFrom = messages.findLastIndex((message) => message.role !== 'toolResult') + 1;
  return {
    wire,
    ...reading,
    lastUserText: messages[userAt]?.text ?? '',
    lastToolResults: messages.slice(resultsFrom),
    assistantCount: messages.filter((message) => message.role === 'assistant').length,
    assistantSinceUser: messages.slice(userAt + 1).filter((message) => message.role === 'assistant').length,
    headers,
    body,
  };
}

/** An image given by a `data:` URL or any other. */
export function imageAt(url: string): ModelImage {
  const match = /^data:([^;,]+);base64,(.*)$/s.exec(url);
  return match ? { mediaType: match[1]!, data: Buffer.from(match[2]!, 'base64') } : { url };
}
