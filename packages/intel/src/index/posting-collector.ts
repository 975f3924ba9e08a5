import { type ChunkFacts, WEIGHT_BITS } from './chunk-facts.ts';
import { grown } from './words/grow.ts';
import type { WordSink } from './words/word-scanner.ts';
import type { WordTable } from './words/word-table.ts';

const MAX_WEIGHT = (1 << WEIGHT_BITS) - 1;

/** Gathers the terms of one file's chunks, and brings them into the order of `ChunkFacts`. */
export class PostingCollector implements WordSink {
  /** Sum of the weights in the open chunk. */
  length = 0;
  keyLow = 0;
  keyHigh = 0;
  readonly #table: WordTable;
  #chunk = 0;
  #count = 0;
  #chunkStart = 0;
  /** Tells the terms of the open chunk from those of earlier ones, in this file or another. */
  #mark = 0;
  #markOf = new Int32Array(1 << 12);
  /** Where the open chunk's posting of a term is. */
  #placeOf = new Int32Array(1 << 12);
  /** The postings as they came: term, chunk, weight. */
  #terms = new Int32Array(1 << 12);
  #chunks = new Int32Array(1 << 12);
  #weights = new Int32Array(1 << 12);

  constructor(table: WordTable) {
    this.#table = table;
  }

  /** @param name goes into the fingerprint. */
  openChunk(name: number): void {
    this.#mark++;
    this.#chunkStart = this.#count;
    this.length = 0;
    this.keyLow = name;
    this.keyHigh = ~name;
  }

  add(word: number, hash: number): void {
    this.keyLow = Math.imul(this.keyLow ^ hash, 0x9e3779b1);
    this.keyHigh = Math.imul(this.keyHigh + hash, 0x85ebca77) ^ (this.keyHigh >>> 15);
    this.#addWord(word, 1);
  }

  /** Adds words that are no part of the text. */
  addField(words: readonly number[], weight: number): void {
    for (const word of words) this.#addWord(word, weight);
  }

  /** Takes the open chunk back, or keeps it. */
  closeChunk(keep: boolean): void {
    if (keep) this.#chunk++;
    else this.#count = this.#chunkStart;
  }

  /** The postings of all chunks, grouped by term. Then it is ready for the next file. */
  take(): Pick<ChunkFacts, 'terms' | 'starts' | 'postings'> {
    const count = this.#count;
    const terms = this.#rankTerms();
    const rankOf = this.#placeOf;
    const starts = new Uint32Array(terms.length + 1);
    for (let i = 0; i < count; i++) starts[rankOf[this.#terms[i]!]! + 1]!++;
    for (let rank = 0; rank < terms.length; rank++) starts[rank + 1]! += starts[rank]!;
    const next = starts.slice();
    const postings = new Uint32Array(count);
    for (let i = 0; i < count; i++) {
      const place = next[rankOf[this.#terms[i]!]!]!++;
      postings[place] = (this.#chunks[i]! << WEIGHT_BITS) | Math.min(this.#weights[i]!, MAX_WEIGHT);
    }
    this.#count = 0;
    this.#chunk = 0;
    return { terms, starts, postings };
  }

  /** The file's terms, ascending by hash; `placeOf` then has their ranks. */
  #rankTerms(): Uint32Array<ArrayBuffer> {
    const { terms } = this.#table;
    const hashes = new Uint32Array(Math.min(this.#count, terms.count));
    let distinct = 0;
    this.#mark++;
    for (let i = 0; i < this.#count; i++) {
      const term = this.#terms[i]!;
      if (this.#markOf[term] === this.#mark) continue;
      this.#markOf[term] = this.#mark;
      hashes[distinct++] = terms.hashes[term]!;
    }
    const ranked = hashes.slice(0, distinct).sort();
    for (let rank = 0; rank < distinct; rank++) this.#placeOf[terms.add(ranked[rank]!)] = rank;
    return ranked;
  }

  #addWord(word: number, weight: number): void {
    const { termsOf, first, terms } = this.#table;
    if (terms.count > this.#markOf.length) this.#growTerms(terms.count);
    const end = first[word + 1]!;
    for (let i = first[word]!; i < end; i++) this.#addTerm(termsOf[i]!, weight);
  }

  #addTerm(term: number, weight: number): void {
    this.length += weight;
    if (this.#markOf[term] === this.#mark) {
      this.#weights[this.#placeOf[term]!]! += weight;
      return;
    }
    const place = this.#count++;
    if (place === this.#terms.length) this.#growPostings(place + 1);
    this.#markOf[term] = this.#mark;
    this.#placeOf[term] = place;
    this.#terms[place] = term;
    this.#chunks[place] = this.#chunk;
    this.#weights[place] = weight;
  }

  #growTerms(count: number): void {
    this.#markOf = grown(this.#markOf, count);
    this.#placeOf = grown(this.#placeOf, count);
  }

  #growPostings(count: number): void {
    this.#terms = grown(this.#terms, count);
    this.#chunks = grown(this.#chunks, count);
    this.#weights = grown(this.#weights, count);
  }
}
