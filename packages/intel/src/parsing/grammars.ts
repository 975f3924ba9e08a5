import { Parser, Query, type Language as TreeSitterLanguage } from 'web-tree-sitter';
import { type CaptureRoles, captureRoles } from './capture-roles.ts';
import type { Language } from './language.ts';
import type { LanguageSpec } from './language-spec.ts';
import { specOf } from './languages/specs.ts';
import { loadGrammar, startRuntime, type WasmModule } from './wasm-runtime.ts';

/** A language that is ready to parse. */
export interface Grammar {
  language: Language;
  spec: LanguageSpec;
  grammar: TreeSitterLanguage;
  parser: Parser;
  query: Query;
  roles: CaptureRoles;
  module: WasmModule;
}

/** The grammars of one thread: each is loaded when the first file of its language comes. */
export class Grammars {
  readonly #loading = new Map<Language, Promise<Grammar>>();

  /** @throws when the grammar or its query cannot be loaded; each later call throws the same. */
  load(language: Language): Promise<Grammar> {
    let loading = this.#loading.get(language);
    if (!loading) {
      loading = load(language);
      this.#loading.set(language, loading);
    }
    return loading;
  }

  async dispose(): Promise<void> {
    for (const loaded of await Promise.allSettled(this.#loading.values())) {
      if (loaded.status === 'rejected') continue;
      loaded.value.query.delete();
      loaded.value.parser.delete();
    }
    this.#loading.clear();
  }
}

async function load(language: Language): Promise<Grammar> {
  const spec = specOf(language);
  if (!spec) throw new Error(`nobody knows how to find facts in ${language}`);
  const module = await startRuntime();
  const grammar = await loadGrammar(language);
  const parser = new Parser().setLanguage(grammar);
  const query = new Query(grammar, spec.query());
  return { language, spec, grammar, parser, query, roles: captureRoles(query), module };
}
