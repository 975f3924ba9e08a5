import { describe, expect, it } from 'vitest';
import { blockEnd } from './blocks.ts';

function endOf(path: string, text: string): number {
  const lines = new Map(text.split('\n').map((line, at) => [at + 1, line]));
  return blockEnd(lines, 1, path, 30);
}

describe('the end of a definition', () => {
  it.each<[what: string, path: string, text: string, end: number]>([
    ['a signature over several lines', 'a.py', 'def f(\n    a,\n    b,\n) -> int:\n    return a\n\nx = 1', 5],
    ['a bracket in a text or comment', 'a.py', "def f(a='('):  # (\n    return a\nx = 1", 2],
    ['a list at the indentation of its name', 'a.py', 'A = [\n  1,\n]\nB = 2', 3],
    ['a block of Ruby', 'a.rb', 'def f\n  1\nend\nx', 3],
    ['a union of objects', 'a.ts', "type A =\n  | { kind: 'a' }\n  | { kind: 'b' };\nconst b = 1;", 3],
    ['a union of texts', 'a.ts', "type A =\n  | 'a'\n  | 'b';\nconst b = 1;", 3],
    ['an intersection', 'a.ts', 'type A = { a: 1 }\n  & { b: 2 };\nconst b = 1;', 2],
    ['a signature in braces', 'a.ts', 'function f(\n  a: A,\n): B {\n  return a;\n}\nf();', 5],
    ['a brace on its own line', 'a.c', 'int f(int a)\n{\n  return a;\n}\nint b;', 4],
    ['one line', 'a.ts', 'const f = (a) => a;\n{ other(); }', 1],
  ])('IDE-28 holds %s whole', (_, path, text, end) => {
    expect(endOf(path, text)).toBe(end);
  });
});
