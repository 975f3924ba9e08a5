/**
 * Reads message content that nobody has checked: a session file may be old, foreign, edited by hand or damaged. What
 * has the right shape is handed out as it is (the very same object), the rest is left out.
 */
import type { AssistantMessage, ImageContent, StopReason, TextContent, ToolCall } from './messages.ts';

type UserBlock = TextContent | ImageContent;
type AnswerBlock = AssistantMessage['content'][number];

const STOP_REASONS: readonly unknown[] = ['stop', 'length', 'toolUse', 'error', 'aborted'] satisfies StopReason[];

/** Whether a value is a JSON object (and no array). */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The content of a user or custom message: text, or its text and image blocks. */
export function userContent(value: unknown): string | UserBlock[] {
  return typeof value === 'string' ? value : resultContent(value);
}

/** The content of a tool result: its text and image blocks; bare text becomes one block. */
export function resultContent(value: unknown): UserBlock[] {
  if (typeof value === 'string') return value === '' ? [] : [{ type: 'text', text: value }];
  return blocks(value, isUserBlock);
}

/** The content of an assistant message: its text, thinking and tool-call blocks; bare text becomes one block. */
export function answerContent(value: unknown): AnswerBlock[] {
  if (typeof value === 'string') return value === '' ? [] : [{ type: 'text', text: value }];
  const content = blocks(value, isAnswerBlock);
  return content.every(hasArguments)
    ? content
    : content.map((block) => (hasArguments(block) ? block : withoutArguments(block)));
}

/** Arguments that were cut off in the stream or never given count as none; the call keeps its place. */
function withoutArguments(block: AnswerBlock): AnswerBlock {
  return { ...block, arguments: {} } as ToolCall;
}

function hasArguments(block: AnswerBlock): boolean {
  return block.type !== 'toolCall' || isRecord(block.arguments);
}

/** A stop reason that is known, or `stop`. */
export function stopReasonOf(value: unknown): StopReason {
  return STOP_REASONS.includes(value) ? (value as StopReason) : 'stop';
}

function blocks<T>(value: unknown, isBlock: (block: unknown) => block is T): T[] {
  if (!Array.isArray(value)) return [];
  return value.every(isBlock) ? value : value.filter(isBlock);
}

function isUserBlock(block: unknown): block is UserBlock {
  if (!isRecord(block)) return false;
  return block.type === 'text'
    ? typeof block.text === 'string'
    : block.type === 'image' && typeof block.data === 'string' && typeof block.mimeType === 'string';
}

function isAnswerBlock(block: unknown): block is AnswerBlock {
  if (!isRecord(block)) return false;
  switch (block.type) {
    case 'text':
      return typeof block.text === 'string';
    case 'thinking':
      return typeof block.thinking === 'string';
    case 'toolCall':
      return typeof block.id === 'string' && typeof block.name === 'string';
    default:
      return false;
  }
}

/** The tool that a call means, and its arguments: `call_tool {name, arguments}` is the tool it names. */
export function calledTool({ name, arguments: args }: Pick<ToolCall, 'name' | 'arguments'>): {
  name: string;
  args: Record<string, unknown>;
} {
  if (name !== 'call_tool' || typeof args.name !== 'string') return { name, args };
  return { name: args.name, args: isRecord(args.arguments) ? args.arguments : {} };
}

/** The calls of an answer with the arguments of the tools they mean, by the calls' ids. */
export function calledArguments(content: readonly { type: string }[]): [id: string, args: Record<string, unknown>][] {
  const calls = content.filter((block): block is ToolCall => block.type === 'toolCall');
  return calls.map((call) => [call.id, calledTool(call).args]);
}
