import { isRecord, type Json, recordsOf, stringOf, textOf } from '../json.ts';
import type { ModelImage, ModelMessage, RequestReading } from '../model-request.ts';
import type { CallAddress } from '../wire-kit.ts';
import { camelCasedBody } from './google-fields.ts';

const CALL_PATH = /\/models\/([^/]+(?:\/[^/]+)*):(streamGenerateContent|generateContent)$/;

/** The model and method in a call's path, or undefined when it is none. */
export function googleCall(pathname: string): { model: string; stream: boolean } | undefined {
  const match = CALL_PATH.exec(pathname);
  return match ? { model: decodeURIComponent(match[1]!), stream: match[2] === 'streamGenerateContent' } : undefined;
}

function imagesIn(parts: Json[]): ModelImage[] {
  return parts.flatMap((part): ModelImage[] => {
    if (isRecord(part.fileData)) return [{ url: stringOf(part.fileData.fileUri) }];
    if (!isRecord(part.inlineData)) return [];
    const { mimeType, data } = part.inlineData;
    return [{ mediaType: stringOf(mimeType), data: Buffer.from(stringOf(data), 'base64') }];
  });
}

/** What a tool gave: by agreement `output` or `error` of the response, otherwise all of it. */
function resultText(response: unknown): string {
  if (!isRecord(response)) return '';
  const value = response.output ?? response.error ?? response.content ?? response.result;
  return typeof value === 'string' ? value : JSON.stringify(response);
}

function messagesOf(contents: Json[]): ModelMessage[] {
  const messages: ModelMessage[] = [];
  for (const content of contents) {
    const parts = recordsOf(content.parts);
    const said = parts.filter((part) => part.thought !== true);
    const found = { text: textOf(said), images: imagesIn(parts) };
    if (content.role === 'model') {
      const toolCalls = parts
        .flatMap((part) => (isRecord(part.functionCall) ? [part.functionCall] : []))
        .map(({ id, name, args }) => ({
          id: stringOf(id) || stringOf(name),
          name: stringOf(name),
          args: args ?? {},
          rawArgs: JSON.stringify(args ?? {}),
        }));
      messages.push({ role: 'assistant', ...found, toolCalls });
      continue;
    }
    const results = parts.flatMap((part) => (isRecord(part.functionResponse) ? [part.functionResponse] : []));
    for (const { id, name, response, parts: inner } of results) {
      messages.push({
        role: 'toolResult',
        text: resultText(response),
        images: imagesIn(recordsOf(inner)),
        toolCalls: [],
        toolCallId: stringOf(id) || stringOf(name),
        isError: isRecord(response) && response.error !== undefined,
      });
    }
    if (found.text !== '' || results.length === 0) messages.push({ role: 'user', ...found, toolCalls: [] });
  }
  return messages;
}

/** Reads a generateContent body. Never throws; what is missing comes out empty. */
export function readGoogle(sent: Json, address: CallAddress): RequestReading {
  const body = camelCasedBody(sent);
  const call = googleCall(address.pathname);
  return {
    model: call?.model ?? '',
    stream: call?.stream ?? false,
    system: isRecord(body.systemInstruction) ? textOf(body.systemInstruction.parts) : '',
    messages: messagesOf(recordsOf(body.contents)),
    tools: recordsOf(body.tools)
      .flatMap((tool) => recordsOf(tool.functionDeclarations))
      .map((fn) => ({
        name: stringOf(fn.name),
        description: stringOf(fn.description),
        parameters: fn.parameters ?? fn.parametersJsonSchema,
      })),
  };
}
