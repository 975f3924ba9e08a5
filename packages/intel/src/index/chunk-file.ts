import type { FileFacts } from '../parsing/file-facts.ts';
import { type ChunkFacts, noChunks } from './chunk-facts.ts';
import { lengthStep } from './chunk-length.ts';
import { planChunks, type Stretch } from './plan-chunks.ts';
import { PostingCollector } from './posting-collector.ts';
import { hashTerm } from './words/hash-term.ts';
import { WordScanner } from './words/word-scanner.ts';

/**
 * How much a word counts by where it stands; in the text it counts 1. Measured, see `bench/intel/search-quality.ts`.
 */
const WEIGHTS = {
  /** In the name of the symbol, shared among its parts: a name of one word says it all with that. */
  name: 10,
  container: 2,
  fileName: 1,
  folder: 1,
} as const;

/** A flexible stretch is cut at the first blank line after so many lines, and at the latest after so many. */
const FEWEST_LINES = 40;
const MOST_LINES = 60;

/**
 * Cuts a file into chunks and counts their terms (INT-7). A line is what a line feed ends.
 * @param source the file's text as UTF-8.
 * @param facts of the same text.
 * @param path from the root, with `/`.
 */
export type ChunkFile = (source: Uint8Array, facts: FileFacts, path: string) => ChunkFacts;

/** One for each thread: it remembers how it split words. */
export function fileChunker(): ChunkFile {
  const chunker = new FileChunker();
  return (source, facts, path) => {
    if (facts.state === 'binary' || facts.state === 'unreadable') return noChunks();
    return chunker.chunk(source, planChunks(facts), path);
  };
}

/** Cuts files by a plan; see `fileChunker`. */
export class FileChunker {
  readonly #scanner = new WordScanner();
  readonly #collector = new PostingCollector(this.#scanner.table);

  chunk(source: Uint8Array, plan: readonly Stretch[], path: string): ChunkFacts {
    this.#scanner.table.trim();
    const collector = this.#collector;
    const pathFields = this.#pathFields(path);
    const rows: number[] = [];
    let symbols = '';
    let at = 0;
    for (const stretch of plan) {
      const { symbol, flags, docStart, docEnd } = stretch;
      const fields = [...pathFields, ...this.#symbolFields(symbol)];
      const key = hashTerm(`${path}:${symbol}`);
      for (let line = stretch.startLine; line <= stretch.endLine && at < source.length; ) {
        collector.openChunk(key);
        const read = this.#readChunk(source, at, line, stretch);
        ({ at, line } = read);
        const keep = collector.length > 0;
        if (keep) {
          const { keyLow, keyHigh } = collector;
          for (const { terms, weight } of fields) collector.addField(terms, weight);
          const hasDoc = docStart >= read.firstText && docStart <= read.lastText;
          const doc = hasDoc ? [docStart, docEnd] : [0, 0];
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
      { terms: this.#scanner.termsOf(fileName).terms, weight: WEIGHTS.fileName },
      { terms: this.#scanner.termsOf(path.slice(0, Math.max(slash, 0))).terms, weight: WEIGHTS.folder },
    ];
  }

  #symbolFields(symbol: string): Field[] {
    if (symbol === '') return [];
    const dot = symbol.lastIndexOf('.');
    const { terms, parts } = this.#scanner.termsOf(symbol.slice(dot + 1));
    return [
      { terms, weight: Math.round(WEIGHTS.name / Math.max(1, parts)) },
      { terms: this.#scanner.termsOf(symbol.slice(0, Math.max(dot, 0))).terms, weight: WEIGHTS.container },
    ];
  }
}

/** Terms that every chunk of something has beside its text. */
interface Field {
  terms: readonly number[];
  weight: number;
}
