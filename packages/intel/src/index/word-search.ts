import type { FileId, FileTable } from '../files/file-table.ts';
import { CHUNK_WIDTH, ChunkColumn, ChunkFlag, WEIGHT_BITS } from './chunk-facts.ts';
import { LENGTHS } from './chunk-length.ts';
import { placeIn } from './compact-index.ts';
import type { FileChunks, IndexedFiles } from './indexed-files.ts';
import type { QueryTerm } from './query.ts';
import { type Found, TopHits } from './top-hits.ts';

// BM25 (Robertson and Zaragoza, 2009): how soon more of the same word counts no more, and how much long chunks are held
// back. These and the numbers below were measured by doc comments that have to find their functions, tuned on Python's
// library and checked on Django, Go's library and Spring (bench/intel/search-quality.ts).
const K1 = 2;
const B = 0.75;
/** Part of the best score in a file that its other chunks get, too: what stands together belongs together. */
const COMPANY = 0.4;
/** What a chunk counts that is no function, and one of a test where nobody asks for tests. */
const NO_CODE = 0.8;
const TEST = 0.8;
const LOWEST_PRIOR = NO_CODE * TEST;
const ASKS_FOR_TESTS = /^(?:tests?|testing|specs?)$/i;

/** Terms of a query that are looked for, the rarest: as many as a mask has bits. */
const MOST_TERMS = 32;
const WEIGHTS = 1 << WEIGHT_BITS;

/** Where each file is. */
export type Paths = Pick<FileTable, 'path'>;

export interface WordRanking {
  /** Best first. */
  found: Found[];
  /** The terms that were looked for, rarest first: the bits of `Found.mask`. */
  terms: QueryTerm[];
}

export interface RankOptions {
  limit: number;
  /** Whether a path is searched. Default: all are. */
  inScope?: ((path: string) => boolean) | undefined;
}

/** Ranks chunks by the words of a query (INT-8), over everything that is known, settled or not. */
export class WordSearch {
  readonly #files: IndexedFiles;
  readonly #table: Paths;
  #scores = new Float32Array();
  /** The same memory. */
  #scoreBits = new Int32Array(this.#scores.buffer);
  #masks = new Int32Array();
  #bestBits = new Int32Array();
  #testPrior = TEST;
  readonly #worth = new Float32Array(LENGTHS.length * WEIGHTS);
  /** The mean length for which `worth` was computed. */
  #worthFor = Number.NaN;

  constructor(files: IndexedFiles, table: Paths) {
    this.#files = files;
    this.#table = table;
  }

  rank(query: readonly QueryTerm[], options: RankOptions): WordRanking {
    const { chunkCount } = this.#files;
    const terms = query
      .map((term) => ({ ...term, having: this.#having(term.hash) }))
      .filter(({ having }) => having > 0)
      .sort((x, y) => x.having - y.having || x.hash - y.hash)
      .slice(0, MOST_TERMS);
    this.#prepare();
    terms.forEach(({ hash, weight, having }, i) => {
      this.#add(hash, weight * rarity(having, chunkCount), 1 << i);
    });
    this.#testPrior = query.some(({ word }) => ASKS_FOR_TESTS.test(word)) ? 1 : TEST;
    return { found: this.#best(options), terms };
  }

  /** How many chunks have a term. */
  #having(term: number): number {
    const { base, added, hasDead } = this.#files;
    const reader = base.postingsOf(term);
    let count = 0;
    if (!hasDead) count = reader.length;
    else while (reader.next()) if (!this.#files.isDead(reader.chunk)) count++;
    for (const { terms, starts } of added.values()) {
      const place = placeIn(terms, term);
      if (place >= 0) count += starts[place + 1]! - starts[place]!;
    }
    return count;
  }

  #prepare(): void {
    const { base, added, addedChunks, meanLength } = this.#files;
    if (this.#worthFor !== meanLength) this.#computeWorth(meanLength);
    const chunks = base.chunkCount + addedChunks;
    const files = base.arrays.files.length + added.size;
    if (files > this.#bestBits.length) this.#bestBits = new Int32Array(Math.ceil(files * 1.2));
    if (chunks > this.#scores.length) {
      this.#scores = new Float32Array(Math.ceil(chunks * 1.2));
      this.#scoreBits = new Int32Array(this.#scores.buffer);
      this.#masks = new Int32Array(this.#scores.length);
    } else {
      this.#scores.fill(0, 0, chunks);
      this.#masks.fill(0, 0, chunks);
    }
  }

  #computeWorth(meanLength: number): void {
    this.#worthFor = meanLength;
    for (let step = 0; step < LENGTHS.length; step++) {
      const norm = K1 * (1 - B + (B * LENGTHS[step]!) / meanLength);
      for (let weight = 1; weight < WEIGHTS; weight++) {
        this.#worth[step * WEIGHTS + weight] = (weight * (K1 + 1)) / (weight + norm);
      }
    }
  }

  /** Adds a term's part to the scores of the chunks that have it. Those of added files follow the base's. */
  #add(term: number, factor: number, bit: number): void {
    const { base, added } = this.#files;
    const scores = this.#scores;
    const masks = this.#masks;
    base.postingsOf(term).addTo({ scores, masks, lengths: base.lengths, worth: this.#worth }, factor, bit);
    let first = base.chunkCount;
    for (const { terms, starts, postings, chunks } of added.values()) {
      const place = placeIn(terms, term);
      const end = place < 0 ? 0 : starts[place + 1]!;
      for (let i = place < 0 ? 0 : starts[place]!; i < end; i++) {
        const row = postings[i]! >>> WEIGHT_BITS;
        const step = chunks[row * CHUNK_WIDTH + ChunkColumn.LENGTH]!;
        scores[first + row]! += factor * this.#worth[step * WEIGHTS + (postings[i]! & (WEIGHTS - 1))]!;
        masks[first + row]! |= bit;
      }
      first += chunks.length / CHUNK_WIDTH;
    }
  }

  /** The chunks with the highest scores, after their company and their kind have had a say. */
  #best({ limit, inScope }: RankOptions): Found[] {
    const top = new TopHits(limit);
    const bests = new Float32Array(this.#bestBits.buffer);
    const leaders = new Leaders(limit);
    let place = 0;
    this.#files.forEach((file, { first, end }) => {
      let best = this.#highest(first, end);
      if (best > 0 && inScope && !inScope(this.#table.path(file))) best = 0;
      this.#bestBits[place] = best;
      leaders.add(bests[place++]!);
    });
    // So many files have a chunk of at least this score: to look at lower ones is of no use.
    top.floor = together(leaders.least, leaders.least) * LOWEST_PRIOR;
    place = 0;
    this.#files.forEach((file, chunks) => {
      const best = bests[place++]!;
      if (best > 0 && together(best, best) >= top.floor) this.#offer(file, chunks, best, top);
    });
    return top.found;
  }

  /**
   * Bits of the highest score in `[first, end)`: as numbers above 0 have the order of their bits, those are compared.
   */
  #highest(first: number, end: number): number {
    const bits = this.#scoreBits;
    let best = 0;
    for (let chunk = first; chunk < end; chunk++) {
      const score = bits[chunk]!;
      if (score > best) best = score;
    }
    return best;
  }

  #priorOf(flags: number): number {
    return (flags & ChunkFlag.CODE ? 1 : NO_CODE) * (flags & ChunkFlag.TEST ? this.#testPrior : 1);
  }

  #offer(file: FileId, { first, end, rows, firstRow }: FileChunks, best: number, top: TopHits): void {
    const path = this.#table.path(file);
    for (let chunk = first; chunk < end; chunk++) {
      const own = this.#scores[chunk]!;
      if (own === 0 || together(own, best) < top.floor) continue;
      const row = chunk - first;
      const place = (firstRow + row) * CHUNK_WIDTH;
      const score = together(own, best) * this.#priorOf(rows[place + ChunkColumn.FLAGS]!);
      if (score < top.floor) continue;
      top.offer({
        file,
        path,
        row,
        startLine: rows[place + ChunkColumn.START_LINE]!,
        score,
        mask: this.#masks[chunk]!,
      });
    }
  }
}

/** Keeps the highest of many numbers above 0. */
class Leaders {
  /** Ascending. */
  readonly #numbers: Float32Array;

  constructor(count: number) {
    this.#numbers = new Float32Array(count);
  }

  /** The lowest of those that are kept; 0 while there are fewer. */
  get least(): number {
    return this.#numbers[0] ?? 0;
  }

  add(number: number): void {
    const numbers = this.#numbers;
    if (!(number > numbers[0]!)) return;
    let place = 1;
    for (; place < numbers.length && numbers[place]! < number; place++) numbers[place - 1] = numbers[place]!;
    numbers[place - 1] = number;
  }
}

/**
 * The score of a chunk in its company. Bounds of it are computed in the very same way: what is rounded otherwise could be
 * just above an equal score, and drop what comes first by its path.
 */
function together(own: number, best: number): number {
  return own + COMPANY * best;
}

/** How much a term counts that `having` of `all` chunks have. */
function rarity(having: number, all: number): number {
  return Math.log(1 + (all - having + 0.5) / (having + 0.5));
}
