import { isRecord } from '../json.ts';
import { anthropicInvalid, type WireError } from '../wire-errors.ts';

/**
 * The schema checks of the Anthropic Messages API, with the paths and words of its validator
 * (`max_tokens: Field required`, `messages.0.name: Extra inputs are not permitted`, …). Fields after the official SDK.
 */

type Json = Record<string, unknown>;
type Check = (value: unknown) => string | undefined;

const isKind =
  (test: (value: unknown) => boolean, words: string): Check =>
  (value) =>
    test(value) ? undefined : words;

const text = isKind((value) => typeof value === 'string', 'Input should be a valid string');
const flag = isKind((value) => typeof value === 'boolean', 'Input should be a valid boolean');
const decimal = isKind((value) => typeof value === 'number', 'Input should be a valid number');
const list = isKind(Array.isArray, 'Input should be a valid list');
const dictionary = isKind(isRecord, 'Input should be a valid dictionary');
const anything: Check = () => undefined;
const positive: Check = (value) => {
  if (!Number.isInteger(value)) return 'Input should be a valid integer';
  return (value as number) >= 1 ? undefined : 'Input should be greater than or equal to 1';
};
const textOrList = isKind(
  (value) => typeof value === 'string' || Array.isArray(value),
  'Input should be a valid string',
);
const matching =
  (pattern: RegExp): Check =>
  (value) =>
    typeof value === 'string' && pattern.test(value) ? undefined : `String should match pattern '${pattern.source}'`;

interface Shape {
  required: Record<string, Check>;
  optional: Record<string, Check>;
}

const REQUEST: Shape = {
  required: { model: text, messages: list, max_tokens: positive },
  optional: {
    cache_control: dictionary,
    compaction: anything,
    container: anything,
    context_management: dictionary,
    diagnostics: anything,
    fallbacks: anything,
    inference_geo: anything,
    mcp_servers: list,
    metadata: dictionary,
    output_config: dictionary,
    output_format: anything,
    service_tier: text,
    speed: anything,
    stop_sequences: list,
    stream: flag,
    system: textOrList,
    temperature: decimal,
    thinking: dictionary,
    tool_choice: dictionary,
    tools: list,
    top_k: decimal,
    top_p: decimal,
  },
};

const MESSAGE: Shape = { required: { role: anything, content: textOrList }, optional: {} };

const TOOL: Shape = {
  required: { name: matching(/^[a-zA-Z0-9_-]{1,128}$/), input_schema: dictionary },
  optional: {
    type: anything,
    description: text,
    cache_control: anything,
    strict: flag,
    defer_loading: flag,
    eager_input_streaming: flag,
    allowed_callers: list,
    input_examples: list,
  },
};

const CALL_ID = /^[a-zA-Z0-9_-]+$/;

/** Blocks a client sends; of other known kinds only the tag is checked. */
const BLOCKS: Record<string, Shape> = {
  text: { required: { text }, optional: { cache_control: anything, citations: anything } },
  image: { required: { source: dictionary }, optional: { cache_control: anything, transformations: anything } },
  thinking: { required: { thinking: text, signature: text }, optional: {} },
  redacted_thinking: { required: { data: text }, optional: {} },
  tool_use: {
    required: { id: matching(CALL_ID), name: text, input: dictionary },
    optional: { cache_control: anything, caller: anything, toolset_name: anything },
  },
  tool_result: {
    required: { tool_use_id: matching(CALL_ID) },
    optional: { content: textOrList, is_error: flag, cache_control: anything, toolset_name: anything },
  },
};
const OTHER_BLOCKS = ['document', 'search_result', 'server_tool_use', 'web_search_tool_result'];

function checkShape(value: Json, shape: Shape, path: string, allowUnknown: boolean): string | undefined {
  const at = (name: string) => (path === '' ? name : `${path}.${name}`);
  for (const [name, check] of Object.entries(shape.required)) {
    if (value[name] === undefined) return `${at(name)}: Field required`;
    const wrong = check(value[name]);
    if (wrong !== undefined) return `${at(name)}: ${wrong}`;
  }
  for (const [name, field] of Object.entries(value)) {
    if (name === 'type' || Object.hasOwn(shape.required, name)) continue;
    const check = Object.hasOwn(shape.optional, name) ? shape.optional[name] : undefined;
    if (check === undefined) {
      if (!allowUnknown) return `${at(name)}: Extra inputs are not permitted`;
      continue;
    }
    const wrong = field === undefined ? undefined : check(field);
    if (wrong !== undefined) return `${at(name)}: ${wrong}`;
  }
  return undefined;
}

const IMAGE_TYPES = ['image/jpeg', 'image/png', 'image/gif', 'image/webp'];
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;

function checkImage(source: Json, path: string): string | undefined {
  if (source.type === 'url') return typeof source.url === 'string' ? undefined : `${path}.url.url: Field required`;
  if (source.type !== 'base64') return source.type === undefined ? `${path}.type: Field required` : undefined;
  const at = `${path}.base64`;
  if (source.media_type === undefined) return `${at}.media_type: Field required`;
  if (!IMAGE_TYPES.includes(String(source.media_type))) {
    return `${at}.media_type: Input should be 'image/jpeg', 'image/png', 'image/gif' or 'image/webp'`;
  }
  if (typeof source.data !== 'string') return `${at}.data: Field required`;
  if (source.data === '') return `${at}.data: image cannot be empty`;
  return BASE64.test(source.data) ? undefined : `${at}.data: Invalid base64 data`;
}

function checkBlock(block: unknown, path: string, allowUnknown: boolean): string | undefined {
  if (!isRecord(block)) return `${path}: Input should be a valid dictionary or object to extract fields from`;
  const tag = block.type;
  if (tag === undefined) return `${path}.type: Field required`;
  const shape = typeof tag === 'string' && Object.hasOwn(BLOCKS, tag) ? BLOCKS[tag] : undefined;
  if (shape) {
    const wrong = checkShape(block, shape, `${path}.${String(tag)}`, allowUnknown);
    if (wrong !== undefined) return wrong;
    if (tag === 'image' && isRecord(block.source)) return checkImage(block.source, `${path}.image.source`);
    const inner = tag === 'tool_result' && Array.isArray(block.content) ? block.content : [];
    for (const [index, part] of inner.entries()) {
      const broken = checkBlock(part, `${path}.tool_result.content.${index}`, allowUnknown);
      if (broken !== undefined) return broken;
    }
    return undefined;
  }
  if (typeof tag === 'string' && OTHER_BLOCKS.includes(tag)) return undefined;
  const tags = [...Object.keys(BLOCKS), ...OTHER_BLOCKS].sort().map((name) => `'${name}'`);
  return `${path}: Input tag '${String(tag)}' found using 'type' does not match any of the expected tags: ${tags.join(', ')}`;
}

function checkMessage(message: unknown, path: string, allowUnknown: boolean): string | undefined {
  if (!isRecord(message)) return `${path}: Input should be a valid dictionary or object to extract fields from`;
  const wrong = checkShape(message, MESSAGE, path, allowUnknown);
  if (wrong !== undefined) return wrong;
  if (message.role === 'system') {
    return 'messages: Unexpected role "system". The Messages API accepts a top-level `system` parameter, not "system" as an input message role.';
  }
  if (message.role !== 'user' && message.role !== 'assistant') {
    return `${path}.role: Input should be 'user' or 'assistant'`;
  }
  if (!Array.isArray(message.content)) return undefined;
  for (const [index, block] of message.content.entries()) {
    const broken = checkBlock(block, `${path}.content.${index}`, allowUnknown);
    if (broken !== undefined) return broken;
  }
  return undefined;
}

function checkTools(tools: unknown[], allowUnknown: boolean): string | undefined {
  const names = new Set<string>();
  for (const [index, tool] of tools.entries()) {
    if (!isRecord(tool)) return `tools.${index}: Input should be a valid dictionary or object to extract fields from`;
    if (tool.type !== undefined && tool.type !== 'custom') continue;
    const path = `tools.${index}.custom`;
    const wrong = checkShape(tool, TOOL, path, allowUnknown);
    if (wrong !== undefined) return wrong;
    const schema = tool.input_schema as Json;
    if (schema.type === undefined) return `${path}.input_schema.type: Field required`;
    if (schema.type !== 'object') return `${path}.input_schema.type: Input should be 'object'`;
    if (names.has(String(tool.name))) return 'tools: Tool names must be unique.';
    names.add(String(tool.name));
  }
  return undefined;
}

function checkSettings(body: Json): string | undefined {
  if (typeof body.temperature === 'number' && (body.temperature < 0 || body.temperature > 1)) {
    return 'temperature: range: 0..1';
  }
  if (!isRecord(body.thinking) || body.thinking.type !== 'enabled') return undefined;
  const budget = body.thinking.budget_tokens;
  if (typeof budget !== 'number') return 'thinking.enabled.budget_tokens: Field required';
  if (budget < 1024) return 'thinking.enabled.budget_tokens: Input should be greater than or equal to 1024';
  if (budget >= (body.max_tokens as number)) return '`max_tokens` must be greater than `thinking.budget_tokens`.';
  return undefined;
}

/** The refusal for a body of the wrong shape, or undefined. `allowUnknown` lets fields pass that the API does not have. */
export function checkAnthropicShape(body: Json, allowUnknown: boolean): WireError | undefined {
  const wrong = firstWrong(body, allowUnknown);
  return wrong === undefined ? undefined : anthropicInvalid(wrong);
}

function firstWrong(body: Json, allowUnknown: boolean): string | undefined {
  const wrong = checkShape(body, REQUEST, '', allowUnknown);
  if (wrong !== undefined) return wrong;
  const messages = body.messages as unknown[];
  if (messages.length === 0) return 'messages: at least one message is required';
  for (const [index, message] of messages.entries()) {
    const broken = checkMessage(message, `messages.${index}`, allowUnknown);
    if (broken !== undefined) return broken;
  }
  return checkTools(Array.isArray(body.tools) ? body.tools : [], allowUnknown) ?? checkSettings(body);
}
