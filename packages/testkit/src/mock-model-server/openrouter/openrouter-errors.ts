import { isRecord } from '../json.ts';
import type { WireError } from '../wire-errors.ts';

const USER_ID = 'user_mock';

/** An error body of OpenRouter: the code is the status, `metadata` tells whose error it is. */
export function openrouterError(status: number, message: string, metadata?: object): WireError {
  return { status, body: { error: { message, code: status, ...(metadata ? { metadata } : {}) }, user_id: USER_ID } };
}

const BY_STATUS: Record<number, string> = {
  400: 'Bad Request',
  401: 'User not found.',
  402: 'Insufficient credits. Add more using https://openrouter.ai/settings/credits',
  403: 'Your input was flagged',
  404: 'No endpoints found for this model.',
  408: 'Request timed out',
  503: 'No instances available',
};
const PROVIDERS_OWN = 'Provider returned error';

/** Limits and failures come from the provider behind, whose words are in `metadata.raw`. */
export function usualOpenrouterError(status: number, message?: string): WireError {
  const usual = BY_STATUS[status];
  if (usual !== undefined) return openrouterError(status, message ?? usual);
  const raw =
    status === 429
      ? 'mock/mock-model is temporarily rate-limited upstream. Please retry shortly.'
      : '{"error":{"message":"The server had an error while processing your request"}}';
  return openrouterError(status, message ?? PROVIDERS_OWN, { raw, provider_name: 'Mock' });
}

/** A refusal in OpenAI's words, in OpenRouter's shape. */
export function asOpenrouterError(error: WireError): WireError {
  const inner = (error.body as { error?: unknown }).error;
  return openrouterError(error.status, isRecord(inner) ? String(inner.message) : '');
}
