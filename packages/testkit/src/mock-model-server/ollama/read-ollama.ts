import { isRecord, type Json, recordsOf, stringOf } from '../json.ts';
import type { ModelImage, ModelMessage, RequestReading } from '../model-request.ts';

function imagesIn(message: Json): ModelImage[] {
  const images = Array.isArray(message.images) ? message.images : [];
  return images.map((data) => {
    const bytes = Buffer.from(stringOf(data), 'base64');
    return { mediaType: imageType(bytes), data: bytes };
  });
}

/** The wire does not say what kind an image is; its first bytes do. */
function imageType(bytes: Buffer): string {
  if (bytes.subarray(1, 4).toString('latin1') === 'PNG') return 'image/png';
  if (bytes.subarray(0, 3).toString('latin1') === 'GIF') return 'image/gif';
  if (bytes.subarray(8, 12).toString('latin1') === 'WEBP') return 'image/webp';
  return bytes[0] === 0xff && bytes[1] === 0xd8 ? 'image/jpeg' : 'application/octet-stream';
}

function callsIn(message: Json): ModelMessage['toolCalls'] {
  return recordsOf(message.tool_calls).map((call) => {
    const fn = isRecord(call.function) ? call.function : {};
    const name = stringOf(fn.name);
    const rawArgs = JSON.stringify(fn.arguments ?? {});
    return { id: stringOf(call.id) || name, name, args: fn.arguments ?? {}, rawArgs };
  });
}

function messagesOf(body: Json): ModelMessage[] {
  return recordsOf(body.messages).flatMap((message): ModelMessage[] => {
    const found = { text: stringOf(message.content), images: imagesIn(message), toolCalls: [] };
    if (message.role === 'user') return [{ role: 'user', ...found }];
    if (message.role === 'assistant') return [{ role: 'assistant', ...found, toolCalls: callsIn(message) }];
    if (message.role !== 'tool') return [];
    const toolCallId = stringOf(message.tool_call_id) || stringOf(message.tool_name);
    return [{ role: 'toolResult', ...found, toolCallId }];
  });
}

/** Reads an `/api/chat` body. Never throws; what is missing comes out empty. */
export function readOllama(body: Json): RequestReading {
  const system = recordsOf(body.messages).filter((message) => message.role === 'system');
  return {
    model: stringOf(body.model),
    stream: body.stream !== false,
    system: system.map((message) => stringOf(message.content)).join('\n'),
    messages: messagesOf(body),
    tools: recordsOf(body.tools).map((tool) => {
      const fn = isRecord(tool.function) ? tool.function : {};
      return { name: stringOf(fn.name), description: stringOf(fn.description), parameters: fn.parameters };
    }),
  };
}
