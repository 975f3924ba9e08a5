import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import type { Language } from '../parsing/language.ts';
import { PatternParsers } from './pattern-parsers.ts';
import { Replacement } from './replacement.ts';
import { rewriteText } from './rewrite-text.ts';

const parsers = new PatternParsers();

afterAll(() => parsers.dispose());

async function rewrite(
  language: Language,
  pattern: string,
  replacement: string,
  text: string,
): Promise<string | undefined> {
  const compiled = await parsers.compile(language, pattern);
  if (!compiled.ok) throw new Error(compiled.reason);
  const made = new Replacement(replacement, compiled.pattern.names);
  return (await rewriteText(parsers, compiled.pattern, made, 'a.x', text))?.text;
}

describe('a rewrite', () => {
  it.each<[string, Language, string, string, string, string]>([
    ['puts captures in', 'typescript', 'f($A, $B)', 'g($B, $A)', 'x = f(1, f);', 'x = g(f, 1);'],
    [
      'leaves what the pattern did not ask about',
      'typescript',
      'if ($X != null) $X.dispose()',
      '$X?.dispose()',
      'if (a != null) a.dispose(); // why\n',
      'a?.dispose(); // why\n',
    ],
    [
      'ends a statement as it was',
      'java',
      'f($A)',
      'g($A)',
      'class C { void m() { f(1); } }',
      'class C { void m() { g(1); } }',
    ],
    ['takes an empty list with its comma', 'typescript', 'f($A, $$$R)', 'g($A, $$$R)', 'f(1, 2, 3)', 'g(1, 2, 3)'],
    ['and without', 'typescript', 'f($$$R)', 'g(0, $$$R)', 'f()', 'g(0)'],
    ['and before others', 'typescript', 'f($$$R)', 'g($$$R, 0)', 'f()', 'g(0)'],
    ['removes', 'python', 'print($$$A)', '', 'a = 1\nprint(a)\nb = 2\n', 'a = 1\n\nb = 2\n'],
    ['keeps line endings', 'typescript', 'f($A)', '{\n  $A;\n}', 'f(1)\r\n', '{\r\n  1;\r\n}\r\n'],
    [
      'gives its lines the indentation of the place',
      'typescript',
      'if ($C) $S',
      'if ($C) {\n  $S\n}',
      'function f() {\n  if (a) b();\n}\n',
      'function f() {\n  if (a) {\n    b();\n  }\n}\n',
    ],
    [
      'moves the lines of a capture, and no string',
      'python',
      'if $C: $$$B',
      'while $C:\n    if ok:\n        $$$B',
      'def f():\n    if a:\n        b = """x\n        y"""\n        c()\n',
      'def f():\n    while a:\n        if ok:\n            b = """x\n        y"""\n            c()\n',
    ],
    ['knows no `$&`', 'typescript', 'f($A)', 'g($A, "$&", `$1`)', 'f("$$")', 'g("$$", "$&", `$1`)'],
    [
      'rewrites Dart',
      'dart',
      '$X.dispose()',
      '$X?.dispose()',
      'void f() { a.b.dispose(); }',
      'void f() { a.b?.dispose(); }',
    ],
    ['rewrites PHP', 'php', 'foo($A)', 'bar($A, $x)', '<?php foo($y);', '<?php bar($y, $x);'],
  ])('INT-27 %s', async (_, language, pattern, replacement, text, expected) => {
    expect(await rewrite(language, pattern, replacement, text)).toBe(expected);
  });

  it('INT-30 refuses matches that overlap, and names both places', async () => {
    await expect(rewrite('typescript', 'f($A)', 'g($A)', 'x();\nf(1, 2); f(f(1));')).rejects.toMatchObject({
      code: 'overlapping_matches',
      message: expect.stringContaining('a.x:2:10 holds the one at 2:12'),
    });
  });

  it('INT-30 refuses a replacement that does not parse, and names the place', async () => {
    await expect(rewrite('typescript', 'f($A)', 'g($A', 'a();\nf(1);')).rejects.toMatchObject({
      code: 'replacement_unparsable',
      message: expect.stringMatching(/a\.x.*line 2 of the result: g\(1;/),
    });
    await expect(rewrite('typescript', 'if ($X) $Y', '$Y', 'if (a) b(); else c();')).rejects.toMatchObject({
      code: 'replacement_unparsable',
    });
  });

  it('INT-30 rewrites a file that had faults before', async () => {
    expect(await rewrite('typescript', 'f($A)', 'g($A)', 'const = ;\nf(1);')).toBe('const = ;\ng(1);');
  });

  it('INT-30 refuses what the pattern captures nothing for', async () => {
    await expect(rewrite('typescript', 'f($A)', 'g($B)', 'f(1)')).rejects.toMatchObject({
      code: 'unknown_metavariable',
      next: 'The pattern captures $A.',
    });
    await expect(rewrite('typescript', 'f($_)', 'g($_)', 'f(1)')).rejects.toMatchObject({
      code: 'unknown_metavariable',
    });
  });

  it('INT-30 finds nothing', async () => {
    expect(await rewrite('typescript', 'f($A)', 'g($A)', 'h(1)')).toBeUndefined();
  });
});

/** Expressions without a call of `f` or `g`. */
const expression = fc.letrec<{ any: string }>((tie) => ({
  any: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom('a', 'b.c', '1', '"f(1)"', '"$A"', '`x\n  y`', '[/* f(1) */ d]', '[]'),
    fc.tuple(tie('any'), tie('any')).map(([one, other]) => `[${one}, ${other}]`),
    fc.tuple(tie('any'), tie('any')).map(([one, other]) => `h(${one}, ${other})`),
    tie('any').map((one) => `(() => {\n    return ${one};\n  })`),
  ),
})).any;

it('INT-27 replaced and replaced back is what it was, whatever is captured', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(expression, expression), { minLength: 1, maxLength: 4 }), async (calls) => {
      const text = calls.map(([one, other]) => `  use(f(${one}, ${other}));\n`).join('const x = f;\n');
      const there = await rewrite('typescript', 'f($A, $B)', 'g($B, $A)', text);
      expect(there).toBe(calls.map(([one, other]) => `  use(g(${other}, ${one}));\n`).join('const x = f;\n'));
      expect(await rewrite('typescript', 'g($B, $A)', 'f($A, $B)', there!)).toBe(text);
    }),
  );
});
