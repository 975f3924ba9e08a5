import { anthropicEvents, anthropicMessage, rememberAnthropic } from './anthropic/anthropic-wire.ts';
import { readAnthropic } from './anthropic/read-anthropic.ts';
import { validateAnthropic } from './anthropic/validate-anthropic.ts';
import { chatCompletion, chatEvents } from './chat/chat-wire.ts';
import { readChat } from './chat/read-chat.ts';
import { validateChat } from './chat/validate-chat.ts';
import { checkAnthropicKey, checkChatKey, checkGoogleKey, checkOllamaKey, checkOpenrouterKey } from './check-key.ts';
import { googleInvalid, usualGoogleError } from './google/google-errors.ts';
import { googleEvents, googleFraming, googleResponse, rememberGoogle } from './google/google-wire.ts';
import { googleCall, readGoogle } from './google/read-google.ts';
import { validateGoogle } from './google/validate-google.ts';
import type { Wire } from './model-request.ts';
import { asOllamaChatError, ollamaError, usualOllamaChatError, usualOllamaError } from './ollama/ollama-errors.ts';
import { OLLAMA_DIALECT, OLLAMA_FRAMING, ollamaEvents, ollamaFailure, ollamaMessage } from './ollama/ollama-wire.ts';
import { readOllama } from './ollama/read-ollama.ts';
import { validateOllama } from './ollama/validate-ollama.ts';
import { openrouterError, usualOpenrouterError } from './openrouter/openrouter-errors.ts';
import {
  openrouterCompletion,
  openrouterErrorEvents,
  openrouterEvents,
  rememberOpenrouter,
  validateOpenrouter,
} from './openrouter/openrouter-wire.ts';
import { readResponses } from './responses/read-responses.ts';
import {
  rememberResponse,
  responsesErrorEvents,
  responsesEvents,
  responsesObject,
} from './responses/responses-wire.ts';
import { validateResponses } from './responses/validate-responses.ts';
import type { TurnContext } from './turn-context.ts';
import { anthropicInvalid, chatError, usualAnthropicError, usualChatError } from './wire-errors.ts';
import type { CallAddress, WireKit } from './wire-kit.ts';

function openaiHeaders(context: TurnContext): Record<string, string> {
  return { 'x-request-id': `req_${context.id}`, 'openai-version': '2020-10-01', 'openai-processing-ms': '1' };
}

const openaiNotJson = chatError(400, 'We could not parse the JSON body of your request.');

const chat: WireKit = {
  read: readChat,
  checkKey: (headers, _query, wanted) => checkChatKey(headers, wanted),
  validate: validateChat,
  error: usualChatError,
  notJson: openaiNotJson,
  events: chatEvents,
  whole: chatCompletion,
  errorEvents: (data) => [{ data }],
  headers: openaiHeaders,
};

const anthropic: WireKit = {
  read: readAnthropic,
  checkKey: (headers, _query, wanted) => checkAnthropicKey(headers, wanted),
  checkHeaders: (headers) =>
    headers['anthropic-version'] === undefined ? anthropicInvalid('anthropic-version: header is required') : undefined,
  validate: validateAnthropic,
  error: usualAnthropicError,
  notJson: anthropicInvalid('The request body is not valid JSON'),
  events: anthropicEvents,
  whole: anthropicMessage,
  errorEvents: (data) => [{ name: 'error', data }],
  headers: (context) => ({ 'request-id': `req_011${context.id.slice(0, 20)}` }),
  remember: rememberAnthropic,
};

const responses: WireKit = {
  read: (body, _address, memory) => readResponses(body, memory),
  checkKey: (headers, _query, wanted) => checkChatKey(headers, wanted),
  validate: validateResponses,
  error: usualChatError,
  notJson: openaiNotJson,
  events: responsesEvents,
  whole: responsesObject,
  errorEvents: responsesErrorEvents,
  headers: openaiHeaders,
  remember: rememberResponse,
};

const google: WireKit = {
  read: readGoogle,
  checkKey: checkGoogleKey,
  validate: (body, options, address) => validateGoogle(body, googleCall(address.pathname)?.model ?? '', options),
  error: usualGoogleError,
  notJson: googleInvalid('Invalid JSON payload received. Unexpected end of string.'),
  events: googleEvents,
  whole: googleResponse,
  errorEvents: (data) => [{ data }],
  headers: () => ({ 'server-timing': 'gfet4t7; dur=1' }),
  framing: googleFraming,
  remember: rememberGoogle,
};

const ollama: WireKit = {
  read: readOllama,
  checkKey: (headers, _query, wanted) => checkOllamaKey(headers, wanted),
  validate: validateOllama,
  error: usualOllamaError,
  notJson: ollamaError(400, 'missing request body'),
  events: ollamaEvents,
  whole: ollamaMessage,
  errorEvents: (data) => [{ data }],
  failure: ollamaFailure,
  headers: () => ({}),
  framing: () => OLLAMA_FRAMING,
};

/** Fields that OpenAI's server would refuse, this one does not look at. */
const ollamaChat: WireKit = {
  ...chat,
  checkKey: (headers, _query, wanted) => checkOllamaKey(headers, wanted),
  validate: (body) => {
    const refusal = validateChat(body, { allowUnknownFields: true });
    return refusal && asOllamaChatError(refusal);
  },
  error: usualOllamaChatError,
  notJson: usualOllamaChatError(400, 'unexpected EOF'),
  events: (turn, context) => chatEvents(turn, context, OLLAMA_DIALECT),
  whole: (turn, context) => chatCompletion(turn, context, OLLAMA_DIALECT),
  headers: () => ({}),
};

const openrouter: WireKit = {
  ...chat,
  checkKey: (headers, _query, wanted) => checkOpenrouterKey(headers, wanted),
  validate: validateOpenrouter,
  error: usualOpenrouterError,
  notJson: openrouterError(400, 'Invalid JSON body'),
  events: openrouterEvents,
  whole: openrouterCompletion,
  errorEvents: openrouterErrorEvents,
  failedWhole: (body) => (typeof body === 'string' ? { error: { message: body, code: 502 } } : body),
  headers: (context) => ({ 'x-generation-id': `gen-${context.id.slice(0, 20)}` }),
  remember: rememberOpenrouter,
};

const KITS: Record<Wire, WireKit> = {
  chat,
  anthropic,
  responses,
  google,
  ollama,
  'ollama-chat': ollamaChat,
  openrouter,
};

export function wireKit(wire: Wire): WireKit {
  return KITS[wire];
}

/** Which server's Chat wire is meant is seen by where it is. */
export function chatWireAt(pathname: string): 'chat' | 'ollama-chat' | 'openrouter' {
  if (pathname.includes('/ollama/')) return 'ollama-chat';
  return pathname.includes('/api/v1/') ? 'openrouter' : 'chat';
}

/** The wire of a call to a model, or undefined for any other request. Whatever stands before its end is free. */
export function wireOf(method: string, { pathname }: CallAddress): Wire | undefined {
  if (method !== 'POST') return undefined;
  if (pathname.endsWith('/chat/completions')) return chatWireAt(pathname);
  if (pathname.endsWith('/api/chat')) return 'ollama';
  if (pathname.endsWith('/messages')) return 'anthropic';
  if (pathname.endsWith('/responses')) return 'responses';
  return googleCall(pathname) ? 'google' : undefined;
}
