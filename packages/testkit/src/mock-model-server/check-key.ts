import type { IncomingHttpHeaders } from 'node:http';
import { googleNoKey, googleWrongKey } from './google/google-errors.ts';
import { usualOllamaError } from './ollama/ollama-errors.ts';
import { openrouterError } from './openrouter/openrouter-errors.ts';
import { anthropicError, chatError, type WireError } from './wire-errors.ts';

/** Each returns the wire's refusal, or undefined when the key passes. Without a `wanted` key any non-empty one does. */

const NO_CHAT_KEY =
  "You didn't provide an API key. You need to provide your API key in an Authorization header using Bearer auth (i.e. Authorization: Bearer YOUR_KEY), or as the password field (with blank username) if you're accessing the API from your browser and are prompted for a username and password. You can obtain an API key from https://platform.openai.com/account/api-keys.";

/** As OpenAI shows a wrong key: its first three and last four characters. */
function masked(key: string): string {
  return `${key.slice(0, 3)}${'*'.repeat(Math.max(0, key.length - 7))}${key.slice(Math.max(3, key.length - 4))}`;
}

function headerOf(headers: IncomingHttpHeaders, name: string): string | undefined {
  const value = headers[name];
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function bearerOf(headers: IncomingHttpHeaders): string | undefined {
  return /^Bearer\s+(\S+)$/i.exec(headers.authorization ?? '')?.[1];
}

function passes(key: string | undefined, wanted: string | undefined): boolean {
  return key !== undefined && (wanted === undefined || key === wanted);
}

/** OpenAI takes a bearer token. */
export function checkChatKey(headers: IncomingHttpHeaders, wanted: string | undefined): WireError | undefined {
  const key = bearerOf(headers);
  if (passes(key, wanted)) return undefined;
  if (key === undefined) return chatError(401, NO_CHAT_KEY);
  const where = 'You can find your API key at https://platform.openai.com/account/api-keys.';
  return chatError(401, `Incorrect API key provided: ${masked(key)}. ${where}`, { code: 'invalid_api_key' });
}

/** Anthropic takes `x-api-key` or a bearer token. */
export function checkAnthropicKey(headers: IncomingHttpHeaders, wanted: string | undefined): WireError | undefined {
  const key = headerOf(headers, 'x-api-key') ?? bearerOf(headers);
  if (passes(key, wanted)) return undefined;
  const text = key === undefined ? 'x-api-key header is required' : 'invalid x-api-key';
  return anthropicError(401, 'authentication_error', text);
}

/** Google takes a header, a parameter of the query, or a bearer token. */
export function checkGoogleKey(
  headers: IncomingHttpHeaders,
  query: URLSearchParams,
  wanted: string | undefined,
): WireError | undefined {
  const key = headerOf(headers, 'x-goog-api-key') ?? (query.get('key') || undefined) ?? bearerOf(headers);
  if (passes(key, wanted)) return undefined;
  return key === undefined ? googleNoKey() : googleWrongKey();
}

/** Ollama at home asks for no key. A script that wants one has Ollama's cloud before it. */
export function checkOllamaKey(headers: IncomingHttpHeaders, wanted: string | undefined): WireError | undefined {
  return wanted === undefined || bearerOf(headers) === wanted ? undefined : usualOllamaError(401);
}

export function checkOpenrouterKey(headers: IncomingHttpHeaders, wanted: string | undefined): WireError | undefined {
  const key = bearerOf(headers);
  if (passes(key, wanted)) return undefined;
  return openrouterError(401, key === undefined ? 'No auth credentials found' : 'User not found.');
}
