import { answerContent, customData, type Entry, type MessageEntry, type ToolCall, textOf } from '@black-ide/protocol';
import { assistantOf } from './task-state.ts';

/** So many identical failing calls in a row end in a question (IDE-22). */
const LIMIT = 3;

/** Two calls that fail by turns, so many times each, are no better. */
const PAIRS = 2;

export interface RepeatedFailure {
  name: string;
  /** What happened, in words. */
  what: string;
  error: string;
}

/**
 * The call that has just failed in the same way for the third time, or the two that fail by turns (A, B, A, B).
 * Looks at the path's end only.
 */
export function repeatedFailure(path: readonly Entry[]): RepeatedFailure | undefined {
  const calls = new Map<string, ToolCall>();
  const failures: Failure[] = [];
  for (const entry of path.slice(-LIMIT * 8)) {
    for (const block of answerContent(assistantOf(entry)?.content))
      if (block.type === 'toolCall') calls.set(block.id, block);
    const message = entry.type === 'message' ? (entry as MessageEntry).message : undefined;
    const answer = customData(entry, 'response');
    if (message?.role === 'user' || (answer?.kind === 'repeated_failure' && answer.value === 'continue'))
      failures.length = 0;
    if (message?.role !== 'toolResult') continue;
    if (!message.isError) {
      failures.length = 0;
      continue;
    }
    const call = calls.get(message.toolCallId);
    const error = textOf(message.content);
    failures.push({ key: JSON.stringify([message.toolName, call?.arguments]), name: message.toolName, error });
  }
  return sameFailure(failures) ?? failingPair(failures);
}

interface Failure {
  key: string;
  name: string;
  error: string;
}

function sameFailure(failures: readonly Failure[]): RepeatedFailure | undefined {
  const [first, ...others] = failures.slice(-LIMIT);
  if (!first || others.length < LIMIT - 1 || others.some(({ key }) => key !== first.key)) return undefined;
  const { name, error } = first;
  return { name, error, what: `\`${name}\` failed three times in the same way` };
}

function failingPair(failures: readonly Failure[]): RepeatedFailure | undefined {
  const last = failures.slice(-2 * PAIRS);
  const [one, other] = last;
  if (!one || !other || last.length < 2 * PAIRS) return undefined;
  if (last.some(({ key }, i) => key !== (i % 2 === 0 ? one : other).key)) return undefined;
  const { name, error } = last.at(-1)!;
  return { name, error, what: `\`${one.name}\` and \`${other.name}\` fail by turns, in the same way` };
}
