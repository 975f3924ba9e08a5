/** What a cost line tells. */
export interface CostFacts {
  model?: string;
  mode?: string;
  turns?: number;
  usage: { input: number; output: number; cacheRead: number; cacheWrite: number };
  /** US dollars. */
  cost: number;
  durationMs?: number;
}

/** Cost in one line: mode, model, turns, tokens, money, time. */
export function costLine(facts: CostFacts): string {
  const { mode, model, turns, usage, cost, durationMs } = facts;
  const sent = usage.input + usage.cacheRead + usage.cacheWrite;
  return [
    mode,
    model,
    turns === undefined ? undefined : `${turns} ${turns === 1 ? 'turn' : 'turns'}`,
    sent + usage.output > 0
      ? `${count(sent)} tokens in${cached(usage.cacheRead, sent)}, ${count(usage.output)} out`
      : undefined,
    money(cost),
    durationMs === undefined ? undefined : `${(durationMs / 1000).toFixed(1)} s`,
  ]
    .filter(Boolean)
    .join(' · ');
}

function cached(read: number, sent: number): string {
  return read > 0 ? ` (${Math.round((100 * read) / sent)} % cached)` : '';
}

function count(tokens: number): string {
  if (tokens < 1000) return String(tokens);
  return tokens < 1_000_000 ? `${(tokens / 1000).toFixed(1)}k` : `${(tokens / 1_000_000).toFixed(1)}M`;
}

/** US dollars, with enough digits that a small cost does not look like none. */
function money(dollars: number): string {
  return `$${dollars > 0 && dollars < 0.01 ? dollars.toFixed(4) : dollars.toFixed(2)}`;
}
