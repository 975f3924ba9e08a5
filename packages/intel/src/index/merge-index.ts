import type { FileId } from '../files/file-table.ts';
import { CHUNK_WIDTH, type ChunkFacts, WEIGHT_BITS } from './chunk-facts.ts';
import { CompactIndex } from './compact-index.ts';
import { type PostingReader, PostingWriter } from './postings.ts';
import { HashNumbers } from './words/hash-numbers.ts';

/** Steps between two pauses: a few milliseconds of work. */
const SLICE = 100_000;
/** What the copy of a file counts. */
const STEPS_OF_COPY = 50;

/** Says when it is time for a pause. */
class Pace {
  #steps = 0;

  isDue(steps: number): boolean {
    this.#steps += steps;
    if (this.#steps < SLICE) return false;
    this.#steps = 0;
    return true;
  }
}

/**
 * A compact index of the living files of another and of new ones, made in slices.
 * @param dead 1 for each chunk of `base` that is left out.
 */
export function* mergeIndex(
  base: CompactIndex,
  dead: Uint8Array,
  added: ReadonlyMap<FileId, ChunkFacts>,
): Generator<void, CompactIndex, void> {
  const kept = keptFiles(base, dead);
  const fresh = yield* groupByTerm(added, kept.chunkCount);
  const merged = yield* mergePostings(base, kept.chunkOf, fresh);
  const files = yield* mergeFiles(base, kept, added);
  return new CompactIndex({ ...merged, ...files });
}

interface Kept {
  places: number[];
  /** New number of each chunk of the base; -1 for those that are left out. */
  chunkOf: Int32Array;
  chunkCount: number;
}

function keptFiles(base: CompactIndex, dead: Uint8Array): Kept {
  const { files, firstChunks } = base.arrays;
  const places: number[] = [];
  const chunkOf = new Int32Array(base.chunkCount).fill(-1);
  let next = 0;
  for (let place = 0; place < files.length; place++) {
    if (dead[firstChunks[place]!] === 1) continue;
    places.push(place);
    for (let chunk = firstChunks[place]!; chunk < firstChunks[place + 1]!; chunk++) chunkOf[chunk] = next++;
  }
  return { places, chunkOf, chunkCount: next };
}

/** Postings of the new files, grouped by term, their chunks numbered on from the kept ones. */
interface Fresh {
  /** Ascending. */
  terms: Uint32Array;
  starts: Uint32Array;
  chunks: Uint32Array;
  weights: Uint8Array;
}

function* groupByTerm(added: ReadonlyMap<FileId, ChunkFacts>, firstChunk: number): Generator<void, Fresh, void> {
  const numbers = new HashNumbers(1 << 12);
  let rows = 0;
  let count = 0;
  for (const facts of added.values()) {
    rows += facts.terms.length;
    count += facts.postings.length;
  }
  const numberOf = new Int32Array(rows);
  const lengths = new Uint32Array(rows);
  const pace = new Pace();
  let row = 0;
  for (const { terms, starts } of added.values()) {
    for (let i = 0; i < terms.length; i++) {
      const number = numbers.add(terms[i]!);
      numberOf[row++] = number;
      lengths[number]! += starts[i + 1]! - starts[i]!;
    }
    if (pace.isDue(terms.length)) yield;
  }
  const terms = numbers.hashes.slice(0, numbers.count).sort();
  const starts = new Uint32Array(terms.length + 1);
  /** Where the next posting of each number goes. */
  const next = new Uint32Array(terms.length);
  for (let rank = 0; rank < terms.length; rank++) {
    const number = numbers.add(terms[rank]!);
    next[number] = starts[rank]!;
    starts[rank + 1] = starts[rank]! + lengths[number]!;
  }
  yield;
  const chunks = new Uint32Array(count);
  const weights = new Uint8Array(count);
  row = 0;
  for (const facts of added.values()) {
    const { postings } = facts;
    for (let i = 0; i < facts.terms.length; i++) {
      const number = numberOf[row++]!;
      for (let at = facts.starts[i]!; at < facts.starts[i + 1]!; at++) {
        const place = next[number]!++;
        chunks[place] = firstChunk + (postings[at]! >>> WEIGHT_BITS);
        weights[place] = postings[at]! & ((1 << WEIGHT_BITS) - 1);
      }
    }
    firstChunk += facts.chunks.length / CHUNK_WIDTH;
    if (pace.isDue(postings.length)) yield;
  }
  return { terms, starts, chunks, weights };
}

function* mergePostings(base: CompactIndex, chunkOf: Int32Array, fresh: Fresh) {
  const old = base.arrays.terms;
  const terms = new Uint32Array(old.length + fresh.terms.length);
  const starts = new Uint32Array(terms.length + 1);
  const writer = new PostingWriter(base.arrays.postings.length + fresh.chunks.length * 2);
  const kept = new KeptPostings(chunkOf);
  const pace = new Pace();
  let count = 0;
  for (let a = 0, b = 0; a < old.length || b < fresh.terms.length; ) {
    const term = Math.min(old[a] ?? Number.POSITIVE_INFINITY, fresh.terms[b] ?? Number.POSITIVE_INFINITY);
    kept.count = 0;
    if (old[a] === term) kept.read(base.postingsAt(a++));
    const [from, to] = fresh.terms[b] === term ? [fresh.starts[b]!, fresh.starts[++b]!] : [0, 0];
    const length = kept.count + to - from;
    if (length > 0) {
      writer.open(length);
      for (let i = 0; i < kept.count; i++) writer.add(kept.chunks[i]!, kept.weights[i]!);
      for (let i = from; i < to; i++) writer.add(fresh.chunks[i]!, fresh.weights[i]!);
      terms[count++] = term;
      starts[count] = writer.position;
    }
    if (pace.isDue(length + 1)) yield;
  }
  return { terms: terms.slice(0, count), starts: starts.slice(0, count + 1), postings: writer.take() };
}

/** The postings of a term in the base, without those of chunks that are left out. */
class KeptPostings {
  readonly chunks: Int32Array;
  readonly weights: Uint8Array;
  count = 0;
  readonly #chunkOf: Int32Array;

  constructor(chunkOf: Int32Array) {
    this.#chunkOf = chunkOf;
    this.chunks = new Int32Array(chunkOf.length);
    this.weights = new Uint8Array(chunkOf.length);
  }

  read(reader: PostingReader): void {
    while (reader.next()) {
      const chunk = this.#chunkOf[reader.chunk] ?? -1;
      if (chunk < 0) continue;
      this.chunks[this.count] = chunk;
      this.weights[this.count++] = reader.weight;
    }
  }
}

function* mergeFiles(base: CompactIndex, { places, chunkCount }: Kept, added: ReadonlyMap<FileId, ChunkFacts>) {
  const { arrays } = base;
  const encoder = new TextEncoder();
  let total = chunkCount;
  for (const facts of added.values()) total += facts.chunks.length / CHUNK_WIDTH;
  const fileCount = places.length + added.size;
  const chunks = new Int32Array(total * CHUNK_WIDTH);
  const files = new Int32Array(fileCount);
  const firstChunks = new Uint32Array(fileCount + 1);
  const firstSymbols = new Uint32Array(fileCount + 1);
  const symbols: Uint8Array[] = [];
  const pace = new Pace();
  let count = 0;
  const add = (file: FileId, rows: Int32Array, names: Uint8Array) => {
    files[count] = file;
    chunks.set(rows, firstChunks[count]! * CHUNK_WIDTH);
    symbols.push(names);
    count++;
    firstChunks[count] = firstChunks[count - 1]! + rows.length / CHUNK_WIDTH;
    firstSymbols[count] = firstSymbols[count - 1]! + names.length;
  };
  for (const place of places) {
    const names = arrays.symbols.subarray(arrays.firstSymbols[place], arrays.firstSymbols[place + 1]);
    add(arrays.files[place]!, base.chunksOf(place), names);
    if (pace.isDue(STEPS_OF_COPY)) yield;
  }
  for (const [file, facts] of added) {
    add(file, facts.chunks, encoder.encode(facts.symbols));
    if (pace.isDue(STEPS_OF_COPY)) yield;
  }
  return { chunks, files, firstChunks, firstSymbols, symbols: joined(symbols, firstSymbols[count]!) };
}

function joined(parts: readonly Uint8Array[], length: number): Uint8Array {
  const all = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}
