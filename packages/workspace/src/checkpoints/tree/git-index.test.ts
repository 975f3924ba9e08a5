import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseGitIndex } from './git-index.ts';

let root: string;
const git = (...args: string[]) => execFileSync('git', args, { cwd: root, encoding: 'utf8' });
const index = () => readFileSync(join(root, '.git', 'index'));

beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'index-'));
  git('init', '-q');
  for (const path of ['a', 'aa/b.txt', 'aa/bb/ä ö.txt', 'z'.repeat(200), 'aa/b.txt.more']) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), path);
  }
  git('add', '-A');
});

afterAll(() => rmSync(root, { recursive: true }));

describe('the index of git', () => {
  it.each(['2', '3', '4'])('IDE-51 is read as git itself reads it, version %s', (version) => {
    git('update-index', '--index-version', version);
    const staged = git('ls-files', '-z', '--stage').split('\0').filter(Boolean);
    const expected = staged.map((line) => line.split(/[ \t]/, 2).concat(line.split('\t')[1]!));
    const entries = [...parseGitIndex(index())!].map(([path, { mode, oid }]) => [mode.toString(8), oid, path]);
    expect(entries).toEqual(expected);
    const { mtimeMs, ctimeMs, size } = statSync(join(root, 'a'));
    expect(parseGitIndex(index())?.get('a')).toMatchObject({ mtimeMs, ctimeMs, size, loose: false });
  });

  it('IDE-51 marks what is not to be trusted', () => {
    git('update-index', '--assume-unchanged', 'a');
    git('update-index', '--skip-worktree', 'aa/b.txt');
    const entries = parseGitIndex(index());
    expect([...entries!].filter(([, { loose }]) => loose).map(([path]) => path)).toEqual(['a', 'aa/b.txt']);
  });

  it('IDE-51 property: damaged bytes are refused or read, and never throw or take long', () => {
    const bytes = index();
    const damage = fc.array(fc.tuple(fc.nat(bytes.length - 1), fc.nat(255)), { maxLength: 6 });
    fc.assert(
      fc.property(damage, fc.nat(bytes.length), fc.constantFrom(20, 32), (changes, cut, idBytes) => {
        const damaged = Buffer.from(bytes);
        for (const [at, value] of changes) damaged[at] = value;
        const entries = parseGitIndex(damaged.subarray(0, cut), idBytes);
        expect(entries === undefined || entries.size <= bytes.length).toBe(true);
      }),
    );
  });
});
