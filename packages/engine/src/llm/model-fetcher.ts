import { type EngineError, isRecord } from '@black-ide/protocol';
import type { Endpoint } from './endpoint.ts';
import type { ModelInfo, Prices } from './model.ts';

/** A model as its provider lists it; only what was said. */
export interface ListedModel {
  id: string;
  name?: string;
  info?: Partial<ModelInfo>;
}

export type FetchedModels = { ok: true; models: ListedModel[] } | { ok: false; error: EngineError };

/** A provider that has not answered by then counts as silent. */
const PATIENCE_MS = 5_000;
const MOST_PAGES = 20;
/** No list of models is longer. */
const MOST_BYTES = 32 * 1024 * 1024;

/** Asks a provider for its models (IDE-26), in bounded time. Never throws: a provider that does not answer is a value. */
export async function fetchModels(
  endpoint: Endpoint,
  key: string | undefined,
  fetch: typeof globalThis.fetch,
  signal?: AbortSignal,
): Promise<FetchedModels> {
  const patience = AbortSignal.timeout(PATIENCE_MS);
  const stop = signal ? AbortSignal.any([signal, patience]) : patience;
  try {
    const models: ListedModel[] = [];
    let query = FIRST_PAGE[endpoint.kind] ?? '';
    for (let page = 0; page < MOST_PAGES; page++) {
      const response = await fetch(`${endpoint.baseURL}/models${query}`, {
        headers: headersOf(endpoint, key),
        signal: stop,
      });
      const text = await response.text();
      if (!response.ok) return silent(endpoint, `it answered ${response.status}`);
      if (text.length > MOST_BYTES) return silent(endpoint, 'its list is too long');
      const body: unknown = JSON.parse(text);
      const items = itemsOf(body);
      if (!items) return silent(endpoint, 'its answer is no list of models');
      models.push(...items.map((item) => read(item, endpoint)).filter((model) => model !== undefined));
      const next = nextPage(body);
      if (!next) break;
      query = next;
    }
    const unique = new Map(models.map((model) => [model.id, model]));
    return { ok: true, models: [...unique.values()].sort((a, b) => (a.id < b.id ? -1 : 1)) };
  } catch (cause) {
    if (patience.aborted) return silent(endpoint, `it did not answer within ${PATIENCE_MS / 1000} s`);
    return silent(endpoint, reasonOf(cause));
  }
}

const FIRST_PAGE: Partial<Record<Endpoint['kind'], string>> = { anthropic: '?limit=1000', google: '?pageSize=1000' };

function headersOf({ kind, headers }: Endpoint, key: string | undefined): Record<string, string> {
  const accept = { accept: 'application/json', ...(kind === 'anthropic' ? { 'anthropic-version': '2023-06-01' } : {}) };
  const auth: Record<string, string> = !key
    ? {}
    : kind === 'anthropic'
      ? { 'x-api-key': key }
      : kind === 'google'
        ? { 'x-goog-api-key': key }
        : { authorization: `Bearer ${key}` };
  return { ...accept, ...auth, ...headers };
}

function itemsOf(body: unknown): unknown[] | undefined {
  if (!isRecord(body)) return undefined;
  const list = body.data ?? body.models;
  if (Array.isArray(list)) return list;
  // An Ollama without a model says `null`.
  return list === null ? [] : undefined;
}

/** Anthropic pages by the last id, Google by a token. */
function nextPage(body: unknown): string | undefined {
  if (!isRecord(body)) return undefined;
  if (body.has_more === true && typeof body.last_id === 'string') {
    return `?limit=1000&after_id=${encodeURIComponent(body.last_id)}`;
  }
  return typeof body.nextPageToken === 'string' && body.nextPageToken
    ? `?pageSize=1000&pageToken=${encodeURIComponent(body.nextPageToken)}`
    : undefined;
}

/** Undefined for what answers no chat. */
function read(item: unknown, { kind }: Endpoint): ListedModel | undefined {
  if (!isRecord(item)) return undefined;
  const raw = textOf(item.id) ?? textOf(item.name);
  if (!raw) return undefined;
  if (kind === 'google') {
    const methods = item.supportedGenerationMethods;
    if (Array.isArray(methods) && !methods.includes('generateContent')) return undefined;
  }
  const id = kind === 'google' ? raw.replace(/^models\//, '') : raw;
  const name =
    textOf(item.display_name) ?? textOf(item.displayName) ?? (textOf(item.id) ? textOf(item.name) : undefined);
  const info = infoOf(item);
  return { id, ...(name ? { name } : {}), ...(Object.keys(info).length > 0 ? { info } : {}) };
}

function infoOf(item: Record<string, unknown>): Partial<ModelInfo> {
  const top = isRecord(item.top_provider) ? item.top_provider : {};
  const architecture = isRecord(item.architecture) ? item.architecture : {};
  const contextWindow =
    tokens(item.context_length) ??
    tokens(item.max_input_tokens) ??
    tokens(item.inputTokenLimit) ??
    tokens(item.max_model_len);
  const maxOutput = tokens(top.max_completion_tokens) ?? tokens(item.max_tokens) ?? tokens(item.outputTokenLimit);
  const inputs = architecture.input_modalities;
  const prices = pricesOf(item.pricing);
  return {
    ...(contextWindow ? { contextWindow } : {}),
    ...(maxOutput ? { maxOutput } : {}),
    ...(Array.isArray(inputs) ? { images: inputs.includes('image') } : {}),
    ...(typeof item.thinking === 'boolean' ? { thinking: item.thinking } : {}),
    ...(prices ? { prices } : {}),
  };
}

/** OpenRouter's: US dollars for one token, as text; a negative one means that it depends. */
function pricesOf(pricing: unknown): Prices | undefined {
  if (!isRecord(pricing)) return undefined;
  const input = dollars(pricing.prompt);
  const output = dollars(pricing.completion);
  if (input === undefined || output === undefined) return undefined;
  const cacheRead = dollars(pricing.input_cache_read);
  const cacheWrite = dollars(pricing.input_cache_write);
  return { input, output, ...(cacheRead ? { cacheRead } : {}), ...(cacheWrite ? { cacheWrite } : {}) };
}

function dollars(value: unknown): number | undefined {
  const amount = typeof value === 'string' && value.trim() ? Number(value) : value;
  if (typeof amount !== 'number' || !Number.isFinite(amount) || amount < 0 || amount > 1) return undefined;
  return Number((amount * 1e6).toPrecision(12));
}

function tokens(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0 && value < 1e9 ? value : undefined;
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' && value.length < 300 ? value : undefined;
}

function reasonOf(cause: unknown): string {
  if (cause instanceof SyntaxError) return 'its answer is no JSON';
  if (!(cause instanceof Error)) return String(cause);
  return cause.cause instanceof Error ? cause.cause.message || cause.message : cause.message;
}

function silent({ provider }: Endpoint, reason: string): FetchedModels {
  return { ok: false, error: { code: 'no_list', message: `${provider} gave no list of its models: ${reason}.` } };
}
