import { APICallError } from '@ai-sdk/provider';
import { BlackError, type EngineError } from '@black-ide/protocol';

export type FailureKind =
  | 'auth'
  | 'rate_limit'
  | 'overloaded'
  | 'overflow'
  | 'network'
  | 'dropped'
  | 'invalid'
  | 'aborted';

/** A model call that failed, sorted by what can be done about it (IDE-20). */
export interface ModelFailure {
  kind: FailureKind;
  error: EngineError;
  /** What the server asked to wait, in milliseconds. */
  retryAfterMs?: number;
}

const RETRIED: readonly FailureKind[] = ['rate_limit', 'overloaded', 'network', 'dropped'];

export function isRetryable(failure: ModelFailure): boolean {
  return RETRIED.includes(failure.kind);
}

/** Sorts whatever a provider threw or streamed as an error. */
export function classifyFailure(cause: unknown, provider: string, now: number, signal?: AbortSignal): ModelFailure {
  if (signal?.aborted) return failure('aborted', 'cancelled', 'The model was stopped.');
  if (cause instanceof BlackError) return { kind: 'invalid', error: BlackError.toValue(cause) };
  if (APICallError.isInstance(cause)) return ofApiCall(cause, provider, now);
  const words = describe(cause);
  if (OVERFLOW.test(words)) return overflow(words);
  if (/overloaded/i.test(words)) return failure('overloaded', 'overloaded', `${provider} is overloaded: ${words}`);
  if (/rate.?limit/i.test(words)) return failure('rate_limit', 'rate_limited', `${provider} limits the rate: ${words}`);
  return failure('dropped', 'stream_dropped', `The answer of ${provider} broke off: ${words}`);
}

function ofApiCall(cause: APICallError, provider: string, now: number): ModelFailure {
  const status = cause.statusCode;
  const words = describe(cause);
  const wait = retryAfter(cause.responseHeaders ?? {}, now);
  const base = (kind: FailureKind, code: string, message: string, next?: string): ModelFailure => ({
    ...failure(kind, code, message, next),
    ...(wait === undefined ? {} : { retryAfterMs: wait }),
  });
  if (status === undefined) {
    return base('network', 'network', `${provider} cannot be reached: ${words}`, 'Check the network and the base URL.');
  }
  if (status < 400) return base('dropped', 'stream_dropped', `The answer of ${provider} broke off: ${words}`);
  if (status === 401 || status === 403) {
    return base('auth', 'auth', `${provider} refused the key (${status}): ${words}`, keyAdvice(provider));
  }
  if (status === 413 || OVERFLOW.test(words)) {
    return overflow(words);
  }
  if (status === 429) return base('rate_limit', 'rate_limited', `${provider} limits the rate: ${words}`);
  if (status === 529 || status === 503)
    return base('overloaded', 'overloaded', `${provider} is overloaded (${status}): ${words}`);
  if (status >= 500 || status === 408 || status === 409) {
    return base('network', 'server_error', `${provider} failed (${status}): ${words}`);
  }
  if (status === 404) {
    return base(
      'invalid',
      'not_found',
      `${provider} knows no such model or address (404): ${words}`,
      'Check the model’s name and the base URL.',
    );
  }
  return base('invalid', 'invalid_request', `${provider} refused the request (${status}): ${words}`);
}

/** The wordings of context overflow that Anthropic, OpenAI and compatible servers use. */
const OVERFLOW =
  /prompt is too long|input is too long|context.{0,20}(length|window|limit|size)|maximum context|too many (input )?tokens|token count.{0,40}exceeds|request.{0,10}too large|reduce the length of the messages/i;

function overflow(words: string): ModelFailure {
  const next = 'Start a new session, or choose a model with a larger context.';
  return failure('overflow', 'context_overflow', `The conversation is too long for the model: ${words}`, next);
}

function keyAdvice(provider: string): string {
  return `Check ${provider.toUpperCase()}_API_KEY, or use --model offline to go on without a model.`;
}

/** `retry-after-ms`, or `retry-after` in seconds or as a date; milliseconds. */
function retryAfter(headers: Record<string, string>, now: number): number | undefined {
  const ms = Number(headers['retry-after-ms']);
  if (headers['retry-after-ms'] && Number.isFinite(ms)) return Math.max(0, ms);
  const after = headers['retry-after'];
  if (!after) return undefined;
  const seconds = Number(after);
  if (Number.isFinite(seconds)) return Math.max(0, seconds * 1000);
  const date = Date.parse(after);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

/** The server's own sentence, at most 500 characters: error bodies can be whole pages. */
function describe(cause: unknown): string {
  const message = deepMessage(cause) ?? String(cause);
  return message.replaceAll(/\s+/g, ' ').trim().slice(0, 500) || 'no reason given';
}

function deepMessage(cause: unknown): string | undefined {
  if (typeof cause === 'string') return cause;
  if (typeof cause !== 'object' || cause === null) return undefined;
  if (APICallError.isInstance(cause)) {
    const data = cause.data as { error?: { message?: unknown } } | undefined;
    if (typeof data?.error?.message === 'string') return data.error.message;
    return cause.message && cause.message !== 'Bad Request' ? cause.message : (cause.responseBody ?? cause.message);
  }
  const { message, error, type } = cause as { message?: unknown; error?: unknown; type?: unknown };
  if (typeof message === 'string' && message) return typeof type === 'string' ? `${type}: ${message}` : message;
  return error === undefined ? undefined : deepMessage(error);
}

function failure(kind: FailureKind, code: string, message: string, next?: string): ModelFailure {
  return { kind, error: { code, message, ...(next ? { next } : {}) } };
}
