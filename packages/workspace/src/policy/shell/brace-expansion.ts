import { BRACE_CLOSE, BRACE_OPEN, COMMA } from './markers.ts';

/** More words than this are not made out of one. */
const MAX_WORDS = 64;

/**
 * The words a word with active braces stands for (`a{b,c}` is `ab ac`, `{1..3}` is `1 2 3`); braces that expand to
 * nothing become plain characters. Answers undefined when there would be too many.
 */
export function expandBraces(word: string): string[] | undefined {
  const finished: string[] = [];
  const open = [word];
  while (open.length > 0) {
    if (open.length + finished.length > MAX_WORDS) return undefined;
    const next = open.shift() as string;
    const at = next.indexOf(BRACE_OPEN);
    if (at < 0) {
      finished.push(next.replaceAll(BRACE_CLOSE, '}').replaceAll(COMMA, ','));
      continue;
    }
    const alternatives = alternativesAt(next, at);
    if (!alternatives) {
      open.unshift(`${next.slice(0, at)}{${next.slice(at + 1)}`);
      continue;
    }
    const { items, end } = alternatives;
    open.unshift(...items.map((item) => next.slice(0, at) + item + next.slice(end)));
  }
  return finished;
}

/** What stands between the brace at `at` and its partner, taken apart; undefined if that is no expansion. */
function alternativesAt(word: string, at: number): { items: string[]; end: number } | undefined {
  let depth = 0;
  let from = at + 1;
  const items: string[] = [];
  for (let index = at; index < word.length; index += 1) {
    const symbol = word[index];
    if (symbol === BRACE_OPEN) depth += 1;
    else if (symbol === COMMA && depth === 1) {
      items.push(word.slice(from, index));
      from = index + 1;
    } else if (symbol === BRACE_CLOSE) {
      depth -= 1;
      if (depth > 0) continue;
      const last = word.slice(from, index);
      if (items.length > 0) return { items: [...items, last], end: index + 1 };
      const range = rangeOf(last);
      return range && { items: range, end: index + 1 };
    }
  }
  return undefined;
}

/** `1..4`, `a..e`, `1..9..2`. */
function rangeOf(text: string): string[] | undefined {
  const match = /^(-?\d{1,9}|[A-Za-z])\.\.(-?\d{1,9}|[A-Za-z])(?:\.\.(-?\d{1,9}))?$/.exec(text);
  if (!match) return undefined;
  const [, first = '', last = '', stride] = match;
  const numeric = /\d/.test(first) && /\d/.test(last);
  if (!numeric && (/\d/.test(first) || /\d/.test(last))) return undefined;
  const from = numeric ? Number(first) : first.charCodeAt(0);
  const to = numeric ? Number(last) : last.charCodeAt(0);
  const step = Math.max(1, Math.abs(Number(stride ?? 1)));
  const items: string[] = [];
  for (let value = from; from <= to ? value <= to : value >= to; value += from <= to ? step : -step) {
    if (items.length > MAX_WORDS) break;
    items.push(numeric ? String(value) : String.fromCharCode(value));
  }
  return items;
}
