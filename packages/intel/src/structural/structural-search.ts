import { setImmediate as breathe } from 'node:timers/promises';
import { BlackError } from '@black-ide/protocol';
import { realPathOf, SourceReader, walk } from '@black-ide/workspace';
import { decodeSource } from '../parsing/decode-source.ts';
import { detectLanguage } from '../parsing/detect-language.ts';
import type { Language } from '../parsing/language.ts';
import { findMatches, type StructuralMatch } from './find-matches.ts';
import type { StructuralPattern } from './pattern.ts';
import { languagesNamed } from './pattern-languages.ts';
import { PatternParsers } from './pattern-parsers.ts';

export interface StructuralSearchOptions {
  /** The workspace: absolute. */
  root: string;
  pattern: string;
  /** A language's name; by default each file is searched with the pattern as its own language reads it. */
  language?: string;
  /** Files and folders, from the root. Default: all of it. */
  paths?: readonly string[];
  /** Whether a file may be looked at. */
  mayRead?(path: string): boolean;
  signal?: AbortSignal;
}

/** One file in which the pattern matches. */
export interface FileMatches {
  /** From the root, with `/`. */
  path: string;
  /** The pattern as the file's language reads it. */
  pattern: StructuralPattern;
  text: string;
  /** At least one; see `FoundMatches`. */
  matches: readonly StructuralMatch[];
}

/** What a search has looked at. */
export interface StructuralReport {
  /** Files of the languages that were searched. */
  files: number;
  /** Those that hold the words of the pattern, and were parsed. */
  parsed: number;
  /** Those that were not searched, and why. */
  skipped: { path: string; why: string }[];
  /** Languages in which the pattern is no code; it was not searched for in them. */
  unparsable: { language: Language; reason: string }[];
}

/** Longer texts, in UTF-16 units, are not parsed. */
const MAX_LENGTH = 2 * 1024 * 1024;
const MAX_BYTES = 8 * 1024 * 1024;
/** Whoever else wants to do something gets their turn after so many milliseconds. */
const SLICE_MS = 10;

/**
 * Searches the files of a workspace for a shape of code (INT-22 … INT-26). Only what is not ignored is searched; a file
 * without the words of the pattern is read, but not parsed.
 */
export class StructuralSearch {
  readonly #options: StructuralSearchOptions;
  readonly #parsers: PatternParsers;
  readonly #ownsParsers: boolean;
  /** Real. */
  readonly #root: string;
  readonly #reader = new SourceReader(MAX_BYTES);
  readonly #patterns = new Map<Language, StructuralPattern | undefined>();
  readonly #report: StructuralReport = { files: 0, parsed: 0, skipped: [], unparsable: [] };
  #sliceStart = performance.now();

  /** @param parsers of the caller, who then also disposes of them */
  constructor(options: StructuralSearchOptions, parsers?: PatternParsers) {
    this.#options = options;
    this.#root = realPathOf(options.root);
    this.#parsers = parsers ?? new PatternParsers();
    this.#ownsParsers = parsers === undefined;
  }

  get report(): StructuralReport {
    return this.#report;
  }

  /**
   * The files with matches, in the order of the walk.
   * @throws BlackError `unparsable_pattern` where no language that was searched reads it, `unknown_language`, those of a
   * walk; the signal's reason.
   */
  async *files(): AsyncGenerator<FileMatches, void, undefined> {
    try {
      const wanted = await this.#wanted();
      const seen = new Set<string>();
      for await (const path of this.#paths()) {
        this.#options.signal?.throwIfAborted();
        if (seen.has(path)) continue;
        seen.add(path);
        const found = await this.#searchFile(path, wanted);
        if (found) yield found;
        await this.#breathe();
      }
      if (![...this.#patterns.values()].some((pattern) => pattern)) this.#refuseUnparsable();
    } finally {
      if (this.#ownsParsers) await this.#parsers.dispose();
    }
  }

  /** The languages that were asked for, compiled before anything is read; undefined: all. */
  async #wanted(): Promise<ReadonlySet<Language> | undefined> {
    const { language } = this.#options;
    if (language === undefined) return undefined;
    const wanted = languagesNamed(language);
    for (const each of wanted) if (await this.#patternOf(each)) return new Set(wanted);
    this.#refuseUnparsable();
    return new Set(wanted);
  }

  #refuseUnparsable(): void {
    const [first, ...others] = this.#report.unparsable;
    if (!first) return;
    const more = others.length > 0 ? ` Nor is it in ${others.map(({ language }) => language).join(', ')}.` : '';
    throw new BlackError(
      'unparsable_pattern',
      `The pattern is no code of ${first.language}: ${first.reason}.${more}`,
      'A pattern is a whole piece of code: a statement, an expression, a member. $X stands for one node, $$$X for several.',
    );
  }

  async *#paths(): AsyncGenerator<string, void, undefined> {
    const { paths = [''], signal } = this.#options;
    const onUnreadable = (path: string): void => void this.#report.skipped.push({ path, why: 'cannot be read' });
    for (const path of paths) {
      try {
        const options = { root: this.#root, onUnreadable, ...(path === '' || path === '.' ? {} : { path }) };
        for await (const entry of walk({ ...options, ...(signal ? { signal } : {}) })) {
          if (entry.kind === 'file') yield entry.path;
        }
      } catch (cause) {
        if (!(cause instanceof BlackError) || cause.code !== 'not_a_folder') throw cause;
        yield path.replace(/^\.\//, '');
      }
    }
  }

  async #searchFile(path: string, wanted: ReadonlySet<Language> | undefined): Promise<FileMatches | undefined> {
    let isUndecided = false;
    const byName = detectLanguage(path, () => {
      isUndecided = true;
      return '';
    });
    // The first characters may tell more.
    if (!isUndecided && (byName === undefined || wanted?.has(byName) === false)) return undefined;
    if (this.#options.mayRead?.(path) === false) return undefined;
    const file = this.#reader.read(`${this.#root}/${path}`);
    if (file instanceof BlackError) return this.#skip(path, file.message);
    const { bytes } = file;
    const language = isUndecided ? detectLanguage(path, () => bytes?.toString('latin1', 0, 4_096) ?? '') : byName;
    if (language === undefined || wanted?.has(language) === false) return undefined;
    this.#report.files += 1;
    // A grammar that no file needs is not loaded: the words of a pattern are the same with and without JSX.
    const twin = language === 'tsx' ? this.#patterns.get('typescript') : undefined;
    if (bytes && twin && !mayHold(bytes, twin.literals)) return undefined;
    const pattern = await this.#patternOf(language);
    if (!pattern) return undefined;
    if (!bytes) return this.#skip(path, 'too large');
    if (!mayHold(bytes, pattern.literals)) return undefined;
    const decoded = await decodeSource(bytes);
    return decoded && (await this.#matchesIn(path, pattern, decoded.text));
  }

  async #matchesIn(path: string, pattern: StructuralPattern, text: string): Promise<FileMatches | undefined> {
    if (text.length > MAX_LENGTH) return this.#skip(path, 'too large');
    if (pattern.name && !pattern.name.test(text)) return undefined;
    this.#report.parsed += 1;
    const tree = await this.#parsers.parse(pattern.language, text);
    if (!tree) return this.#skip(path, 'takes too long to parse');
    try {
      const { matches, gaveUp } = findMatches(pattern, tree, text);
      if (gaveUp > 0) this.#skip(path, `${gaveUp} places have too many ways to match`);
      return matches.length > 0 ? { path, pattern, text, matches } : undefined;
    } finally {
      tree.delete();
    }
  }

  async #patternOf(language: Language): Promise<StructuralPattern | undefined> {
    if (this.#patterns.has(language)) return this.#patterns.get(language);
    const compiled = await this.#parsers.compile(language, this.#options.pattern);
    if (!compiled.ok) this.#report.unparsable.push({ language, reason: compiled.reason });
    const pattern = compiled.ok ? compiled.pattern : undefined;
    this.#patterns.set(language, pattern);
    return pattern;
  }

  #skip(path: string, why: string): undefined {
    this.#report.skipped.push({ path, why });
    return undefined;
  }

  async #breathe(): Promise<void> {
    if (performance.now() - this.#sliceStart < SLICE_MS) return;
    await breathe();
    this.#sliceStart = performance.now();
  }
}

/** Whether a file can match by the words in it; one in UTF-16 is looked at in any case. */
function mayHold(bytes: Buffer, literals: readonly string[]): boolean {
  const [first, second] = bytes;
  if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)) return true;
  return literals.every((literal) => bytes.includes(literal, 0, 'latin1'));
}
