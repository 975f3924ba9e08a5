import type { Clock } from '../engine-api.ts';
import { retryDelay } from '../llm/retry-delay.ts';
import type { TurnOutcome } from '../llm/stream-turn.ts';

export interface RetryNotice {
  /** 1 for the first retry. */
  attempt: number;
  delayMs: number;
  reason: string;
}

/**
 * Repeats a model call that failed for a passing reason (IDE-20), see `retryDelay`. Tools are never part of a try, so
 * nothing is done twice.
 * @param random a number from 0 (inclusive) to 1, for the jitter.
 */
export async function withRetries(
  attempt: () => Promise<TurnOutcome>,
  clock: Clock,
  signal: AbortSignal,
  random: () => number,
  onRetry: (notice: RetryNotice) => void,
): Promise<TurnOutcome> {
  for (let tries = 1; ; tries++) {
    const outcome = await attempt();
    if (outcome.ok) return outcome;
    const delayMs = retryDelay(outcome.failure, tries, random);
    if (delayMs === undefined) return outcome;
    onRetry({ attempt: tries, delayMs, reason: outcome.failure.error.message });
    try {
      await clock.sleep(delayMs, signal);
    } catch (cause) {
      if (!signal.aborted) throw cause;
      const error = { code: 'cancelled', message: 'The model was stopped.' };
      return { ok: false, failure: { kind: 'aborted', error }, partial: { ...outcome.partial, stopReason: 'aborted' } };
    }
  }
}
