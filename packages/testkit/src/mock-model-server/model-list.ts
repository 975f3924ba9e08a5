import type { Wire } from './model-request.ts';
import type { ScriptModel } from './script.ts';
import { anthropicError, chatError, type WireError } from './wire-errors.ts';

const DEFAULT_MODELS: ScriptModel[] = [{ id: 'mock-model', name: 'Mock model', contextWindow: 200_000 }];
const CREATED_AT = '2025-01-01T00:00:00Z';

function chatModel(model: ScriptModel): object {
  const window = model.contextWindow === undefined ? {} : { context_length: model.contextWindow };
  return { id: model.id, object: 'model', created: Date.parse(CREATED_AT) / 1000, owned_by: 'mock', ...window };
}

function anthropicModel(model: ScriptModel): object {
  const window = model.contextWindow === undefined ? {} : { max_input_tokens: model.contextWindow };
  return { type: 'model', id: model.id, display_name: model.name ?? model.id, created_at: CREATED_AT, ...window };
}

/** `GET /v1/models` and `GET /v1/models/<id>` in the wire's shape; an unknown id gets the wire's 404. */
export function modelList(models: ScriptModel[] = DEFAULT_MODELS, wire: Wire, id: string | undefined): WireError {
  const shape = wire === 'chat' ? chatModel : anthropicModel;
  if (id !== undefined) {
    const wanted = decodeURIComponent(id);
    const model = models.find((candidate) => candidate.id === wanted);
    if (model) return { status: 200, body: shape(model) };
    if (wire === 'anthropic') return anthropicError(404, 'not_found_error', `model: ${wanted}`);
    return chatError(404, `The model '${wanted}' does not exist`, { param: 'model', code: 'model_not_found' });
  }
  const data = models.map(shape);
  if (wire === 'chat') return { status: 200, body: { object: 'list', data } };
  const body = { data, has_more: false, first_id: models[0]?.id ?? null, last_id: models.at(-1)?.id ?? null };
  return { status: 200, body };
}
