import { answerContent, customData, type Entry, type MessageEntry, type ToolCall, textOf } from '@black-ide/protocol';
import { assistantOf } from './task-state.ts';

/** So many identical failing calls in a row end in a question (IDE-22). */
const LIMIT = 3;

/** The call that has just failed in the same way for the third time, or undefined. Looks at the path's end only. */
export function repeatedFailure(path: readonly Entry[]): { name: string; error: string } | undefined {
  const calls = new Map<string, ToolCall>();
  const failures: { key: string; name: string; error: string }[] = [];
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
  const last = failures.slice(-LIMIT);
  return last.length === LIMIT && last.every((failure) => failure.key === last[0]!.key) ? last[0] : undefined;
}
