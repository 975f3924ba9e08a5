import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { clip, code, excerpt, fenced, visible } from '../render.ts';
import { parseCommand } from './command-result.ts';
import { mergeHits, parseGrep } from './grep-result.ts';
import { parseList } from './list-result.ts';
import { parseRead } from './read-result.ts';

describe('results of tools', () => {
  it('IDE-28 reads a search, and whether it was cut', () => {
    expect(parseGrep('src/a.ts:3:  a:4:b\r\nb.md:1:\n[2 matches in 2 files]')).toEqual({
      hits: [
        { path: 'src/a.ts', line: 3, text: '  a:4:b' },
        { path: 'b.md', line: 1, text: '' },
      ],
      cut: false,
      total: 2,
    });
    expect(parseGrep('a.ts:1:x\n[1 of 1234+ matches in 80+ files; narrow the search with path or glob]')).toMatchObject(
      { cut: true, total: 1234 },
    );
    expect(parseGrep('[no matches; 2 file(s) could not be read]')).toEqual({ hits: [], cut: false, total: 0 });
    expect(parseGrep('[no matches]')).toEqual({ hits: [], cut: false, total: 0 });
    expect(parseGrep('a.ts:1:x\n[1,204 matches in 80 files; the first 200 are shown]')).toMatchObject({
      cut: true,
      total: 1204,
    });
    expect(parseGrep('a.ts:1:x\n[5 characters cut here]\nb.ts:1:y')).toMatchObject({ cut: true, total: 2 });
    expect(parseGrep('a.ts-1-context\n--')).toEqual({ hits: [], cut: false, total: 0 });
  });

  it('IDE-28 merges searches by line', () => {
    const one = parseGrep('b.ts:2:x\na.ts:9:y\n[2 matches in 2 files]');
    expect(mergeHits([one, one, parseGrep('a.ts:10:z')]).map((hit) => `${hit.path}:${hit.line}`)).toEqual([
      'a.ts:9',
      'a.ts:10',
      'b.ts:2',
    ]);
  });

  it('IDE-28 reads the lines of a file, their numbers and where to read on', () => {
    expect(parseRead('1\ta\n2\t\tb\r\n[lines 1-2 of 5; read on with offset 3]')).toEqual({
      lines: new Map([
        [1, 'a'],
        [2, '\tb'],
      ]),
      total: 5,
      next: 3,
    });
    expect(parseRead('7\tx\n[lines 7-7 of 7]')).toEqual({ lines: new Map([[7, 'x']]), total: 7 });
    expect(parseRead('')).toEqual({ lines: new Map(), total: 0 });
  });

  it('IDE-28 reads a listing of paths as well as an indented one', () => {
    expect(parseList('src/\nsrc/a.ts\nb.md')).toEqual({ entries: ['src/', 'src/a.ts', 'b.md'], cut: false });
    expect(parseList('src/\n  deep/\n    a.ts\n  b.ts\nc.ts')).toEqual({
      entries: ['src/', 'src/deep/', 'src/deep/a.ts', 'src/b.ts', 'c.ts'],
      cut: false,
    });
    expect(parseList('a\n[500 of 900 entries]').cut).toBe(true);
    expect(parseList('[3 entries]').cut).toBe(false);
    expect(parseList('api/src/\napi/go.mod', 'api/')).toEqual({ entries: ['src/', 'go.mod'], cut: false });
    expect(parseList('deep/ [34 more]\na [1].txt')).toEqual({ entries: ['deep/', 'a [1].txt'], cut: true });
    expect(parseList('[empty]')).toEqual({ entries: [], cut: false });
  });

  it('IDE-28 reads a command: its end, and its output without colours', () => {
    expect(parseCommand('\u001b[31mred\u001b[0m\r\nx\n[exit code 1, 3.2 s]')).toEqual({
      output: 'red\nx',
      exitCode: 1,
      took: '3.2 s',
    });
    expect(parseCommand('[exit code 0, 0.1 s]')).toEqual({ output: '', exitCode: 0, took: '0.1 s' });
    expect(parseCommand('half')).toEqual({ output: 'half' });
    const ended = 'timed out after 600.0 s and was ended';
    expect(parseCommand(`half\n[${ended}]`)).toEqual({ output: 'half', ended });
    expect(parseCommand('[ended by SIGKILL, 1.0 s]')).toEqual({ output: '', ended: 'ended by SIGKILL', took: '1.0 s' });
  });

  it('IDE-28 reads any text without throwing', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        for (const parse of [parseGrep, parseRead, parseList, parseCommand]) expect(parse(text)).toBeTypeOf('object');
      }),
    );
  });
});

describe('rendering', () => {
  it('IDE-28 makes hidden characters visible and leaves scripts whole', () => {
    expect(visible('a\u202eb\u0007\u001b[2J')).toBe('a\\u{202e}b\\u{7}\\u{1b}[2J');
    expect(visible('ক্\u200dষ\tশিরোনাম')).toBe('ক্\u200dষ\tশিরোনাম');
  });

  it('IDE-28 fences what holds fences', () => {
    expect(code('a`b')).toBe('`` a`b ``');
    expect(code('  ')).toBe('(blank)');
    expect(fenced('```\nx\n```')).toBe('````\n```\nx\n```\n````');
    expect(
      excerpt(
        new Map([
          [9, 'a'],
          [10, 'b'],
          [11, ''],
        ]),
        8,
        11,
        'a.ts',
      ),
    ).toBe('```ts\n 9  a\n10  b\n11\n```');
  });

  it('IDE-28 clips between characters', () => {
    expect(clip('ab😀cd', 4)).toBe('ab…');
    expect(clip('abcd', 4)).toBe('abcd');
  });
});
