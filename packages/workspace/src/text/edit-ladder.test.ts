import { describe, expect, it } from 'vitest';
import { findTarget } from './edit-ladder.ts';

function found(text: string, old: string, all = false) {
  const result = findTarget(text, old, { all });
  if (!result.ok) throw new Error(`${result.code}: ${result.message}`);
  return { texts: result.targets.map(({ start, end }) => text.slice(start, end)), ...result };
}

function failure(text: string, old: string, all = false) {
  const result = findTarget(text, old, { all });
  if (result.ok) throw new Error(`found by ${result.rung}`);
  return result;
}

describe('findTarget', () => {
  it.each([
    ['exact', 'let a = 1;\nlet b = 2;\n', 'b = 2', 'b = 2'],
    ['exact', '\ufeffx\ty\u00a0“z”\n', 'y\u00a0“z”', 'y\u00a0“z”'],
    ['line-endings', 'a\r\nb\r\nc\r\n', 'a\nb', 'a\r\nb'],
    ['line-endings', 'a\r\nb\r\n', '\nb\n', '\r\nb\r\n'],
    ['line-endings', 'a\r\nb\nc\r\n', 'a\nb\nc\n', 'a\r\nb\nc\r\n'],
    ['line-endings', 'a\nb\nc\n', 'a\r\nb\r\n', 'a\nb\n'],
    ['line-endings', 'a\rb\rc', 'a\nb', 'a\rb'],
    ['line-endings', 'one\nlast', 'last\n', 'last'],
    ['line-endings', 'one\r\nmore\r\nlast', 'more\nlast\n', 'more\r\nlast'],
    ['trailing-space', 'a  \nb\t\nc\n', 'a\nb\nc', 'a  \nb\t\nc'],
    ['trailing-space', 'a\nb\nc\n', 'a  \nb \nc', 'a\nb\nc'],
    ['trailing-space', 'a\nb\nc\n', 'a\nb ', 'a\nb'],
    ['trailing-space', 'a \r\nb\r\n', 'a\nb\n', 'a \r\nb\r\n'],
    ['trailing-space', 'x\na  \nlast  ', 'a\nlast\n', 'a  \nlast'],
    ['indentation', '\tif (x) {\n\t\ty();\n\t}\n', 'if (x) {\n\ty();\n}', '\tif (x) {\n\t\ty();\n\t}'],
    ['indentation', '  a {\n    b\n  }\n', '    a {\n      b\n    }\n', '  a {\n    b\n  }\n'],
    ['indentation', '  a {\r\n\r\n    b\r\n  }\r\n', 'a {\n\n  b\n}', '  a {\r\n\r\n    b\r\n  }'],
    ['indentation', 'f {\n\tx {\n\t\ty\n', 'f {\n    x {\n        y', 'f {\n\tx {\n\t\ty'],
    ['indentation', 'f {\n    x\n', 'f {\n\tx', 'f {\n    x'],
    ['indentation', '\t/**\n\t * x\n\t */\n', '  /**\n   * x\n   */\n', '\t/**\n\t * x\n\t */\n'],
    ['look-alikes', 's = ‘it’s’ – done…\n', "s = 'it's' - done...", 's = ‘it’s’ – done…'],
    ['look-alikes', 'const a = “x”;\n', 'const a = "x";', 'const a = “x”;'],
    ['look-alikes', "const a = 'x';\n", 'const a = ‘x’;', "const a = 'x';"],
    ['look-alikes', 'a\u00a0b\u202fc\u3000d\n', 'a b c d', 'a\u00a0b\u202fc\u3000d'],
    ['look-alikes', 'x\u200by\ufeffz\n', 'xyz', 'x\u200by\ufeffz'],
    ['look-alikes', 'caf\u0065\u0301 noir\n', 'caf\u00e9 noir', 'caf\u0065\u0301 noir'],
    ['look-alikes', 'a “b”\u00a0\r\nc\r\n', 'a "b"\nc', 'a “b”\u00a0\r\nc'],
  ])('IDE-52 by %s: in %j finds %j', (rung, text, old, expected) => {
    expect(found(text, old)).toMatchObject({ rung, texts: [expected] });
  });

  it('IDE-52 gives the lines of the target', () => {
    expect(found('a\r\nb\r\nc\r\nd', 'b\nc\n').targets[0]).toMatchObject({ startLine: 2, endLine: 3 });
    expect(found('a\nb\n', 'b').targets[0]).toMatchObject({ startLine: 2, endLine: 2 });
  });

  it('IDE-52 refuses an ambiguous match on every rung, naming the lines', () => {
    expect(failure('x\ny\nx\n', 'x')).toMatchObject({ code: 'ambiguous', places: [1, 3] });
    expect(failure('aaa', 'aa')).toMatchObject({ code: 'ambiguous', places: [1, 1] });
    expect(failure('a\r\nb\r\na\r\nb\r\n', 'a\nb')).toMatchObject({ code: 'ambiguous', places: [1, 3] });
    expect(failure('a \nb\na\t\nb\n', 'a\nb')).toMatchObject({ code: 'ambiguous', places: [1, 3] });
    expect(failure('\ta\n\tb\n  a\n  b\n', 'a\nb')).toMatchObject({ code: 'ambiguous', places: [1, 3] });
    expect(failure('“a”\n„a“\n', '"a"')).toMatchObject({ code: 'ambiguous', places: [1, 2] });
    expect(failure('x\n'.repeat(30), 'x').places).toHaveLength(20);
    expect(failure('x'.repeat(5000), 'x').message).toContain('more than 1000 times');
  });

  it('IDE-52 lets the strictest rung that finds anything decide', () => {
    expect(found('  foo\nfoo  \n“foo”', 'foo  \n')).toMatchObject({ rung: 'exact' });
    expect(found('a “b”\na "b"\n', 'a "b"')).toMatchObject({ rung: 'exact', targets: [{ startLine: 2 }] });
  });

  it('IDE-52 finds all places, also where the same lines end differently', () => {
    expect(found('x y x', 'x', true)).toMatchObject({ rung: 'exact', texts: ['x', 'x'] });
    expect(found('aaaa', 'aa', true).targets).toHaveLength(2);
    expect(found('a\nb\n-\na\r\nb\n', 'a\nb', true)).toMatchObject({ rung: 'line-endings', texts: ['a\nb', 'a\r\nb'] });
    expect(found('a\r\nb', 'b', true)).toMatchObject({ rung: 'exact' });
    expect(failure('x', 'y', true)).toMatchObject({ code: 'not_found' });
  });

  it.each([
    ['a middle that differs', 'start\n1\nend\n', 'start\n2\nend\n'],
    ['another shift on one line', '  a\n    b\n', 'a\nb'],
    ['words in another order', 'a b\n', 'b a'],
    ['a blank at the end of a longer word', 'foobar\n', 'foo '],
    ['half of a ligature', 'ﬁle\n', 'ile'],
    ['blanks within a line', 'a  b\n', 'a b'],
    ['another case', 'Foo\n', 'foo'],
    ['lines joined', 'a\nb\n', 'a b'],
    ['only blanks', 'a\nb\n', '  \n'],
  ])('IDE-52 does not overlook %s', (_, text, old) => {
    expect(failure(text, old)).toMatchObject({ code: 'not_found' });
  });

  it('IDE-52 says what is wrong with an empty or a broken request', () => {
    expect(failure('abc', '')).toMatchObject({ code: 'empty_old' });
    expect(failure('abc', '\ud83d')).toMatchObject({ code: 'malformed' });
  });

  it('IDE-52 shows the nearest block and what differs, invisible characters made visible', () => {
    const text = 'import a;\n\nfunction total(list) {\n\tlet sum = 0;\n\treturn sum;\u00a0\n}\n';
    const result = failure(text, 'function total(list) {\n  let sum = 1;\n  return sum;\n}');
    expect(result.nearest).toEqual({
      startLine: 3,
      endLine: 6,
      text: '3| function total(list) {\n4| \tlet sum = 0;\n5| \treturn sum;\u00a0\n6| }',
      differences: [
        { line: 4, yours: '··let sum = 1;', file: '→let sum = 0;' },
        { line: 5, yours: '··return sum;', file: '→return sum;<U+00A0>' },
      ],
    });
    expect(result.message).toContain('lines 3-6');
    expect(result.message).toContain('you have  ··let sum = 1;');
  });

  it('IDE-52 finds a similar line when not one is the same', () => {
    const text = 'a\nb\nexport function computeTotalPrice(items: Item[]): number {\nc\n';
    const result = failure(text, 'export function computeTotalPrice(items: Item[]) {');
    expect(result.nearest).toMatchObject({ startLine: 3, endLine: 3 });
    expect(failure('abc\n', 'entirely different things')).not.toHaveProperty('nearest');
  });

  it('IDE-52 recognises line numbers that were copied along', () => {
    expect(failure('alpha\nbeta\n', '1| alpha\n2| beta').next).toContain('line numbers');
  });
});
