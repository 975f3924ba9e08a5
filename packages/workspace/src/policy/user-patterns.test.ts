import { describe, expect, it } from 'vitest';
import { exactPattern } from './command-text.ts';
import { namesWord, UserPatterns } from './user-patterns.ts';

describe('UserPatterns', () => {
  it('IDE-64 reports what is no pattern and keeps the others', async () => {
    const patterns = await UserPatterns.compile('deny', ['ok', '(', 5, '', 'x'.repeat(3_000), '(?=a)b', '(a)\\1']);
    expect(patterns.diagnostics.map(({ pattern }) => pattern.slice(0, 5))).toEqual([
      '(',
      '5',
      '',
      'xxxxx',
      '(?=a)',
      '(a)\\1',
    ]);
    expect(patterns.find(['is ok'])).toBe('ok');
  });

  it('IDE-64 says that look-around is what does not work', async () => {
    const { diagnostics } = await UserPatterns.compile('allow', ['^(?!rm)']);
    expect(diagnostics[0]?.message).toContain('Look-around');
  });

  it('IDE-64 speaks the dialect people write', async () => {
    const patterns = await UserPatterns.compile('deny', ['(?i)CURL\\s+\\d{2,}', '^(?:a|b)\\b.*[^x]$']);
    expect(patterns.diagnostics).toEqual([]);
    expect(patterns.find(['curl  123'])).toBeDefined();
    expect(patterns.find(['b cy'])).toBeDefined();
    expect(patterns.find(['b cx'])).toBeUndefined();
  });
});

describe('namesWord', () => {
  it.each([
    ['^find .* -delete', '-delete', true],
    ['^find\\b', '-delete', false],
    ['^git (ls-files|log)', '-f', false],
    ['^tar -f x', '-f', true],
    ['^cat \\.env$', '.env', true],
    ['^A=1 x', 'A=', true],
    ['^x', '', false],
  ])('IDE-64 %s, %s: %s', (pattern, word, expected) => {
    expect(namesWord(pattern, word)).toBe(expected);
  });
});

describe('exactPattern', () => {
  it('IDE-64 matches the text and nothing else', async () => {
    const text = "a.b (c) [d]* $e 'f|g' \\h ^i {2} +?";
    const patterns = await UserPatterns.compile('allow', [exactPattern(text)]);
    expect(patterns.diagnostics).toEqual([]);
    expect(patterns.leading(text)).toHaveLength(1);
    expect(patterns.leading(`${text} `)).toHaveLength(0);
    expect(patterns.leading(text.replace('.', 'x'))).toHaveLength(0);
  });
});
