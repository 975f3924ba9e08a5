import { APICallError } from '@ai-sdk/provider';
import type { Embedder } from '@black-ide/intel';
import { BlackError } from '@black-ide/protocol';
import type { Clock } from '../../engine-api.ts';
import { classifyFailure, type ModelFailure } from '../failure.ts';
import { retryDelay } from '../retry-delay.ts';

/** What vectors are made for: models put texts that are looked for and texts that are looked through apart. */
export type Purpose = Parameters<Embedder['embed']>[1];

/** How a server is asked for vectors. */
export interface EmbeddingWire {
  url: string;
  headers: Readonly<Record<string, string>>;
  body(texts: readonly string[], purpose: Purpose): object;
  /** One entry a text, undefined where it has none. @throws where the answer is of no use at all. */
  read(answer: unknown, count: number): unknown[];
}

export interface WireEmbedderOptions {
  /** As in `provider/model`. */
  provider: string;
  modelId: string;
  wire: EmbeddingWire;
  fetch: typeof globalThis.fetch;
  clock: Clock;
  /** A number from 0 (inclusive) to 1, for the jitter of retries. */
  random: () => number;
}

/** A server that is given a whole batch may take its time, one at home even more. Milliseconds. */
const PATIENCE = 120_000;
/** So many texts may be refused before one is taken: then it is not the texts. */
const MOST_REFUSED = 4;

/**
 * Vectors from a model's server (INT-9). What passes is tried again; a text that is refused costs no other its vector.
 */
export class WireEmbedder implements Embedder {
  readonly id: string;
  readonly #options: WireEmbedderOptions;

  constructor(options: WireEmbedderOptions) {
    this.#options = options;
    this.id = `${options.provider}/${options.modelId}`;
  }

  /** @throws BlackError with the server's words; the signal's reason. */
  async embed(texts: readonly string[], purpose: Purpose, signal?: AbortSignal): Promise<(Float32Array | undefined)[]> {
    return await this.#embed(texts, purpose, signal, { refused: 0, taken: false });
  }

  /** Texts that are refused together are tried in halves, until it is known which it is. */
  async #embed(
    texts: readonly string[],
    purpose: Purpose,
    signal: AbortSignal | undefined,
    count: { refused: number; taken: boolean },
  ): Promise<(Float32Array | undefined)[]> {
    const answer = await this.#ask(texts, purpose, signal);
    if (answer.ok) {
      count.taken = true;
      return sameWidth(answer.vectors);
    }
    const { failure } = answer;
    if (!isAboutTexts(failure)) throw errorOf(failure);
    if (texts.length > 1) {
      const middle = Math.ceil(texts.length / 2);
      const first = await this.#embed(texts.slice(0, middle), purpose, signal, count);
      return [...first, ...(await this.#embed(texts.slice(middle), purpose, signal, count))];
    }
    if (++count.refused >= MOST_REFUSED && !count.taken) throw errorOf(failure);
    return [undefined];
  }

  async #ask(
    texts: readonly string[],
    purpose: Purpose,
    signal: AbortSignal | undefined,
  ): Promise<{ ok: true; vectors: (Float32Array | undefined)[] } | { ok: false; failure: ModelFailure }> {
    const { provider, clock, random } = this.#options;
    for (let tries = 1; ; tries++) {
      try {
        return { ok: true, vectors: await this.#post(texts, purpose, signal) };
      } catch (cause) {
        signal?.throwIfAborted();
        const failure = classifyFailure(cause, provider, clock.now());
        const delayMs = retryDelay(failure, tries, random);
        if (delayMs === undefined) return { ok: false, failure };
        await clock.sleep(delayMs, signal);
      }
    }
  }

  /** @throws APICallError for what the server refuses or the network does. */
  async #post(
    texts: readonly string[],
    purpose: Purpose,
    signal: AbortSignal | undefined,
  ): Promise<(Float32Array | undefined)[]> {
    const { wire, fetch } = this.#options;
    const patience = AbortSignal.timeout(PATIENCE);
    const call = { url: wire.url, requestBodyValues: {} };
    let response: Response;
    let text: string;
    try {
      response = await fetch(wire.url, {
        method: 'POST',
        headers: { 'content-type': 'application/json', accept: 'application/json', ...wire.headers },
        body: JSON.stringify(wire.body(texts, purpose)),
        signal: signal ? AbortSignal.any([signal, patience]) : patience,
      });
      text = await response.text();
    } catch (cause) {
      throw new APICallError({ ...call, message: cause instanceof Error ? cause.message : String(cause), cause });
    }
    if (!response.ok) {
      const responseHeaders = Object.fromEntries(response.headers);
      const message = `status ${response.status}`;
      throw new APICallError({ ...call, message, statusCode: response.status, responseHeaders, responseBody: text });
    }
    return wire.read(parsed(text), texts.length).map(vectorOf);
  }
}

/** Whether fewer or other texts might be taken. */
function isAboutTexts({ kind, error }: ModelFailure): boolean {
  return kind === 'overflow' || error.code === 'invalid_request';
}

function errorOf({ error }: ModelFailure): BlackError {
  return new BlackError(error.code, error.message, error.next);
}

/** Undefined for what is no JSON. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function vectorOf(value: unknown): Float32Array | undefined {
  if (!Array.isArray(value) || value.length === 0 || !value.every(Number.isFinite)) return undefined;
  return Float32Array.from(value);
}

/** Vectors of another width than the first one are of no use. */
function sameWidth(vectors: (Float32Array | undefined)[]): (Float32Array | undefined)[] {
  const width = vectors.find((vector) => vector !== undefined)?.length;
  return vectors.map((vector) => (vector?.length === width ? vector : undefined));
}
