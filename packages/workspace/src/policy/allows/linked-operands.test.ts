import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { linkedOperand } from './linked-operands.ts';

let root: string;

beforeEach(() => {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'black-test-')));
  onTestFinished(() => rmSync(base, { recursive: true, force: true }));
  root = join(base, 'app');
  for (const folder of ['app/src', 'app/docs', 'out']) mkdirSync(join(base, folder), { recursive: true });
  for (const file of ['app/.env', 'app/src/a.txt', 'app/docs/real.md', 'out/key'])
    writeFileSync(join(base, file), 'x\n');
  symlinkSync('.env', join(root, 'readme.txt'));
  symlinkSync('../../out/key', join(root, 'src', 'notes.txt'));
  symlinkSync('../out', join(root, 'vendor'));
  symlinkSync('docs/real.md', join(root, 'DOCS.md'));
  symlinkSync('loop', join(root, 'loop'));
  symlinkSync('nowhere', join(root, 'gone'));
});

describe('linkedOperand', () => {
  it.each([
    ['cat readme.txt', 'astray'],
    ['head -n 5 ./readme.txt | wc -l', 'astray'],
    ['ls && sort -u readme.txt', 'astray'],
    ['grep -n x src/notes.txt', 'astray'],
    ['cd src && cat notes.txt', 'astray'],
    ['cd nowhere || cat readme.txt', 'astray'],
    ['ls vendor', 'astray'],
    ['grep -rn x vendor/', 'astray'],
    ['date -freadme.txt', 'astray'],
    ['jq --indent=2 . readme.txt', 'astray'],
    ['cat loop', 'astray'],
    ['cat DOCS.md', 'linked'],
    ['ls -l readme.txt', 'linked'],
    ['cat src/a.txt docs/real.md', undefined],
    ['cat gone missing', undefined],
    ['ls -la .', undefined],
    ['cd src && cat a.txt', undefined],
  ])('IDE-62 IDE-67 %s leads %s', (line, expected) => {
    expect(linkedOperand(line, root)).toBe(expected);
  });
});
