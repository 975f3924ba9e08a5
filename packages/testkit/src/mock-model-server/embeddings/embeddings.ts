import { isRecord, type Json } from '../json.ts';
import type { Wire } from '../model-request.ts';
import { ollamaError } from '../ollama/ollama-errors.ts';
import { emptyArray, missing, wrongType } from '../openai-checks.ts';
import type { ScriptEmbeddings } from '../script.ts';
import { estimateTokens } from '../turn-context.ts';
import { chatError, type WireError } from '../wire-errors.ts';
import type { CallAddress } from '../wire-kit.ts';
import { chatWireAt } from '../wires.ts';
import { embeddingVector } from './embedding-vector.ts';

/** What OpenAI takes in one request. */
const MOST_TEXTS = 2_048;
const DEFAULT_WIDTH = 32;

/** The wire of a request for embeddings; undefined for any other. */
export function embeddingWireOf(method: string, { pathname }: CallAddress): Wire | undefined {
  if (method !== 'POST') return undefined;
  if (pathname.endsWith('/embeddings')) return chatWireAt(pathname);
  return pathname.endsWith('/api/embed') ? 'ollama' : undefined;
}

/** The refusal a body deserves, or undefined when the API would take it. */
export function validateEmbeddings(wire: Wire, body: unknown, script: ScriptEmbeddings): WireError | undefined {
  if (!isRecord(body)) return wire === 'ollama' ? ollamaError(400, 'missing request body') : notJson();
  return wire === 'ollama' ? validateOllama(body, script) : validateOpenAi(body, script);
}

/** The body of an answer. @param step what the script says of this one. */
export function embeddingsBody(wire: Wire, body: Json, script: ScriptEmbeddings, step: EmbeddingStep): object | string {
  if (step.body !== undefined) return typeof step.body === 'string' ? step.body : (step.body as object);
  const texts = textsOf(body.input);
  const width = step.width ?? (typeof body.dimensions === 'number' ? body.dimensions : script.width) ?? DEFAULT_WIDTH;
  const vectors = texts.slice(0, texts.length - (step.leaveOut ?? 0)).map((text) => embeddingVector(text, width));
  const tokens = estimateTokens(texts.join('').length);
  return wire === 'ollama' ? ollamaAnswer(body, vectors, tokens) : openAiAnswer(body, vectors, tokens);
}

export type EmbeddingStep = NonNullable<ScriptEmbeddings['answers']>[number];

function textsOf(input: unknown): string[] {
  return (Array.isArray(input) ? input : [input]).filter((text) => typeof text === 'string');
}

const PARAMETERS = ['model', 'input', 'encoding_format', 'dimensions', 'user'];

function validateOpenAi(body: Json, { maxLength = Infinity }: ScriptEmbeddings): WireError | undefined {
  const unknown = Object.keys(body).find((name) => !PARAMETERS.includes(name));
  if (unknown !== undefined) return chatError(400, `Unrecognized request argument supplied: ${unknown}`);
  if (typeof body.model !== 'string') return chatError(400, 'you must provide a model parameter');
  if (body.input === undefined) return missing('input');
  const inputs: unknown[] = Array.isArray(body.input) ? body.input : [body.input];
  if (inputs.length === 0) return emptyArray('input');
  if (inputs.some((text) => typeof text !== 'string')) return wrongType('input', 'a string or an array', body.input);
  if (inputs.length > MOST_TEXTS || inputs.includes('')) {
    const reference = 'Please check the API reference: https://platform.openai.com/docs/api-reference.';
    return chatError(400, `'$.input' is invalid. ${reference}`);
  }
  const long = textsOf(inputs).find((text) => text.length > maxLength);
  if (long === undefined) return undefined;
  const { length } = long;
  const requested = `you requested ${length} tokens (${length} in your prompt; 0 for the completion)`;
  const limit = `This model's maximum context length is ${maxLength} tokens, however ${requested}.`;
  return chatError(400, `${limit} Please reduce your prompt; or completion length.`);
}

/** Texts that are too long are cut, unless that is switched off. */
function validateOllama(body: Json, { maxLength = Infinity }: ScriptEmbeddings): WireError | undefined {
  if (typeof body.model !== 'string' || body.model === '') return ollamaError(400, 'model is required');
  const inputs: unknown[] = Array.isArray(body.input) ? body.input : [body.input ?? ''];
  if (inputs.some((text) => typeof text !== 'string')) return ollamaError(400, 'invalid input type');
  const isLong = body.truncate === false && textsOf(inputs).some((text) => text.length > maxLength);
  return isLong ? ollamaError(400, 'the input length exceeds the context length') : undefined;
}

function openAiAnswer(body: Json, vectors: number[][], tokens: number): object {
  const isBytes = body.encoding_format === 'base64';
  const encode = (vector: number[]) => Buffer.from(Float32Array.from(vector).buffer).toString('base64');
  const data = vectors.map((vector, index) => {
    return { object: 'embedding', index, embedding: isBytes ? encode(vector) : vector };
  });
  return { object: 'list', data, model: body.model, usage: { prompt_tokens: tokens, total_tokens: tokens } };
}

const NANOSECONDS = 14_143_917;

function ollamaAnswer(body: Json, embeddings: number[][], tokens: number): object {
  const durations = { total_duration: NANOSECONDS, load_duration: 1_019_500 };
  return { model: body.model, embeddings, ...durations, prompt_eval_count: tokens };
}

function notJson(): WireError {
  return chatError(400, 'We could not parse the JSON body of your request.');
}
