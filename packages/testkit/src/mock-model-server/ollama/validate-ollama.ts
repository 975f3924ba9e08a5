import { isRecord, type Json, recordsOf } from '../json.ts';
import type { ScriptModel } from '../script.ts';
import type { WireError } from '../wire-errors.ts';
import { ollamaError } from './ollama-errors.ts';

/**
 * The checks of Ollama's `/api/chat`. Types are refused as its Go server does. It lets more pass than it can use: fields
 * it does not know, results without a call. Those are mistakes all the same, and are refused here in words of our own.
 */

export interface OllamaCheckOptions {
  allowUnknownFields: boolean;
  models: readonly ScriptModel[];
}

const FIELDS: Record<string, (value: unknown) => boolean> = {
  model: (value) => typeof value === 'string',
  messages: Array.isArray,
  stream: (value) => typeof value === 'boolean',
  format: (value) => typeof value === 'string' || isRecord(value),
  keep_alive: (value) => typeof value === 'string' || typeof value === 'number',
  tools: Array.isArray,
  options: isRecord,
  think: (value) => typeof value === 'boolean' || ['high', 'medium', 'low', 'max'].includes(String(value)),
  truncate: (value) => typeof value === 'boolean',
  shift: (value) => typeof value === 'boolean',
  logprobs: (value) => typeof value === 'boolean',
  top_logprobs: (value) => typeof value === 'number',
};
const MESSAGE_FIELDS: Record<string, (value: unknown) => boolean> = {
  role: (value) => typeof value === 'string',
  content: (value) => typeof value === 'string',
  thinking: (value) => typeof value === 'string',
  images: Array.isArray,
  tool_calls: Array.isArray,
  tool_name: (value) => typeof value === 'string',
  tool_call_id: (value) => typeof value === 'string',
};
const ROLES = ['system', 'user', 'assistant', 'tool'];
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;

function invalid(message: string): WireError {
  return ollamaError(400, message);
}

function goKind(value: unknown): string {
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'boolean') return 'bool';
  return isRecord(value) ? 'object' : typeof value;
}

function checkFields(
  value: Json,
  fields: typeof FIELDS,
  struct: string,
  allowUnknownFields: boolean,
): WireError | undefined {
  for (const [name, field] of Object.entries(value)) {
    const check = Object.hasOwn(fields, name) ? fields[name] : undefined;
    if (check === undefined) {
      if (!allowUnknownFields) return invalid(`json: unknown field "${name}"`);
    } else if (field !== null && !check(field)) {
      return invalid(`json: cannot unmarshal ${goKind(field)} into Go struct field ${struct}.${name}`);
    }
  }
  return undefined;
}

function checkMessage(message: unknown, index: number, allowUnknownFields: boolean): WireError | undefined {
  if (!isRecord(message)) {
    return invalid(
      `json: cannot unmarshal ${goKind(message)} into Go struct field ChatRequest.messages of type api.Message`,
    );
  }
  const error = checkFields(message, MESSAGE_FIELDS, 'ChatRequest.messages', allowUnknownFields);
  if (error) return error;
  if (!ROLES.includes(String(message.role))) {
    return invalid(
      `messages[${index}]: invalid role ${JSON.stringify(message.role ?? '')}: must be one of ${ROLES.join(', ')}`,
    );
  }
  for (const image of Array.isArray(message.images) ? message.images : []) {
    if (typeof image !== 'string' || !BASE64.test(image)) return invalid('illegal base64 data at input byte 0');
  }
  for (const call of recordsOf(message.tool_calls)) {
    const fn = call.function;
    if (!isRecord(fn) || typeof fn.name !== 'string' || fn.name === '') {
      return invalid(`messages[${index}]: a tool call has no function name`);
    }
    if (fn.arguments !== undefined && !isRecord(fn.arguments)) {
      const field = 'ChatRequest.messages.tool_calls.function.arguments';
      return invalid(
        `json: cannot unmarshal ${goKind(fn.arguments)} into Go struct field ${field} of type map[string]interface {}`,
      );
    }
  }
  return undefined;
}

function checkTools(tools: unknown): WireError | undefined {
  for (const [index, tool] of recordsOf(tools).entries()) {
    const fn = tool.function;
    if (tool.type !== 'function' || !isRecord(fn) || typeof fn.name !== 'string') {
      return invalid(`tools[${index}]: a tool has type "function" and a function with a name`);
    }
    if (fn.parameters !== undefined && (!isRecord(fn.parameters) || fn.parameters.type !== 'object')) {
      return invalid(`tools[${index}]: parameters must be a schema of type "object"`);
    }
  }
  return undefined;
}

/** Every call has its result before anybody else speaks, and every result its call. */
function checkPairs(messages: Json[]): WireError | undefined {
  let open: { id: unknown; name: unknown }[] = [];
  const unanswered = () =>
    invalid(`no tool message for the call of ${open.map((call) => String(call.name)).join(', ')}`);
  for (const [index, message] of messages.entries()) {
    if (message.role !== 'tool') {
      if (open.length > 0) return unanswered();
      open = recordsOf(message.tool_calls).map((call) => ({ id: call.id, name: (call.function as Json).name }));
      continue;
    }
    const { tool_call_id: id, tool_name: name } = message;
    const at = open.findIndex(
      (call) =>
        (id === undefined || call.id === id || call.id === undefined) && (name === undefined || call.name === name),
    );
    if (at === -1) return invalid(`messages[${index}]: a tool message that answers no call before it`);
    open.splice(at, 1);
  }
  return open.length > 0 ? unanswered() : undefined;
}

function checkAbilities(body: Json, models: readonly ScriptModel[]): WireError | undefined {
  const name = String(body.model);
  const model = models.find((candidate) => candidate.id === name || `${candidate.id}:latest` === name);
  if (model?.tools === false && recordsOf(body.tools).length > 0) {
    const tagged = name.includes(':') ? name : `${name}:latest`;
    return invalid(`registry.ollama.ai/library/${tagged} does not support tools`);
  }
  const think = body.think !== undefined && body.think !== null && body.think !== false;
  return model?.thinking === false && think ? invalid(`"${name}" does not support thinking`) : undefined;
}

/** The refusal a body deserves, or undefined when it is in order. */
export function validateOllama(body: Json, options: OllamaCheckOptions): WireError | undefined {
  const error = checkFields(body, FIELDS, 'ChatRequest', options.allowUnknownFields);
  if (error) return error;
  if (typeof body.model !== 'string' || body.model === '') return invalid('model is required');
  const messages = Array.isArray(body.messages) ? body.messages : [];
  if (messages.length === 0) return invalid('messages is required');
  for (const [index, message] of messages.entries()) {
    const wrong = checkMessage(message, index, options.allowUnknownFields);
    if (wrong) return wrong;
  }
  return checkTools(body.tools) ?? checkAbilities(body, options.models) ?? checkPairs(recordsOf(messages));
}
