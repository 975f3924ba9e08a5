import type { ScriptModel } from '../script.ts';
import type { WireError } from '../wire-errors.ts';
import { DEFAULT_PRICE } from './openrouter-wire.ts';

const CREATED = 1_735_689_600;
const DEFAULT_WINDOW = 200_000;
const DEFAULT_MAX_OUTPUT = 8_192;
const DECIMALS = 12;

/** Dollars for one token, as a string without an exponent. */
function perToken(perMillion: number): string {
  return (perMillion / 1_000_000).toFixed(DECIMALS).replace(/\.?0+$/, '');
}

function shape(model: ScriptModel): object {
  const { input, output, cacheRead, cacheWrite } = model.price ?? DEFAULT_PRICE;
  const images = model.images !== false;
  const window = model.contextWindow ?? DEFAULT_WINDOW;
  return {
    id: model.id,
    canonical_slug: model.id,
    hugging_face_id: '',
    name: model.name ?? model.id,
    created: CREATED,
    description: `The model ${model.id} of the mock model server`,
    context_length: window,
    architecture: {
      modality: images ? 'text+image->text' : 'text->text',
      input_modalities: images ? ['text', 'image'] : ['text'],
      output_modalities: ['text'],
      tokenizer: 'Other',
      instruct_type: null,
    },
    pricing: {
      prompt: perToken(input),
      completion: perToken(output),
      request: '0',
      image: '0',
      web_search: '0',
      internal_reasoning: '0',
      ...(cacheRead === undefined ? {} : { input_cache_read: perToken(cacheRead) }),
      ...(cacheWrite === undefined ? {} : { input_cache_write: perToken(cacheWrite) }),
    },
    top_provider: {
      context_length: window,
      max_completion_tokens: model.maxOutput ?? DEFAULT_MAX_OUTPUT,
      is_moderated: false,
    },
    per_request_limits: null,
    supported_parameters: [
      'max_tokens',
      'stop',
      'temperature',
      'top_p',
      ...(model.thinking === false ? [] : ['include_reasoning', 'reasoning']),
      ...(model.tools === false ? [] : ['tool_choice', 'tools']),
    ],
    default_parameters: {},
  };
}

/** `GET /api/v1/models`, with prices and context lengths. */
export function openrouterModels(models: readonly ScriptModel[]): WireError {
  return { status: 200, body: { data: models.map(shape) } };
}
