import type { FileId } from '../files/file-table.ts';
import type { SectionReader, SectionWriter } from '../files/sections.ts';
import { CHUNK_WIDTH, ChunkColumn, type ChunkFacts } from './chunk-facts.ts';
import { LENGTHS } from './chunk-length.ts';
import { CompactIndex } from './compact-index.ts';
import { mergeIndex } from './merge-index.ts';

/** What is known of all files: a compact index, and beside it what was put or removed since it was made. */
export class IndexedFiles {
  #base = CompactIndex.empty();
  /** 1 at the chunks of the base whose files were removed or put again. */
  #dead = new Uint8Array();
  #deadFiles = 0;
  readonly #added = new Map<FileId, ChunkFacts>();
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

  put(file: FileId, facts: ChunkFacts): void {
    this.remove(file);
    if (facts.chunks.length === 0) return;
    this.#added.set(file, facts);
    this.#count(facts.chunks, 1);
  }

  remove(file: FileId): void {
    const added = this.#added.get(file);
    if (added) {
      this.#added.delete(file);
      this.#count(added.chunks, -1);
    }
    const place = this.#base.placeOf(file);
    if (place === undefined || this.isDead(this.#base.arrays.firstChunks[place]!)) return;
    this.#kill(place);
    this.#count(this.#base.chunksOf(place), -1);
  }

  /** Merges what lies beside the base into a new one. Whatever is put or removed between the slices stays beside that. */
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
      if (facts && this.#added.get(file) === facts) this.#added.delete(file);
      else if (facts || before[base.arrays.firstChunks[base.placeOf(file)!]!] === 1) this.#kill(place);
    });
  }

  /** The rows of a file's chunks, and what symbol that in `row` shows; empty for none. */
  chunk(file: FileId, row: number): { chunks: Int32Array; symbol: string } {
    const added = this.#added.get(file);
    if (added) return { chunks: added.chunks, symbol: added.symbols.split('\n')[row]! };
    const place = this.#base.placeOf(file)!;
    return { chunks: this.#base.chunksOf(place), symbol: this.#base.symbolsOf(place)[row]! };
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
    this.#chunkCount = base.chunkCount;
    this.#totalLength = base.totalLength;
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
