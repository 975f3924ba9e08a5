import type { FileId, FileTable } from '../files/file-table.ts';
import { CHUNK_WIDTH, ChunkColumn, ChunkFlag, WEIGHT_BITS } from './chunk-facts.ts';
import { LENGTHS } from './chunk-length.ts';
import { placeIn } from './compact-index.ts';
import type { IndexedFiles } from './indexed-files.ts';
import type { QueryTerm } from './query.ts';
import { type Found, TopHits } from './top-hits.ts';

/** Parameters of BM25. */
export interface Bm25 {
  /** How soon more of the same word counts no more. */
  k1: number;
  /** How much long chunks are held back, from 0 to 1. */
  b: number;
}
export const BM25: Bm25 = { k1: 2, b: 0.75 };

/** Part of the best score in a file that its other chunks get, too: what stands together belongs together. */
const COMPANY = 0.4;
/** What a chunk counts that is no function, and one of a test. */
const NO_CODE = 0.8;
const TEST = 0.8;

const WEIGHTS = 1 << WEIGHT_BITS;
/** Terms of a query that are looked for, the rarest: as many as a bit mask has. */
const MOST_TERMS = 32;

export interface WordRanking {
  /** Best first. */
  found: Found[];
  /** The terms that were looked for, rarest first. */
  terms: QueryTerm[];
}

/** Ranks chunks by BM25 (Robertson and Zaragoza, 2009) over everything that is known, settled or not (INT-8). */
export class WordSearch {
  readonly #files: IndexedFiles;
  readonly #table: FileTable;
  readonly #bm25: Bm25;
  #scores = new Float32Array();
  #masks = new Int32Array();
  #saturation = new Float32Array(LENGTHS.length * WEIGHTS);
  #saturationFor = Number.NaN;

  constructor(files: IndexedFiles, table: FileTable, bm25: Bm25 = BM25) {
    this.#files = files;
    this.#table = table;
    this.#bm25 = bm25;
  }

  /** @param inScope whether a path is to be searched. */
  rank(query: readonly QueryTerm[], limit: number, inScope: ((path: string) => boolean) | undefined): WordRanking {
    const { chunkCount } = this.#files;
    const counted = query.map((term) => ({ ...term, having: this.#having(term.hash) }));
    const terms = counted
      .filter(({ having }) => having > 0)
      .sort((x, y) => x.having - y.having || x.hash - y.hash)
      .slice(0, MOST_TERMS);
    this.#prepare();
    terms.forEach(({ hash, weight, having }, i) => {
      this.#add(hash, weight * rarity(having, chunkCount), 1 << i);
    });
    return { found: this.#best(limit, inScope), terms };
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
    const { base, added, meanLength } = this.#files;
    if (this.#saturationFor !== meanLength) this.#saturate(meanLength);
    let room = base.chunkCount;
    for (const { chunks } of added.values()) room += chunks.length / CHUNK_WIDTH;
    if (this.#scores.length < room) {
      this.#scores = new Float32Array(Math.ceil(room * 1.2));
      this.#masks = new Int32Array(this.#scores.length);
    } else {
      this.#scores.fill(0, 0, room);
      this.#masks.fill(0, 0, room);
    }
  }

  /** What a weight adds in a chunk of a length, before the term's rarity: a table over both. */
  #saturate(meanLength: number): void {
    const { k1, b } = this.#bm25;
    this.#saturationFor = meanLength;
    for (let step = 0; step < LENGTHS.length; step++) {
      const norm = k1 * (1 - b + (b * LENGTHS[step]!) / meanLength);
      for (let weight = 1; weight < WEIGHTS; weight++) {
        this.#saturation[step * WEIGHTS + weight] = (weight * (k1 + 1)) / (weight + norm);
      }
    }
  }

  /** Adds a term's part to the score of each chunk that has it. Added files follow the base's chunks. */
  #add(term: number, factor: number, bit: number): void {
    const { base, added } = this.#files;
    const scores = this.#scores;
    const masks = this.#masks;
    const saturation = this.#saturation;
    const { lengths } = base;
    const reader = base.postingsOf(term);
    while (reader.next()) {
      const { chunk } = reader;
      scores[chunk]! += factor * saturation[lengths[chunk]! * WEIGHTS + reader.weight]!;
      masks[chunk]! |= bit;
    }
    let first = base.chunkCount;
    for (const { terms, starts, postings, chunks } of added.values()) {
      const place = placeIn(terms, term);
      for (let i = place < 0 ? 0 : starts[place]!; place >= 0 && i < starts[place + 1]!; i++) {
        const row = postings[i]! >>> WEIGHT_BITS;
        const weight = postings[i]! & (WEIGHTS - 1);
        const step = chunks[row * CHUNK_WIDTH + ChunkColumn.LENGTH]!;
        scores[first + row]! += factor * saturation[step * WEIGHTS + weight]!;
        masks[first + row]! |= bit;
      }
      first += chunks.length / CHUNK_WIDTH;
    }
  }

  #best(limit: number, inScope: ((path: string) => boolean) | undefined): Found[] {
    const { base, added } = this.#files;
    const top = new TopHits(limit, this.#table);
    const { files, firstChunks, chunks } = base.arrays;
    for (let place = 0; place < files.length; place++) {
      const first = firstChunks[place]!;
      if (this.#files.isDead(first) || (inScope && !inScope(this.#table.path(files[place]!)))) continue;
      this.#offer(top, files[place]!, first, firstChunks[place + 1]!, chunks, first);
    }
    let first = base.chunkCount;
    for (const [file, facts] of added) {
      const end = first + facts.chunks.length / CHUNK_WIDTH;
      if (!inScope || inScope(this.#table.path(file))) this.#offer(top, file, first, end, facts.chunks, 0);
      first = end;
    }
    return top.found;
  }

  /** Offers the chunks `[first, end)`, whose rows begin in `rows` at row `at`. */
  #offer(top: TopHits, file: FileId, first: number, end: number, rows: Int32Array, at: number): void {
    const scores = this.#scores;
    let best = 0;
    for (let chunk = first; chunk < end; chunk++) if (scores[chunk]! > best) best = scores[chunk]!;
    if (best === 0 || best * (1 + COMPANY) < top.floor) return;
    for (let chunk = first; chunk < end; chunk++) {
      if (scores[chunk] === 0) continue;
      const row = chunk - first;
      const place = (at + row) * CHUNK_WIDTH;
      const score = (scores[chunk]! + COMPANY * best) * priorOf(rows[place + ChunkColumn.FLAGS]!);
      if (score < top.floor) continue;
      top.offer({ file, row, startLine: rows[place + ChunkColumn.START_LINE]!, score, mask: this.#masks[chunk]! });
    }
  }
}

/** How much a term counts that `having` of `all` chunks have. */
function rarity(having: number, all: number): number {
  return Math.log(1 + (all - having + 0.5) / (having + 0.5));
}

function priorOf(flags: number): number {
  return (flags & ChunkFlag.CODE ? 1 : NO_CODE) * (flags & ChunkFlag.TEST ? TEST : 1);
}
