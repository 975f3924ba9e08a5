import type { FileTable } from '../../files/file-table.ts';
import type { SectionReader, SectionWriter } from '../../files/sections.ts';
import { ChunkColumn } from '../chunk-facts.ts';
import type { Embedder } from '../code-index-api.ts';
import type { IndexedFiles } from '../indexed-files.ts';
import type { Found } from '../top-hits.ts';
import type { RankOptions } from '../word-search.ts';
import type { ReadLines } from './chunk-text.ts';
import { type EmbedReport, embedChunks } from './embed-chunks.ts';
import { type FusionVerdict, isFusionVerdict, testFusion } from './fusion-test.ts';
import { rankByMeaning } from './meaning-search.ts';
import { VectorStore, vectorKey } from './vector-store.ts';

/** A question that the model's server does not answer so soon is answered by words alone. Milliseconds. */
const PATIENCE = 3_000;
/** Part of the chunks that may be without a vector when the self-test runs. */
const MOST_MISSING = 0.1;

export interface MeaningIndexOptions {
  embedder: Embedder;
  files: IndexedFiles;
  table: FileTable;
  readLines: ReadLines;
}

export interface EmbedRun {
  signal?: AbortSignal;
  onProgress?(done: number, total: number): void;
}

/** Vectors of the chunks, and what the self-test says of their use (INT-9, INT-10). */
export class MeaningIndex {
  readonly #options: MeaningIndexOptions;
  readonly #store = new VectorStore();
  #verdict: FusionVerdict | undefined;

  constructor(options: MeaningIndexOptions) {
    this.#options = options;
    this.#store.keepOnly(options.embedder.id);
  }

  /** What ranking by meaning counts beside ranking by words; 0 while nothing shows that it helps. */
  get weight(): number {
    return this.#verdict?.weight ?? 0;
  }

  get verdict(): FusionVerdict | undefined {
    return this.#verdict;
  }

  /**
   * Gives vectors to chunks without one, then tests whether they help, if that is not known. @throws the signal's
   * reason.
   */
  async embed({ signal, onProgress }: EmbedRun = {}): Promise<EmbedReport> {
    const common = { ...this.#options, store: this.#store, signal };
    const report = await embedChunks({ ...common, onProgress });
    const { chunkCount } = this.#options.files;
    if (this.#isTestDue(chunkCount) && report.missing <= chunkCount * MOST_MISSING) {
      this.#verdict = (await testFusion(common)) ?? this.#verdict;
    }
    return report;
  }

  /** Undefined where the question cannot be embedded now. @throws the signal's reason. */
  async rank(query: string, options: RankOptions & { signal?: AbortSignal | undefined }): Promise<Found[] | undefined> {
    const { embedder, files, table } = this.#options;
    const { signal } = options;
    const patience = AbortSignal.timeout(PATIENCE);
    let vector: Float32Array | undefined;
    try {
      [vector] = await embedder.embed([query], 'query', signal ? AbortSignal.any([signal, patience]) : patience);
    } catch {
      // Whatever the model's server has: words answer, too.
      signal?.throwIfAborted();
    }
    return vector && (await rankByMeaning(vector, files, table, this.#store, options));
  }

  save(writer: SectionWriter): void {
    const wanted = new Set<number>();
    this.#options.files.forEachChunk((columns) => {
      wanted.add(vectorKey(columns[ChunkColumn.KEY_LOW]!, columns[ChunkColumn.KEY_HIGH]!));
    });
    this.#store.save(writer, (key) => wanted.has(key));
    writer.value('verdict', this.#verdict ?? null);
  }

  /**
   * Takes the place of all vectors; those of another embedder are not kept. @throws when the sections make no sense.
   */
  load(reader: SectionReader): void {
    this.#store.load(reader);
    const verdict = reader.value('verdict');
    const { id } = this.#options.embedder;
    this.#store.keepOnly(id);
    this.#verdict = isFusionVerdict(verdict) && verdict.embedder === id ? verdict : undefined;
  }

  /** An index of quite another size is another one. */
  #isTestDue(chunkCount: number): boolean {
    const known = this.#verdict?.chunks;
    return known === undefined || chunkCount > known * 2 || chunkCount < known / 2;
  }
}
