import { grown } from './grow.ts';
import { hashTerm } from './hash-term.ts';
import { splitWord } from './split-word.ts';

/** What is kept from file to file; more is forgotten by `trim`. */
const KEPT_WORDS = 1 << 16;
const KEPT_BYTES = 1 << 20;

/**
 * Splits each distinct word once. Code repeats its words: one that was seen before costs a look into this table. Words
 * and terms are numbered, from 1 and from 0; the numbers hold until `trim`.
 */
export class WordTable {
  /** Terms of all words, one word's after another's, as numbers. */
  terms = new Int32Array(1 << 12);
  /** Where the terms of a word begin in `terms`; they end where the next word's begin. */
  first = new Int32Array(1 << 12);
  /** Hash of each term. */
  hashes = new Uint32Array(1 << 12);
  #termCount = 0;
  #wordCount = 0;
  #wordHashes = new Int32Array(1 << 12);
  /** Where the bytes of a word begin in the arena. */
  #bytesAt = new Int32Array(1 << 12);
  #arena = new Uint8Array(1 << 15);
  #wordSlots = new Int32Array(1 << 13);
  #termSlots = new Int32Array(1 << 13);
  readonly #decoder = new TextDecoder('utf-8', { ignoreBOM: true });

  get termCount(): number {
    return this.#termCount;
  }

  /**
   * The number of the word in `bytes[start, end)`.
   * @param hash of these bytes: any function of them alone.
   */
  wordOf(bytes: Uint8Array, start: number, end: number, hash: number): number {
    const slots = this.#wordSlots;
    const mask = slots.length - 1;
    let slot = mixed(hash) & mask;
    for (let word = slots[slot]!; word !== 0; word = slots[slot]!) {
      if (this.#wordHashes[word] === hash && this.#is(word, bytes, start, end)) return word;
      slot = (slot + 1) & mask;
    }
    return this.#add(bytes, start, end, hash, slot);
  }

  /** Forgets all words when they have become many. */
  trim(): void {
    if (this.#wordCount <= KEPT_WORDS && this.#bytesAt[this.#wordCount + 1]! <= KEPT_BYTES) return;
    this.#wordCount = 0;
    this.#termCount = 0;
    this.#wordSlots.fill(0);
    this.#termSlots.fill(0);
  }

  #is(word: number, bytes: Uint8Array, start: number, end: number): boolean {
    const arena = this.#arena;
    const at = this.#bytesAt[word]!;
    if (this.#bytesAt[word + 1]! - at !== end - start) return false;
    for (let i = start; i < end; i++) if (arena[at + i - start] !== bytes[i]) return false;
    return true;
  }

  #add(bytes: Uint8Array, start: number, end: number, hash: number, slot: number): number {
    const word = ++this.#wordCount;
    this.first = grown(this.first, word + 2);
    this.#wordHashes = grown(this.#wordHashes, word + 2);
    this.#bytesAt = grown(this.#bytesAt, word + 2);
    const run = bytes.subarray(start, end);
    const at = this.#bytesAt[word]!;
    this.#arena = grown(this.#arena, at + run.length);
    this.#arena.set(run, at);
    this.#bytesAt[word + 1] = at + run.length;
    this.#wordHashes[word] = hash;
    this.#wordSlots[slot] = word;
    let next = this.first[word]!;
    for (const term of splitWord(this.#decoder.decode(run))) {
      this.terms = grown(this.terms, next + 1);
      this.terms[next++] = this.#termOf(hashTerm(term));
    }
    this.first[word + 1] = next;
    if (word * 2 > this.#wordSlots.length) this.#wordSlots = rehashed(this.#wordSlots, this.#wordHashes, word, 1);
    return word;
  }

  #termOf(hash: number): number {
    const slots = this.#termSlots;
    const mask = slots.length - 1;
    let slot = mixed(hash) & mask;
    for (let entry = slots[slot]!; entry !== 0; entry = slots[slot]!) {
      if (this.hashes[entry - 1] === hash) return entry - 1;
      slot = (slot + 1) & mask;
    }
    const term = this.#termCount++;
    this.hashes = grown(this.hashes, term + 1);
    this.hashes[term] = hash;
    slots[slot] = term + 1;
    if (term * 2 > slots.length) this.#termSlots = rehashed(slots, this.hashes, term, 0);
    return term;
  }
}

function mixed(hash: number): number {
  return hash ^ (hash >>> 15);
}

/** A table of twice as many places for the entries `from` to `last`, each kept one higher than its number from 0. */
function rehashed(slots: Int32Array<ArrayBuffer>, hashes: Int32Array | Uint32Array, last: number, from: 0 | 1) {
  const larger = new Int32Array(slots.length * 2);
  const mask = larger.length - 1;
  for (let i = from; i <= last; i++) {
    let slot = mixed(hashes[i]!) & mask;
    while (larger[slot] !== 0) slot = (slot + 1) & mask;
    larger[slot] = i + 1 - from;
  }
  return larger;
}
