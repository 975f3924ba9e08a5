import type { FileId } from '../files/file-table.ts';
import type { SectionReader, SectionWriter } from '../files/sections.ts';
import { CHUNK_WIDTH, ChunkColumn } from './chunk-facts.ts';
import { LENGTHS } from './chunk-length.ts';
import { PostingReader } from './postings.ts';

/** The arrays of a compact index, as they are stored. */
export interface CompactArrays {
  /** Hashes of all terms, ascending. */
  terms: Uint32Array;
  /** Where the postings of each term begin; one more at the end. */
  starts: Uint32Array;
  postings: Uint8Array;
  /** Rows of `ChunkFacts.chunks`; the chunks of a file lie together. */
  chunks: Int32Array;
  files: Int32Array;
  /** First chunk of each file; one more at the end. */
  firstChunks: Uint32Array;
  /** `ChunkFacts.symbols` of all files as UTF-8. */
  symbols: Uint8Array;
  /** Where the symbols of each file begin; one more at the end. */
  firstSymbols: Uint32Array;
}

/** To be raised whenever files are cut, words split or terms weighed in another way. */
const FORMAT = 1;

/** The index of many files in few arrays. It never changes: changes lie beside it until the next one is made. */
export class CompactIndex {
  readonly arrays: CompactArrays;
  readonly chunkCount: number;
  /** Length step of each chunk. */
  readonly lengths: Uint8Array;
  /** Sum of all chunks' lengths. */
  readonly totalLength: number;
  readonly #decoder = new TextDecoder();
  readonly #places = new Map<FileId, number>();

  constructor(arrays: CompactArrays) {
    this.arrays = arrays;
    this.chunkCount = arrays.chunks.length / CHUNK_WIDTH;
    this.lengths = new Uint8Array(this.chunkCount);
    let total = 0;
    for (let chunk = 0; chunk < this.chunkCount; chunk++) {
      const step = arrays.chunks[chunk * CHUNK_WIDTH + ChunkColumn.LENGTH]!;
      this.lengths[chunk] = step;
      total += LENGTHS[step]!;
    }
    this.totalLength = total;
    arrays.files.forEach((file, place) => {
      this.#places.set(file, place);
    });
  }

  static empty(): CompactIndex {
    const none = () => new Uint32Array(1);
    return new CompactIndex({
      terms: new Uint32Array(),
      starts: none(),
      postings: new Uint8Array(),
      chunks: new Int32Array(),
      files: new Int32Array(),
      firstChunks: none(),
      symbols: new Uint8Array(),
      firstSymbols: none(),
    });
  }

  /** @throws when the sections make no sense. */
  static load(reader: SectionReader): CompactIndex {
    if (reader.value('format') !== FORMAT) throw new Error('The index is of a foreign version.');
    const arrays = {
      terms: reader.uint32('terms'),
      starts: reader.uint32('starts'),
      postings: reader.uint8('postings'),
      chunks: reader.int32('chunks'),
      files: reader.int32('files'),
      firstChunks: reader.uint32('firstChunks'),
      symbols: reader.uint8('symbols'),
      firstSymbols: reader.uint32('firstSymbols'),
    };
    const { terms, starts, postings, chunks, files, firstChunks, symbols, firstSymbols } = arrays;
    const fits =
      bounds(starts, terms.length, postings.length) &&
      chunks.length % CHUNK_WIDTH === 0 &&
      bounds(firstChunks, files.length, chunks.length / CHUNK_WIDTH) &&
      bounds(firstSymbols, files.length, symbols.length);
    const index = fits ? new CompactIndex(arrays) : undefined;
    // A length that is no step has made it no number.
    if (!index || Number.isNaN(index.totalLength)) throw new Error('The arrays of the index do not fit each other.');
    return index;
  }

  save(writer: SectionWriter): void {
    writer.value('format', FORMAT);
    for (const [name, array] of Object.entries(this.arrays)) writer.array(name, array);
  }

  /** The place of a file among the files; undefined for one that is not here. */
  placeOf(file: FileId): number | undefined {
    return this.#places.get(file);
  }

  /** Rows of the chunks of a file. */
  chunksOf(place: number): Int32Array {
    const { chunks, firstChunks } = this.arrays;
    return chunks.subarray(firstChunks[place]! * CHUNK_WIDTH, firstChunks[place + 1]! * CHUNK_WIDTH);
  }

  postingsOf(term: number): PostingReader {
    const place = placeIn(this.arrays.terms, term);
    return place < 0 ? new PostingReader(this.arrays.postings, 0, 0) : this.postingsAt(place);
  }

  /** @param place of a term among the terms. */
  postingsAt(place: number): PostingReader {
    const { starts, postings } = this.arrays;
    return new PostingReader(postings, starts[place]!, starts[place + 1]!);
  }

  /** `Container.name` of a chunk of a file; empty for a chunk of none. */
  symbolOf(place: number, row: number): string {
    const { symbols, firstSymbols } = this.arrays;
    const end = firstSymbols[place + 1]!;
    let start = firstSymbols[place]!;
    for (; row > 0 && start < end; row--) start = lineEnd(symbols, start, end) + 1;
    return this.#decoder.decode(symbols.subarray(start, lineEnd(symbols, start, end)));
  }
}

function lineEnd(bytes: Uint8Array, start: number, end: number): number {
  while (start < end && bytes[start] !== 10) start++;
  return start;
}

/** Where a value is in an ascending array; -1 where it is not. */
export function placeIn(ascending: Uint32Array, value: number): number {
  let low = 0;
  let high = ascending.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (ascending[middle]! < value) low = middle + 1;
    else high = middle;
  }
  return ascending[low] === value ? low : -1;
}

/** Whether an array of starts has one for each of `count` things and one for the end, ascending from 0. */
function bounds(starts: Uint32Array, count: number, end: number): boolean {
  if (starts.length !== count + 1 || starts[0] !== 0 || starts[count] !== end) return false;
  for (let i = 0; i < count; i++) if (starts[i]! > starts[i + 1]!) return false;
  return true;
}
