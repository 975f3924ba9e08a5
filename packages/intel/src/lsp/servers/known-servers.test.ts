import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { KNOWN_SERVERS } from './known-servers.ts';
import { languageOf } from './server-finder.ts';

describe('KNOWN_SERVERS', () => {
  it('INT-20 names each server once, with all that its start and its installation need', () => {
    expect(new Set(KNOWN_SERVERS.map(({ id }) => id)).size).toBe(KNOWN_SERVERS.length);
    for (const { id, files, markers, get, program } of KNOWN_SERVERS) {
      expect(Object.keys(files).length, id).toBeGreaterThan(0);
      expect(markers.length, id).toBeGreaterThan(0);
      expect(`${get}${program}`, id).toMatch(/\S{3}/);
    }
  });

  it('INT-20 tells the language of a file by its ending or its whole name', () => {
    const spec = (id: string) => KNOWN_SERVERS.find((each) => each.id === id)!;
    expect(languageOf(spec('typescript'), '/a/b.d.ts')).toBe('typescript');
    expect(languageOf(spec('typescript'), '/a/B.TSX')).toBe('typescriptreact');
    expect(languageOf(spec('docker'), '/a/Dockerfile')).toBe('dockerfile');
    expect(languageOf(spec('docker'), '/a/Dockerfile.md')).toBeUndefined();
    expect(languageOf(spec('gopls'), '/a/constructor')).toBeUndefined();
  });

  it('INT-20 is in the docs as it is: files, markers, program, how to get it', () => {
    const docs = readFileSync(new URL('../../../../../docs/language-servers.md', import.meta.url), 'utf8');
    const table = docs.slice(docs.indexOf('## All servers')).split('\n');
    const rows = table.filter((line) => line.startsWith('|')).slice(2);
    const told = rows.map((row) =>
      row
        .slice(1, -1)
        .split('|')
        .map((cell) => cell.trim()),
    );
    const code = (words: readonly string[]) => words.map((word) => `\`${word}\``).join(' ');
    expect(told).toEqual(
      KNOWN_SERVERS.map(({ title, files, markers, program, args, get }) => [
        title,
        code(Object.keys(files)),
        code(markers),
        code([[program, ...args].join(' ')]),
        get.startsWith('http') ? `[guide](${get})` : code([get]),
      ]),
    );
  });
});
