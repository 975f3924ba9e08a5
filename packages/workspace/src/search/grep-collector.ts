import { clipLine } from './clip-line.ts';
import type { RipgrepRecord } from './ripgrep-records.ts';

export interface GrepLine {
  /** From the root, with `/`. */
  path: string;
  /** From 1. */
  line: number;
  text: string;
  /** Whether it only stands near a match. */
  isContext: boolean;
}

export interface GrepResult {
  /** By path, then by line. */
  lines: GrepLine[];
  /** How many of `lines` are matches. */
  shownMatches: number;
  /** Matching lines in all, shown or not. */
  totalMatches: number;
  /** Files with a match in all. */
  totalFiles: number;
  /** Whether there are more matches than shown. */
  cut: boolean;
  /** Whether even counting was stopped: the totals are lower bounds. */
  countStopped: boolean;
  /** Files and folders that could not be read. */
  unreadable: number;
}

export interface GrepLimits {
  maxMatches: number;
  maxLineLength: number;
  context: number;
  /** Counting stops after so many. */
  countLimit: number;
  isIgnored: (path: string) => boolean;
}

interface OpenFile {
  path: string;
  lines: GrepLine[];
  matches: number;
  shown: number;
  lastShown: number;
}

/** Makes a bounded result out of ripgrep's records: a file counts once it has ended and turned out to be text. */
export class GrepCollector {
  readonly #limits: GrepLimits;
  readonly #lines: GrepLine[] = [];
  #file: OpenFile | undefined;
  #shown = 0;
  #matches = 0;
  #files = 0;
  #stopped = false;

  constructor(limits: GrepLimits) {
    this.#limits = limits;
  }

  /** False when no more records are wanted. */
  receive(record: RipgrepRecord): boolean {
    if (record.type === 'begin') this.#begin(record.path);
    else if (record.type === 'line') this.#line(record);
    else if (record.type === 'end') this.#end(record.isBinary);
    return !this.#stopped;
  }

  result(): Omit<GrepResult, 'unreadable'> {
    return {
      lines: this.#lines,
      shownMatches: this.#shown,
      totalMatches: this.#matches,
      totalFiles: this.#files,
      cut: this.#matches > this.#shown,
      countStopped: this.#stopped,
    };
  }

  #begin(reported: string): void {
    const path = reported.replace(/^(?:\.\/)+/, '');
    this.#file = this.#limits.isIgnored(path) ? undefined : { path, lines: [], matches: 0, shown: 0, lastShown: 0 };
  }

  #line(record: Extract<RipgrepRecord, { type: 'line' }>): void {
    const file = this.#file;
    if (!file) return;
    const { maxMatches, maxLineLength, context, countLimit } = this.#limits;
    const isFull = this.#shown + file.shown >= maxMatches;
    if (!record.isContext) file.matches++;
    const isWanted = record.isContext ? !isFull || record.line <= file.lastShown + context : !isFull;
    if (isWanted) {
      // With a pattern that spans lines, one match is several of them.
      const texts = record.text.replace(/\r?\n$/, '').split(/\r?\n/);
      for (const [index, text] of texts.entries()) {
        const shown = clipLine(text, index === 0 ? record.start : 0, maxLineLength);
        file.lines.push({ path: file.path, line: record.line + index, text: shown, isContext: record.isContext });
      }
      if (!record.isContext) {
        file.shown++;
        file.lastShown = record.line + texts.length - 1;
      }
    }
    if (this.#matches + file.matches >= countLimit) {
      this.#end(false);
      this.#stopped = true;
    }
  }

  #end(isBinary: boolean): void {
    const file = this.#file;
    this.#file = undefined;
    if (!file || isBinary || file.matches === 0) return;
    this.#matches += file.matches;
    this.#files++;
    this.#shown += file.shown;
    if (file.shown === 0) return;
    const last = file.lastShown + this.#limits.context;
    for (const line of file.lines) if (line.line <= last) this.#lines.push(line);
  }
}
