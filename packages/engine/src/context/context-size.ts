import { customData, type Entry, type Usage } from '@black-ide/protocol';
import type { LlmMessage } from '../llm/to-prompt.ts';
import { assistantOf } from '../loop/task-state.ts';
import type { TokenMeter } from './tokens.ts';

/** A count below this part of our own estimate, which errs on the large side, is none. */
const TOO_SMALL = 0.25;

/**
 * The tokens of the next request: what the provider counted with its newest answer, and estimates for what came after.
 * An answer from before the newest compaction, or before a cut, speaks of another conversation: it does not count, nor
 * do numbers that are missing or absurd.
 * @param fixed an estimate for the system prompt and the tools.
 */
export function contextSize(
  path: readonly Entry[],
  messages: readonly LlmMessage[],
  fixed: number,
  contextWindow: number,
  meter: TokenMeter,
): number {
  const sizes = messages.map((message) => meter.of(message));
  const estimate = sizes.reduce((sum, size) => sum + size, fixed);
  const answer = newestAnswer(path);
  const at = answer ? messages.lastIndexOf(answer) : -1;
  if (!answer || at < 0) return estimate;
  const after = sizes.slice(at + 1).reduce((sum, size) => sum + size, 0);
  const counted = tokensOf(answer.usage, contextWindow);
  return counted === undefined || counted < (estimate - after) * TOO_SMALL ? estimate : counted + after;
}

function newestAnswer(path: readonly Entry[]) {
  for (let i = path.length - 1; i >= 0; i--) {
    const entry = path[i]!;
    if (entry.type === 'compaction' || customData(entry, 'cut')) return undefined;
    const answer = assistantOf(entry);
    if (answer && answer.stopReason !== 'error' && answer.stopReason !== 'aborted') return answer;
  }
  return undefined;
}

/** What was sent and answered; undefined where the numbers are missing, or larger than the model could have taken. */
function tokensOf(usage: Partial<Usage> | undefined, contextWindow: number): number | undefined {
  const parts = [usage?.input, usage?.cacheRead, usage?.cacheWrite, usage?.output].map((part) => part ?? 0);
  if (parts.some((part) => typeof part !== 'number' || !Number.isFinite(part) || part < 0)) return undefined;
  const total = parts.reduce((sum, part) => sum + part, 0);
  return total > 0 && total <= contextWindow ? total : undefined;
}
