import { isRetryable, type ModelFailure } from './failure.ts';

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

/**
 * Milliseconds to wait before a call that failed is tried again (IDE-20): as the server asks, else exponential backoff
 * with jitter. Undefined: it is not to be tried again.
 * @param tries so far.
 * @param random a number from 0 (inclusive) to 1, for the jitter.
 */
export function retryDelay(failure: ModelFailure, tries: number, random: () => number): number | undefined {
  const most = failure.error.code === 'network' ? MAX_RECONNECTS : MAX_RETRIES;
  if (!isRetryable(failure) || tries > most) return undefined;
  const delayMs = delayOf(failure, tries, random);
  return delayMs > MAX_WAIT_MS ? undefined : delayMs;
}

function delayOf({ retryAfterMs }: ModelFailure, tries: number, random: () => number): number {
  if (retryAfterMs !== undefined) return Math.max(retryAfterMs, LEAST_DELAY_MS * 2 ** (tries - 1));
  const base = Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 2 ** (tries - 1));
  return Math.round(base * (0.75 + random() / 2));
}
