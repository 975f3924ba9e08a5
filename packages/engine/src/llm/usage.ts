import type { LanguageModelV4Usage } from '@ai-sdk/provider';
import type { Usage } from '@black-ide/protocol';
import { tokenCount } from './mend-usage.ts';
import type { Prices, Rates } from './model.ts';

/** Stands in where no price is known: the tokens are told, the money is not made up. */
const FREE: Prices = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };

/**
 * What a turn has used and cost. Servers leave numbers out, or send strings, negatives and nonsense: what is no
 * possible count of tokens counts as none.
 * @param billed What the provider says that it has billed, in US dollars; it is believed over the price list.
 */
export function usageOf(usage: LanguageModelV4Usage | undefined, prices: Prices = FREE, billed?: unknown): Usage {
  const cacheRead = tokenCount(usage?.inputTokens?.cacheRead);
  const cacheWrite = tokenCount(usage?.inputTokens?.cacheWrite);
  const noCache = usage?.inputTokens?.noCache;
  const total = tokenCount(usage?.inputTokens?.total);
  const input = noCache === undefined ? Math.max(0, total - cacheRead - cacheWrite) : tokenCount(noCache);
  const output = tokenCount(usage?.outputTokens?.total);
  const rates = ratesFor(input + cacheRead + cacheWrite, prices);
  const cost = {
    input: (input * rates.input) / 1e6,
    output: (output * rates.output) / 1e6,
    cacheRead: (cacheRead * (rates.cacheRead ?? rates.input)) / 1e6,
    cacheWrite: (cacheWrite * (rates.cacheWrite ?? rates.input)) / 1e6,
  };
  const listed = cost.input + cost.output + cost.cacheRead + cost.cacheWrite;
  return {
    input,
    output,
    cacheRead,
    cacheWrite,
    totalTokens: input + output + cacheRead + cacheWrite,
    cost: { ...cost, total: isMoney(billed) ? billed : listed },
  };
}

function ratesFor(inputTokens: number, prices: Prices): Rates {
  return prices.tiers?.findLast(({ above }) => inputTokens > above) ?? prices;
}

function isMoney(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 && value < 10_000;
}
