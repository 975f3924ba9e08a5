/**
 * At most `limit` UTF-16 units of a line, around a place in it, with `…` where something is missing. No character is torn.
 */
export function clipLine(line: string, around: number, limit: number): string {
  if (line.length <= limit) return line;
  const lead = Math.floor(limit / 4);
  let from = Math.max(0, Math.min(around - lead, line.length - limit));
  let to = Math.min(line.length, from + limit);
  if (isLowSurrogate(line, from)) from++;
  if (isLowSurrogate(line, to)) to--;
  return `${from > 0 ? '…' : ''}${line.slice(from, to)}${to < line.length ? '…' : ''}`;
}

function isLowSurrogate(text: string, at: number): boolean {
  const unit = text.charCodeAt(at);
  return unit >= 0xdc00 && unit <= 0xdfff && at > 0;
}
