import type { IncomingHttpHeaders } from 'node:http';

export type Wire = 'chat' | 'anthropic';

/** One message of a request in wire-neutral form. */
export interface ModelMessage {
  role: 'user' | 'assistant' | 'toolResult';
  /** All text of the message, blocks joined by newlines. */
  text: string;
  toolCalls: { id: string; name: string; args: unknown; rawArgs: string }[];
  /** Only for `toolResult`. */
  toolCallId?: string;
  isError?: boolean;
}

/** A request to the model, the same shape for both wires; what matchers and turn functions look at. */
export interface ModelRequest {
  wire: Wire;
  model: string;
  stream: boolean;
  system: string;
  messages: ModelMessage[];
  tools: { name: string; description: string; parameters: unknown }[];
  /** Text of the newest user message that has any; empty when there is none. */
  lastUserText: string;
  /** The tool results that the request ends with, oldest first. */
  lastToolResults: ModelMessage[];
  assistantCount: number;
  /** Assistant messages after the newest user text. */
  assistantSinceUser: number;
  headers: IncomingHttpHeaders;
  /** The parsed body as it came. */
  body: Record<string, unknown>;
}

type Json = Record<string, unknown>;

export function isRecord(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function recordsOf(value: unknown): Json[] {
  return Array.isArray(value) ? value.filter(isRecord) : [];
}

/** Text of a content field: a string, or the text blocks of an array. */
function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  return recordsOf(content)
    .map((block) => (typeof block.text === 'string' ? block.text : ''))
    .filter((text) => text !== '')
    .join('\n');
}

function stringOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function parseOr(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function chatMessages(body: Json): ModelMessage[] {
  const messages: ModelMessage[] = [];
  for (const message of recordsOf(body.messages)) {
    const text = textOf(message.content);
    if (message.role === 'user') messages.push({ role: 'user', text, toolCalls: [] });
    if (message.role === 'tool') {
      messages.push({ role: 'toolResult', text, toolCalls: [], toolCallId: stringOf(message.tool_call_id) });
    }
    if (message.role === 'assistant') {
      const toolCalls = recordsOf(message.tool_calls).map((call) => {
        const fn = isRecord(call.function) ? call.function : {};
        const rawArgs = stringOf(fn.arguments);
        return { id: stringOf(call.id), name: stringOf(fn.name), args: parseOr(rawArgs), rawArgs };
      });
      messages.push({ role: 'assistant', text, toolCalls });
    }
  }
  return messages;
}

function anthropicMessages(body: Json): ModelMessage[] {
  const messages: ModelMessage[] = [];
  for (const message of recordsOf(body.messages)) {
    const blocks = recordsOf(message.content);
    if (message.role === 'assistant') {
      const toolCalls = blocks
        .filter((block) => block.type === 'tool_use')
        .map((block) => ({
          id: stringOf(block.id),
          name: stringOf(block.name),
          args: block.input,
          rawArgs: JSON.stringify(block.input),
        }));
      messages.push({ role: 'assistant', text: textOf(message.content), toolCalls });
      continue;
    }
    for (const block of blocks.filter((candidate) => candidate.type === 'tool_result')) {
      messages.push({
        role: 'toolResult',
        text: textOf(block.content),
        toolCalls: [],
        toolCallId: stringOf(block.tool_use_id),
        isError: block.is_error === true,
      });
    }
    const text = textOf(message.content);
    if (text !== '' || blocks.every((block) => block.type !== 'tool_result')) {
      messages.push({ role: 'user', text, toolCalls: [] });
    }
  }
  return messages;
}

function chatSystem(body: Json): string {
  return recordsOf(body.messages)
    .filter((message) => message.role === 'system' || message.role === 'developer')
    .map((message) => textOf(message.content))
    .join('\n');
}

function toolsOf(wire: Wire, body: Json): ModelRequest['tools'] {
  return recordsOf(body.tools).map((tool) => {
    const definition = wire === 'chat' ? (isRecord(tool.function) ? tool.function : {}) : tool;
    return {
      name: stringOf(definition.name),
      description: stringOf(definition.description),
      parameters: wire === 'chat' ? definition.parameters : definition.input_schema,
    };
  });
}

/** Reads a validated body into the neutral shape. Never throws; what is missing comes out empty. */
export function readModelRequest(wire: Wire, body: Json, headers: IncomingHttpHeaders): ModelRequest {
  const messages = wire === 'chat' ? chatMessages(body) : anthropicMessages(body);
  const userAt = messages.findLastIndex((message) => message.role === 'user' && message.text !== '');
  const resultsFrom = messages.findLastIndex((message) => message.role !== 'toolResult') + 1;
  return {
    wire,
    model: stringOf(body.model),
    stream: body.stream === true,
    system: wire === 'chat' ? chatSystem(body) : textOf(body.system),
    messages,
    tools: toolsOf(wire, body),
    lastUserText: messages[userAt]?.text ?? '',
    lastToolResults: messages.slice(resultsFrom),
    assistantCount: messages.filter((message) => message.role === 'assistant').length,
    assistantSinceUser: messages.slice(userAt + 1).filter((message) => message.role === 'assistant').length,
    headers,
    body,
  };
}
