import { isRecord, type Json, parseJson, recordsOf, stringOf, textOf } from '../json.ts';
import { imageAt, type ModelImage, type ModelMessage, type RequestReading } from '../model-request.ts';

function imagesIn(content: unknown): ModelImage[] {
  return recordsOf(content)
    .filter((part) => part.type === 'image_url')
    .map((part) => imageAt(isRecord(part.image_url) ? stringOf(part.image_url.url) : stringOf(part.image_url)));
}

function callsIn(message: Json): ModelMessage['toolCalls'] {
  return recordsOf(message.tool_calls).map((call) => {
    const fn = isRecord(call.function) ? call.function : {};
    const rawArgs = stringOf(fn.arguments);
    return { id: stringOf(call.id), name: stringOf(fn.name), args: parseJson(rawArgs), rawArgs };
  });
}

function messagesOf(body: Json): ModelMessage[] {
  return recordsOf(body.messages).flatMap((message): ModelMessage[] => {
    const found = { text: textOf(message.content), images: imagesIn(message.content), toolCalls: [] };
    if (message.role === 'user') return [{ role: 'user', ...found }];
    if (message.role === 'assistant') return [{ role: 'assistant', ...found, toolCalls: callsIn(message) }];
    if (message.role !== 'tool') return [];
    return [{ role: 'toolResult', ...found, toolCallId: stringOf(message.tool_call_id) }];
  });
}

/** Reads a Chat Completions body. Never throws; what is missing comes out empty. */
export function readChat(body: Json): RequestReading {
  const system = recordsOf(body.messages).filter(
    (message) => message.role === 'system' || message.role === 'developer',
  );
  return {
    model: stringOf(body.model),
    stream: body.stream === true,
    system: system.map((message) => textOf(message.content)).join('\n'),
    messages: messagesOf(body),
    tools: recordsOf(body.tools).map((tool) => {
      const fn = isRecord(tool.function) ? tool.function : {};
      return { name: stringOf(fn.name), description: stringOf(fn.description), parameters: fn.parameters };
    }),
  };
}
