import { type Json, parseJson, recordsOf, stringOf, textOf } from '../json.ts';
import { imageAt, type ModelImage, type ModelMessage, type RequestReading } from '../model-request.ts';
import type { ServerMemory } from '../server-memory.ts';
import { resolveInput, typeOf } from './resolve-input.ts';

const CALLS = ['function_call', 'custom_tool_call'];
const RESULTS = ['function_call_output', 'custom_tool_call_output'];

function imagesIn(content: unknown): ModelImage[] {
  return recordsOf(content)
    .filter((part) => part.type === 'input_image')
    .map((part) => imageAt(stringOf(part.image_url)));
}

function callOf(item: Json): ModelMessage['toolCalls'][number] {
  const rawArgs = stringOf(item.arguments ?? item.input);
  const args = item.type === 'custom_tool_call' ? rawArgs : parseJson(rawArgs);
  return { id: stringOf(item.call_id), name: stringOf(item.name), args, rawArgs };
}

function isSystem(item: Json): boolean {
  return item.role === 'system' || item.role === 'developer';
}

/** Neighbouring items of the model are one message: reasoning, text and calls of a turn. */
function messagesOf(items: Json[]): ModelMessage[] {
  const messages: ModelMessage[] = [];
  const assistant = (): ModelMessage => {
    const last = messages.at(-1);
    if (last?.role === 'assistant') return last;
    const started: ModelMessage = { role: 'assistant', text: '', images: [], toolCalls: [] };
    messages.push(started);
    return started;
  };
  for (const item of items) {
    const type = typeOf(item);
    if (type === 'reasoning') assistant();
    else if (CALLS.includes(type)) assistant().toolCalls.push(callOf(item));
    else if (RESULTS.includes(type)) {
      const found = { text: textOf(item.output), images: imagesIn(item.output), toolCalls: [] };
      messages.push({ role: 'toolResult', ...found, toolCallId: stringOf(item.call_id) });
    } else if (type !== 'message' || isSystem(item)) continue;
    else if (item.role === 'assistant') {
      const turn = assistant();
      turn.text = [turn.text, textOf(item.content)].filter((text) => text !== '').join('\n');
    } else {
      messages.push({ role: 'user', text: textOf(item.content), images: imagesIn(item.content), toolCalls: [] });
    }
  }
  return messages;
}

/** Reads a Responses body. Never throws; what is missing comes out empty. */
export function readResponses(body: Json, memory: ServerMemory): RequestReading {
  const items = resolveInput(body, memory);
  const system = [stringOf(body.instructions), ...items.filter(isSystem).map((item) => textOf(item.content))];
  return {
    model: stringOf(body.model),
    stream: body.stream === true,
    system: system.filter((text) => text !== '').join('\n'),
    messages: messagesOf(items),
    tools: recordsOf(body.tools).map((tool) => ({
      name: stringOf(tool.name ?? tool.type),
      description: stringOf(tool.description),
      parameters: tool.parameters,
    })),
  };
}
