import { isRecord } from '../json.ts';
import { chatError, type WireError } from '../wire-errors.ts';

/** An error body of Ollama: `{"error": "words"}`. */
export function ollamaError(status: number, message: string): WireError {
  return { status, body: { error: message } };
}

const BY_STATUS: Record<number, string> = {
  400: 'invalid request',
  401: 'unauthorized',
  404: "model 'mock-model' not found",
  429: 'too many requests',
  500: 'an error was encountered while running the model: unexpected EOF',
  503: 'server busy, please try again. maximum pending requests exceeded',
};

export function usualOllamaError(status: number, message?: string): WireError {
  return ollamaError(status, message ?? BY_STATUS[status] ?? (status < 500 ? BY_STATUS[400]! : BY_STATUS[500]!));
}

const CHAT_TYPES: Record<number, string> = { 400: 'invalid_request_error', 404: 'not_found_error' };

/** The same words in the shape of the Chat wire. */
export function usualOllamaChatError(status: number, message?: string): WireError {
  const { error } = usualOllamaError(status, message).body as { error: string };
  return chatError(status, error, { type: CHAT_TYPES[status] ?? 'api_error' });
}

export function asOllamaChatError(error: WireError): WireError {
  const inner = (error.body as { error?: unknown }).error;
  return usualOllamaChatError(error.status, isRecord(inner) ? String(inner.message) : undefined);
}
