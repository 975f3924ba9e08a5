import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ShellParser } from '@black-ide/workspace';
import { expect, it } from 'vitest';
import { StructuralSearch } from './structural-search.ts';

// A file of its own: web-tree-sitter is started once in a thread, and here the command policy is to be the first.
it('INT-24 works where the command policy has started the parser already', async () => {
  const root = mkdtempSync(join(tmpdir(), 'black-structural-'));
  const shell = new ShellParser();
  try {
    await shell.load();
    expect(shell.parse('ls | wc -l').sound).toBe(true);
    writeFileSync(join(root, 'a.ts'), 'free(1);\n');
    const found: number[] = [];
    for await (const { matches } of new StructuralSearch({ root, pattern: 'free($X)' }).files()) {
      found.push(matches.length);
    }
    expect(found).toEqual([1]);
  } finally {
    shell.dispose();
    rmSync(root, { recursive: true });
  }
});
