import { Parser, type Tree } from 'web-tree-sitter';
import type { Language } from '../parsing/language.ts';
import { parseWithin } from '../parsing/parse-within.ts';
import { loadGrammar } from '../parsing/wasm-runtime.ts';
import { type CompiledPattern, compilePattern } from './compile-pattern.ts';

/** Processor time that the parse of one file may take, in milliseconds. */
const MAX_PARSE_TIME = 2_000;

/** The parsers of structural search, with the grammars that the code graph has (INT-24); each is loaded at its first use. */
export class PatternParsers {
  readonly #loading = new Map<Language, Promise<Parser>>();

  /** @throws when the grammar cannot be loaded. */
  load(language: Language): Promise<Parser> {
    let loading = this.#loading.get(language);
    if (!loading) {
      loading = loadGrammar(language).then((grammar) => new Parser().setLanguage(grammar));
      this.#loading.set(language, loading);
    }
    return loading;
  }

  async compile(language: Language, pattern: string): Promise<CompiledPattern> {
    return compilePattern(await this.load(language), language, pattern);
  }

  /** The tree of a text, for the caller to delete; undefined where it takes too long. */
  async parse(language: Language, text: string): Promise<Tree | undefined> {
    return parseWithin(await this.load(language), text, null, MAX_PARSE_TIME);
  }

  async dispose(): Promise<void> {
    for (const loaded of await Promise.allSettled(this.#loading.values())) {
      if (loaded.status === 'fulfilled') loaded.value.delete();
    }
    this.#loading.clear();
  }
}
