import { expect, it } from 'vitest';
import { Parser } from 'web-tree-sitter';
import { Grammars } from './grammars.ts';
import { LANGUAGES, type Language } from './language.ts';
import { loadGrammar } from './wasm-runtime.ts';

const SNIPPETS: Record<Language, string> = {
  typescript: 'export const f = <T>(x: T): T => g(x as T)!;',
  tsx: 'const f = (x: A) => <B c={x}/>;',
  javascript: 'class A { #b = 1; static c() { return this.#b ?? d(); } }',
  python: 'def f(a: int, *b, **c) -> str:\n    return g(a)\n',
  go: 'package p\n\nfunc f(a int) error { return g(a) }\n',
  rust: 'impl A { pub fn f(&self) -> Option<B> { g(self)? } }',
  java: 'class A { int f(int a) { return g(a); } }',
  c: 'int f(int a) { return g(a); }',
  cpp: 'namespace n { class A : public B { auto f(int a) -> int { return g(a); } }; }',
  csharp: 'namespace N { class A : B { int F(int a) => G(a); } }',
  ruby: 'class A\n  def f(a) = g(a)\nend\n',
  php: '<?php class A { function f(int $a): int { return g($a); } }',
  kotlin: 'class A {\n  fun f(a: Int): Int {\n    return g(a)\n  }\n}\n',
  swift: 'class A { func f(_ a: Int) -> Int { return g(a) } }',
  dart: 'class A { int f(int a) { return g(a); } }',
  scala: 'object A { def f(a: Int): Int = g(a) }',
  lua: 'local function f(a) return g(a) end',
  bash: 'f() { local a="$1"; g "$a"; }',
};

it.each(LANGUAGES)('INT-1 loads the grammar of %s and parses with it', async (language) => {
  const grammar = await loadGrammar(language);
  const parser = new Parser().setLanguage(grammar);
  const tree = parser.parse(SNIPPETS[language]);
  expect(tree?.rootNode.hasError).toBe(false);
  expect(tree?.rootNode.namedChildCount).toBeGreaterThan(0);
  tree?.delete();
  parser.delete();
});

it('INT-1 loads a grammar once for all who ask at the same time', async () => {
  const grammars = new Grammars();
  const [first, second] = await Promise.all([grammars.load('python'), grammars.load('python')]);
  expect(first).toBe(second);
  expect(await grammars.load('python')).toBe(first);
  await grammars.dispose();
});
