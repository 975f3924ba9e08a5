import { createRequire } from 'node:module';
import type { Language } from './language.ts';

const require = createRequire(import.meta.url);

/** The path of web-tree-sitter's own WebAssembly. */
export function runtimeFile(): string {
  return require.resolve('web-tree-sitter/web-tree-sitter.wasm');
}

/** The path of a language's grammar. */
export function grammarFile(language: Language): string {
  return FILES[language]();
}

/**
 * Whether V8 may optimise the lexer of a grammar. For these it takes some megabytes and pays after a few hundred files: 4 to
 * 10 % less processor time for 10 MB. For others it takes up to 2.9 GB (Swift), and most gain nothing.
 */
export function isCheapToOptimise(language: Language): boolean {
  return CHEAP.has(language);
}

const CHEAP: ReadonlySet<Language> = new Set(['typescript', 'tsx', 'python', 'go', 'java']);

/** Each is named by a literal, which is how the bundle finds it. */
const FILES: Readonly<Record<Language, () => string>> = {
  typescript: () => require.resolve('@repomix/tree-sitter-wasms/out/tree-sitter-typescript.wasm'),
  tsx: () => require.resolve('@repomix/tree-sitter-wasms/out/tree-sitter-tsx.wasm'),
  javascript: () => require.resolve('@repomix/tree-sitter-wasms/out/tree-sitter-javascript.wasm'),
  python: () => require.resolve('@repomix/tree-sitter-wasms/out/tree-sitter-python.wasm'),
  go: () => require.resolve('@repomix/tree-sitter-wasms/out/tree-sitter-go.wasm'),
  rust: () => require.resolve('@repomix/tree-sitter-wasms/out/tree-sitter-rust.wasm'),
  java: () => require.resolve('@repomix/tree-sitter-wasms/out/tree-sitter-java.wasm'),
  c: () => require.resolve('@repomix/tree-sitter-wasms/out/tree-sitter-c.wasm'),
  cpp: () => require.resolve('@repomix/tree-sitter-wasms/out/tree-sitter-cpp.wasm'),
  csharp: () => require.resolve('@repomix/tree-sitter-wasms/out/tree-sitter-c_sharp.wasm'),
  ruby: () => require.resolve('@repomix/tree-sitter-wasms/out/tree-sitter-ruby.wasm'),
  php: () => require.resolve('@repomix/tree-sitter-wasms/out/tree-sitter-php.wasm'),
  kotlin: () => require.resolve('@tree-sitter-grammars/tree-sitter-kotlin/tree-sitter-kotlin.wasm'),
  swift: () => require.resolve('@repomix/tree-sitter-wasms/out/tree-sitter-swift.wasm'),
  dart: () => require.resolve('@repomix/tree-sitter-wasms/out/tree-sitter-dart.wasm'),
  scala: () => require.resolve('tree-sitter-scala/tree-sitter-scala.wasm'),
  lua: () => require.resolve('@tree-sitter-grammars/tree-sitter-lua/tree-sitter-lua.wasm'),
  bash: () => require.resolve('tree-sitter-bash/tree-sitter-bash.wasm'),
};
