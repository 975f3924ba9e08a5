import { type FileFacts, SYMBOL_WIDTH, SymbolColumn } from '../parsing/file-facts.ts';
import type { ChunkFacts } from './chunk-facts.ts';
import { lengthStep } from './chunk-length.ts';
import { planChunks, type Stretch } from './plan-chunks.ts';
import { PostingCollector } from './posting-collector.ts';
import { hashTerm } from './words/hash-term.ts';
import { WordScanner } from './words/word-scanner.ts';

/** How much a word counts by where it stands; in the text it counts 1. */
export interface FieldWeights {
  /** In the name of the symbol that the chunk shows. */
  name: number;
  /** In the names of what that symbol lies in. */
  container: number;
  fileName: number;
  folder: number;
}

export const FIELD_WEIGHTS: FieldWeights = { name: 2, container: 1, fileName: 1, folder: 1 };

/** A flexible stretch is cut at the first blank line after so many lines, and at the latest after so many. */
const FEWEST_LINES = 40;
const MOST_LINES = 60;

/**
 * Cuts a file into chunks and counts their terms (INT-7).
 * @param source the file's text as UTF-8.
 * @param facts of the same text.
 * @param path from the root, with `/`.
 */
export type ChunkFile = (source: Uint8Array, facts: FileFacts, path: string) => ChunkFacts;

/** One for each thread: it remembers how it split words. */
export function fileChunker(weights: FieldWeights = FIELD_WEIGHTS): ChunkFile {
  const chunker = new FileChunker(weights);
  return (source, facts, path) => chunker.chunk(source, facts, path);
}

class FileChunker {
  readonly #weights: FieldWeights;
  readonly #scanner = new WordScanner();
  readonly #collector = new PostingCollector(this.#scanner.table);

  constructor(weights: FieldWeights) {
    this.#weights = weights;
  }

  chunk(source: Uint8Array, facts: FileFacts, path: string): ChunkFacts {
    this.#scanner.table.trim();
    const rows: number[] = [];
    let symbols = '';
    let at = 0;
    for (const stretch of planChunks(facts)) {
      const symbol = symbolOf(facts, stretch.row);
      let line = stretch.startLine;
      while (line <= stretch.endLine && at < source.length) {
        this.#collector.openChunk(hashTerm(`${path}:${symbol}`));
        const start = line;
        let firstText = 0;
        let lastText = 0;
        for (; line <= stretch.endLine && at < source.length; line++) {
          const lines = line - start;
          if (stretch.flexible && (lines >= MOST_LINES || (lines >= FEWEST_LINES && this.#scanner.blank))) break;
          at = this.#scanner.readLine(source, at, this.#collector);
          if (this.#scanner.blank) continue;
          firstText ||= line;
          lastText = line;
        }
        const keep = this.#collector.length > 0;
        if (keep) {
          const { keyLow, keyHigh } = this.#collector;
          this.#addFields(path, symbol);
          const doc = docOf(facts, stretch, firstText, lastText);
          rows.push(firstText, lastText, lengthStep(this.#collector.length), ...doc, keyLow, keyHigh);
          symbols += `${symbol}\n`;
        }
        this.#collector.closeChunk(keep);
      }
    }
    return { chunks: Int32Array.from(rows), symbols, ...this.#collector.take() };
  }

  #addFields(path: string, symbol: string): void {
    const { name, container, fileName, folder } = this.#weights;
    const dot = symbol.lastIndexOf('.');
    this.#addText(symbol.slice(dot + 1), name);
    this.#addText(symbol.slice(0, Math.max(dot, 0)), container);
    const slash = path.lastIndexOf('/');
    const extension = path.lastIndexOf('.');
    this.#addText(path.slice(slash + 1, extension > slash ? extension : undefined), fileName);
    this.#addText(path.slice(0, Math.max(slash, 0)), folder);
  }

  #addText(text: string, weight: number): void {
    if (weight === 0 || text === '') return;
    this.#collector.weight = weight;
    this.#scanner.readText(text, this.#collector);
  }
}

/** `Container.name`; a container's own name may be dotted. */
function symbolOf({ names, symbols }: FileFacts, row: number): string {
  const parts: string[] = [];
  // A container stands before its members, so that this ends.
  for (let at = row; at >= 0; ) {
    parts.unshift(names[symbols[at * SYMBOL_WIDTH + SymbolColumn.NAME]!] ?? '');
    const container = symbols[at * SYMBOL_WIDTH + SymbolColumn.CONTAINER]!;
    at = container < at ? container : -1;
  }
  return parts.join('.').replaceAll(/\s+/g, ' ');
}

/** Lines of the symbol's doc comment, where this chunk has it. */
function docOf({ symbols }: FileFacts, { row }: Stretch, from: number, to: number): [start: number, end: number] {
  if (row < 0) return [0, 0];
  const start = symbols[row * SYMBOL_WIDTH + SymbolColumn.DOC_START]!;
  return start >= from && start <= to ? [start, symbols[row * SYMBOL_WIDTH + SymbolColumn.DOC_END]!] : [0, 0];
}
