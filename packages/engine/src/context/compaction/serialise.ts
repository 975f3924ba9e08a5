import { type AssistantMessage, textOf } from '@black-ide/protocol';
import type { LlmMessage } from '../../llm/to-prompt.ts';
import { estimateTokens } from '../tokens.ts';

/** Characters of one tool result, one call's arguments, one text. */
const RESULT = 2_000;
const ARGUMENTS = 600;
const TEXT = 12_000;

/**
 * A conversation as plain text, bounded in every part, so that a model summarises it instead of going on with it. Where
 * it is longer than so many tokens, its beginning and its end are kept.
 */
export function serialise(messages: readonly LlmMessage[], maxTokens: number): string {
  const parts = messages.map(partOf).filter((part) => part !== '');
  const sizes = parts.map((part) => estimateTokens(part) + 1);
  if (sizes.reduce((sum, size) => sum + size, 0) <= maxTokens) return parts.join('\n\n');
  let head = 0;
  for (let used = 0; head < parts.length && used + sizes[head]! <= maxTokens * 0.25; head++) used += sizes[head]!;
  let tail = parts.length;
  for (let used = 0; tail > head && used + sizes[tail - 1]! <= maxTokens * 0.7; tail--) used += sizes[tail - 1]!;
  const note = `[${tail - head} messages in between are left out]`;
  return [...parts.slice(0, head), note, ...parts.slice(tail)].join('\n\n');
}

function partOf(message: LlmMessage): string {
  switch (message.role) {
    case 'user':
      return `[User]\n${clipped(plain(message.content), TEXT)}`;
    case 'assistant':
      return answer(message);
    case 'toolResult':
      return `[Result of ${message.toolName}${message.isError ? ', failed' : ''}]\n${clipped(plain(message.content), RESULT)}`;
  }
}

function answer(message: AssistantMessage): string {
  const text = textOf(message.content);
  const lines = text.trim() === '' ? [] : [`[Assistant]\n${clipped(text, TEXT)}`];
  for (const block of message.content) {
    if (block.type === 'toolCall') {
      lines.push(`[Assistant calls ${block.name}]\n${clipped(JSON.stringify(block.arguments), ARGUMENTS)}`);
    }
  }
  return lines.join('\n');
}

function plain(content: string | readonly { type: string; text?: string }[]): string {
  if (typeof content === 'string') return content;
  return content.map((block) => (block.type === 'text' ? (block.text ?? '') : `[${block.type}]`)).join('\n');
}

/** Two thirds head, one third tail; whole characters. The element that wraps the conversation cannot be closed from inside. */
export function clipped(text: string, most: number): string {
  const safe = text.replaceAll(/<(\/?)(conversation|previous-summary|summary)>/gi, '<$1$2 >');
  if (safe.length <= most) return safe;
  const head = safe.slice(0, Math.floor((most * 2) / 3)).toWellFormed();
  const tail = safe.slice(safe.length - Math.floor(most / 3)).toWellFormed();
  return `${head}\n[… ${safe.length - head.length - tail.length} characters left out …]\n${tail}`;
}
