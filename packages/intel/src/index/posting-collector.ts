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
  /** Two numbers a term: the last mark that it got, and where its posting is. */
  #seen = new Int32Array(1 << 16);
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

  add(place: number, hash: number): void {
    this.keyLow = Math.imul(this.keyLow ^ hash, 0x9e3779b1);
    this.keyHigh = Math.imul(this.keyHigh + hash, 0x85ebca77) ^ (this.keyHigh >>> 15);
    const { termsOf } = this.#table;
    const end = this.#table.endOfTerms(place);
    for (let i = this.#table.firstTerm(place); i < end; i++) this.#addTerm(termsOf[i]!, 1);
  }

  /** Adds terms that are no part of the text. */
  addField(terms: readonly number[], weight: number): void {
    for (const term of terms) this.#addTerm(term, weight);
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
    const ranks = this.#terms;
    const starts = new Uint32Array(terms.length + 1);
    for (let i = 0; i < count; i++) {
      const rank = this.#seen[ranks[i]! * 2 + 1]!;
      ranks[i] = rank;
      starts[rank + 1]!++;
    }
    for (let rank = 0; rank < terms.length; rank++) starts[rank + 1]! += starts[rank]!;
    const next = starts.slice();
    const postings = new Uint32Array(count);
    for (let i = 0; i < count; i++) {
      const place = next[ranks[i]!]!++;
      postings[place] = (this.#chunks[i]! << WEIGHT_BITS) | Math.min(this.#weights[i]!, MAX_WEIGHT);
    }
    this.#count = 0;
    this.#chunk = 0;
    return { terms, starts, postings };
  }

  /** The file's terms, ascending by hash; `seen` then has their ranks. */
  #rankTerms(): Uint32Array<ArrayBuffer> {
    const { terms } = this.#table;
    const hashes = new Uint32Array(Math.min(this.#count, terms.count));
    let distinct = 0;
    this.#mark++;
    for (let i = 0; i < this.#count; i++) {
      const term = this.#terms[i]!;
      if (this.#seen[term * 2] === this.#mark) continue;
      this.#seen[term * 2] = this.#mark;
      hashes[distinct++] = terms.hashes[term]!;
    }
    const ranked = hashes.slice(0, distinct).sort();
    for (let rank = 0; rank < distinct; rank++) this.#seen[terms.add(ranked[rank]!) * 2 + 1] = rank;
    return ranked;
  }

  #addTerm(term: number, weight: number): void {
    this.length += weight;
    const at = term * 2;
    if (at >= this.#seen.length) this.#seen = grown(this.#seen, at + 2);
    if (this.#seen[at] === this.#mark) {
      this.#weights[this.#seen[at + 1]!]! += weight;
      return;
    }
    const place = this.#count++;
    if (place === this.#terms.length) this.#growPostings(place + 1);
    this.#seen[at] = this.#mark;
    this.#seen[at + 1] = place;
    this.#terms[place] = term;
    this.#chunks[place] = this.#chunk;
    this.#weights[place] = weight;
  }

  #growPostings(count: number): void {
    this.#terms = grown(this.#terms, count);
    this.#chunks = grown(this.#chunks, count);
    this.#weights = grown(this.#weights, count);
  }
}
