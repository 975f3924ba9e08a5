import { grown } from './grow.ts';
import { HashNumbers } from './hash-numbers.ts';
import { hashTerm } from './hash-term.ts';
import { splitWord } from './split-word.ts';

/** What is kept from file to file; more is forgotten by `trim`. */
const KEPT_WORDS = 1 << 15;

/** Columns of a word in the table, at the place that `placeOf` answers. */
const HASH = 0;
const SECOND_HASH = 1;
/** Where its terms begin in `termsOf`, and where they end; both one higher, since 0 says that the place is free. */
const FIRST = 2;
const END = 3;
const WIDTH = 4;

/**
 * Splits each distinct word once. Code repeats its words: one that was seen before costs a look into this table, an
 * open hash table of all that there is to know of a word. Two hashes stand for its bytes.
 */
export class WordTable {
  /** Numbers of all terms; they hold until `trim`. */
  readonly terms = new HashNumbers(KEPT_WORDS);
  /** Terms of all words, one word's after another's, as numbers. */
  termsOf = new Int32Array(2 * KEPT_WORDS);
  #termsEnd = 0;
  #count = 0;
  #words = new Int32Array(WIDTH * 2 * KEPT_WORDS);
  readonly #decoder = new TextDecoder('utf-8', { ignoreBOM: true });

  /**
   * The place of the word in `bytes[start, end)`, until another is looked for.
   * @param hash of these bytes, as a signed integer, and `secondHash`, of another kind.
   */
  placeOf(bytes: Uint8Array, start: number, end: number, hash: number, secondHash: number): number {
    const words = this.#words;
    const mask = words.length - 1;
    let place = ((hash ^ (hash >>> 15)) * WIDTH) & mask;
    while (words[place + FIRST] !== 0) {
      if (words[place + HASH] === hash && words[place + SECOND_HASH] === secondHash) return place;
      place = (place + WIDTH) & mask;
    }
    return this.#add(bytes, start, end, hash, secondHash, place);
  }

  /** The terms of the word at a place are those of `termsOf` from here … */
  firstTerm(place: number): number {
    return this.#words[place + FIRST]! - 1;
  }

  /** … to before here. */
  endOfTerms(place: number): number {
    return this.#words[place + END]! - 1;
  }

  /** Forgets all words when they have become many. */
  trim(): void {
    if (this.#count <= KEPT_WORDS) return;
    this.#count = 0;
    this.#termsEnd = 0;
    this.#words.fill(0);
    this.terms.clear();
  }

  #add(bytes: Uint8Array, start: number, end: number, hash: number, secondHash: number, place: number): number {
    const first = this.#termsEnd;
    for (const term of splitWord(this.#textOf(bytes, start, end))) {
      this.termsOf = grown(this.termsOf, this.#termsEnd + 1);
      this.termsOf[this.#termsEnd++] = this.terms.add(hashTerm(term));
    }
    this.#words.set([hash, secondHash, first + 1, this.#termsEnd + 1], place);
    if (++this.#count * 2 * WIDTH <= this.#words.length) return place;
    this.#rehash();
    return this.placeOf(bytes, start, end, hash, secondHash);
  }

  #textOf(bytes: Uint8Array, start: number, end: number): string {
    let text = '';
    for (let at = start; at < end; at++) {
      // A decoder costs more than most words have letters.
      if (bytes[at]! > 127) return this.#decoder.decode(bytes.subarray(start, end));
      text += String.fromCharCode(bytes[at]!);
    }
    return text;
  }

  #rehash(): void {
    const before = this.#words;
    const words = new Int32Array(before.length * 2);
    const mask = words.length - 1;
    for (let at = 0; at < before.length; at += WIDTH) {
      if (before[at + FIRST] === 0) continue;
      const hash = before[at + HASH]!;
      let place = ((hash ^ (hash >>> 15)) * WIDTH) & mask;
      while (words[place + FIRST] !== 0) place = (place + WIDTH) & mask;
      words.set(before.subarray(at, at + WIDTH), place);
    }
    this.#words = words;
  }
}
