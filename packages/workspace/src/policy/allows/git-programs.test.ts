import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { gitPrograms } from './git-programs.ts';

let root: string;

function git(...args: string[]): void {
  const env = { PATH: process.env.PATH, HOME: root, GIT_CONFIG_NOSYSTEM: '1', GIT_PAGER: 'cat' };
  execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@x', ...args], { cwd: join(root, 'app'), env });
}

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'black-test-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  mkdirSync(join(root, 'app'));
  git('init', '-q');
  writeFileSync(join(root, 'app', 'a.txt'), 'one\n');
  writeFileSync(join(root, 'app', '.gitattributes'), '*.txt diff=evil filter=evil\n');
  git('add', '.');
  git('commit', '-q', '-m', 'one');
  writeFileSync(join(root, 'app', 'a.txt'), 'two\n');
});

describe('gitPrograms', () => {
  it('IDE-62 finds nothing in an ordinary repository, in a folder of it, and where there is none', () => {
    mkdirSync(join(root, 'app', 'src'));
    for (const folder of ['app', 'app/src', '.']) expect(gitPrograms(join(root, folder))).toBeUndefined();
  });

  it.each([
    ['diff.external', ['diff']],
    ['diff.evil.textconv', ['diff']],
    ['diff.evil.command', ['diff']],
    ['filter.evil.clean', ['diff']],
  ])('IDE-62 names %s, by which a reading command really runs a program', (key, command) => {
    const trace = join(root, 'ran');
    git('config', key, `sh -c 'echo x > ${trace}; cat' #`);
    git(...command);
    expect(existsSync(trace)).toBe(true);
    expect(gitPrograms(join(root, 'app'))).toContain(key);
  });

  it('IDE-62 names a hook that status runs, also where the configuration says hooks are', () => {
    for (const folder of ['.git/hooks', '.husky']) {
      const hooks = join(root, 'app', folder);
      mkdirSync(hooks, { recursive: true });
      git('config', 'core.hooksPath', folder);
      expect(gitPrograms(join(root, 'app'))).toBeUndefined();
      writeFileSync(join(hooks, 'post-index-change'), '#!/bin/sh\n', { mode: 0o755 });
      expect(gitPrograms(join(root, 'app'))).toContain('post-index-change');
      rmSync(join(hooks, 'post-index-change'));
    }
  });

  it.each([
    '[include]\n\tpath = ../evil\n',
    '[DIFF] External = x\n',
    '[diff "a b"]\n\ttextconv = x\n',
    '[diff.dotted]\ncommand=x\n',
    '[log]\n\tshowSignature\n',
    '[core] sshCommand = "x" ; y\n',
    '[diff]\n\tex\\\nternal = x\n',
    '[filter "lfs"]\n\tclean = git-lfs clean -- %f; x\n',
  ])('IDE-62 is not led astray by the way it is written: %j', (text) => {
    writeFileSync(join(root, 'app', '.git', 'config'), text);
    expect(gitPrograms(join(root, 'app'))).toMatch(/configuration sets/);
  });

  it('IDE-62 knows what is harmless: Git LFS, plain pagers, no signatures', () => {
    git('config', 'filter.lfs.clean', 'git-lfs clean -- %f');
    git('config', 'core.pager', 'less');
    git('config', 'log.showSignature', 'false');
    expect(gitPrograms(join(root, 'app'))).toBeUndefined();
  });

  it('IDE-62 looks where a linked worktree and a gitfile lead', () => {
    git('worktree', 'add', '-q', '../tree');
    expect(gitPrograms(join(root, 'tree'))).toBeUndefined();
    git('config', 'diff.external', 'x');
    expect(gitPrograms(join(root, 'tree'))).toContain('diff.external');
  });
});
