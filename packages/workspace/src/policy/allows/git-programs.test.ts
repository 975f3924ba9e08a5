import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
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
    '[core] [diff] external = echo x\n',
    '# nothing here \\\n[diff] external = x\n',
    '[core]\n\teditor = a # one \\\n[diff] external = x\n',
    '[core]\n\teditor = a;b \\\n[diff]external=x',
    '[core]\n\teditor = "a # b"\n[diff]\r\n\texternal\t=x\n',
    '\u{feff}[diff]external=x',
    '[diff ""]\n\ttextconv = x\n',
    '[diff "a\\"] b"]textconv=x',
    '[filter "x"] clean = git-lfs cl\\"ean -- %f\n',
    '[diff]\n\tsubmodule = diff\n',
    '[submodule]\n\trecurse\n',
    '[include]\n\tpath = ../evil\n',
    '[DIFF] External = x\n',
    '[diff "a b"]\n\ttextconv = x\n',
    '[diff.dotted]\ncommand=x\n',
    '[log]\n\tshowSignature\n',
    '[core] sshCommand = "x" ; y\n',
    '[filter "lfs"]\n\tclean = "git-lfs clean -- %f; x"\n',
  ])('IDE-62 is not led astray by the way it is written: %j', (text) => {
    writeFileSync(join(root, 'app', '.git', 'config'), text);
    expect(gitPrograms(join(root, 'app'))).toMatch(/configuration sets/);
  });

  it.each([
    '[diff]\n\tex\\\nternal = x\n',
    '[diff\n]\nexternal = x\n',
    '[ core ]\n\teditor = x\n',
    '[core]\n\teditor = "x\n',
    '[core]\n\teditor = a\\x\n',
    '[core]\n\t*x = y\n',
    '[core]\n\teditor x\n',
    '[core] / \n[diff] external = x\n',
  ])('IDE-62 takes what git itself cannot read for one that names a program: %j', (text) => {
    writeFileSync(join(root, 'app', '.git', 'config'), text);
    expect(() => git('config', '--list', '--file', '.git/config')).toThrow();
    expect(gitPrograms(join(root, 'app'))).toMatch(/cannot be read/);
  });

  it.each(['2', '4'])('IDE-62 looks into the submodules of the index (version %s), and into theirs', (version) => {
    const inner = (...args: string[]) => git('-C', 'libs/sub', ...args);
    mkdirSync(join(root, 'app', 'libs', 'sub'), { recursive: true });
    inner('init', '-q');
    writeFileSync(join(root, 'app', 'libs', 'sub', 'f.x'), 'one\n');
    writeFileSync(join(root, 'app', 'libs', 'sub', '.gitattributes'), '*.x filter=evil\n');
    inner('add', '.');
    inner('commit', '-q', '-m', 'one');
    writeFileSync(
      join(root, 'app', '.gitmodules'),
      '[submodule "s"]\n\tpath = libs/sub\n\turl = ./libs/sub\n\tignore = none\n',
    );
    git('config', 'advice.addEmbeddedRepo', 'false');
    git('update-index', '--index-version', version);
    git('add', '.gitmodules', 'libs/sub');
    expect(gitPrograms(join(root, 'app'))).toBeUndefined();

    const trace = join(root, 'ran');
    inner('config', 'filter.evil.clean', `sh -c 'echo x > ${trace}; cat' #`);
    writeFileSync(join(root, 'app', 'libs', 'sub', 'f.x'), 'two\n');
    git('-c', 'diff.ignoreSubmodules=dirty', 'status');
    expect(existsSync(trace)).toBe(true);
    expect(gitPrograms(join(root, 'app'))).toMatch(/in the submodule libs\/sub, .*filter\.evil\.clean/);

    rmSync(join(root, 'app', 'libs', 'sub', '.git'), { recursive: true });
    expect(gitPrograms(join(root, 'app'))).toBeUndefined();
  });

  it('IDE-62 asks where the index cannot be read, or is split', () => {
    git('update-index', '--split-index');
    expect(gitPrograms(join(root, 'app'))).toMatch(/cannot be read/);
    git('update-index', '--no-split-index');
    for (const name of readdirSync(join(root, 'app', '.git')).filter((each) => each.startsWith('sharedindex.'))) {
      rmSync(join(root, 'app', '.git', name));
    }
    expect(gitPrograms(join(root, 'app'))).toBeUndefined();
    writeFileSync(join(root, 'app', '.git', 'index'), Buffer.from([0x44, 0x49, 0, 0, 0xe0, 0, 1]));
    expect(gitPrograms(join(root, 'app'))).toMatch(/cannot be read/);
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
