import { ANY, QUESTION, SET_CLOSE, SET_OPEN, SOME, STAR } from './markers.ts';

/**
 * Whether `text` matches a pattern whose active characters are markers; unknown parts match anything. Quadratic at
 * worst, never exponential: only the last star is ever tried again.
 */
export function matchesGlob(pattern: string, text: string): boolean {
  let at = 0;
  let position = 0;
  let starAt = -1;
  let starPosition = 0;
  while (position < text.length) {
    const symbol = pattern[at];
    if (symbol === STAR || symbol === ANY || symbol === SOME) {
      starAt = at;
      starPosition = position;
      at += 1;
      continue;
    }
    const step = symbol === undefined ? 0 : matchOne(pattern, at, text[position] as string);
    if (step > 0) {
      at += step;
      position += 1;
    } else if (starAt >= 0) {
      starPosition += 1;
      position = starPosition;
      at = starAt + 1;
    } else {
      return false;
    }
  }
  while (pattern[at] === STAR || pattern[at] === ANY) at += 1;
  return at === pattern.length;
}

/** The length of the pattern's element at `at` if it matches the character, else 0. */
function matchOne(pattern: string, at: number, character: string): number {
  const symbol = pattern[at];
  if (symbol === QUESTION) return 1;
  if (symbol !== SET_OPEN) return symbol === character ? 1 : 0;
  const close = pattern.indexOf(SET_CLOSE, at + 1);
  if (close < 0) return character === '[' ? 1 : 0;
  return inSet(pattern.slice(at + 1, close), character) ? close - at + 1 : 0;
}

function inSet(body: string, character: string): boolean {
  const negated = body.startsWith('!') || body.startsWith('^');
  const set = negated ? body.slice(1) : body;
  // A class such as [:alpha:] is taken to hold every character: the question is always what COULD match.
  if (set.includes(':')) return true;
  let found = false;
  for (let index = 0; index < set.length; index += 1) {
    const from = set[index] as string;
    const to = set[index + 1] === '-' && index + 2 < set.length ? (set[index + 2] as string) : from;
    if (character >= from && character <= to) found = true;
    if (to !== from) index += 2;
  }
  return found !== negated;
}
