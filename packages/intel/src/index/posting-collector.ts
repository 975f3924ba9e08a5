import { type ChunkFacts, WEIGHT_BITS } from './chunk-facts.ts';
import { grown } from './words/grow.ts';
import type { WordSink } from './words/word-scanner.ts';
import type { WordTable } from './words/word-table.ts';

const MAX_WEIGHT = (1 << WEIGHT_BITS) - 1;
/** Room beside a 32-bit hash in a number that is exact. */
const RANKED = 2 ** 21;

/** Gathers the terms of one file's chunks, and brings them into the order of `ChunkFacts`. */
export class PostingCollector implements WordSink {
  /** What the next words count. */
  weight = 1;
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
    this.weight = 1;
    this.keyLow = name;
    this.keyHigh = ~name;
  }

  add(word: number, hash: number): void {
    this.keyLow = Math.imul(this.keyLow ^ hash, 0x9e3779b1);
    this.keyHigh = Math.imul(this.keyHigh + hash, 0x85ebca77) ^ (this.keyHigh >>> 15);
    const { terms, first, termCount } = this.#table;
    if (termCount > this.#markOf.length) this.#growTerms(termCount);
    const end = first[word + 1]!;
    for (let i = first[word]!; i < end; i++) this.#addTerm(terms[i]!);
  }

  /** Takes the open chunk back, or keeps it. */
  closeChunk(keep: boolean): void {
    if (keep) this.#chunk++;
    else this.#count = this.#chunkStart;
  }

  /** The postings of all chunks, grouped by term. Then it is ready for the next file. */
  take(): Pick<ChunkFacts, 'terms' | 'starts' | 'postings'> {
    const count = this.#count;
    const distinct = this.#numberTerms();
    const terms = new Uint32Array(distinct.length);
    const rankOf = new Int32Array(distinct.length);
    distinct.sort().forEach((key, rank) => {
      terms[rank] = Math.floor(key / RANKED);
      rankOf[key % RANKED] = rank;
    });
    const starts = new Uint32Array(terms.length + 1);
    for (let i = 0; i < count; i++) starts[rankOf[this.#placeOf[this.#terms[i]!]!]! + 1]!++;
    for (let rank = 0; rank < terms.length; rank++) starts[rank + 1]! += starts[rank]!;
    const next = starts.slice();
    const postings = new Uint32Array(count);
    for (let i = 0; i < count; i++) {
      const rank = rankOf[this.#placeOf[this.#terms[i]!]!]!;
      postings[next[rank]!++] = (this.#chunks[i]! << WEIGHT_BITS) | Math.min(this.#weights[i]!, MAX_WEIGHT);
    }
    this.#count = 0;
    this.#chunk = 0;
    return { terms, starts, postings };
  }

  /** Numbers the distinct terms, in `placeOf`; their hashes above their numbers. */
  #numberTerms(): Float64Array {
    const keys = new Float64Array(Math.min(this.#count, this.#table.termCount));
    let distinct = 0;
    this.#mark++;
    for (let i = 0; i < this.#count; i++) {
      const term = this.#terms[i]!;
      if (this.#markOf[term] === this.#mark) continue;
      this.#markOf[term] = this.#mark;
      this.#placeOf[term] = distinct;
      keys[distinct] = this.#table.hashes[term]! * RANKED + distinct;
      distinct++;
    }
    return keys.subarray(0, distinct);
  }

  #addTerm(term: number): void {
    this.length += this.weight;
    if (this.#markOf[term] === this.#mark) {
      this.#weights[this.#placeOf[term]!]! += this.weight;
      return;
    }
    const place = this.#count++;
    if (place === this.#terms.length) this.#growPostings(place + 1);
    this.#markOf[term] = this.#mark;
    this.#placeOf[term] = place;
    this.#terms[place] = term;
    this.#chunks[place] = this.#chunk;
    this.#weights[place] = this.weight;
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
