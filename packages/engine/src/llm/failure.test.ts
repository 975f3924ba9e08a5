import { APICallError } from '@ai-sdk/provider';
import { expect, it } from 'vitest';
import { classifyFailure, isRetryable } from './failure.ts';

function refused(statusCode: number | undefined, body: unknown, headers: Record<string, string> = {}): APICallError {
  const responseBody = typeof body === 'string' ? body : JSON.stringify(body);
  const url = 'http://provider/';
  return new APICallError({
    message: 'Bad Request',
    url,
    requestBodyValues: {},
    responseHeaders: headers,
    responseBody,
    ...(statusCode === undefined ? {} : { statusCode }),
  });
}

const anthropic = (type: string, message: string) => ({ type: 'error', error: { type, message }, request_id: 'req_1' });
const openai = (message: string, code: string | null, type = 'invalid_request_error') => ({
  error: { message, type, param: null, code },
});
const google = (code: number, status: string, message: string, details: unknown[] = []) => ({
  error: { code, message, status, details },
});
const retryInfo = { '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '34.07s' };
const rawRate = JSON.stringify({ error: { message: 'slow down', code: 429 } });

/** Error bodies as the providers send them: status, body, kind, words that a person gets to see. */
const BODIES: [string, number, unknown, string, RegExp][] = [
  ['anthropic', 401, anthropic('authentication_error', 'invalid x-api-key'), 'auth', /invalid x-api-key/],
  ['anthropic', 403, anthropic('permission_error', 'Your API key does not have permission'), 'auth', /permission/],
  ['anthropic', 400, anthropic('invalid_request_error', 'Your credit balance is too low to access'), 'quota', /credit/],
  [
    'anthropic',
    400,
    anthropic('invalid_request_error', 'prompt is too long: 209 tokens > 200 maximum'),
    'overflow',
    /209/,
  ],
  ['anthropic', 413, anthropic('request_too_large', 'Request exceeds the maximum size'), 'overflow', /maximum size/],
  ['anthropic', 429, anthropic('rate_limit_error', 'Number of request tokens has exceeded'), 'rate_limit', /Number/],
  ['anthropic', 529, anthropic('overloaded_error', 'Overloaded'), 'overloaded', /Overloaded/],
  ['anthropic', 500, anthropic('api_error', 'Internal server error'), 'network', /Internal/],
  ['anthropic', 400, anthropic('invalid_request_error', 'messages.1: bad'), 'invalid', /messages\.1: bad/],
  ['openai', 401, openai('Incorrect API key provided: sk-…', 'invalid_api_key'), 'auth', /Incorrect/],
  [
    'openai',
    429,
    openai('You exceeded your current quota', 'insufficient_quota', 'insufficient_quota'),
    'quota',
    /quota/,
  ],
  ['openai', 429, openai('Rate limit reached for gpt-5', 'rate_limit_exceeded', 'tokens'), 'rate_limit', /reached/],
  ['openai', 400, openai('Your input exceeds the context window', 'context_length_exceeded'), 'overflow', /context/],
  ['openai', 404, openai('The model `x` does not exist', 'model_not_found'), 'invalid', /does not exist/],
  ['openai', 503, openai('The engine is currently overloaded', null, 'server_error'), 'overloaded', /engine/],
  [
    'google',
    400,
    google(400, 'INVALID_ARGUMENT', 'API key not valid. Please pass a valid API key.'),
    'auth',
    /not valid/,
  ],
  ['google', 403, google(403, 'PERMISSION_DENIED', 'Permission denied'), 'auth', /denied/],
  [
    'google',
    429,
    google(429, 'RESOURCE_EXHAUSTED', 'You exceeded your current quota', [retryInfo]),
    'rate_limit',
    /quota/,
  ],
  ['google', 503, google(503, 'UNAVAILABLE', 'The model is overloaded.'), 'overloaded', /overloaded/],
  ['google', 500, google(500, 'INTERNAL', 'An internal error has occurred.'), 'network', /internal/],
  [
    'google',
    400,
    [google(400, 'INVALID_ARGUMENT', 'The input token count (1200000) exceeds the maximum number of tokens allowed')],
    'overflow',
    /1200000/,
  ],
  ['openrouter', 402, { error: { code: 402, message: 'This request requires more credits' } }, 'quota', /more credits/],
  [
    'openrouter',
    429,
    { error: { code: 429, message: 'Provider returned error', metadata: { raw: rawRate, provider_name: 'X' } } },
    'rate_limit',
    /Provider returned error: slow down/,
  ],
  ['openrouter', 403, { error: { code: 403, message: 'Input was flagged for moderation' } }, 'invalid', /flagged/],
  ['openrouter', 502, { error: { code: 502, message: 'Provider is down' } }, 'network', /down/],
  ['ollama', 404, { error: 'model "x" not found, try pulling it first' }, 'invalid', /try pulling/],
  ['ollama', 400, { error: 'input is too long: exceeds the available context size' }, 'overflow', /too long/],
  ['mine', 422, { detail: [{ loc: ['body'], msg: 'field required' }] }, 'invalid', /field required/],
  [
    'mine',
    502,
    '<html><head><title>502 Bad Gateway</title></head><body>…</body></html>',
    'network',
    /502 Bad Gateway\.$/,
  ],
  ['mine', 500, '', 'network', /./],
];

it.each(BODIES)(
  'IDE-20 %s %i is sorted and told in the provider’s own words: %o',
  (provider, status, body, kind, words) => {
    const failure = classifyFailure(refused(status, body), provider, 0);
    expect(failure.kind).toBe(kind);
    expect(failure.error.message).toMatch(words);
    expect(isRetryable(failure)).toBe(['rate_limit', 'overloaded', 'network', 'dropped'].includes(kind));
  },
);

it('IDE-20 an error inside a stream that had begun is sorted by what it says', () => {
  const kind = (cause: unknown) => classifyFailure(cause, 'x', 0).kind;
  expect(kind({ type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } })).toBe('overloaded');
  expect(kind({ type: 'response.failed', response: { error: { code: 'rate_limit_exceeded', message: 'x' } } })).toBe(
    'rate_limit',
  );
  expect(kind({ type: 'error', code: 'context_length_exceeded', message: 'too long', param: null })).toBe('overflow');
  expect(kind({ code: 502, message: 'Provider disconnected' })).toBe('network');
  expect(kind(refused(200, google(503, 'UNAVAILABLE', 'overloaded')))).toBe('overloaded');
  expect(kind('something odd')).toBe('dropped');
  expect(kind(undefined)).toBe('dropped');
  expect(kind(new Error('socket hang up'))).toBe('dropped');
});

it('IDE-20 a wait that the provider asks for is kept, in each of its forms', () => {
  const wait = (cause: unknown) => classifyFailure(cause, 'x', 1_000).retryAfterMs;
  expect(wait(refused(429, google(429, 'RESOURCE_EXHAUSTED', 'quota', [retryInfo])))).toBe(34_070);
  expect(wait(refused(429, '', { 'retry-after': '2' }))).toBe(2_000);
  expect(wait(refused(429, '', { 'retry-after-ms': '150' }))).toBe(150);
  expect(wait(refused(429, '', { 'retry-after': new Date(61_000).toUTCString() }))).toBe(60_000);
  expect(wait(refused(429, '', { 'retry-after': 'soon' }))).toBeUndefined();
});

it('IDE-20 says what to do: the right variable, the model’s name, a server that does not run', () => {
  const next = (provider: string, cause: unknown) => classifyFailure(cause, provider, 0).error.next;
  expect(next('google', refused(401, ''))).toContain('GEMINI_API_KEY');
  expect(next('mine', refused(401, ''))).toContain('black auth set mine');
  expect(next('ollama', refused(undefined, ''))).toContain('ollama serve');
  expect(next('openai', refused(404, ''))).toContain('black models');
});
