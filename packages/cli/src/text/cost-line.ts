/** What a cost line tells. */
export interface CostFacts {
  model?: string;
  mode?: string;
  turns?: number;
  usage: { input: number; output: number; cacheRead: number; cacheWrite: number };
  /** US dollars, as far as prices are known. */
  cost: number;
  /** Of a part of it no price is known. */
  unpriced?: boolean;
  durationMs?: number;
}

/** What is left out first where the line is too long: the reader knows it, or can ask for it. */
const DISPENSABLE = ['mode', 'turns', 'model', 'time', 'tokens'] as const;

/** Cost in one line of at most so many columns: mode, model, turns, tokens, money, time. */
export function costLine(facts: CostFacts, columns = Number.POSITIVE_INFINITY): string {
  const { mode, model, turns, usage, cost, unpriced, durationMs } = facts;
  const sent = usage.input + usage.cacheRead + usage.cacheWrite;
  const used = sent + usage.output > 0;
  const parts = {
    mode,
    model,
    turns: turns === undefined ? undefined : `${turns} ${turns === 1 ? 'turn' : 'turns'}`,
    tokens: used ? `${count(sent)} tokens in${cached(usage.cacheRead, sent)}, ${count(usage.output)} out` : undefined,
    money: used && cost === 0 && unpriced ? 'price unknown' : money(cost, unpriced),
    time: durationMs === undefined ? undefined : `${(durationMs / 1000).toFixed(1)} s`,
  };
  for (const name of DISPENSABLE) {
    if (joined(parts).length <= columns) break;
    parts[name] = undefined;
  }
  return joined(parts);
}

function joined(parts: Readonly<Record<string, string | undefined>>): string {
  return Object.values(parts)
    .filter((part) => part !== undefined && part !== '')
    .join(' · ');
}

function cached(read: number, sent: number): string {
  return read > 0 ? ` (${Math.round((100 * read) / sent)} % cached)` : '';
}

function count(tokens: number): string {
  if (tokens < 1000) return String(tokens);
  return tokens < 1_000_000 ? `${(tokens / 1000).toFixed(1)}k` : `${(tokens / 1_000_000).toFixed(1)}M`;
}

/** US dollars, with enough digits that a small cost does not look like none; of what has no known price, the least. */
export function money(dollars: number, unpriced = false): string {
  if (unpriced && dollars === 0) return '$?';
  return `${unpriced ? '≥ ' : ''}$${dollars > 0 && dollars < 0.01 ? dollars.toFixed(4) : dollars.toFixed(2)}`;
}
