import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readFileEnds } from './read-file-ends.ts';
import { readLogLines } from './read-log-lines.ts';

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'log-lines-'));
  path = join(folder, 'log.jsonl');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('readLogLines', () => {
  it('SES-6 gives the lines of any file, and says which one has no end', () => {
    const text = fc.array(fc.oneof(fc.string({ unit: 'grapheme' }), fc.constant('\n'), fc.constant('\r\n')));
    fc.assert(
      fc.property(text, (parts) => {
        const content = parts.join('');
        writeFileSync(path, content);
        const lines = content.split('\n');
        const expected = lines.map((line, i) => [line, i + 1, i < lines.length - 1] as const);
        if (lines.at(-1) === '') expected.pop();
        expect(readLines()).toEqual(expected);
      }),
    );
  });

  it('SES-6 reads lines that cross, fill and exceed the pieces it reads in', () => {
    const mega = 1 << 20;
    const sizes = [mega - 1, mega, mega + 1, 3 * mega, 0, 1, 2 * mega - 1, 5];
    const lines = sizes.map((size, i) => (i % 2 ? 'é'.repeat(size / 2) : 'x'.repeat(size)));
    writeFileSync(path, lines.join('\n'));
    const read = readLines().map(([text]) => text);
    expect(read.every((text, i) => text === lines[i])).toBe(true);
    expect(read).toHaveLength(lines.length);
  });

  it('SES-6 does not wait for a pipe, nor read a folder', () => {
    execFileSync('mkfifo', [path]);
    expect(readLines).toThrow(/no regular file/);
    expect(() => readLogLines(folder, () => undefined)).toThrow(/no regular file/);
    expect(() => readLogLines(join(folder, 'none'), () => undefined)).toThrow(/ENOENT/);
  });
});

describe('readFileEnds', () => {
  it('SES-4 reads head and tail, and a small file whole', () => {
    writeFileSync(path, '0123456789');
    expect(readFileEnds(path, 4, 3)).toMatchObject({ size: 10, head: '0123', tail: '789' });
    expect(readFileEnds(path, 6, 4)).toMatchObject({ size: 10, head: '0123456789', tail: '' });
    writeFileSync(path, '');
    expect(readFileEnds(path, 6, 4)).toMatchObject({ size: 0, head: '', tail: '' });
    execFileSync('mkfifo', [join(folder, 'pipe')]);
    expect(() => readFileEnds(join(folder, 'pipe'), 4, 4)).toThrow(/no regular file/);
  });
});

function readLines(): [string, number, boolean][] {
  const lines: [string, number, boolean][] = [];
  readLogLines(path, (...line) => lines.push(line));
  return lines;
}
