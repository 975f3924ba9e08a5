/** A number of tokens as a reader takes it in, e.g. `950`, `1.0k`, `1.5M`. */
export function tokenCount(tokens: number): string {
  if (tokens < 1000) return String(tokens);
  return tokens < 1_000_000 ? `${(tokens / 1000).toFixed(1)}k` : `${(tokens / 1_000_000).toFixed(1)}M`;
}

/** The size of a model's window, in tokens, e.g. `200k`, `1M`. */
export function windowSize(tokens: number): string {
  if (tokens < 1_000) return String(tokens);
  return tokens < 1_000_000 ? `${Math.round(tokens / 1_000)}k` : `${Number((tokens / 1_000_000).toFixed(1))}M`;
}

/** A price in US dollars without digits that tell nothing, e.g. `3`, `0.075`. */
export function price(dollars: number): string {
  return String(Number(dollars.toPrecision(4)));
}
