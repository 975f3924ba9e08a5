import { WordTable } from './word-table.ts';

/** Takes the words of a text. */
export interface WordSink {
  /** @param hash of the word as it is written. */
  add(word: number, hash: number): void;
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

  /** Adds the words of the line at `at`, and answers where the next begins. */
  readLine(bytes: Uint8Array, at: number, sink: WordSink): number {
    const limit = Math.min(bytes.length, at + LONGEST_LINE);
    this.blank = true;
    while (at < limit) {
      const kind = KIND[bytes[at]!]!;
      if (kind < WORD) {
        at++;
        if (kind === NEWLINE) return at;
        if (kind === SIGN) this.blank = false;
        continue;
      }
      this.blank = false;
      const start = at;
      let hash = 0;
      do hash = Math.imul(hash ^ bytes[at++]!, 0x01000193);
      while (at < limit && KIND[bytes[at]!] === WORD);
      // One letter alone says nothing.
      if (at - start > 1) sink.add(this.table.wordOf(bytes, start, at, hash), hash);
    }
    if (at >= bytes.length) return at;
    const end = bytes.indexOf(10, at);
    return end < 0 ? bytes.length : end + 1;
  }

  /** The words of a short text, as numbers. */
  wordsOf(text: string): number[] {
    if (text.length * 3 > this.#scratch.length) this.#scratch = new Uint8Array(text.length * 3);
    const { written } = this.#encoder.encodeInto(text, this.#scratch);
    const bytes = this.#scratch.subarray(0, written);
    const words: number[] = [];
    for (let at = 0; at < written; ) at = this.readLine(bytes, at, { add: (word) => words.push(word) });
    return words;
  }
}
