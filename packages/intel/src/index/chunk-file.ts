import { type FileFacts, SYMBOL_KINDS, SYMBOL_WIDTH, SymbolColumn, SymbolFlag } from '../parsing/file-facts.ts';
import { type ChunkFacts, ChunkFlag, noChunks } from './chunk-facts.ts';
import { lengthStep } from './chunk-length.ts';
import { CODE_KINDS, planChunks, type Stretch } from './plan-chunks.ts';
import { PostingCollector } from './posting-collector.ts';
import { hashTerm } from './words/hash-term.ts';
import { WordScanner } from './words/word-scanner.ts';

/**
 * How much a word counts by where it stands; in the text it counts 1. Measured by doc comments that have to find their
 * functions (bench/intel/search-quality.ts): without the name the score is a tenth lower, without the other three a
 * twentieth.
 */
const WEIGHTS = {
  /** In the name of the symbol, shared among its words: a name of one word says it all with it. */
  name: 10,
  container: 2,
  fileName: 1,
  folder: 1,
} as const;

/** A flexible stretch is cut at the first blank line after so many lines, and at the latest after so many. */
const FEWEST_LINES = 40;
const MOST_LINES = 60;
/** Containers that a name is given with, at most. */
const DEEPEST = 16;

/**
 * Cuts a file into chunks and counts their terms (INT-7). Lines are those that a line feed ends.
 * @param source the file's text as UTF-8.
 * @param facts of the same text.
 * @param path from the root, with `/`.
 */
export type ChunkFile = (source: Uint8Array, facts: FileFacts, path: string) => ChunkFacts;

/** One for each thread: it remembers how it split words. */
export function fileChunker(): ChunkFile {
  const chunker = new FileChunker();
  return (source, facts, path) => chunker.chunk(source, facts, path);
}

class FileChunker {
  readonly #scanner = new WordScanner();
  readonly #collector = new PostingCollector(this.#scanner.table);

  chunk(source: Uint8Array, facts: FileFacts, path: string): ChunkFacts {
    if (facts.state === 'binary' || facts.state === 'unreadable') return noChunks();
    this.#scanner.table.trim();
    const collector = this.#collector;
    const pathFields = this.#pathFields(path);
    const rows: number[] = [];
    let symbols = '';
    let at = 0;
    for (const stretch of planChunks(facts)) {
      const symbol = symbolOf(facts, stretch.row);
      const fields = [...pathFields, ...this.#symbolFields(symbol)];
      const key = hashTerm(`${path}:${symbol}`);
      const flags = flagsOf(facts, stretch.row);
      for (let line = stretch.startLine; line <= stretch.endLine && at < source.length; ) {
        collector.openChunk(key);
        const read = this.#readChunk(source, at, line, stretch);
        ({ at, line } = read);
        const keep = collector.length > 0;
        if (keep) {
          const { keyLow, keyHigh } = collector;
          for (const { words, weight } of fields) collector.addField(words, weight);
          const doc = docOf(facts, stretch.row, read.firstText, read.lastText);
          rows.push(read.firstText, read.lastText, lengthStep(collector.length), flags, ...doc, keyLow, keyHigh);
          symbols += `${symbol}\n`;
        }
        collector.closeChunk(keep);
      }
    }
    return { chunks: Int32Array.from(rows), symbols, ...collector.take() };
  }

  /** Reads the lines of one chunk, from `line` on, which begins at `at`. Answers where the next one begins. */
  #readChunk(source: Uint8Array, at: number, line: number, { flexible, endLine }: Stretch) {
    const start = line;
    let firstText = 0;
    let lastText = 0;
    for (; line <= endLine && at < source.length; line++) {
      const count = line - start;
      if (flexible && (count >= MOST_LINES || (count >= FEWEST_LINES && this.#scanner.blank))) break;
      at = this.#scanner.readLine(source, at, this.#collector);
      if (this.#scanner.blank) continue;
      firstText ||= line;
      lastText = line;
    }
    return { at, line, firstText, lastText };
  }

  #pathFields(path: string): Field[] {
    const slash = path.lastIndexOf('/');
    const dot = path.lastIndexOf('.');
    const fileName = path.slice(slash + 1, dot > slash ? dot : undefined);
    return [
      { words: this.#scanner.wordsOf(fileName), weight: WEIGHTS.fileName },
      { words: this.#scanner.wordsOf(path.slice(0, Math.max(slash, 0))), weight: WEIGHTS.folder },
    ];
  }

  #symbolFields(symbol: string): Field[] {
    if (symbol === '') return [];
    const dot = symbol.lastIndexOf('.');
    const name = this.#scanner.wordsOf(symbol.slice(dot + 1));
    const parts = name.reduce((sum, word) => sum + this.#scanner.table.partsOf(word), 0);
    return [
      { words: name, weight: Math.round(WEIGHTS.name / Math.max(1, parts)) },
      { words: this.#scanner.wordsOf(symbol.slice(0, Math.max(dot, 0))), weight: WEIGHTS.container },
    ];
  }
}

/** Words that every chunk of something has beside its text. */
interface Field {
  words: readonly number[];
  weight: number;
}

/** `Container.name`, with as many containers as it has. */
function symbolOf({ names, symbols }: FileFacts, row: number): string {
  const parts: string[] = [];
  for (let at = row; at >= 0 && parts.length < DEEPEST; at = symbols[at * SYMBOL_WIDTH + SymbolColumn.CONTAINER]!) {
    parts.unshift(names[symbols[at * SYMBOL_WIDTH + SymbolColumn.NAME]!]!);
  }
  return parts.join('.').replaceAll(/\s+/g, ' ');
}

function flagsOf({ symbols }: FileFacts, row: number): number {
  // What is no symbol lies in a file of tests if the file's first symbol does.
  const at = Math.max(row, 0) * SYMBOL_WIDTH;
  const isTest = at < symbols.length && (symbols[at + SymbolColumn.FLAGS]! & SymbolFlag.TEST) !== 0;
  const isCode = row >= 0 && CODE_KINDS.includes(SYMBOL_KINDS[symbols[at + SymbolColumn.KIND]!]!);
  return (isCode ? ChunkFlag.CODE : 0) | (isTest ? ChunkFlag.TEST : 0);
}

/** Lines of the symbol's doc comment, where this chunk has it. */
function docOf({ symbols }: FileFacts, row: number, from: number, to: number): [start: number, end: number] {
  if (row < 0) return [0, 0];
  const start = symbols[row * SYMBOL_WIDTH + SymbolColumn.DOC_START]!;
  return start >= from && start <= to ? [start, symbols[row * SYMBOL_WIDTH + SymbolColumn.DOC_END]!] : [0, 0];
}
