import { compileGrammar, readAssetBytes } from '@black-ide/workspace';
import { Language as Grammar, Parser } from 'web-tree-sitter';
import { grammarFile, isCheapToOptimise, runtimeFile } from './grammar-files.ts';
import type { Language } from './language.ts';

/**
 * The part of tree-sitter's WebAssembly module that matches are read from, see `QueryMatches`. Emscripten puts it on the
 * options object that the module is started with.
 */
export interface WasmModule {
  readonly HEAP32: Int32Array;
  _free(address: number): void;
  /** Gives the address of the buffer in which arguments and results are handed over. */
  _ts_init(): number;
  _ts_query_matches_wasm(query: number, tree: number, ...limits: number[]): void;
  _ts_node_end_index_wasm(tree: number): number;
  _ts_node_named_child_count_wasm(tree: number): number;
}

/** web-tree-sitter has one runtime a thread, and so have we. */
let starting: Promise<Partial<WasmModule>> | undefined;

/** Starts the parser in this thread, unless somebody has: the command policy parses shell with it. */
function startParser(): Promise<Partial<WasmModule>> {
  starting ??= start();
  return starting;
}

async function start(): Promise<Partial<WasmModule>> {
  const options: Partial<WasmModule> & { locateFile(): string } = { locateFile: runtimeFile };
  await Parser.init(options as object);
  return options;
}

/** The runtime of this thread. @throws where others have started it: then its parts cannot be reached. */
export async function startRuntime(): Promise<WasmModule> {
  const options = await startParser();
  if (!options._ts_query_matches_wasm) throw new Error('web-tree-sitter was started by somebody else in this thread');
  return options as WasmModule;
}

/** Loads a grammar into the runtime of this thread. @throws when its file is no grammar of a version that is understood. */
export async function loadGrammar(language: Language): Promise<Grammar> {
  await startParser();
  const bytes = readAssetBytes(grammarFile(language));
  if (isCheapToOptimise(language)) return await Grammar.load(bytes);
  const compiled = compileGrammar(bytes);
  const grammar = await Grammar.load(bytes);
  return compiled && grammar;
}
