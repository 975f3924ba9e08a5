import { isSecretPath } from '@black-ide/workspace';
import type { FileTable } from '../../files/file-table.ts';
import { ChunkColumn } from '../chunk-facts.ts';
import { FileChunker } from '../chunk-file.ts';
import type { Embedder } from '../code-index-api.ts';
import type { IndexedFiles } from '../indexed-files.ts';
import { chunkText, keyOfLines, type ReadLines } from './chunk-text.ts';
import { type VectorStore, vectorKey } from './vector-store.ts';

/** Texts of one request. */
export const EMBED_BATCH = 64;
/** After so many requests in a row that failed as a whole, the rest is left for another time. */
const MOST_FAILURES = 3;

export interface EmbedReport {
  /** Chunks that got a vector. */
  embedded: number;
  /** Chunks that have none now, whatever the reason. */
  missing: number;
  /** What the last request that failed said. */
  problem: string | undefined;
}

export interface EmbedOptions {
  embedder: Embedder;
  files: IndexedFiles;
  table: FileTable;
  store: VectorStore;
  readLines: ReadLines;
  signal?: AbortSignal | undefined;
  onProgress?: ((done: number, total: number) => void) | undefined;
}

interface Pending {
  key: number;
  path: string;
  row: number;
  file: number;
}

/**
 * Gives vectors to the chunks that have none (INT-9). A text that fails leaves its chunk without one, and nothing else.
 * Files that hold secrets by their names are left out: a vector's text goes to a model's server.
 * @throws the signal's reason, never the embedder's errors.
 */
export async function embedChunks(options: EmbedOptions): Promise<EmbedReport> {
  const { embedder, store, signal, onProgress } = options;
  store.keepOnly(embedder.id);
  const pending = withoutVector(options);
  const chunker = new FileChunker();
  let embedded = 0;
  let failures = 0;
  let problem: string | undefined;
  for (let at = 0; at < pending.length && failures < MOST_FAILURES; at += EMBED_BATCH) {
    signal?.throwIfAborted();
    const batch = pending.slice(at, at + EMBED_BATCH).flatMap((chunk) => readable(chunk, chunker, options));
    try {
      const texts = batch.map(({ text }) => text);
      const vectors = batch.length > 0 ? await embedder.embed(texts, 'document', signal) : [];
      // Another embedder may have come meanwhile.
      if (store.embedder !== embedder.id) break;
      batch.forEach(({ key }, i) => {
        const vector = vectors[i];
        if (vector && store.add(key, vector)) embedded++;
      });
      failures = 0;
    } catch (cause) {
      signal?.throwIfAborted();
      failures++;
      problem = cause instanceof Error ? cause.message : String(cause);
    }
    onProgress?.(Math.min(at + EMBED_BATCH, pending.length), pending.length);
  }
  return { embedded, missing: pending.length - embedded, problem };
}

function withoutVector({ files, table, store }: EmbedOptions): Pending[] {
  const pending = new Map<number, Pending>();
  files.forEachChunk((columns, file, row) => {
    const key = vectorKey(columns[ChunkColumn.KEY_LOW]!, columns[ChunkColumn.KEY_HIGH]!);
    if (store.has(key)) return;
    const path = table.path(file);
    if (!isSecretPath(path)) pending.set(key, { key, path, file, row });
  });
  return [...pending.values()];
}

/** The text of a chunk, unless the file is another by now: then the chunk will be, too. */
function readable(
  { key, path, file, row }: Pending,
  chunker: FileChunker,
  { files, readLines }: EmbedOptions,
): { key: number; text: string }[] {
  const chunk = files.chunk(file, row);
  if (!chunk) return [];
  const { columns, symbol } = chunk;
  const lines = readLines(path, columns[ChunkColumn.START_LINE]!, columns[ChunkColumn.END_LINE]!);
  if (!lines || keyOfLines(chunker, path, symbol, lines) !== key) return [];
  return [{ key, text: chunkText(path, symbol, lines) }];
}
