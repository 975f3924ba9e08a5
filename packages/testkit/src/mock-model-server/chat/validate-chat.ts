import { isRecord, type Json } from '../json.ts';
import {
  aboveMaximum,
  belowMinimum,
  checkFunction,
  emptyArray,
  hasKind,
  IMAGE_URL,
  kindOf,
  missing,
  tooLong,
  wrongType,
} from '../openai-checks.ts';
import { chatError, type WireError } from '../wire-errors.ts';

/**
 * The checks of the OpenAI Chat Completions API that a client can get wrong, in its words: bodies and `param` values
 * are those reported in public issue threads (tool pairing, `Unrecognized request argument`, types, key errors).
 */

export interface ChatCheckOptions {
  allowUnknownFields?: boolean;
  /** Parameters that a server has beside OpenAI's, in the words of `PARAMETERS`. */
  moreParameters?: Record<string, string>;
}

/** Top-level parameters of the API reference, with the type each must have. */
const PARAMETERS: Record<string, string> = {
  audio: 'an object',
  frequency_penalty: 'a decimal',
  function_call: 'any',
  functions: 'an array of objects',
  logit_bias: 'an object',
  logprobs: 'a boolean',
  max_completion_tokens: 'an integer',
  max_tokens: 'an integer',
  messages: 'an array of objects',
  metadata: 'an object',
  modalities: 'any',
  model: 'a string',
  moderation: 'any',
  n: 'an integer',
  parallel_tool_calls: 'a boolean',
  prediction: 'an object',
  presence_penalty: 'a decimal',
  prompt_cache_key: 'a string',
  prompt_cache_options: 'an object',
  prompt_cache_retention: 'a string',
  reasoning_effort: 'a string',
  response_format: 'an object',
  safety_identifier: 'a string',
  seed: 'an integer',
  service_tier: 'a string',
  stop: 'any',
  store: 'a boolean',
  stream: 'a boolean',
  stream_options: 'an object',
  temperature: 'a decimal',
  tool_choice: 'any',
  tools: 'an array of objects',
  top_logprobs: 'an integer',
  top_p: 'a decimal',
  user: 'a string',
  verbosity: 'a string',
  web_search_options: 'an object',
};

const ROLES = ['system', 'assistant', 'user', 'function', 'tool', 'developer'];
const PARTS = ['text', 'image_url', 'input_audio', 'refusal', 'file'];
const MAX_CALL_ID = 40;

function checkParameters(body: Json, options: ChatCheckOptions): WireError | undefined {
  const parameters = { ...PARAMETERS, ...options.moreParameters };
  for (const [name, value] of Object.entries(body)) {
    const expected = Object.hasOwn(parameters, name) ? parameters[name] : undefined;
    if (expected === undefined) {
      if (options.allowUnknownFields !== true) return chatError(400, `Unrecognized request argument supplied: ${name}`);
    } else if (value !== null && !hasKind(value, expected)) {
      return wrongType(name, expected, value);
    }
  }
  if (typeof body.model !== 'string' || body.model === '') return chatError(400, 'you must provide a model parameter');
  if (!Array.isArray(body.messages)) return missing('messages');
  if (body.messages.length === 0) return emptyArray('messages');
  return checkCombinations(body);
}

function checkCombinations(body: Json): WireError | undefined {
  for (const param of ['max_tokens', 'max_completion_tokens']) {
    const value = body[param];
    if (typeof value === 'number' && value < 1) {
      return belowMinimum(param, 1, value);
    }
  }
  if (typeof body.temperature === 'number' && body.temperature > 2) {
    return aboveMaximum('temperature', 2, body.temperature);
  }
  if (typeof body.max_tokens === 'number' && typeof body.max_completion_tokens === 'number') {
    const message = "Setting 'max_tokens' and 'max_completion_tokens' at the same time is not supported.";
    return chatError(400, message, { code: 'invalid_parameter_combination' });
  }
  if (isRecord(body.stream_options) && body.stream !== true) {
    const message = "The 'stream_options' parameter is only allowed when 'stream' is enabled.";
    return chatError(400, message, { param: 'stream_options' });
  }
  return undefined;
}

function checkTools(body: Json): WireError | undefined {
  if (body.tools === undefined || body.tools === null) {
    if (body.tool_choice === undefined || body.tool_choice === null || body.tool_choice === 'none') return undefined;
    const message = "Invalid value for 'tool_choice': 'tool_choice' is only allowed when 'tools' are specified.";
    return chatError(400, message, { param: 'tool_choice' });
  }
  const tools = body.tools as Json[];
  if (tools.length === 0) return emptyArray('tools');
  for (const [index, tool] of tools.entries()) {
    const at = `tools[${index}]`;
    if (tool.type === undefined) return missing(`${at}.type`);
    if (tool.type !== 'function') continue;
    if (!isRecord(tool.function)) return missing(`${at}.function`);
    const error = checkFunction(tool.function, `${at}.function`);
    if (error) return error;
  }
  return undefined;
}

function checkCalls(calls: unknown, at: string): WireError | undefined {
  if (!Array.isArray(calls) || !calls.every(isRecord))
    return wrongType(`${at}.tool_calls`, 'an array of objects', calls);
  if (calls.length === 0) return emptyArray(`${at}.tool_calls`);
  for (const [index, call] of calls.entries()) {
    const here = `${at}.tool_calls[${index}]`;
    if (typeof call.id !== 'string') return missing(`${here}.id`);
    if (call.id.length > MAX_CALL_ID) {
      return tooLong(`${here}.id`, MAX_CALL_ID, call.id.length);
    }
    if (call.type === undefined) return missing(`${here}.type`);
    if (call.type !== 'function') continue;
    if (!isRecord(call.function)) return missing(`${here}.function`);
    if (typeof call.function.name !== 'string') return missing(`${here}.function.name`);
    if (typeof call.function.arguments !== 'string') {
      return call.function.arguments === undefined
        ? missing(`${here}.function.arguments`)
        : wrongType(`${here}.function.arguments`, 'a string', call.function.arguments);
    }
  }
  return undefined;
}

function checkMessage(message: Json, index: number): WireError | undefined {
  const at = `messages[${index}]`;
  if (message.role === undefined) return missing(`${at}.role`);
  if (typeof message.role !== 'string' || !ROLES.includes(message.role)) {
    const supported = "'system', 'assistant', 'user', 'function', 'tool', and 'developer'";
    const text = `Invalid value: '${String(message.role)}'. Supported values are: ${supported}.`;
    return chatError(400, text, { param: `${at}.role`, code: 'invalid_value' });
  }
  if (message.role === 'assistant' && message.tool_calls !== undefined && message.tool_calls !== null) {
    const error = checkCalls(message.tool_calls, at);
    if (error) return error;
  } else if (message.content === undefined || message.content === null) {
    const text = `Invalid value for 'content': expected a string, got null.`;
    return chatError(400, text, { param: `messages.[${index}].content` });
  }
  if (message.content !== undefined && message.content !== null && typeof message.content !== 'string') {
    if (!Array.isArray(message.content) || !message.content.every(isRecord)) {
      const text = `Invalid type for '${at}.content': expected one of a string or array of objects, but got ${kindOf(message.content)} instead.`;
      return chatError(400, text, { param: `${at}.content`, code: 'invalid_type' });
    }
    if (message.content.length === 0) return emptyArray(`${at}.content`);
    return checkParts(message.content, String(message.role), index);
  }
  return undefined;
}

function checkParts(parts: Json[], role: string, index: number): WireError | undefined {
  for (const [place, part] of parts.entries()) {
    const at = `messages[${index}].content[${place}]`;
    if (part.type === undefined) return missing(`${at}.type`);
    if (!PARTS.includes(String(part.type))) {
      const supported = PARTS.map((name) => `'${name}'`).join(', ');
      const text = `Invalid value: '${String(part.type)}'. Supported values are: ${supported}.`;
      return chatError(400, text, { param: `${at}.type`, code: 'invalid_value' });
    }
    if (part.type === 'text' && typeof part.text !== 'string') return missing(`${at}.text`);
    if (part.type !== 'image_url') continue;
    if (role !== 'user') {
      const rule = `Image URLs are only allowed for messages with role 'user', but this message with role '${role}' contains an image URL.`;
      return chatError(400, `Invalid 'messages[${index}]'. ${rule}`, {
        param: `messages[${index}]`,
        code: 'invalid_value',
      });
    }
    if (!isRecord(part.image_url)) return wrongType(`${at}.image_url`, 'an object', part.image_url);
    if (typeof part.image_url.url !== 'string') return missing(`${at}.image_url.url`);
    if (!IMAGE_URL.test(part.image_url.url)) {
      const text = `Invalid '${at}.image_url.url'. Expected a base64-encoded data URL with an image MIME type (e.g. 'data:image/png;base64,aW1nIGJ5dGVzIGhlcmU='), or a URL.`;
      return chatError(400, text, { param: `${at}.image_url.url`, code: 'invalid_value' });
    }
  }
  return undefined;
}

function checkPairs(messages: Json[]): WireError | undefined {
  let open = new Set<string>();
  let answered = new Set<string>();
  const unanswered = () => {
    if (open.size === 0) return undefined;
    const rule =
      "An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'.";
    const text = `${rule} The following tool_call_ids did not have response messages: ${[...open].join(', ')}`;
    return chatError(400, text, { param: 'messages' });
  };
  for (const [index, message] of messages.entries()) {
    if (message.role === 'tool') {
      const param = `messages.[${index}]`;
      if (open.size === 0 && answered.size === 0) {
        const text =
          "Invalid parameter: messages with role 'tool' must be a response to a preceeding message with 'tool_calls'.";
        return chatError(400, text, { param: `${param}.role` });
      }
      const id = message.tool_call_id;
      if (typeof id !== 'string') return missing(`messages[${index}].tool_call_id`);
      if (answered.has(id)) {
        const text = `Invalid parameter: Duplicate value for 'tool_call_id' of '${id}' in message[${index}].`;
        return chatError(400, text, { param: `${param}.tool_call_id` });
      }
      if (!open.delete(id)) {
        const text = `Invalid parameter: 'tool_call_id' of '${id}' not found in 'tool_calls' of previous message.`;
        return chatError(400, text, { param: `${param}.tool_call_id` });
      }
      answered.add(id);
      continue;
    }
    const error = unanswered();
    if (error) return error;
    const calls =
      message.role === 'assistant' && Array.isArray(message.tool_calls) ? (message.tool_calls as Json[]) : [];
    open = new Set(calls.map((call) => String(call.id)));
    answered = new Set();
  }
  return unanswered();
}

/** The refusal a body deserves, or undefined when the API would take it. */
export function validateChat(body: Json, options: ChatCheckOptions = {}): WireError | undefined {
  const error = checkParameters(body, options) ?? checkTools(body);
  if (error) return error;
  const messages = body.messages as Json[];
  for (const [index, message] of messages.entries()) {
    const wrong = checkMessage(message, index);
    if (wrong) return wrong;
  }
  return checkPairs(messages);
}
