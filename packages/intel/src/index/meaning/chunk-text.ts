import { ChunkColumn } from '../chunk-facts.ts';
import type { FileChunker } from '../chunk-file.ts';
import { vectorKey } from './vector-store.ts';

/** Reads lines of a file, from 1, both ends included; undefined where it cannot be read any more. */
export type ReadLines = (path: string, startLine: number, endLine: number) => string[] | undefined;

/** Longer texts are cut: what a model takes is bounded, and the beginning says most. In UTF-16 units. */
const LONGEST = 6_000;

/** What a model sees of a chunk. */
export function chunkText(path: string, symbol: string, lines: readonly string[]): string {
  return `${path} ${symbol}\n${lines.join('\n')}`.slice(0, LONGEST);
}

/** The key that a chunk of these lines has; undefined where they have no words. */
export function keyOfLines(
  chunker: FileChunker,
  path: string,
  symbol: string,
  lines: readonly string[],
): number | undefined {
  const plan = [{ startLine: 1, endLine: lines.length, flexible: false, symbol, flags: 0, docStart: 0, docEnd: 0 }];
  const { chunks } = chunker.chunk(new TextEncoder().encode(lines.join('\n')), plan, path);
  if (chunks.length === 0) return undefined;
  return vectorKey(chunks[ChunkColumn.KEY_LOW]!, chunks[ChunkColumn.KEY_HIGH]!);
}
