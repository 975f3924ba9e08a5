import { setFlagsFromString } from 'node:v8';

/** What is used of the global `WebAssembly`, for which Node's types have no values. */
const { Module } = (
  globalThis as unknown as { WebAssembly: { Module: new (bytes: Uint8Array<ArrayBuffer>) => object } }
).WebAssembly;

/** Compile all functions now, with the baseline compiler, and never again with the optimising one. */
const SWITCHED_OFF = ['wasm-lazy-compilation', 'wasm-tier-up', 'wasm-dynamic-tiering'];

/**
 * Compiles a tree-sitter grammar so that V8 will not do it a second time. The lexer of a grammar is one giant function:
 * after a few calls V8 would optimise it, with up to 2.9 GB (Swift) and seconds of processor time, and nothing would be
 * faster for it, because a parse spends its time in tree-sitter's runtime, which is left alone.
 *
 * V8 keeps one compiled module for the same bytes: as long as the result is held, `Language.load` of these bytes finds it.
 * The flags count for the whole process, but compiling does not wait for anything, so that nobody else meets them.
 */
export function compileGrammar(bytes: Uint8Array<ArrayBuffer>): object {
  for (const flag of SWITCHED_OFF) setFlagsFromString(`--no-${flag}`);
  try {
    return new Module(bytes);
  } finally {
    for (const flag of SWITCHED_OFF) setFlagsFromString(`--${flag}`);
  }
}
