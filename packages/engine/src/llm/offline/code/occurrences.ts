import { isWordChar } from './words.ts';

export interface Occurrence {
  /** Index of the first UTF-16 unit. */
  at: number;
  /** False where the text is only a part of a longer word, as `note` in `notebook`. */
  whole: boolean;
}

/** Where a text stands in another, from left to right without overlaps. */
export function occurrences(text: string, wanted: string): Occurrence[] {
  const found: Occurrence[] = [];
  if (wanted === '') return found;
  const opens = isWordChar(charAt(wanted, 0));
  const closes = isWordChar(charBefore(wanted, wanted.length));
  for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + wanted.length)) {
    const cutLeft = opens && isWordChar(charBefore(text, at));
    const cutRight = closes && isWordChar(charAt(text, at + wanted.length));
    found.push({ at, whole: !cutLeft && !cutRight });
  }
  return found;
}

/** True where the text holds the name as a whole word. */
export function mentions(text: string, name: string): boolean {
  return occurrences(text, name).some((each) => each.whole);
}

/** The text with each whole occurrence replaced; parts of longer words stay. */
export function replaceWhole(text: string, wanted: string, instead: string): string {
  let out = '';
  let from = 0;
  for (const { at, whole } of occurrences(text, wanted)) {
    if (!whole) continue;
    out += text.slice(from, at) + instead;
    from = at + wanted.length;
  }
  return out + text.slice(from);
}

function charAt(text: string, at: number): string | undefined {
  const code = text.codePointAt(at);
  return code === undefined ? undefined : String.fromCodePoint(code);
}

function charBefore(text: string, at: number): string | undefined {
  if (at <= 0) return undefined;
  const low = text.charCodeAt(at - 1);
  return low >= 0xdc00 && low <= 0xdfff && at > 1 ? charAt(text, at - 2) : text[at - 1];
}
