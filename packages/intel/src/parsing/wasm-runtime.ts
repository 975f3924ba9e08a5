import { setFlagsFromString } from 'node:v8';
import { readAssetBytes } from '@black-ide/workspace';
import { Language, Parser } from 'web-tree-sitter';
import { runtimeFile } from './grammar-files.ts';

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

/** What is used of the global `WebAssembly`, for which Node's types have no values. */
const { Module, Instance } = (globalThis as unknown as { WebAssembly: WebAssemblyClasses }).WebAssembly;
interface WebAssemblyClasses {
  Module: new (bytes: Uint8Array<ArrayBuffer>) => object;
  Instance: new (module: object, imports: object) => object;
}

/** web-tree-sitter has one runtime a thread, and so have we. */
let runtime: Promise<WasmModule> | undefined;

/** Starts the parser in this thread, once. */
export function startRuntime(): Promise<WasmModule> {
  runtime ??= start();
  return runtime;
}

async function start(): Promise<WasmModule> {
  const options: Partial<WasmModule> & { instantiateWasm: unknown } = {
    instantiateWasm(imports: object, receive: (instance: object, module: object) => void): object {
      const module = compile(readAssetBytes(runtimeFile()), EAGER);
      receive(new Instance(module, imports), module);
      return {};
    },
  };
  await Parser.init(options as object);
  if (!options._ts_query_matches_wasm) throw new Error('web-tree-sitter was started by somebody else in this thread');
  return options as WasmModule;
}

/** Loads a grammar into the runtime of this thread. @throws when the file is no grammar of a version that is understood. */
export async function loadGrammar(file: string): Promise<Language> {
  await startRuntime();
  const bytes = readAssetBytes(file);
  // V8 keeps one compiled module for the same bytes: loading finds this one, for as long as it is held.
  const compiled = compile(bytes, BASELINE);
  const language = await Language.load(bytes);
  return compiled && language;
}

/** Compiles all functions now, so that a later change of V8's flags by anybody does not touch them. */
const EAGER = ['wasm-lazy-compilation'];
/**
 * A grammar's lexer is one giant function. V8 compiles it a second time after a few calls, with up to 2.9 GB (Swift) and
 * seconds of processor time, and gains nothing that could be measured: a parse spends its time in the runtime.
 */
const BASELINE = [...EAGER, 'wasm-tier-up', 'wasm-dynamic-tiering'];

/** The flags count for the whole process; compiling does not wait for anything, so nobody else meets them. */
function compile(bytes: Uint8Array<ArrayBuffer>, switchedOff: readonly string[]): object {
  for (const flag of switchedOff) setFlagsFromString(`--no-${flag}`);
  try {
    return new Module(bytes);
  } finally {
    for (const flag of switchedOff) setFlagsFromString(`--${flag}`);
  }
}
