import { afterAll, describe, expect, it } from 'vitest';
import { LANGUAGES, type Language } from '../parsing/language.ts';
import type { CompiledPattern } from './compile-pattern.ts';
import { findMatches } from './find-matches.ts';
import { BROKEN_PATTERNS } from './fixtures/broken-patterns.ts';
import { ORACLE_PATTERNS } from './fixtures/oracle-patterns.ts';
import type { StructuralPattern } from './pattern.ts';
import { PatternParsers } from './pattern-parsers.ts';

const parsers = new PatternParsers();

afterAll(() => parsers.dispose());

/** The text of each match, with what it captures. */
async function matchesOf(language: Language, source: string, text: string): Promise<string[]> {
  const compiled = await parsers.compile(language, source);
  if (!compiled.ok) throw new Error(compiled.reason);
  const tree = await parsers.parse(language, text);
  try {
    return findMatches(compiled.pattern, tree!, text).matches.map(({ start, end, captures }) =>
      [text.slice(start.index, end.index), ...captures.map(({ name, text }) => `${name}=${text}`)].join(' | '),
    );
  } finally {
    tree!.delete();
  }
}

function patternOf(compiled: CompiledPattern): StructuralPattern {
  if (!compiled.ok) throw new Error(compiled.reason);
  return compiled.pattern;
}

async function placeOf(language: Language, source: string): Promise<string> {
  const compiled = await parsers.compile(language, source);
  return compiled.ok ? compiled.pattern.place : compiled.reason;
}

describe('the ladder', () => {
  it.each<[Language, string, string]>([
    ['typescript', 'return $X', 'a statement'],
    ['typescript', 'catch ($E) { $$$B }', 'a clause'],
    ['python', 'except $E: $$$B', 'a clause'],
    ['typescript', 'private $M($$$A) { $$$B }', 'a class member'],
    ['typescript', 'get $N() { $$$B }', 'a class member'],
    ['typescript', 'case $A: $$$B', 'a case'],
    ['typescript', '$K?: $T;', 'a class member'],
    ['java', 'private final $T $N = $V;', 'a class member'],
    ['java', '@Override', 'an annotation'],
    ['csharp', 'public int $N { get; set; }', 'a class member'],
    ['dart', 'final $T $N;', 'a statement'],
    ['dart', 'dispose($X);', 'a statement'],
    ['dart', "import 'package:a/a.dart';", 'the top level'],
    ['go', 'type $T struct { $$$F }', 'a statement'],
    ['go', 'func ($R) $F($$$P) { $$$B }', 'the top level'],
    ['rust', 'Some($X) => $Y', 'a match arm'],
    ['c', '#include $H', 'a statement'],
    ['php', 'private $A;', 'a class member'],
  ])('INT-25 reads in %s `%s` as %s', async (language, source, place) => {
    expect(await placeOf(language, source)).toBe(place);
  });

  const broken = Object.entries(BROKEN_PATTERNS).flatMap(([language, sources]) =>
    sources.map((source): [Language, string] => [language as Language, source]),
  );

  it('INT-25 reports each of 200 patterns that are no code, with the reason', async () => {
    expect(broken.length).toBeGreaterThanOrEqual(200);
    const accepted: string[] = [];
    for (const [language, source] of broken) {
      const compiled = await parsers.compile(language, source);
      if (compiled.ok) accepted.push(`${language}: ${source} as ${compiled.pattern.place}`);
      else expect(compiled.reason).toContain('it was tried as a statement');
    }
    expect(accepted).toEqual([]);
  });

  it('INT-25 refuses no pattern that is code', async () => {
    const refused: string[] = [];
    let count = 0;
    for (const [language, patterns] of Object.entries(ORACLE_PATTERNS)) {
      for (const each of patterns) {
        const source = typeof each === 'string' ? each : each.pattern;
        count += 1;
        const compiled = await parsers.compile(language as Language, source);
        if (!compiled.ok) refused.push(`${language}: ${source}: ${compiled.reason}`);
      }
    }
    expect(count).toBeGreaterThan(200);
    expect(refused).toEqual([]);
  });

  it('INT-25 says where it stops making sense', async () => {
    const compiled = await parsers.compile('typescript', 'foo($A);\nconst $B = ;');
    expect(compiled).toEqual({ ok: false, reason: expect.stringMatching(/at line 2, column \d+; it was tried as/) });
  });

  it.each([
    ['', 'it is empty'],
    ['  \n ', 'it is empty'],
    ['$X', 'it stands for any code'],
    ['$$$', 'it stands for any code'],
    ['// nothing', 'no piece of code'],
    ['foo($X, $$$X)', '$X stands for one node and for several'],
  ])('INT-25 refuses `%s`', async (source, reason) => {
    expect(await parsers.compile('typescript', source)).toEqual({ ok: false, reason: expect.stringContaining(reason) });
  });

  it('INT-24 reads a call in every language that there is a grammar for', async () => {
    for (const language of LANGUAGES) {
      const source = language === 'bash' ? 'foo $A' : 'foo($A)';
      expect([language, (await parsers.compile(language, source)).ok]).toEqual([language, true]);
    }
  });
});

describe('what matches', () => {
  it('INT-22 finds a call however it is spaced, and never in strings and comments', async () => {
    const text =
      'dispose(a); dispose (\n  b, // why\n); const s = "dispose(c)"; // dispose(d)\n/* dispose(e) */ dispose(f, g);';
    expect(await matchesOf('typescript', 'dispose($X)', text)).toEqual([
      'dispose(a) | X=a',
      'dispose (\n  b, // why\n) | X=b',
    ]);
  });

  it('INT-23 takes the same name for the same code only', async () => {
    const text = 'if (a.b != null) a . b.dispose(); if (a != null) b.dispose(); if (c != null) c.dispose();';
    expect(await matchesOf('typescript', 'if ($X != null) $X.dispose()', text)).toEqual([
      'if (a.b != null) a . b.dispose(); | X=a.b',
      'if (c != null) c.dispose(); | X=c',
    ]);
    expect(await matchesOf('typescript', 'f($X, $X)', 'f("a b", "ab"); f(1, 1); f("a", "a")')).toEqual([
      'f(1, 1) | X=1',
      'f("a", "a") | X="a"',
    ]);
  });

  it('INT-22 gives a sequence what is left, without the separator, and more where the rest does not fit else', async () => {
    const text = 'f(a, b, c); f(c); f(a, c, b, c);';
    expect(await matchesOf('typescript', 'f($$$A, c)', text)).toEqual([
      'f(a, b, c) | A=a, b',
      'f(c) | A=',
      'f(a, c, b, c) | A=a, c, b',
    ]);
    expect(await matchesOf('typescript', 'f($$$A, $B)', 'f(1, 2, 3)')).toEqual(['f(1, 2, 3) | A=1, 2 | B=3']);
  });

  it('INT-22 looks into each other', async () => {
    expect(await matchesOf('python', 'f($X)', 'f(f(1))')).toEqual(['f(f(1)) | X=f(1)', 'f(1) | X=1']);
  });

  it.each<[string, Language, string, string, string[]]>([
    [
      'calls in Dart',
      'dart',
      'dispose($X)',
      'void f() { dispose(x); var a = 1 + dispose(k); g(dispose(a.b(c))); dispose(x, y); }',
      ['dispose(x) | X=x', 'dispose(k) | X=k', 'dispose(a.b(c)) | X=a.b(c)'],
    ],
    [
      'chains in Dart',
      'dart',
      '$X.dispose()',
      'void f() { x.y.dispose(); a.dispose().dispose(); dispose(); }',
      ['x.y.dispose() | X=x.y', 'a.dispose().dispose() | X=a.dispose()', 'a.dispose() | X=a'],
    ],
    [
      'the guard in Dart',
      'dart',
      'if ($X != null) $X.dispose()',
      'void f() { if (x.y != null) x.y.dispose(); if (a != null) b.dispose(); if (a != null) a.dispose(); }',
      ['if (x.y != null) x.y.dispose(); | X=x.y', 'if (a != null) a.dispose(); | X=a'],
    ],
    [
      'a bare call in C',
      'c',
      'foo($A)',
      'int f() { foo(1); return foo(a + 2); }',
      ['foo(1) | A=1', 'foo(a + 2) | A=a + 2'],
    ],
    [
      'a call in PHP',
      'php',
      'foo($A)',
      '<?php foo($x); $y = foo(1 + 2); foo();',
      ['foo($x) | A=$x', 'foo(1 + 2) | A=1 + 2'],
    ],
    [
      'the guard in PHP',
      'php',
      'if ($X != null) $X->dispose();',
      '<?php if ($a != null) $a->dispose(); if ($a != null) $b->dispose();',
      ['if ($a != null) $a->dispose(); | X=$a'],
    ],
    [
      'an assignment in PHP',
      'php',
      '$A = foo($$$B)',
      '<?php $x = foo($x, 1); $y->z = foo();',
      ['$x = foo($x, 1) | A=$x | B=$x, 1', '$y->z = foo() | A=$y->z | B='],
    ],
    ['a variable of PHP itself', 'php', 'foo($_GET)', '<?php foo($_GET); foo($_POST);', ['foo($_GET)']],
    ['a command in Bash', 'bash', 'rm -rf $X', 'rm -rf "$tmp"\nrm "$tmp"\n', ['rm -rf "$tmp" | X="$tmp"']],
    [
      'a lone member in TypeScript',
      'typescript',
      'get $N() { $$$B }',
      'class C { get a() { return 1; } b() {} }',
      ['get a() { return 1; } | N=a | B=return 1;'],
    ],
    [
      'a property in C#',
      'csharp',
      'public $T $N { get; set; }',
      'class C { public int A { get; set; } public int B { get; } }',
      ['public int A { get; set; } | T=int | N=A'],
    ],
    [
      'two statements',
      'javascript',
      'lock($X);\n$$$B\nunlock($X);',
      '{ lock(a); use(a); unlock(a); lock(b); unlock(c); }',
      ['lock(a); use(a); unlock(a); | X=a | B=use(a);'],
    ],
    [
      'a class in Ruby',
      'ruby',
      'class $A < $B\nend',
      'class Cat < Animal\nend\n',
      ['class Cat < Animal\nend | A=Cat | B=Animal'],
    ],
    [
      'a method with any parameters in Java',
      'java',
      'void $M($$$P) { $$$B }',
      'class C { void m(int a, String b) { x(); } void n() {} int k() { return 1; } }',
      ['void m(int a, String b) { x(); } | M=m | P=int a, String b | B=x();', 'void n() {} | M=n | P= | B='],
    ],
  ])('INT-22 finds what ast-grep cannot: %s', async (_, language, source, text, expected) => {
    expect(await matchesOf(language, source, text)).toEqual(expected);
  });

  it('INT-26 gives places in UTF-16 units, from 1', async () => {
    const compiled = await parsers.compile('javascript', 'f($X)');
    const text = '\n"😀é"; f(а);';
    const tree = await parsers.parse('javascript', text);
    const [match] = findMatches(patternOf(compiled), tree!, text).matches;
    tree!.delete();
    expect(match).toMatchObject({ start: { index: 8, line: 2, column: 8 }, end: { index: 12, line: 2, column: 12 } });
  });

  it('INT-26 gives up on a place with too many ways to fit, and says so', async () => {
    const compiled = await parsers.compile('javascript', 'f($$$A, x, $$$B, x, $$$C, x, $$$D, y)');
    const text = `f(${'x, '.repeat(200)}z)`;
    const tree = await parsers.parse('javascript', text);
    const found = findMatches(patternOf(compiled), tree!, text);
    tree!.delete();
    expect(found).toEqual({ matches: [], gaveUp: 1 });
  });
});
