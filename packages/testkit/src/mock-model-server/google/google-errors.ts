import type { WireError } from '../wire-errors.ts';

const DOMAIN = 'generativelanguage.googleapis.com';

/** An error body of Google's APIs: `{"error": {code, message, status, details?}}`. */
export function googleError(code: number, status: string, message: string, details: object[] = []): WireError {
  return { status: code, body: { error: { code, message, status, ...(details.length > 0 ? { details } : {}) } } };
}

export function googleInvalid(message: string): WireError {
  return googleError(400, 'INVALID_ARGUMENT', message);
}

/** How the JSON reader refuses a field: its path is within the message, and again in the details. */
export function googleBadField(field: string, description: string): WireError {
  const details = [{ '@type': 'type.googleapis.com/google.rpc.BadRequest', fieldViolations: [{ field, description }] }];
  return googleError(400, 'INVALID_ARGUMENT', description, details);
}

/** Google calls a wrong key a bad request. */
export function googleWrongKey(): WireError {
  const info = {
    '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
    reason: 'API_KEY_INVALID',
    domain: 'googleapis.com',
    metadata: { service: DOMAIN },
  };
  const words = {
    '@type': 'type.googleapis.com/google.rpc.LocalizedMessage',
    locale: 'en-US',
    message: 'API key not valid. Please pass a valid API key.',
  };
  return googleError(400, 'INVALID_ARGUMENT', words.message, [info, words]);
}

export function googleNoKey(): WireError {
  const message =
    "Method doesn't allow unregistered callers (callers without established identity). Please use API Key or other form of API consumer identity to call this API.";
  return googleError(403, 'PERMISSION_DENIED', message);
}

const BY_STATUS: Record<number, [status: string, message: string]> = {
  400: ['INVALID_ARGUMENT', 'Request contains an invalid argument.'],
  401: ['UNAUTHENTICATED', 'Request had invalid authentication credentials.'],
  403: ['PERMISSION_DENIED', 'The caller does not have permission'],
  404: ['NOT_FOUND', 'models/mock is not found for API version v1beta, or is not supported for generateContent.'],
  429: ['RESOURCE_EXHAUSTED', 'Resource has been exhausted (e.g. check quota).'],
  500: [
    'INTERNAL',
    'An internal error has occurred. Please retry or report in https://developers.generativeai.google/guide/troubleshooting',
  ],
  503: ['UNAVAILABLE', 'The model is overloaded. Please try again later.'],
  504: ['DEADLINE_EXCEEDED', 'Deadline expired before operation could complete.'],
};
const RETRY_DELAY = '1s';

export function usualGoogleError(code: number, message?: string): WireError {
  const [status, text] = BY_STATUS[code] ?? (code < 500 ? BY_STATUS[400]! : BY_STATUS[500]!);
  const details =
    code === 429
      ? [
          {
            '@type': 'type.googleapis.com/google.rpc.QuotaFailure',
            violations: [
              {
                quotaMetric: `${DOMAIN}/generate_content_free_tier_requests`,
                quotaId: 'GenerateRequestsPerMinutePerProjectPerModel-FreeTier',
                quotaDimensions: { location: 'global', model: 'mock-model' },
                quotaValue: '10',
              },
            ],
          },
          { '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: RETRY_DELAY },
        ]
      : [];
  return googleError(code, status, message ?? text, details);
}
