import { setImmediate } from 'node:timers/promises';
import type { FileId, FileTable } from '../../files/file-table.ts';
import { CHUNK_WIDTH, ChunkColumn, ChunkFlag } from '../chunk-facts.ts';
import { FileChunker } from '../chunk-file.ts';
import type { IndexedChunk, IndexedFiles } from '../indexed-files.ts';
import type { Stretch } from '../plan-chunks.ts';
import type { Paths } from '../word-search.ts';
import { hashTerm } from '../words/hash-term.ts';
import { chunkText, keyOfLines, type ReadLines } from './chunk-text.ts';
import { docQuestion } from './doc-question.ts';
import { vectorKey } from './vector-store.ts';

/** A doc comment, and the function that it is about without it. */
export interface HeldOut {
  file: FileId;
  row: number;
  question: string;
  /** Key and text of the function's chunk without the comment. */
  key: number;
  text: string;
}

export interface HeldOutSet {
  samples: HeldOut[];
  /** The index with the functions of the samples as they are without their comments, and its table. */
  fork: IndexedFiles;
  table: Paths;
  /** Paths of the files that the functions are to be found in. */
  scope: ReadonlySet<string>;
}

export interface HeldOutOptions {
  files: IndexedFiles;
  table: FileTable;
  readLines: ReadLines;
  /** How many are wanted, and from files of how many chunks together, at most. */
  count: number;
  chunks: number;
  signal?: AbortSignal | undefined;
}

/** Functions with fewer other lines say too little to be found by. */
const FEWEST_LINES = 3;
const MOST_OF_A_FILE = 8;

/**
 * Functions whose doc comments are questions, always the same ones of the same files.
 * @throws the signal's reason.
 */
export async function holdOut(options: HeldOutOptions): Promise<HeldOutSet> {
  const { files, table, count, signal } = options;
  // While this waits, files may come and go; these stay.
  const fork = files.fork();
  const all = shuffled(fork, table);
  const paths = new Map(all.map(({ id, path }) => [id, path]));
  const samples: HeldOut[] = [];
  const scope = new Set<string>();
  const chunker = new FileChunker();
  let chunks = 0;
  for (const file of all) {
    if (chunks >= options.chunks) break;
    scope.add(file.path);
    chunks += file.rows.length / CHUNK_WIDTH;
    if (samples.length >= count) continue;
    samples.push(...holdOutOf(file, chunker, fork, options));
    // Reading and cutting a file takes a millisecond or more.
    await setImmediate(undefined, { signal });
  }
  return { samples: samples.slice(0, count), fork, scope, table: { path: (id) => paths.get(id)! } };
}

interface IndexedFile {
  id: FileId;
  path: string;
  /** Rows of its chunks. */
  rows: Int32Array;
}

/** In an order that has nothing to do with what is in the files, and is always the same. */
function shuffled(files: IndexedFiles, table: FileTable): IndexedFile[] {
  const all: (IndexedFile & { order: number })[] = [];
  files.forEach((id, { first, end, rows, firstRow }) => {
    const own = rows.subarray(firstRow * CHUNK_WIDTH, (firstRow + end - first) * CHUNK_WIDTH);
    const path = table.path(id);
    all.push({ id, path, rows: own, order: hashTerm(path) });
  });
  return all.sort((x, y) => x.order - y.order || (x.path < y.path ? -1 : 1));
}

/** Takes the doc comments out of some functions of a file, and puts it so into the fork. */
function holdOutOf(
  { id, path, rows }: IndexedFile,
  chunker: FileChunker,
  fork: IndexedFiles,
  { readLines }: HeldOutOptions,
): HeldOut[] {
  const chunks = Array.from({ length: rows.length / CHUNK_WIDTH }, (_, row) => fork.chunk(id, row)!);
  if (!chunks.some(isDocumented)) return [];
  const lines = readLines(path, 1, chunks.at(-1)!.columns[ChunkColumn.END_LINE]!);
  if (!lines) return [];
  const without = [...lines];
  const questions = new Map<number, string>();
  for (const [row, chunk] of chunks.entries()) {
    if (questions.size === MOST_OF_A_FILE || !isDocumented(chunk)) continue;
    const { columns, symbol } = chunk;
    const own = lines.slice(columns[ChunkColumn.START_LINE]! - 1, columns[ChunkColumn.END_LINE]);
    // The file may have changed since.
    if (keyOfLines(chunker, path, symbol, own) !== keyOf(columns)) continue;
    const [docStart, docEnd] = [columns[ChunkColumn.DOC_START]! - 1, columns[ChunkColumn.DOC_END]!];
    const question = docQuestion(lines.slice(docStart, docEnd));
    if (question === undefined) continue;
    questions.set(row, question);
    without.fill('', docStart, docEnd);
  }
  const facts = chunker.chunk(new TextEncoder().encode(without.join('\n')), planOf(chunks), path);
  if (facts.chunks.length !== rows.length) return [];
  fork.put(id, facts);
  return Array.from(questions, ([row, question]) => {
    const { columns, symbol } = fork.chunk(id, row)!;
    const text = without.slice(columns[ChunkColumn.START_LINE]! - 1, columns[ChunkColumn.END_LINE]);
    return { file: id, row, question, key: keyOf(columns), text: chunkText(path, symbol, text) };
  });
}

function isDocumented({ columns }: IndexedChunk): boolean {
  const docStart = columns[ChunkColumn.DOC_START]!;
  const lines = columns[ChunkColumn.END_LINE]! - columns[ChunkColumn.START_LINE]!;
  const isCode = (columns[ChunkColumn.FLAGS]! & (ChunkFlag.CODE | ChunkFlag.TEST)) === ChunkFlag.CODE;
  return isCode && docStart > 0 && lines - (columns[ChunkColumn.DOC_END]! - docStart) >= FEWEST_LINES;
}

/** Cuts a file as it is cut now. */
function planOf(chunks: readonly IndexedChunk[]): Stretch[] {
  let next = 1;
  return chunks.map(({ columns, symbol }) => {
    const startLine = next;
    const endLine = columns[ChunkColumn.END_LINE]!;
    next = endLine + 1;
    return { startLine, endLine, flexible: false, symbol, flags: columns[ChunkColumn.FLAGS]!, docStart: 0, docEnd: 0 };
  });
}

function keyOf(columns: Int32Array): number {
  return vectorKey(columns[ChunkColumn.KEY_LOW]!, columns[ChunkColumn.KEY_HIGH]!);
}
