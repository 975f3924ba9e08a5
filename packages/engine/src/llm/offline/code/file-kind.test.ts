import { describe, expect, it } from 'vitest';
import { cleanPath, fileKind, looksLikePath, stemOf } from './file-kind.ts';

describe('paths', () => {
  it.each([
    ['src/store.ts', true],
    ['store.ts', true],
    ['.env', true],
    ['.gitignore', true],
    ['README', true],
    ['Makefile', true],
    ['docs/', true],
    ['@types/node', true],
    ['a\\b.ts', true],
    ['.', true],
    ['saveNote', false],
    ['store.save', false],
    ['console.log', false],
    ['https://example.org/a.ts', false],
    ['two words.ts', false],
    ['a/b()', false],
    ['***', false],
    ['', false],
  ])('IDE-28 %s looks like a path: %s', (text, yes) => {
    expect(looksLikePath(text)).toBe(yes);
  });

  it.each([
    ['src/store.ts', 'source'],
    ['test/store.ts', 'test'],
    ['src/store.test.ts', 'test'],
    ['pkg/store_test.go', 'test'],
    ['tests/test_store.py', 'test'],
    ['src/StoreTest.java', 'test'],
    ['src/latest.ts', 'source'],
    ['src/run-tests.ts', 'source'],
    ['packages/testkit/src/a.ts', 'test'],
    ['src/test-utils/a.ts', 'test'],
    ['bun.lockb', 'generated'],
    ['README.md', 'docs'],
    ['docs/a.ts', 'docs'],
    ['package.json', 'data'],
    ['package-lock.json', 'generated'],
    ['dist/a.js', 'generated'],
    ['src/a.d.ts', 'generated'],
  ])('IDE-28 %s is %s', (path, kind) => {
    expect(fileKind(path)).toBe(kind);
  });

  it('IDE-28 cleans what people type', () => {
    expect(['@src/a.ts', './src/a.ts', 'src\\a.ts', 'src/a.ts,', '.'].map(cleanPath)).toEqual([
      'src/a.ts',
      'src/a.ts',
      'src/a.ts',
      'src/a.ts',
      '.',
    ]);
    expect(['src/a.test.ts', '.env', 'Makefile'].map(stemOf)).toEqual(['a.test', '.env', 'Makefile']);
  });
});
