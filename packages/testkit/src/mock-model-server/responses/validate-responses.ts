import { isRecord, type Json, recordsOf } from '../json.ts';
import {
  aboveMaximum,
  belowMinimum,
  checkFunction,
  emptyArray,
  hasKind,
  IMAGE_URL,
  missing,
  tooLong,
  wrongType,
} from '../openai-checks.ts';
import type { ServerMemory } from '../server-memory.ts';
import { isSealed } from '../sign-thinking.ts';
import { chatError, type WireError } from '../wire-errors.ts';
import { inputItems, resolveInput, typeOf } from './resolve-input.ts';

/**
 * The checks of the OpenAI Responses API that a client can get wrong, in its words: fields after the official SDK's
 * types, messages after bodies in public issue threads (pairing, items that are not stored, reasoning without its
 * neighbour).
 */

export interface ResponsesCheckOptions {
  allowUnknownFields: boolean;
  allowForeignSignatures: boolean;
  memory: ServerMemory;
}

const PARAMETERS: Record<string, string> = {
  access_programs: 'an object',
  background: 'a boolean',
  background_options: 'an object',
  client_metadata: 'an object',
  context_management: 'an array of objects',
  conversation: 'any',
  image: 'an object',
  include: 'an array',
  input: 'any',
  instructions: 'a string',
  max_output_tokens: 'an integer',
  max_tool_calls: 'an integer',
  metadata: 'an object',
  model: 'a string',
  moderation: 'any',
  parallel_tool_calls: 'a boolean',
  previous_response_id: 'a string',
  prompt: 'an object',
  prompt_cache_key: 'a string',
  prompt_cache_options: 'an object',
  prompt_cache_retention: 'a string',
  reasoning: 'an object',
  safety_identifier: 'a string',
  service_tier: 'a string',
  store: 'a boolean',
  stream: 'a boolean',
  stream_options: 'an object',
  temperature: 'a decimal',
  text: 'an object',
  tool_choice: 'any',
  tools: 'an array of objects',
  top_logprobs: 'an integer',
  top_p: 'a decimal',
  truncation: 'a string',
  user: 'a string',
};

const ROLES = ['assistant', 'system', 'developer', 'user'];
const MAX_CALL_ID = 64;
const MIN_OUTPUT_TOKENS = 16;

/** Fields of the items that clients make themselves; others are looked at by their type alone. */
const ITEMS: Record<string, { required: string[]; optional: string[] }> = {
  message: { required: ['role', 'content'], optional: ['id', 'status', 'phase', 'metadata'] },
  function_call: {
    required: ['call_id', 'name', 'arguments'],
    optional: ['id', 'status', 'namespace', 'caller', 'metadata'],
  },
  function_call_output: { required: ['call_id', 'output'], optional: ['id', 'status', 'caller', 'metadata'] },
  custom_tool_call: { required: ['call_id', 'name', 'input'], optional: ['id', 'status', 'namespace', 'metadata'] },
  custom_tool_call_output: { required: ['call_id', 'output'], optional: ['id', 'name', 'status', 'metadata'] },
  reasoning: { required: ['summary'], optional: ['id', 'content', 'encrypted_content', 'status', 'metadata'] },
  item_reference: { required: ['id'], optional: [] },
};
const OTHER_ITEMS = [
  'additional_tools',
  'apply_patch_call',
  'apply_patch_call_output',
  'code_interpreter_call',
  'compaction',
  'compaction_trigger',
  'computer_call',
  'computer_call_output',
  'file_search_call',
  'image_generation_call',
  'local_shell_call',
  'local_shell_call_output',
  'mcp_approval_request',
  'mcp_approval_response',
  'mcp_call',
  'mcp_list_tools',
  'shell_call',
  'shell_call_output',
  'tool_search_call',
  'tool_search_output',
  'web_search_call',
];

const USER_PARTS = ['input_text', 'input_image', 'input_file', 'input_audio'];
const ASSISTANT_PARTS = ['output_text', 'refusal'];
const RESULT_PARTS = ['input_text', 'input_image', 'input_file'];

function invalidValue(param: string, value: unknown, supported: string[]): WireError {
  const names = supported.map((name) => `'${name}'`);
  const list = names.length > 1 ? `${names.slice(0, -1).join(', ')}, and ${names.at(-1)}` : names.join('');
  const message = `Invalid value: '${String(value)}'. Supported values are: ${list}.`;
  return chatError(400, message, { param, code: 'invalid_value' });
}

function unknownParameter(param: string): WireError {
  return chatError(400, `Unknown parameter: '${param}'.`, { param, code: 'unknown_parameter' });
}

function checkParameters(body: Json, options: ResponsesCheckOptions): WireError | undefined {
  for (const [name, value] of Object.entries(body)) {
    const expected = Object.hasOwn(PARAMETERS, name) ? PARAMETERS[name] : undefined;
    if (expected === undefined) {
      if (!options.allowUnknownFields) return unknownParameter(name);
    } else if (value !== null && !hasKind(value, expected)) return wrongType(name, expected, value);
  }
  if (typeof body.model !== 'string' || body.model === '') return missing('model');
  if (typeof body.max_output_tokens === 'number' && body.max_output_tokens < MIN_OUTPUT_TOKENS) {
    return belowMinimum('max_output_tokens', MIN_OUTPUT_TOKENS, body.max_output_tokens);
  }
  if (typeof body.temperature === 'number' && body.temperature > 2) {
    return aboveMaximum('temperature', 2, body.temperature);
  }
  if (isRecord(body.stream_options) && body.stream !== true) {
    const message = "The 'stream_options' parameter is only allowed when 'stream' is enabled.";
    return chatError(400, message, { param: 'stream_options' });
  }
  if (typeof body.input === 'string') return undefined;
  if (body.input === undefined && body.previous_response_id === undefined) return missing('input');
  if (body.input === undefined) return undefined;
  if (!Array.isArray(body.input)) {
    return wrongType('input', 'one of a string or array of input items', body.input);
  }
  const at = body.input.findIndex((item) => !isRecord(item));
  return at === -1 ? undefined : wrongType(`input[${at}]`, 'an input item', body.input[at]);
}

function checkTools(body: Json): WireError | undefined {
  for (const [index, tool] of recordsOf(body.tools).entries()) {
    const at = `tools[${index}]`;
    if (tool.type === undefined) return missing(`${at}.type`);
    // The commonest mistake: a tool in the Chat wire's shape, one level too deep.
    if (tool.type === 'function' || tool.type === 'custom') {
      const error = checkFunction(tool.type === 'custom' ? { name: tool.name } : tool, at);
      if (error) return error;
    }
  }
  return undefined;
}

function checkParts(parts: unknown, allowed: string[], at: string): WireError | undefined {
  if (typeof parts === 'string') return undefined;
  if (!Array.isArray(parts)) return wrongType(at, 'one of a string or array of objects', parts);
  for (const [index, part] of parts.entries()) {
    const here = `${at}[${index}]`;
    if (!isRecord(part)) return wrongType(here, 'an object', part);
    if (part.type === undefined) return missing(`${here}.type`);
    if (!allowed.includes(String(part.type))) return invalidValue(`${here}.type`, part.type, allowed);
    if (part.type === 'input_image') {
      const error = checkImage(part, here);
      if (error) return error;
    } else if (['input_text', 'output_text'].includes(String(part.type)) && typeof part.text !== 'string') {
      return part.text === undefined ? missing(`${here}.text`) : wrongType(`${here}.text`, 'a string', part.text);
    }
  }
  return undefined;
}

function checkImage(part: Json, at: string): WireError | undefined {
  if (typeof part.file_id === 'string') return undefined;
  if (part.image_url === undefined) return missing(`${at}.image_url`);
  if (typeof part.image_url !== 'string') return wrongType(`${at}.image_url`, 'an image URL', part.image_url);
  if (IMAGE_URL.test(part.image_url)) return undefined;
  const message = `Invalid '${at}.image_url'. Expected a valid URL, but got a value with an invalid format.`;
  return chatError(400, message, { param: `${at}.image_url`, code: 'invalid_value' });
}

function checkItem(item: Json, at: string, options: ResponsesCheckOptions): WireError | undefined {
  const type = typeOf(item);
  if (type === '') return missing(`${at}.type`);
  const shape = Object.hasOwn(ITEMS, type) ? ITEMS[type] : undefined;
  if (!shape) {
    const known = [...Object.keys(ITEMS), ...OTHER_ITEMS].sort();
    return known.includes(type) ? undefined : invalidValue(at, type, known);
  }
  const lacking = shape.required.find((name) => item[name] === undefined);
  if (lacking !== undefined) return missing(`${at}.${lacking}`);
  const fields = ['type', ...shape.required, ...shape.optional];
  const unknown = Object.keys(item).find((name) => !fields.includes(name));
  if (unknown !== undefined && !options.allowUnknownFields) return unknownParameter(`${at}.${unknown}`);
  if (type === 'message') return checkMessage(item, at);
  for (const name of ['name', 'arguments', 'input']) {
    if (shape.required.includes(name) && typeof item[name] !== 'string') {
      return wrongType(`${at}.${name}`, 'a string', item[name]);
    }
  }
  if (typeof item.call_id === 'string' && item.call_id.length > MAX_CALL_ID) {
    return tooLong(`${at}.call_id`, MAX_CALL_ID, item.call_id.length);
  }
  if ('output' in item) return checkParts(item.output, RESULT_PARTS, `${at}.output`);
  return type === 'reasoning' && !Array.isArray(item.summary)
    ? wrongType(`${at}.summary`, 'an array of objects', item.summary)
    : undefined;
}

function checkMessage(item: Json, at: string): WireError | undefined {
  const role = String(item.role);
  if (!ROLES.includes(role)) return invalidValue(`${at}.role`, role, ROLES);
  if (Array.isArray(item.content) && item.content.length === 0 && role === 'user') return emptyArray(`${at}.content`);
  if (typeof item.id === 'string' && !item.id.startsWith('msg')) {
    const message = `Invalid '${at}.id': '${item.id}'. Expected an ID that begins with 'msg'.`;
    return chatError(400, message, { param: `${at}.id`, code: 'invalid_value' });
  }
  return checkParts(item.content, role === 'assistant' ? ASSISTANT_PARTS : USER_PARTS, `${at}.content`);
}

function notFound(id: string, stored: boolean): WireError {
  const hint =
    'Items are not persisted when `store` is set to false. Try again with `store` set to true, or remove this item from your input.';
  return chatError(404, stored ? `Item with id '${id}' not found.` : `Item with id '${id}' not found. ${hint}`, {
    param: 'input',
  });
}

function checkStored(body: Json, options: ResponsesCheckOptions): WireError | undefined {
  const { memory } = options;
  const previous = body.previous_response_id;
  if (typeof previous === 'string' && !memory.conversation(previous)) {
    const message = `Previous response with id '${previous}' not found.`;
    return chatError(400, message, { param: 'previous_response_id', code: 'previous_response_not_found' });
  }
  for (const item of inputItems(body)) {
    const id = String(item.id);
    const type = typeOf(item);
    const stored = memory.storedItems.has(id);
    if (type === 'item_reference' && !stored) return notFound(id, body.store !== false);
    if (type !== 'reasoning') continue;
    const sealed = item.encrypted_content;
    // What this server never stored it can only know from its sealed content.
    if (typeof sealed !== 'string') {
      if (item.id === undefined) return missing('input.id');
      if (!stored && !options.allowForeignSignatures) return notFound(id, body.store !== false);
    } else if (!options.allowForeignSignatures && !isSealed(sealed) && !memory.scriptedSignatures.has(sealed)) {
      const shown = `${sealed.slice(0, 8)}...${sealed.slice(-4)}`;
      const message = `The encrypted content ${shown} could not be verified. Reason: Encrypted content could not be decrypted or parsed.`;
      return chatError(400, message, { code: 'invalid_encrypted_content' });
    }
  }
  return undefined;
}

function pairError(message: string): WireError {
  return chatError(400, message, { param: 'input' });
}

/** Calls and results belong together, in either kind, wherever they stand; ids are used once. */
function checkPairs(items: Json[]): WireError | undefined {
  for (const kind of ['function', 'custom'] as const) {
    const callType = kind === 'function' ? 'function_call' : 'custom_tool_call';
    const calls = items.filter((item) => typeOf(item) === callType).map((item) => String(item.call_id));
    const results = items.filter((item) => typeOf(item) === `${callType}_output`).map((item) => String(item.call_id));
    const words = kind === 'function' ? 'function call' : 'custom tool call';
    const open = calls.find((id) => !results.includes(id));
    if (open !== undefined) return pairError(`No tool output found for ${words} ${open}.`);
    const orphan = results.find((id) => !calls.includes(id));
    if (orphan !== undefined) return pairError(`No tool call found for ${words} output with call_id ${orphan}.`);
    const doubled = results.find((id, index) => results.indexOf(id) !== index);
    if (doubled !== undefined) return pairError(`Duplicate tool output found for ${words} ${doubled}.`);
  }
  return undefined;
}

/** Reasoning is followed by what it led to, and results come after their calls. */
function checkOrder(items: Json[]): WireError | undefined {
  const called = new Set<string>();
  for (const [index, item] of items.entries()) {
    const type = typeOf(item);
    if (type === 'function_call' || type === 'custom_tool_call') called.add(String(item.call_id));
    if (type.endsWith('tool_call_output') || type === 'function_call_output') {
      const id = String(item.call_id);
      if (!called.has(id)) return pairError(`No tool call found for function call output with call_id ${id}.`);
    }
    if (type !== 'reasoning') continue;
    const next = items[index + 1];
    const led =
      next && (next.role === 'assistant' || !(typeOf(next) === 'message' || typeOf(next).endsWith('_output')));
    if (!led) {
      return pairError(
        `Item '${String(item.id)}' of type 'reasoning' was provided without its required following item.`,
      );
    }
  }
  return undefined;
}

/** The refusal a body deserves, or undefined when the API would take it. */
export function validateResponses(body: Json, options: ResponsesCheckOptions): WireError | undefined {
  const error = checkParameters(body, options) ?? checkTools(body);
  if (error) return error;
  for (const [index, item] of inputItems(body).entries()) {
    const wrong = checkItem(item, `input[${index}]`, options);
    if (wrong) return wrong;
  }
  const items = resolveInput(body, options.memory);
  return checkStored(body, options) ?? checkPairs(items) ?? checkOrder(items);
}
