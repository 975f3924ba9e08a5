import type { Tree } from 'web-tree-sitter';
import { decodeSource } from './decode-source.ts';
import { detectLanguage } from './detect-language.ts';
import { extractFacts } from './extract-facts.ts';
import type { FileFacts } from './file-facts.ts';
import { type Grammar, Grammars } from './grammars.ts';
import { specOf } from './languages/specs.ts';
import { LineTable } from './line-table.ts';
import { parseWithin } from './parse-within.ts';
import { TreeCache } from './tree-cache.ts';
import { unfitSource } from './unfit-source.ts';
import { withoutSymbols } from './without-symbols.ts';

export interface ParseLimits {
  /** Longer texts, in UTF-16 units, are not parsed. Default 1.25 MB. */
  maxParsedLength?: number;
  /** Processor time that the parse of one file may take, in milliseconds. Default 3 s. */
  maxParseTime?: number;
}

/** A file's facts, and its text for whoever looks at it next. */
export interface ParsedSource {
  facts: FileFacts;
  /** As UTF-8, without a byte order mark; empty for a binary file. */
  text: Uint8Array;
}

const DEFAULT_MAX_LENGTH = 1.25 * 1024 * 1024;
const DEFAULT_MAX_TIME = 3_000;

/**
 * Parses files in this thread. Never throws for what is in a file; memory is free again after each, but for the trees of
 * those that are to be parsed again soon.
 */
export class SourceParser {
  readonly #maxLength: number;
  readonly #maxTime: number;
  readonly #grammars = new Grammars();
  readonly #trees = new TreeCache();

  constructor({ maxParsedLength = DEFAULT_MAX_LENGTH, maxParseTime = DEFAULT_MAX_TIME }: ParseLimits = {}) {
    this.#maxLength = maxParsedLength;
    this.#maxTime = maxParseTime;
  }

  /**
   * @param path from the root, with `/`
   * @param options.keep whether the file is likely to be parsed again: its tree then makes that cheaper
   * @throws when a grammar cannot be loaded
   */
  async parse(path: string, bytes: Buffer, options: { keep?: boolean } = {}): Promise<ParsedSource> {
    const decoded = await decodeSource(bytes);
    if (!decoded) return { facts: withoutSymbols('binary', 0), text: new Uint8Array(0) };
    const facts = await this.#facts(path, decoded.text, options.keep === true);
    return { facts, text: decoded.utf8 };
  }

  async #facts(path: string, text: string, keep: boolean): Promise<FileFacts> {
    const lines = new LineTable(text);
    const language = detectLanguage(path, () => text.slice(0, 4_096));
    if (language === undefined || !specOf(language)) {
      return withoutSymbols('text', lines.count, language);
    }
    const unfit = unfitSource(text, lines, this.#maxLength);
    if (unfit !== undefined) return withoutSymbols('skipped', lines.count, language, unfit);
    const grammar = await this.#grammars.load(language);
    const tree = this.#treeOf(grammar, path, text, lines);
    if (!tree) return withoutSymbols('skipped', lines.count, language, 'takes too long to parse');
    let isKept = false;
    try {
      const facts = extractFacts(grammar, tree, text, path, lines);
      isKept = keep && this.#trees.keep(path, { language, text, lines, tree });
      return facts;
    } finally {
      if (!isKept) tree.delete();
    }
  }

  async dispose(): Promise<void> {
    this.#trees.clear();
    await this.#grammars.dispose();
  }

  #treeOf(grammar: Grammar, path: string, text: string, lines: LineTable): Tree | undefined {
    const old = this.#trees.take(path, grammar.language, text, lines);
    try {
      return parseWithin(grammar.parser, text, old ?? null, this.#maxTime);
    } finally {
      old?.delete();
    }
  }
}
