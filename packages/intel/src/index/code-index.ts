import type { FileId, FileTable } from '../files/file-table.ts';
import type { Layer, ParsedFile } from '../files/layer.ts';
import type { SectionReader, SectionWriter } from '../files/sections.ts';
import { ChunkColumn } from './chunk-facts.ts';
import type { CodeIndex, Embedder, SearchHit, SearchOptions } from './code-index-api.ts';
import { fuse } from './fuse.ts';
import { IndexedFiles } from './indexed-files.ts';
import type { ReadLines } from './meaning/chunk-text.ts';
import { FUSED_DEPTH } from './meaning/fusion-test.ts';
import { MeaningIndex } from './meaning/meaning-index.ts';
import { parseQuery, type QueryTerm } from './query.ts';
import type { Found } from './top-hits.ts';
import { WordSearch } from './word-search.ts';

const LIMIT = 10;
const MOST = 1_000;

export interface HybridIndexOptions {
  files: FileTable;
  /** Both or none: vectors are made of what the lines say. */
  embedder?: Embedder | undefined;
  readLines?: ReadLines | undefined;
}

/** The index of a workspace: by words, and by meaning where an embedder is at hand and has shown that it helps. */
export class HybridIndex implements Layer, CodeIndex {
  /** Undefined without an embedder. Its vectors are stored apart, and whoever owns the index has it embed. */
  readonly meaning: MeaningIndex | undefined;
  readonly #files = new IndexedFiles();
  readonly #words: WordSearch;

  constructor({ files, embedder, readLines }: HybridIndexOptions) {
    this.#words = new WordSearch(this.#files, files);
    if (embedder && readLines) {
      this.meaning = new MeaningIndex({ embedder, readLines, files: this.#files, table: files });
    }
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
    const { found, terms } = this.#words.rank(parseQuery(query), { limit: within(limit), inScope: scopeOf(path) });
    return this.#hitsOf(
      found.map((each) => ({ ...each, inWords: true, inMeaning: false })),
      terms,
    );
  }

  /** @throws the signal's reason, never the embedder's errors. */
  async search(query: string, options: SearchOptions = {}): Promise<SearchHit[]> {
    const { limit = LIMIT, path, signal } = options;
    const weight = this.meaning?.weight ?? 0;
    if (!this.meaning || weight === 0) return this.searchWords(query, options);
    const ranked = { limit: Math.max(FUSED_DEPTH, within(limit)), inScope: scopeOf(path) };
    const meaning = await this.meaning.rank(query, { ...ranked, signal });
    if (!meaning) return this.searchWords(query, options);
    const words = this.#words.rank(parseQuery(query), ranked);
    return this.#hitsOf(fuse(words.found, meaning, { weight, limit: within(limit) }), words.terms);
  }

  #hitsOf(
    found: readonly (Found & { inWords: boolean; inMeaning: boolean })[],
    terms: readonly QueryTerm[],
  ): SearchHit[] {
    const hits: SearchHit[] = [];
    for (const { file, path, row, startLine, score, mask, inWords, inMeaning } of found) {
      const chunk = this.#files.chunk(file, row);
      // While a model's server was asked, the file may have become another.
      if (!chunk || chunk.columns[ChunkColumn.START_LINE] !== startLine) continue;
      const words = terms.filter((_, i) => (mask & (1 << i)) !== 0).map(({ word }) => word);
      hits.push({
        rank: hits.length + 1,
        file,
        path,
        startLine,
        endLine: chunk.columns[ChunkColumn.END_LINE]!,
        symbol: chunk.symbol === '' ? undefined : chunk.symbol,
        score,
        why: {
          words: [...new Set(words)],
          rankers: [...(inWords ? (['words'] as const) : []), ...(inMeaning ? (['meaning'] as const) : [])],
        },
      });
    }
    return hits;
  }
}

function within(limit: number): number {
  return Math.max(1, Math.min(MOST, Math.floor(limit)));
}

/** What lies below a folder, or is the file. Undefined: everything. */
function scopeOf(path: string | undefined): ((candidate: string) => boolean) | undefined {
  const plain = path?.replace(/^\.\/|\/+$/g, '');
  if (plain === undefined || plain === '' || plain === '.') return undefined;
  return (candidate) => candidate === plain || candidate.startsWith(`${plain}/`);
}
