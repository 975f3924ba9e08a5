import { BlackError, type EngineError } from '@black-ide/protocol';
import { BUILT_IN } from './constants.ts';
import { type FailureFacts, factsOf } from './failure-facts.ts';

export type FailureKind =
  | 'auth'
  /** The money or the plan is used up: waiting does not help. */
  | 'quota'
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
  const own = ownErrorIn(cause);
  if (own) return { kind: 'invalid', error: BlackError.toValue(own) };
  const facts = factsOf(cause, now);
  const sorted = sort(facts, provider);
  return facts.retryAfterMs === undefined ? sorted : { ...sorted, retryAfterMs: facts.retryAfterMs };
}

/** By status and code first, by words where a provider has none of its own for a case. */
function sort(facts: FailureFacts, provider: string): ModelFailure {
  const { status, code, words, unreachable } = facts;
  const told = status === undefined ? '' : ` (${status})`;
  if (unreachable)
    return failure('network', 'network', `${provider} cannot be reached: ${words}`, reachAdvice(provider));
  if (status === 402 || QUOTA_CODE.test(code) || (QUOTA.test(words) && facts.retryAfterMs === undefined)) {
    const next = `Look at the account’s plan and credit, or choose another model.`;
    return failure('quota', 'quota', `${provider} has no credit left for this key${told}: ${words}`, next);
  }
  if (status === 401 || AUTH_CODE.test(code) || AUTH.test(words) || (status === 403 && !MODERATED.test(words))) {
    return failure('auth', 'auth', `${provider} refused the key${told}: ${words}`, keyAdvice(provider));
  }
  if (status === 413 || OVERFLOW_CODE.test(code) || OVERFLOW.test(words)) {
    const next = 'Start a new session, or choose a model with a larger context.';
    return failure('overflow', 'context_overflow', `The conversation is too long for the model: ${words}`, next);
  }
  if (status === 429 || RATE_CODE.test(code) || (status === undefined && RATE.test(words))) {
    return failure('rate_limit', 'rate_limited', `${provider} limits the rate: ${words}`);
  }
  if (
    status === 529 ||
    status === 503 ||
    OVERLOADED_CODE.test(code) ||
    (!isRefusal(status) && OVERLOADED.test(words))
  ) {
    return failure('overloaded', 'overloaded', `${provider} is overloaded${told}: ${words}`);
  }
  if (status === 404) {
    const next = provider === 'ollama' ? 'ollama pull MODEL fetches it.' : NAME_ADVICE;
    return failure('invalid', 'not_found', `${provider} knows no such model or address (404): ${words}`, next);
  }
  if ((status !== undefined && (status >= 500 || status === 408 || status === 409)) || SERVER_CODE.test(code)) {
    return failure('network', 'server_error', `${provider} failed${told}: ${words}`);
  }
  if (isRefusal(status))
    return failure('invalid', 'invalid_request', `${provider} refused the request${told}: ${words}`);
  return failure('dropped', 'stream_dropped', `The answer of ${provider} broke off: ${words}`);
}

const QUOTA_CODE = /^(insufficient_quota|billing_error|billing_hard_limit_reached|insufficient_credits)$/i;
const QUOTA = /credit balance is too low|insufficient (credits|balance|funds)|out of credits/i;
const AUTH_CODE = /^(invalid_api_key|authentication_error|permission_error|unauthenticated|permission_denied)$/i;
const AUTH = /api key (not valid|not found|expired)|(invalid|incorrect) api key/i;
const MODERATED = /moderation|flagged/i;
const OVERFLOW_CODE = /^(context_length_exceeded|string_above_max_length|request_too_large)$/i;
/** The wordings of context overflow that the providers and compatible servers use. */
const OVERFLOW =
  /prompt is too long|context.{0,20}(length|window|limit|size)|maximum context|too many (input )?tokens|request.{0,10}too large|token count.{0,40}exceed|input is too long|reduce the length of the messages|exceeds the (maximum|available)[^.]{0,40}(tokens|context)/i;
const RATE_CODE = /^(rate_limit_exceeded|rate_limit_error|resource_exhausted|too_many_requests)$/i;
const RATE = /rate.?limit/i;
const OVERLOADED_CODE = /^(overloaded_error|overloaded|unavailable|server_overloaded)$/i;
const OVERLOADED = /overloaded/i;
const SERVER_CODE = /^(server_error|api_error|internal|internal_server_error|timeout_error|deadline_exceeded)$/i;

const NAME_ADVICE = 'Check the model’s name (black models lists them) and the base URL.';

function isRefusal(status: number | undefined): boolean {
  return status !== undefined && status >= 400 && status < 500;
}

function keyAdvice(provider: string): string {
  const variable = Object.hasOwn(BUILT_IN, provider) ? BUILT_IN[provider as keyof typeof BUILT_IN].keys[0] : undefined;
  const check = variable ? `Check ${variable}, or store` : 'Store';
  return `${check} another key with black auth set ${provider}; --model offline goes on without a model.`;
}

function reachAdvice(provider: string): string {
  return provider === 'ollama'
    ? 'Is it running? ollama serve starts it; OLLAMA_HOST says where it is.'
    : 'Check the network and the base URL.';
}

function failure(kind: FailureKind, code: string, words: string, next?: string): ModelFailure {
  // The provider's own words may end anywhere, and advice follows them.
  const message = /[.!?…]$/.test(words) ? words : `${words}.`;
  return { kind, error: { code, message, ...(next ? { next } : {}) } };
}

/** An error of ours, however deep the providers' library has wrapped it. */
function ownErrorIn(cause: unknown): BlackError | undefined {
  let at = cause;
  for (let depth = 0; depth < 5 && at instanceof Error; depth++, at = at.cause) {
    if (at instanceof BlackError) return at;
  }
  return undefined;
}
