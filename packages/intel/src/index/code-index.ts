import type { FileId, FileTable } from '../files/file-table.ts';
import type { Layer, ParsedFile } from '../files/layer.ts';
import type { SectionReader, SectionWriter } from '../files/sections.ts';
import { CHUNK_WIDTH, ChunkColumn } from './chunk-facts.ts';
import type { CodeIndex, SearchHit, SearchOptions } from './code-index-api.ts';
import { IndexedFiles } from './indexed-files.ts';
import { parseQuery } from './query.ts';
import type { Found } from './top-hits.ts';
import { type Bm25, WordSearch } from './word-search.ts';

const LIMIT = 10;

export interface HybridIndexOptions {
  files: FileTable;
  bm25?: Bm25;
}

export class HybridIndex implements Layer, CodeIndex {
  readonly #table: FileTable;
  readonly #files = new IndexedFiles();
  readonly #words: WordSearch;

  constructor({ files, bm25 }: HybridIndexOptions) {
    this.#table = files;
    this.#words = new WordSearch(this.#files, files, bm25);
  }

  get chunkCount(): number {
    return this.#files.chunkCount;
  }
  get unsettled(): number {
    return this.#files.unsettled;
  }
  put(id: FileId, { chunks }: Pick<ParsedFile, 'chunks'>): void {
    this.#files.put(id, chunks);
  }
  remove(id: FileId): void {
    this.#files.remove(id);
  }
  settle(): Generator<void, void, void> {
    return this.#files.settle();
  }
  save(writer: SectionWriter): void {
    this.#files.save(writer);
  }
  load(reader: SectionReader): void {
    this.#files.load(reader);
  }
  searchWords(query: string, { limit = LIMIT, path }: SearchOptions = {}): SearchHit[] {
    const { found, terms } = this.#words.rank(parseQuery(query), limit, path === undefined ? undefined : scope(path));
    return found.map((hit, i) =>
      this.#hit(hit, i + 1, [...new Set(terms.filter((_, bit) => hit.mask & (1 << bit)).map(({ word }) => word))]),
    );
  }
  async search(query: string, options?: SearchOptions): Promise<SearchHit[]> {
    return this.searchWords(query, options);
  }
  #hit({ file, row, score }: Found, rank: number, words: string[]): SearchHit {
    const { chunks, symbol } = this.#files.chunk(file, row);
    return {
      rank,
      file,
      path: this.#table.path(file),
      startLine: chunks[row * CHUNK_WIDTH + ChunkColumn.START_LINE]!,
      endLine: chunks[row * CHUNK_WIDTH + ChunkColumn.END_LINE]!,
      symbol: symbol || undefined,
      score,
      why: { words, rankers: ['words'] },
    };
  }
}
function scope(path: string): (candidate: string) => boolean {
  const folder = path.endsWith('/') ? path : `${path}/`;
  return (candidate) => candidate === path || candidate.startsWith(folder);
}
