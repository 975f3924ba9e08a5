import type { ScriptModel } from '../script.ts';
import type { WireError } from '../wire-errors.ts';
import { ollamaError } from './ollama-errors.ts';

/** What Ollama tells of its models beside talking to them. */

const MODIFIED_AT = '2025-01-01T00:00:00.000000000Z';
const SIZE = 4_661_224_676;
const DEFAULT_WINDOW = 200_000;
const VERSION = '0.12.6';
const DETAILS = {
  parent_model: '',
  format: 'gguf',
  family: 'mock',
  families: ['mock'],
  parameter_size: '8.0B',
  quantization_level: 'Q4_K_M',
};

/** A name without a tag has the tag `latest`. */
function taggedName(id: string): string {
  return id.includes(':') ? id : `${id}:latest`;
}

function digestOf(id: string): string {
  return Buffer.from(id).toString('hex').padEnd(64, '0').slice(0, 64);
}

function ok(body: object): WireError {
  return { status: 200, body };
}

function listed(model: ScriptModel): object {
  const name = taggedName(model.id);
  return { name, model: name, modified_at: MODIFIED_AT, size: SIZE, digest: digestOf(model.id), details: DETAILS };
}

function shown(model: ScriptModel): object {
  return {
    license: 'mock',
    modelfile: `FROM ${model.id}\n`,
    parameters: 'temperature 1',
    template: '{{ .Prompt }}',
    details: DETAILS,
    model_info: {
      'general.architecture': 'mock',
      'general.basename': model.name ?? model.id,
      'general.parameter_count': 8_030_261_312,
      'mock.context_length': model.contextWindow ?? DEFAULT_WINDOW,
      'mock.embedding_length': 4096,
    },
    capabilities: [
      'completion',
      ...(model.tools === false ? [] : ['tools']),
      ...(model.thinking === false ? [] : ['thinking']),
      ...(model.images === false ? [] : ['vision']),
    ],
    modified_at: MODIFIED_AT,
  };
}

/** Answers `/api/tags`, `/api/ps`, `/api/version` and `/api/show`; undefined for any other path. */
export function ollamaSideRequest(
  method: string,
  pathname: string,
  body: unknown,
  models: readonly ScriptModel[],
): WireError | undefined {
  const name = /\/api\/(tags|ps|version|show)$/.exec(pathname)?.[1];
  if (method === 'GET' && name === 'tags') return ok({ models: models.map(listed) });
  if (method === 'GET' && name === 'ps') return ok({ models: [] });
  if (method === 'GET' && name === 'version') return ok({ version: VERSION });
  if (method !== 'POST' || name !== 'show') return undefined;
  const { model: wanted, name: old } = (body ?? {}) as { model?: unknown; name?: unknown };
  const id = String(wanted ?? old ?? '');
  const model = models.find((candidate) => taggedName(candidate.id) === taggedName(id));
  return model ? ok(shown(model)) : ollamaError(404, `model '${id}' not found`);
}

/** `/v1/models` below Ollama's address. */
export function ollamaChatModels(models: readonly ScriptModel[]): WireError {
  const data = models.map((model) => ({
    id: taggedName(model.id),
    object: 'model',
    created: Date.parse(MODIFIED_AT) / 1000,
    owned_by: 'library',
  }));
  return ok({ object: 'list', data });
}
