import { WordTable } from './word-table.ts';

/** Takes the words of a text. */
export interface WordSink {
  /**
   * @param place of the word in the table, until the next word.
   * @param hash of the word as it is written.
   */
  add(place: number, hash: number): void;
}

const SPACE = 0;
const NEWLINE = 1;
const SIGN = 2;
const WORD = 3;
const KIND = kinds();
/** What follows in a longer line is not looked at: nobody wrote it. */
const LONGEST_LINE = 4_096;

function kinds(): Uint8Array {
  const table = new Uint8Array(256).fill(SIGN).fill(WORD, 128);
  for (const space of ' \t\r\f\v') table[space.charCodeAt(0)] = SPACE;
  table[10] = NEWLINE;
  for (let byte = 0; byte < 128; byte++) if (/\w/.test(String.fromCharCode(byte))) table[byte] = WORD;
  return table;
}

/** Finds the words of a text in its bytes, without a regular expression and without making strings. */
export class WordScanner {
  readonly table = new WordTable();
  /** Whether the last line had nothing but spaces. */
  blank = true;
  readonly #encoder = new TextEncoder();
  #scratch = new Uint8Array(1 << 10);

  /** Hands on the words of the line at `at`, and answers where the next begins. */
  readLine(bytes: Uint8Array, at: number, sink: WordSink): number {
    const limit = Math.min(bytes.length, at + LONGEST_LINE);
    this.blank = true;
    while (at < limit) {
      let byte = bytes[at]!;
      let kind = KIND[byte]!;
      if (kind < WORD) {
        at++;
        if (kind === NEWLINE) return at;
        if (kind === SIGN) this.blank = false;
        continue;
      }
      this.blank = false;
      const start = at;
      let hash = 0;
      let secondHash = 0;
      do {
        hash = Math.imul(hash ^ byte, 0x01000193);
        secondHash = (Math.imul(secondHash, 31) + byte) | 0;
        byte = ++at < limit ? bytes[at]! : 0;
        kind = KIND[byte]!;
      } while (kind === WORD);
      // One letter alone says nothing.
      if (at - start > 1) sink.add(this.table.placeOf(bytes, start, at, hash, secondHash), hash);
    }
    if (at >= bytes.length) return at;
    const end = bytes.indexOf(10, at);
    return end < 0 ? bytes.length : end + 1;
  }

  /** The terms of a short text, as numbers, and how many parts its words have. */
  termsOf(text: string): { terms: number[]; parts: number } {
    if (text.length * 3 > this.#scratch.length) this.#scratch = new Uint8Array(text.length * 3);
    const { written } = this.#encoder.encodeInto(text, this.#scratch);
    const bytes = this.#scratch.subarray(0, written);
    const found = new TermList(this.table);
    for (let at = 0; at < written; ) at = this.readLine(bytes, at, found);
    return found;
  }
}

class TermList implements WordSink {
  readonly terms: number[] = [];
  parts = 0;
  readonly #table: WordTable;

  constructor(table: WordTable) {
    this.#table = table;
  }

  add(place: number): void {
    const first = this.#table.firstTerm(place);
    const end = this.#table.endOfTerms(place);
    for (let i = first; i < end; i++) this.terms.push(this.#table.termsOf[i]!);
    // Of several terms the last is the whole word.
    this.parts += end - first > 1 ? end - first - 1 : end - first;
  }
}
