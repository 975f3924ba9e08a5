import type { Clock } from '../engine-api.ts';
import { isRetryable, type ModelFailure } from '../llm/failure.ts';
import type { TurnOutcome } from '../llm/stream-turn.ts';

/** Tries after the first one. */
const MAX_RETRIES = 4;
/** The same where no connection comes about at all: a person without a network wants to know soon. */
const MAX_RECONNECTS = 2;
const FIRST_DELAY_MS = 1_000;
/** The least before the first retry, whatever the server asks; it doubles, so that one that says 0 is not run over. */
const LEAST_DELAY_MS = 250;
const MAX_DELAY_MS = 30_000;
/** A server that wants us to wait longer is not waited for: a person decides. */
const MAX_WAIT_MS = 120_000;

export interface RetryNotice {
  /** 1 for the first retry. */
  attempt: number;
  delayMs: number;
  reason: string;
}

/**
 * Repeats a model call that failed for a passing reason (IDE-20): rate limits as the server asks, else exponential
 * backoff with jitter. Tools are never part of a try, so nothing is done twice.
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
    if (outcome.ok || !isRetryable(outcome.failure) || tries > retriesOf(outcome.failure)) return outcome;
    const delayMs = delayOf(outcome.failure, tries, random);
    if (delayMs > MAX_WAIT_MS) return outcome;
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

function retriesOf({ error }: ModelFailure): number {
  return error.code === 'network' ? MAX_RECONNECTS : MAX_RETRIES;
}

function delayOf(failure: ModelFailure, tries: number, random: () => number): number {
  if (failure.retryAfterMs !== undefined) return Math.max(failure.retryAfterMs, LEAST_DELAY_MS * 2 ** (tries - 1));
  const base = Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 2 ** (tries - 1));
  return Math.round(base * (0.75 + random() / 2));
}
