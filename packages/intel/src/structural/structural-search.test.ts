import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { matchLines, searchNotes } from './match-text.ts';
import { StructuralSearch, type StructuralSearchOptions } from './structural-search.ts';

let root = '';

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'black-structural-')));
});

afterEach(() => rmSync(root, { recursive: true }));

function write(files: Readonly<Record<string, string | Uint8Array>>): void {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content);
  }
}

async function search(options: Partial<StructuralSearchOptions> & { pattern: string }): Promise<{
  lines: string[];
  report: StructuralSearch['report'];
}> {
  const made = new StructuralSearch({ root, ...options });
  const lines: string[] = [];
  for await (const file of made.files()) lines.push(...matchLines(file));
  return { lines, report: made.report };
}

it('INT-26 tells file, place, the line and what was captured', async () => {
  write({ 'src/a.ts': 'const a = 1;\n  free(a, [b,\n c]); free(1)' });
  const { lines } = await search({ pattern: 'free($X, $$$REST)' });
  expect(lines).toEqual(['src/a.ts:2:3: free(a, [b,  [$X = a, $$$REST = [b, c]]']);
});

it('INT-26 leaves out what is ignored, and follows no link', async () => {
  const code = 'free(1);\n';
  write({
    '.gitignore': 'out/\n*.gen.ts\n',
    'a.ts': code,
    'b.gen.ts': code,
    'out/c.ts': code,
    '.blackideignore': 'vendor\n',
  });
  write({ 'vendor/d.ts': code, 'src/e.ts': code });
  symlinkSync(join(root, 'a.ts'), join(root, 'link.ts'));
  const { lines } = await search({ pattern: 'free($X)' });
  expect(lines.map((line) => line.split(':')[0])).toEqual(['src/e.ts', 'a.ts']);
});

it('INT-26 searches each file by its own language, or only those of one', async () => {
  write({ 'a.ts': 'free(1)', 'b.tsx': 'free(2)', 'c.py': 'free(3)', 'd.dart': 'f() { free(4); }', 'e.md': 'free(5)' });
  write({ tool: '#!/usr/bin/env python3\nfree(6)\n' });
  const paths = async (language?: string) =>
    (await search({ pattern: 'free($X)', ...(language ? { language } : {}) })).lines.map((line) => line.split(':')[0]);
  expect(await paths()).toEqual(['a.ts', 'b.tsx', 'c.py', 'd.dart', 'tool']);
  expect(await paths('ts')).toEqual(['a.ts', 'b.tsx']);
  expect(await paths('python')).toEqual(['c.py', 'tool']);
  await expect(paths('cobol')).rejects.toMatchObject({ code: 'unknown_language' });
});

it('INT-26 searches the files and folders that are named', async () => {
  write({ 'a.ts': 'free(1)', 'src/b.ts': 'free(2)', 'lib/c.ts': 'free(3)' });
  const { lines } = await search({ pattern: 'free($X)', paths: ['src', 'a.ts', './src/b.ts'] });
  expect(lines.map((line) => line.split(':')[0])).toEqual(['src/b.ts', 'a.ts']);
  await expect(search({ pattern: 'free($X)', paths: ['gone'] })).rejects.toMatchObject({ code: 'path_missing' });
  await expect(search({ pattern: 'free($X)', paths: ['../..'] })).rejects.toMatchObject({ code: 'outside_root' });
});

it('INT-22 does not parse a file without the words of the pattern', async () => {
  write({ 'a.ts': 'free (/* now */ 1)', 'b.ts': 'keep(1)', 'c.ts': '// free\nkeep(1)', 'd.ts': '// free(1)\nkeep(1)' });
  const { lines, report } = await search({ pattern: 'free($X)' });
  expect(report).toMatchObject({ files: 4, parsed: 2 });
  expect(lines).toEqual(['a.ts:1:1: free (/* now */ 1)  [$X = 1]']);
});

it('INT-22 reads a file in UTF-16, too', async () => {
  write({ 'a.ts': Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from('free(1)', 'utf16le')]) });
  expect((await search({ pattern: 'free($X)' })).lines).toEqual(['a.ts:1:1: free(1)  [$X = 1]']);
});

it('INT-25 searches nothing with a pattern that no language reads, and names those that do not', async () => {
  write({ 'a.ts': 'if (a != null) a.dispose();', 'b.py': 'a.dispose()' });
  await expect(search({ pattern: 'if (' })).rejects.toMatchObject({ code: 'unparsable_pattern' });
  await expect(search({ pattern: 'if (', language: 'java' })).rejects.toMatchObject({ code: 'unparsable_pattern' });
  const { lines, report } = await search({ pattern: 'if ($X != null) $X.dispose()' });
  expect(lines).toHaveLength(1);
  expect(searchNotes(report)).toEqual(['not searched, because the pattern is no code there: python']);
});

it('INT-26 tells which files it left out, and looks at none that may not be read', async () => {
  write({ 'big.ts': `free(1);${' '.repeat(3 * 1024 * 1024)}`, 'secret.ts': 'free(2)', 'a.ts': 'free(3)' });
  const { lines, report } = await search({ pattern: 'free($X)', mayRead: (path) => path !== 'secret.ts' });
  expect(lines).toEqual(['a.ts:1:1: free(3)  [$X = 3]']);
  expect(report.skipped).toEqual([{ path: 'big.ts', why: 'too large' }]);
});

it('INT-26 finds in a file with faults what is whole', async () => {
  write({ 'a.ts': 'free(1);\nconst = ;\nfunction f() { free(2); }\n' });
  expect((await search({ pattern: 'free($X)' })).lines).toHaveLength(2);
});

it('INT-22 stops when it is told to', async () => {
  write({ 'a.ts': 'free(1)', 'b.ts': 'free(2)' });
  const controller = new AbortController();
  const files = new StructuralSearch({ root, pattern: 'free($X)', signal: controller.signal }).files();
  expect((await files.next()).done).toBe(false);
  controller.abort(new Error('enough'));
  await expect(files.next()).rejects.toThrow('enough');
});
