import { googleError } from './google/google-errors.ts';
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

/** Google's version 1 has the paths of OpenAI: there its own headers and the key in the query tell. */
function sideWire({ headers }: RecordedRequest, { pathname, query }: CallAddress): Wire {
  if (headers['anthropic-version'] !== undefined) return 'anthropic';
  const googles = headers['x-goog-api-key'] !== undefined || headers['x-goog-api-client'] !== undefined;
  if (googles || query.has('key') || GOOGLE_PATH.test(pathname)) return 'google';
  return chatWireAt(pathname);
}

/** Lists of models, counts of tokens, and what nobody serves. */
export function sideRequest(
  record: RecordedRequest,
  address: CallAddress,
  models: readonly ScriptModel[],
): SideRequest {
  const { pathname, query } = address;
  const get = record.method === 'GET';
  const post = record.method === 'POST';
  const wire = sideWire(record, address);
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
  return { wire, needsKey: false, answer: () => notFound(wire, `${record.method} ${pathname}`) };
}

function notFound(wire: Wire, what: string): WireError {
  if (wire === 'anthropic') return anthropicError(404, 'not_found_error', 'Not Found');
  return wire === 'google' ? googleError(404, 'NOT_FOUND', 'Not Found') : chatError(404, `Invalid URL (${what})`);
}
