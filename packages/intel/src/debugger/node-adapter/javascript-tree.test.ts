import { describe, expect, it } from 'vitest';
import { firstStatement, functionBodies } from './javascript-tree.ts';

describe('firstStatement', () => {
  it.each([
    ["'use strict';\nimport a from 'a';\nfunction f() {\n  g();\n}\nexport function h() {}\n\nconst x = f();\n", 7, 0],
    ['#!/usr/bin/env node\n  run();', 1, 2],
    ['export const a = 1;', 0, 0],
    ['class A {}\nf();', 0, 0],
  ])('INT-31 finds where %j begins to do something', (source, line, column) => {
    expect(firstStatement(source)).toEqual({ line, column });
  });

  it.each(['', 'function f() {}', 'const a: number = 1;'])('INT-31 finds nothing in %j', (source) => {
    expect(firstStatement(source)).toBe(undefined);
  });
});

describe('functionBodies', () => {
  const SOURCE = `function plain(a) {
  return a;
}
const arrow = (b) => b + 1;
class Store {
  save(c) {
    this.c = c;
  }
  static empty() {}
}
const object = { save: function (d) { return d; } };
exports.late = async () => {
  await 1;
};
`;

  it.each([
    ['plain', [1]],
    ['arrow', [3]],
    ['save', [6, 10]],
    ['Store.save', [6]],
    ['object.save', [10]],
    ['late', [12]],
    ['empty', [8]],
    ['nowhere', []],
    ['constructor', []],
  ])('INT-31 finds the functions called %s', (name, lines) => {
    const found = functionBodies(SOURCE, name).map(({ line }) => line);
    expect(found.sort((a, b) => a - b)).toEqual(lines);
  });
});
