/** A refusal as the wire's real server words it. */
export interface WireError {
  status: number;
  body: object;
}

/** An error body of the OpenAI API: `{"error": {message, type, param, code}}`. */
export function chatError(
  status: number,
  message: string,
  details: { type?: string; param?: string | null; code?: string | null } = {},
): WireError {
  const { type = 'invalid_request_error', param = null, code = null } = details;
  return { status, body: { error: { message, type, param, code } } };
}

/** An error body of the Anthropic API: `{"type": "error", "error": {type, message}, "request_id"}`. */
export function anthropicError(status: number, type: string, message: string): WireError {
  return { status, body: { type: 'error', error: { type, message }, request_id: 'req_011CMock' } };
}

export function anthropicInvalid(message: string): WireError {
  return anthropicError(400, 'invalid_request_error', message);
}

const ANTHROPIC_BY_STATUS: Record<number, [type: string, message: string]> = {
  400: ['invalid_request_error', 'Bad request.'],
  401: ['authentication_error', 'invalid x-api-key'],
  403: ['permission_error', 'Your API key does not have permission to use the specified resource.'],
  404: ['not_found_error', 'Not Found'],
  413: ['request_too_large', 'Request exceeds the maximum size'],
  429: ['rate_limit_error', "This request would exceed your organization's rate limit."],
  500: ['api_error', 'Internal server error'],
  504: ['timeout_error', 'Request timed out'],
  529: ['overloaded_error', 'Overloaded'],
};

const CHAT_BY_STATUS: Record<number, [message: string, type: string, code: string | null]> = {
  401: [
    'Incorrect API key provided: mock-key. You can find your API key at https://platform.openai.com/account/api-keys.',
    'invalid_request_error',
    'invalid_api_key',
  ],
  404: ['The model does not exist or you do not have access to it.', 'invalid_request_error', 'model_not_found'],
  429: ['Rate limit reached for requests. Please try again later.', 'requests', 'rate_limit_exceeded'],
  500: ['The server had an error while processing your request. Sorry about that!', 'server_error', null],
  503: ['The engine is currently overloaded, please try again later', 'server_error', 'service_unavailable'],
};

/** The body that Anthropic's server usually gives for a status; `message` replaces the usual words. */
export function usualAnthropicError(status: number, message?: string): WireError {
  const fallback: [string, string] =
    status < 500 ? ['invalid_request_error', 'Bad request.'] : ['api_error', 'Internal server error'];
  const [type, text] = ANTHROPIC_BY_STATUS[status] ?? fallback;
  return anthropicError(status, type, message ?? text);
}

/** The same for both of OpenAI's APIs. */
export function usualChatError(status: number, message?: string): WireError {
  const fallback: [string, string, string | null] =
    status < 500 ? ['Bad request.', 'invalid_request_error', null] : CHAT_BY_STATUS[500]!;
  const [text, type, code] = CHAT_BY_STATUS[status] ?? fallback;
  return chatError(status, message ?? text, { type, code });
}
