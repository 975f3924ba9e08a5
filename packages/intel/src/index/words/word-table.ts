import { grown } from './grow.ts';
import { HashNumbers } from './hash-numbers.ts';
import { hashTerm } from './hash-term.ts';
import { splitWord } from './split-word.ts';

/** What is kept from file to file; more is forgotten by `trim`. */
const KEPT_WORDS = 1 << 16;
const KEPT_BYTES = 1 << 20;

/**
 * Splits each distinct word once. Code repeats its words: one that was seen before costs a look into this table. Words
 * and terms are numbered; the numbers hold until `trim`.
 */
export class WordTable {
  readonly terms = new HashNumbers();
  /** Terms of all words, one word's after another's, as numbers. */
  termsOf = new Int32Array(1 << 12);
  /** Where the terms of a word begin in `termsOf`; they end where the next word's begin. */
  first = new Int32Array(1 << 12);
  #count = 0;
  #hashes = new Int32Array(1 << 12);
  /** Where the bytes of a word begin in the arena. */
  #bytesAt = new Int32Array(1 << 12);
  #arena = new Uint8Array(1 << 15);
  /** Numbers of words, one higher, at places that follow from their hashes. */
  #slots = new Int32Array(1 << 13);
  readonly #decoder = new TextDecoder('utf-8', { ignoreBOM: true });

  /**
   * The number of the word in `bytes[start, end)`.
   * @param hash of these bytes: any function of them alone, as a signed integer.
   */
  wordOf(bytes: Uint8Array, start: number, end: number, hash: number): number {
    const slots = this.#slots;
    const mask = slots.length - 1;
    let slot = (hash ^ (hash >>> 15)) & mask;
    for (let entry = slots[slot]!; entry !== 0; entry = slots[slot]!) {
      if (this.#hashes[entry - 1] === hash && this.#is(entry - 1, bytes, start, end)) return entry - 1;
      slot = (slot + 1) & mask;
    }
    slots[slot] = this.#count + 1;
    return this.#add(bytes.subarray(start, end), hash);
  }

  /** How many parts a word has. */
  partsOf(word: number): number {
    const terms = this.first[word + 1]! - this.first[word]!;
    return terms > 1 ? terms - 1 : terms;
  }

  /** Forgets all words when they have become many. */
  trim(): void {
    if (this.#count <= KEPT_WORDS && this.#bytesAt[this.#count]! <= KEPT_BYTES) return;
    this.#count = 0;
    this.#slots.fill(0);
    this.terms.clear();
  }

  #is(word: number, bytes: Uint8Array, start: number, end: number): boolean {
    const arena = this.#arena;
    const at = this.#bytesAt[word]! - start;
    if (this.#bytesAt[word + 1]! - at !== end) return false;
    for (let i = start; i < end; i++) if (arena[at + i] !== bytes[i]) return false;
    return true;
  }

  #add(bytes: Uint8Array, hash: number): number {
    const word = this.#count++;
    this.#hashes = grown(this.#hashes, word + 1);
    this.#hashes[word] = hash;
    this.#bytesAt = grown(this.#bytesAt, word + 2);
    const at = this.#bytesAt[word]!;
    this.#bytesAt[word + 1] = at + bytes.length;
    this.#arena = grown(this.#arena, at + bytes.length);
    this.#arena.set(bytes, at);
    this.first = grown(this.first, word + 2);
    let next = this.first[word]!;
    for (const term of splitWord(this.#decoder.decode(bytes))) {
      this.termsOf = grown(this.termsOf, next + 1);
      this.termsOf[next++] = this.terms.add(hashTerm(term));
    }
    this.first[word + 1] = next;
    if (this.#count * 2 > this.#slots.length) this.#rehash(this.#slots.length * 2);
    return word;
  }

  #rehash(size: number): void {
    const slots = new Int32Array(size);
    for (let word = 0; word < this.#count; word++) {
      const hash = this.#hashes[word]!;
      let slot = (hash ^ (hash >>> 15)) & (size - 1);
      while (slots[slot] !== 0) slot = (slot + 1) & (size - 1);
      slots[slot] = word + 1;
    }
    this.#slots = slots;
  }
}
