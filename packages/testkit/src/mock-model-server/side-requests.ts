import { anthropicModels, googleModels, openaiModels } from './model-list.ts';
import type { Wire } from './model-request.ts';
import { ollamaChatModels, ollamaSideRequest } from './ollama/ollama-models.ts';
import { openrouterModels } from './openrouter/openrouter-models.ts';
import type { RecordedRequest } from './recorded-request.ts';
import type { ScriptModel } from './script.ts';
import { estimateTokens } from './turn-context.ts';
import { anthropicError, chatError, type WireError } from './wire-errors.ts';
import type { CallAddress } from './wire-kit.ts';
import { chatWireAt } from './wires.ts';

/** A request that is no call to a model: whose it is, and the answer. */
export interface SideRequest {
  wire: Wire;
  needsKey: boolean;
  answer(): WireError;
}

const GOOGLE_PATH = /\/v1(?:alpha|beta)\d*\//;

function modelId(pathname: string): string | undefined {
  const id = /\/models(?:\/(.+))?$/.exec(pathname)?.[1];
  return id === undefined ? undefined : decodeURIComponent(id);
}

function sideWire(record: RecordedRequest, pathname: string): Wire {
  if (record.headers['anthropic-version'] !== undefined) return 'anthropic';
  if (GOOGLE_PATH.test(pathname)) return 'google';
  return chatWireAt(pathname);
}

/** Lists of models, counts of tokens, and what nobody serves. */
export function sideRequest(
  record: RecordedRequest,
  { pathname, query }: CallAddress,
  models: readonly ScriptModel[],
): SideRequest {
  const get = record.method === 'GET';
  const post = record.method === 'POST';
  const wire = sideWire(record, pathname);
  const ollama = ollamaSideRequest(record.method, pathname, record.body, models);
  if (ollama) return { wire: 'ollama', needsKey: true, answer: () => ollama };
  const tokens = estimateTokens(record.rawBody.length);
  if (post && pathname.endsWith('/messages/count_tokens')) {
    return { wire, needsKey: false, answer: () => ({ status: 200, body: { input_tokens: tokens } }) };
  }
  if (post && pathname.endsWith(':countTokens')) {
    const promptTokensDetails = [{ modality: 'TEXT', tokenCount: tokens }];
    const body = { totalTokens: tokens, promptTokensDetails };
    return { wire: 'google', needsKey: true, answer: () => ({ status: 200, body }) };
  }
  if (get && /\/models(?:\/.+)?$/.test(pathname)) {
    const id = modelId(pathname);
    const lists: Record<Wire, () => WireError> = {
      chat: () => openaiModels(models, id),
      responses: () => openaiModels(models, id),
      anthropic: () => anthropicModels(models, id),
      google: () => googleModels(models, id, query),
      ollama: () => ollamaChatModels(models),
      'ollama-chat': () => ollamaChatModels(models),
      openrouter: () => openrouterModels(models),
    };
    // OpenRouter shows its list to everybody.
    return { wire, needsKey: wire !== 'openrouter', answer: lists[wire] };
  }
  const unknown =
    wire === 'anthropic'
      ? anthropicError(404, 'not_found_error', 'Not Found')
      : chatError(404, `Invalid URL (${record.method} ${pathname})`);
  return { wire, needsKey: false, answer: () => unknown };
}
