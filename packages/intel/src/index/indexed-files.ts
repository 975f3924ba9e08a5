import type { FileId } from '../files/file-table.ts';
import type { SectionReader, SectionWriter } from '../files/sections.ts';
import { CHUNK_WIDTH, ChunkColumn, type ChunkFacts } from './chunk-facts.ts';
import { LENGTHS } from './chunk-length.ts';
import { CompactIndex } from './compact-index.ts';
import { mergeIndex } from './merge-index.ts';

/** Where the chunks of a file are. */
export interface FileChunks {
  /** Their numbers, `[first, end)`: those of added files follow the base's. */
  first: number;
  end: number;
  /** Their rows (`ChunkFacts.chunks`), from `firstRow` on. */
  rows: Int32Array;
  firstRow: number;
}

export interface IndexedChunk {
  /** By `ChunkColumn`. */
  columns: Int32Array;
  /** `Container.name`; empty for none. */
  symbol: string;
}

/** What is known of all files: a compact index, and beside it what was put or removed since it was made. */
export class IndexedFiles {
  #base = CompactIndex.empty();
  /** 1 at the chunks of the base whose files were removed or put again. */
  #dead = new Uint8Array();
  #deadFiles = 0;
  readonly #added = new Map<FileId, ChunkFacts>();
  #addedChunks = 0;
  #chunkCount = 0;
  #totalLength = 0;

  get base(): CompactIndex {
    return this.#base;
  }

  /** Files that lie beside the base, in the order in which they came. */
  get added(): ReadonlyMap<FileId, ChunkFacts> {
    return this.#added;
  }

  get chunkCount(): number {
    return this.#chunkCount;
  }

  /** Chunks that lie beside the base. */
  get addedChunks(): number {
    return this.#addedChunks;
  }

  /** Mean length of the chunks, as BM25 wants it. */
  get meanLength(): number {
    return this.#totalLength / Math.max(1, this.#chunkCount);
  }

  get unsettled(): number {
    return this.#added.size + this.#deadFiles;
  }

  get hasDead(): boolean {
    return this.#deadFiles > 0;
  }

  /** Whether a chunk of the base is one no more. */
  isDead(chunk: number): boolean {
    return this.#dead[chunk] === 1;
  }

  /** Visits every file, always in the same order until something changes. */
  forEach(visit: (file: FileId, chunks: FileChunks) => void): void {
    const { files, firstChunks, chunks: rows } = this.#base.arrays;
    for (let place = 0; place < files.length; place++) {
      const first = firstChunks[place]!;
      if (!this.isDead(first)) visit(files[place]!, { first, end: firstChunks[place + 1]!, rows, firstRow: first });
    }
    let first = this.#base.chunkCount;
    for (const [file, { chunks }] of this.#added) {
      const end = first + chunks.length / CHUNK_WIDTH;
      visit(file, { first, end, rows: chunks, firstRow: 0 });
      first = end;
    }
  }

  /** Visits every chunk; its columns are by `ChunkColumn`. */
  forEachChunk(visit: (columns: Int32Array, file: FileId, row: number) => void): void {
    this.forEach((file, { first, end, rows, firstRow }) => {
      for (let row = 0; row < end - first; row++) {
        const at = (firstRow + row) * CHUNK_WIDTH;
        visit(rows.subarray(at, at + CHUNK_WIDTH), file, row);
      }
    });
  }

  put(file: FileId, facts: ChunkFacts): void {
    this.remove(file);
    if (facts.chunks.length === 0) return;
    this.#added.set(file, facts);
    this.#addedChunks += facts.chunks.length / CHUNK_WIDTH;
    this.#count(facts.chunks, 1);
  }

  remove(file: FileId): void {
    const added = this.#added.get(file);
    if (added) {
      this.#drop(file, added);
      this.#count(added.chunks, -1);
    }
    const place = this.#base.placeOf(file);
    if (place === undefined || this.isDead(this.#base.arrays.firstChunks[place]!)) return;
    this.#kill(place);
    this.#count(this.#base.chunksOf(place), -1);
  }

  /**
   * Merges what lies beside the base into a new one. Whatever is put or removed between the slices stays beside that.
   */
  *settle(): Generator<void, void, void> {
    if (this.unsettled === 0) return;
    const base = this.#base;
    const added = new Map(this.#added);
    const merged = yield* mergeIndex(base, this.#dead.slice(), added);
    // Another run has been quicker, or all was loaded anew.
    if (this.#base !== base) return;
    const before = this.#dead;
    this.#base = merged;
    this.#dead = new Uint8Array(merged.chunkCount);
    this.#deadFiles = 0;
    merged.arrays.files.forEach((file, place) => {
      const facts = added.get(file);
      if (facts && this.#added.get(file) === facts) this.#drop(file, facts);
      else if (facts || before[base.arrays.firstChunks[base.placeOf(file)!]!] === 1) this.#kill(place);
    });
  }

  /** A chunk of a file; undefined where there is none any more. */
  chunk(file: FileId, row: number): IndexedChunk | undefined {
    const added = this.#added.get(file);
    const place = this.#base.placeOf(file);
    if (!added && (place === undefined || this.isDead(this.#base.arrays.firstChunks[place]!))) return undefined;
    const rows = added ? added.chunks : this.#base.chunksOf(place!);
    const at = row * CHUNK_WIDTH;
    if (at >= rows.length) return undefined;
    const symbol = added ? added.symbols.split('\n')[row]! : this.#base.symbolOf(place!, row);
    return { columns: rows.subarray(at, at + CHUNK_WIDTH), symbol };
  }

  /** The same files; what is put here or there from now on is not known to the other. */
  fork(): IndexedFiles {
    const other = new IndexedFiles();
    other.#base = this.#base;
    other.#dead = this.#dead.slice();
    other.#deadFiles = this.#deadFiles;
    for (const [file, facts] of this.#added) other.#added.set(file, facts);
    other.#addedChunks = this.#addedChunks;
    other.#chunkCount = this.#chunkCount;
    other.#totalLength = this.#totalLength;
    return other;
  }

  save(writer: SectionWriter): void {
    if (this.unsettled > 0) throw new Error('The index must be settled before it is saved.');
    this.#base.save(writer);
  }

  /** @throws when the sections make no sense; then nothing has changed. */
  load(reader: SectionReader): void {
    const base = CompactIndex.load(reader);
    this.#base = base;
    this.#dead = new Uint8Array(base.chunkCount);
    this.#deadFiles = 0;
    this.#added.clear();
    this.#addedChunks = 0;
    this.#chunkCount = base.chunkCount;
    this.#totalLength = base.totalLength;
  }

  #drop(file: FileId, { chunks }: ChunkFacts): void {
    this.#added.delete(file);
    this.#addedChunks -= chunks.length / CHUNK_WIDTH;
  }

  #kill(place: number): void {
    const { firstChunks } = this.#base.arrays;
    this.#dead.fill(1, firstChunks[place], firstChunks[place + 1]);
    this.#deadFiles++;
  }

  #count(chunks: Int32Array, sign: 1 | -1): void {
    this.#chunkCount += (sign * chunks.length) / CHUNK_WIDTH;
    for (let at = ChunkColumn.LENGTH; at < chunks.length; at += CHUNK_WIDTH) {
      this.#totalLength += sign * LENGTHS[chunks[at]!]!;
    }
  }
}
