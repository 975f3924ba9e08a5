import type { Clock } from '../engine-api.ts';
import type { ResolvedModel } from '../llm/model.ts';
import type { TurnOutcome } from '../llm/stream-turn.ts';
import { withRetries } from './retry.ts';
import type { BudgetStop, RunBudget } from './run-budget.ts';
import type { SessionPort } from './session-port.ts';

export interface CallParts {
  port: Pick<SessionPort, 'emit'>;
  model: ResolvedModel;
  budget: RunBudget;
  clock: Clock;
  random: () => number;
}

/**
 * The one way to a model: what the call will cost at least is set aside before, passing failures are retried, and the
 * provider's own numbers are booked after it (IDE-20, IDE-24).
 * @param tokens an estimate of the request.
 */
export async function callModel(
  { port, model, budget, clock, random }: CallParts,
  tokens: number,
  signal: AbortSignal,
  attempt: () => Promise<TurnOutcome>,
): Promise<TurnOutcome | { stop: BudgetStop }> {
  const reserved = budget.reserve({ tokens, cost: leastCost(model, tokens) });
  if (!reserved.ok) return { stop: reserved.stop };
  const { reservation } = reserved;
  try {
    const outcome = await withRetries(attempt, clock, signal, random, ({ attempt: tries, delayMs, reason }) =>
      port.emit({ type: 'RetryScheduled', attempt: tries, delayMs, reason }),
    );
    // An answer that the provider stopped was paid for, too.
    const { usage } = outcome.ok ? outcome.message : outcome.partial;
    if (outcome.ok || usage.totalTokens > 0) reservation.commit(usage);
    return outcome;
  } finally {
    reservation.release();
  }
}

/** What a request costs if the provider has all of it in its cache: the estimate must not stop what is affordable. */
function leastCost({ info: { prices } }: ResolvedModel, tokens: number): number {
  if (!prices) return 0;
  return (tokens * Math.min(prices.cacheRead || prices.input, prices.input)) / 1e6;
}
