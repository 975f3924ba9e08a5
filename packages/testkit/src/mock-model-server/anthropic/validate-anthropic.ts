import { isRecord, recordsOf } from '../json.ts';
import type { ServerMemory } from '../server-memory.ts';
import { signThinking } from '../sign-thinking.ts';
import { anthropicInvalid, type WireError } from '../wire-errors.ts';
import { checkAnthropicShape } from './validate-anthropic-shape.ts';

/**
 * The checks of the Anthropic Messages API across messages: roles, empty content, pairing of calls and results,
 * thinking signatures, cache marks. Wording after bodies in public issue threads.
 */

type Json = Record<string, unknown>;

export interface AnthropicCheckOptions {
  allowUnknownFields?: boolean;
  /** Today's first-party API joins neighbouring messages of one role; Bedrock and many compatible servers refuse them. */
  allowConsecutiveRoles?: boolean;
  /** Let signatures pass that no server of ours made, or not over this text: for sessions recorded elsewhere. */
  allowForeignSignatures?: boolean;
  memory?: ServerMemory;
}

const MAX_CACHE_MARKS = 4;

function blocksIn(message: Json | undefined): Json[] {
  return recordsOf(message?.content);
}

function callIds(message: Json | undefined): string[] {
  if (message?.role !== 'assistant') return [];
  return blocksIn(message)
    .filter((block) => block.type === 'tool_use')
    .map((block) => String(block.id));
}

function checkRoles(messages: Json[], allowConsecutive: boolean): WireError | undefined {
  if (messages[0]?.role !== 'user') return anthropicInvalid('messages: first message must use the "user" role');
  if (allowConsecutive) return undefined;
  const at = messages.findIndex((message, index) => index > 0 && messages[index - 1]?.role === message.role);
  if (at === -1) return undefined;
  const role = String(messages[at]?.role);
  return anthropicInvalid(
    `messages: roles must alternate between "user" and "assistant", but found multiple "${role}" roles in a row`,
  );
}

function checkContent(messages: Json[]): WireError | undefined {
  for (const [index, message] of messages.entries()) {
    const isLast = index === messages.length - 1;
    const empty = message.content === '' || (Array.isArray(message.content) && message.content.length === 0);
    if (empty && !(isLast && message.role === 'assistant')) {
      const rule = 'all messages must have non-empty content except for the optional final assistant message';
      return anthropicInvalid(`messages.${index}: ${rule}`);
    }
    for (const [at, block] of blocksIn(message).entries()) {
      for (const each of [block, ...blocksIn(block)]) {
        if (each.type !== 'text' || typeof each.text !== 'string' || each.text.trim() !== '') continue;
        const rule = each.text === '' ? 'be non-empty' : 'contain non-whitespace text';
        return anthropicInvalid(`messages: text content blocks must ${rule}`);
      }
      const results = block.type === 'tool_result' && block.is_error === true;
      if (results && (block.content === undefined || block.content === '')) {
        return anthropicInvalid(`messages.${index}.content.${at}: content cannot be empty if \`is_error\` is true`);
      }
    }
    const text = typeof message.content === 'string' ? message.content : String(blocksIn(message).at(-1)?.text ?? '');
    if (isLast && message.role === 'assistant' && text !== text.trimEnd()) {
      return anthropicInvalid('messages: final assistant content cannot end with trailing whitespace');
    }
  }
  return undefined;
}

/** Ids of results that stand where the API looks for them: before any other block of the message. */
function leadingResults(message: Json | undefined): string[] {
  const blocks = message?.role === 'user' ? blocksIn(message) : [];
  const end = blocks.findIndex((block) => block.type !== 'tool_result');
  return blocks.slice(0, end === -1 ? blocks.length : end).map((block) => String(block.tool_use_id));
}

function checkPairs(messages: Json[]): WireError | undefined {
  const seen = new Set<string>();
  for (const [index, message] of messages.entries()) {
    for (const [at, block] of blocksIn(message).entries()) {
      if (block.type === 'tool_use') {
        const id = String(block.id);
        if (seen.has(id)) return anthropicInvalid(`messages.${index}.content.${at}: \`tool_use\` ids must be unique`);
        seen.add(id);
      }
      if (block.type !== 'tool_result') continue;
      const id = String(block.tool_use_id);
      if (!callIds(messages[index - 1]).includes(id)) {
        const what = `unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${id}`;
        const rule = 'Each `tool_result` block must have a corresponding `tool_use` block in the previous message.';
        return anthropicInvalid(`messages.${index}.content.${at}: ${what}. ${rule}`);
      }
      if (blocksIn(message).findIndex((other) => other.tool_use_id === id) !== at) {
        const rule = 'each tool_use must have a single result';
        const what = `Found multiple \`tool_result\` blocks with id: ${id}`;
        return anthropicInvalid(`messages.${index}.content.${at}: ${rule}. ${what}`);
      }
    }
    const results = leadingResults(messages[index + 1]);
    const open = callIds(message).filter((id) => !results.includes(id));
    if (open.length > 0) {
      const what = `\`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${open.join(', ')}`;
      const rule = 'Each `tool_use` block must have a corresponding `tool_result` block in the next message.';
      return anthropicInvalid(`messages.${index}: ${what}. ${rule}`);
    }
  }
  return undefined;
}

function checkThinking(body: Json, messages: Json[], options: AnthropicCheckOptions): WireError | undefined {
  if (options.allowForeignSignatures !== true) {
    for (const [index, message] of messages.entries()) {
      for (const [at, block] of blocksIn(message).entries()) {
        if (block.type !== 'thinking' || block.signature === signThinking(String(block.thinking))) continue;
        if (options.memory?.scriptedSignatures.has(String(block.signature)) === true) continue;
        return anthropicInvalid(`messages.${index}.content.${at}: Invalid \`signature\` in \`thinking\` block`);
      }
    }
  }
  if (!isRecord(body.thinking) || body.thinking.type !== 'enabled') return undefined;
  const lastAt = messages.findLastIndex((message) => message.role === 'assistant');
  const last = messages[lastAt];
  const needsThinking = callIds(last).some((id) => options.memory?.callsAfterThinking.has(id) ?? false);
  const first = blocksIn(last)[0];
  if (!needsThinking || first?.type === 'thinking' || first?.type === 'redacted_thinking') return undefined;
  const found = `Expected \`thinking\` or \`redacted_thinking\`, but found \`${String(first?.type)}\``;
  const rule =
    'When `thinking` is enabled, a final `assistant` message must start with a thinking block (preceeding the lastmost set of `tool_use` and `tool_result` blocks). We recommend you include thinking blocks from previous turns. To avoid this requirement, disable `thinking`.';
  return anthropicInvalid(`messages.${lastAt}.content.0.type: ${found}. ${rule}`);
}

function checkCacheMarks(body: Json, messages: Json[]): WireError | undefined {
  const places = [...recordsOf(body.system), ...recordsOf(body.tools), ...messages.flatMap(blocksIn)];
  const inResults = places.flatMap((block) => (block.type === 'tool_result' ? recordsOf(block.content) : []));
  const marks = [...places, ...inResults].filter((block) => isRecord(block.cache_control)).length;
  if (marks <= MAX_CACHE_MARKS) return undefined;
  return anthropicInvalid(`A maximum of ${MAX_CACHE_MARKS} blocks with cache_control may be provided. Found ${marks}.`);
}

/** The refusal a body deserves, or undefined when the API would take it. */
export function validateAnthropic(body: Json, options: AnthropicCheckOptions = {}): WireError | undefined {
  const error = checkAnthropicShape(body, options.allowUnknownFields ?? false);
  if (error) return error;
  const messages = recordsOf(body.messages);
  return (
    checkRoles(messages, options.allowConsecutiveRoles ?? false) ??
    checkContent(messages) ??
    checkPairs(messages) ??
    checkThinking(body, messages, options) ??
    checkCacheMarks(body, messages)
  );
}
