import { stem } from './stem.ts';
import { STOP_WORDS } from './stop-words.ts';

/** Runs in a text that `splitWord` takes; the scanner finds the same ones in its bytes. */
export const WORDS = /[\w\u0080-\u{10ffff}]+/gu;
const WORD = /[\p{L}\p{M}\p{N}_]+/gu;
/** Parts of a word beyond ASCII. Letters without case stay together, with their vowel signs. */
const PART = /\p{Lu}+(?=\p{Lu}\p{Ll})|\p{Lu}?[\p{Ll}\p{M}]+|\p{Lu}+|\p{N}+|[\p{Lo}\p{Lm}\p{M}]+/gu;
/** Scripts that put no space between words: theirs are found by pairs of letters. */
const UNSPACED = /[\p{sc=Hani}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}\p{sc=Thai}\p{sc=Laoo}\p{sc=Khmr}\p{sc=Mymr}]/u;
const ACCENTS = /[\u0300-\u036f]/g;
/** A longer word is none: Base64, a hash, a line of art. */
const LONGEST = 128;
const LONGEST_NUMBER = 8;

/**
 * The terms of one run of letters, digits, `_` and characters beyond ASCII (INT-7): its parts (camelCase, snake_case,
 * digits) and, where there are several, the whole; in small letters, stemmed, without accents and stop words.
 */
export function splitWord(run: string): string[] {
  const terms: string[] = [];
  if (isAscii(run)) addTerms(asciiParts(run), terms);
  else for (const [word] of withoutAccents(run).matchAll(WORD)) addOtherTerms(word, terms);
  return terms;
}

function withoutAccents(run: string): string {
  return run.normalize('NFKD').replace(ACCENTS, '').normalize('NFC');
}

function addTerms(parts: readonly string[], terms: string[]): void {
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  // What changes its kind with every other letter was written by a machine.
  if (length > LONGEST || (parts.length > 6 && length < parts.length * 3)) return;
  for (const part of parts) {
    if (part.length > 1 && !STOP_WORDS.has(part) && !isLongNumber(part)) terms.push(stem(part));
  }
  if (parts.length > 1) terms.push(stem(parts.join('')));
}

function addOtherTerms(word: string, terms: string[]): void {
  if (!UNSPACED.test(word)) {
    addTerms(
      Array.from(word.matchAll(PART), ([part]) => part.toLowerCase()),
      terms,
    );
    return;
  }
  for (const [part] of word.matchAll(PART)) {
    if (UNSPACED.test(part)) addPairs(part, terms);
    else addTerms([part.toLowerCase()], terms);
  }
}

function addPairs(part: string, terms: string[]): void {
  const letters = [...part];
  if (letters.length === 1) terms.push(part);
  for (let i = 0; i + 1 < letters.length; i++) terms.push(letters[i]! + letters[i + 1]!);
}

function isLongNumber(part: string): boolean {
  return part.length > LONGEST_NUMBER && part.charCodeAt(0) <= 57;
}

function isAscii(run: string): boolean {
  for (let i = 0; i < run.length; i++) if (run.charCodeAt(i) > 127) return false;
  return true;
}

const NONE = 0;
const LOWER = 1;
const UPPER = 2;
const DIGIT = 3;

function kindOf(code: number): number {
  if (code >= 97 && code <= 122) return LOWER;
  if (code >= 65 && code <= 90) return UPPER;
  return code >= 48 && code <= 57 ? DIGIT : NONE;
}

/** `HTTPServer2_x` is http, server, 2, x. */
function asciiParts(run: string): string[] {
  const lower = run.toLowerCase();
  const parts: string[] = [];
  let start = 0;
  let before = NONE;
  for (let i = 0; i <= run.length; i++) {
    const kind = i < run.length ? kindOf(run.charCodeAt(i)) : NONE;
    if (kind === before) continue;
    // The last capital of several begins the next word.
    const border = before === UPPER && kind === LOWER ? i - 1 : i;
    if (before !== NONE && border > start) parts.push(lower.slice(start, border));
    start = border;
    if (kind === NONE || before === NONE) start = i;
    before = kind;
  }
  return parts;
}
