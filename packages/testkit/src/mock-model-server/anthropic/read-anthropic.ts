import { isRecord, type Json, recordsOf, stringOf, textOf } from '../json.ts';
import type { ModelImage, ModelMessage, RequestReading } from '../model-request.ts';

function imagesIn(blocks: Json[]): ModelImage[] {
  return blocks.flatMap((block): ModelImage[] => {
    if (block.type !== 'image' || !isRecord(block.source)) return [];
    const { source } = block;
    if (source.type === 'url') return [{ url: stringOf(source.url) }];
    return [{ mediaType: stringOf(source.media_type), data: Buffer.from(stringOf(source.data), 'base64') }];
  });
}

function messagesOf(body: Json): ModelMessage[] {
  const messages: ModelMessage[] = [];
  for (const message of recordsOf(body.messages)) {
    const blocks = recordsOf(message.content);
    const found = { text: textOf(message.content), images: imagesIn(blocks) };
    if (message.role === 'assistant') {
      const toolCalls = blocks
        .filter((block) => block.type === 'tool_use')
        .map((block) => ({
          id: stringOf(block.id),
          name: stringOf(block.name),
          args: block.input,
          rawArgs: JSON.stringify(block.input),
        }));
      messages.push({ role: 'assistant', ...found, toolCalls });
      continue;
    }
    for (const block of blocks.filter((candidate) => candidate.type === 'tool_result')) {
      messages.push({
        role: 'toolResult',
        text: textOf(block.content),
        images: imagesIn(recordsOf(block.content)),
        toolCalls: [],
        toolCallId: stringOf(block.tool_use_id),
        isError: block.is_error === true,
      });
    }
    if (found.text !== '' || blocks.every((block) => block.type !== 'tool_result')) {
      messages.push({ role: 'user', ...found, toolCalls: [] });
    }
  }
  return messages;
}

/** Reads a Messages body. Never throws; what is missing comes out empty. */
export function readAnthropic(body: Json): RequestReading {
  return {
    model: stringOf(body.model),
    stream: body.stream === true,
    system: textOf(body.system),
    messages: messagesOf(body),
    tools: recordsOf(body.tools).map((tool) => ({
      name: stringOf(tool.name),
      description: stringOf(tool.description),
      parameters: tool.input_schema,
    })),
  };
}
