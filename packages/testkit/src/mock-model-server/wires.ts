import { anthropicEvents, anthropicMessage, rememberAnthropic } from './anthropic/anthropic-wire.ts';
import { readAnthropic } from './anthropic/read-anthropic.ts';
import { validateAnthropic } from './anthropic/validate-anthropic.ts';
import { chatCompletion, chatEvents } from './chat/chat-wire.ts';
import { readChat } from './chat/read-chat.ts';
import { validateChat } from './chat/validate-chat.ts';
import { checkAnthropicKey, checkChatKey, checkGoogleKey } from './check-key.ts';
import { googleInvalid, usualGoogleError } from './google/google-errors.ts';
import { googleEvents, googleFraming, googleResponse, rememberGoogle } from './google/google-wire.ts';
import { googleCall, readGoogle } from './google/read-google.ts';
import { validateGoogle } from './google/validate-google.ts';
import type { Wire } from './model-request.ts';
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

const KITS: Record<Wire, WireKit> = { chat, anthropic, responses, google };

export function wireKit(wire: Wire): WireKit {
  return KITS[wire];
}

/** The wire of a call to a model, or undefined for any other request. Whatever stands before its end is free. */
export function wireOf(method: string, { pathname }: CallAddress): Wire | undefined {
  if (method !== 'POST') return undefined;
  if (pathname.endsWith('/chat/completions')) return 'chat';
  if (pathname.endsWith('/messages')) return 'anthropic';
  if (pathname.endsWith('/responses')) return 'responses';
  return googleCall(pathname) ? 'google' : undefined;
}
