import { setImmediate } from 'node:timers/promises';
import type { FileId } from '../../files/file-table.ts';
import { CHUNK_WIDTH, ChunkColumn } from '../chunk-facts.ts';
import type { FileChunks, IndexedFiles } from '../indexed-files.ts';
import { type Found, TopHits } from '../top-hits.ts';
import type { Paths, RankOptions } from '../word-search.ts';
import { unitVector, type VectorStore, vectorKey } from './vector-store.ts';

/** Chunks that are compared in one go, a few milliseconds; then others may run. */
const SLICE = 2_000;

export interface MeaningOptions extends RankOptions {
  signal?: AbortSignal | undefined;
}

/** The chunks whose vectors are most like a vector, by comparing them all. @throws the signal's reason. */
export async function rankByMeaning(
  vector: Float32Array,
  files: IndexedFiles,
  table: Paths,
  store: VectorStore,
  { limit, inScope, signal }: MeaningOptions,
): Promise<Found[]> {
  const top = new TopHits(limit);
  const unit = unitVector(vector);
  if (!unit) return [];
  // As they are now: while others run, files may come and go.
  const scope: (FileChunks & { file: FileId; path: string })[] = [];
  files.forEach((file, chunks) => {
    const path = table.path(file);
    if (!inScope || inScope(path)) scope.push({ ...chunks, file, path });
  });
  let compared = 0;
  for (const { file, path, first, end, rows, firstRow } of scope) {
    for (let row = 0; row < end - first; row++) {
      const place = (firstRow + row) * CHUNK_WIDTH;
      const key = vectorKey(rows[place + ChunkColumn.KEY_LOW]!, rows[place + ChunkColumn.KEY_HIGH]!);
      const score = store.likeness(key, unit);
      if (score === undefined || score <= 0 || score < top.floor) continue;
      top.offer({ file, path, row, startLine: rows[place + ChunkColumn.START_LINE]!, score, mask: 0 });
    }
    compared += end - first;
    if (compared < SLICE) continue;
    compared = 0;
    await setImmediate(undefined, { signal });
  }
  return top.found;
}
