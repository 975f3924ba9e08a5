import type { IncomingHttpHeaders } from 'node:http';
import type { Wire } from './model-request.ts';
import { anthropicError, chatError, type WireError } from './wire-errors.ts';

const NO_CHAT_KEY =
  "You didn't provide an API key. You need to provide your API key in an Authorization header using Bearer auth (i.e. Authorization: Bearer YOUR_KEY), or as the password field (with blank username) if you're accessing the API from your browser and are prompted for a username and password. You can obtain an API key from https://platform.openai.com/account/api-keys.";

/** As OpenAI shows a wrong key: its first three and last four characters. */
function masked(key: string): string {
  return `${key.slice(0, 3)}${'*'.repeat(Math.max(0, key.length - 7))}${key.slice(Math.max(3, key.length - 4))}`;
}

/**
 * The wire's 401, or undefined when the key passes. Anthropic takes `x-api-key` or a bearer token, Chat only the latter.
 * Without a `wanted` key any non-empty one passes.
 */
export function checkKey(wire: Wire, headers: IncomingHttpHeaders, wanted: string | undefined): WireError | undefined {
  const bearer = /^Bearer\s+(\S+)$/i.exec(headers.authorization ?? '')?.[1];
  const header = headers['x-api-key'];
  const key = wire === 'anthropic' && typeof header === 'string' && header !== '' ? header : bearer;
  if (key !== undefined && (wanted === undefined || key === wanted)) return undefined;
  if (wire === 'anthropic') {
    const text = key === undefined ? 'x-api-key header is required' : 'invalid x-api-key';
    return anthropicError(401, 'authentication_error', text);
  }
  if (key === undefined) return chatError(401, NO_CHAT_KEY);
  const where = 'You can find your API key at https://platform.openai.com/account/api-keys.';
  return chatError(401, `Incorrect API key provided: ${masked(key)}. ${where}`, { code: 'invalid_api_key' });
}
