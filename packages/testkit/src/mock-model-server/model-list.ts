import { googleError } from './google/google-errors.ts';
import type { ScriptModel } from './script.ts';
import { anthropicError, chatError, type WireError } from './wire-errors.ts';

/** Lists of models and single ones in the providers' shapes; an unknown id gets the provider's 404. */

export const DEFAULT_MODELS: readonly ScriptModel[] = [
  { id: 'mock-model', name: 'Mock model', contextWindow: 200_000 },
];
const CREATED_AT = '2025-01-01T00:00:00Z';
const DEFAULT_WINDOW = 200_000;
const DEFAULT_MAX_OUTPUT = 8_192;

type Models = readonly ScriptModel[];

function found(models: Models, id: string, shape: (model: ScriptModel) => object, unknown: WireError): WireError {
  const model = models.find((candidate) => candidate.id === id);
  return model ? { status: 200, body: shape(model) } : unknown;
}

function chatModel(model: ScriptModel): object {
  const window = model.contextWindow === undefined ? {} : { context_length: model.contextWindow };
  return { id: model.id, object: 'model', created: Date.parse(CREATED_AT) / 1000, owned_by: 'mock', ...window };
}

/** `GET /v1/models` and `GET /v1/models/<id>` of OpenAI. */
export function openaiModels(models: Models, id: string | undefined): WireError {
  if (id === undefined) return { status: 200, body: { object: 'list', data: models.map(chatModel) } };
  const unknown = chatError(404, `The model '${id}' does not exist`, { param: 'model', code: 'model_not_found' });
  return found(models, id, chatModel, unknown);
}

function anthropicModel(model: ScriptModel): object {
  const window = model.contextWindow === undefined ? {} : { max_input_tokens: model.contextWindow };
  return { type: 'model', id: model.id, display_name: model.name ?? model.id, created_at: CREATED_AT, ...window };
}

/** The same of Anthropic. */
export function anthropicModels(models: Models, id: string | undefined): WireError {
  if (id !== undefined) {
    return found(models, id, anthropicModel, anthropicError(404, 'not_found_error', `model: ${id}`));
  }
  const data = models.map(anthropicModel);
  const body = { data, has_more: false, first_id: models[0]?.id ?? null, last_id: models.at(-1)?.id ?? null };
  return { status: 200, body };
}

function googleModel(model: ScriptModel): object {
  return {
    name: `models/${model.id}`,
    version: '001',
    displayName: model.name ?? model.id,
    description: `The model ${model.id} of the mock model server`,
    inputTokenLimit: model.contextWindow ?? DEFAULT_WINDOW,
    outputTokenLimit: model.maxOutput ?? DEFAULT_MAX_OUTPUT,
    supportedGenerationMethods: ['generateContent', 'countTokens', 'createCachedContent', 'batchGenerateContent'],
    temperature: 1,
    topP: 0.95,
    topK: 64,
    maxTemperature: 2,
    ...(model.thinking === false ? {} : { thinking: true }),
  };
}

const GOOGLE_PAGE = 50;

/** The same of Google, in pages: `pageToken` is the number of the first model of the page. */
export function googleModels(models: Models, id: string | undefined, query: URLSearchParams): WireError {
  if (id !== undefined) {
    const words = `Model is not found: models/${id} for api version v1beta`;
    return found(models, id, googleModel, googleError(404, 'NOT_FOUND', words));
  }
  const from = Number(query.get('pageToken') ?? 0);
  const to = from + (Number(query.get('pageSize')) || GOOGLE_PAGE);
  const more = to < models.length ? { nextPageToken: String(to) } : {};
  return { status: 200, body: { models: models.slice(from, to).map(googleModel), ...more } };
}
