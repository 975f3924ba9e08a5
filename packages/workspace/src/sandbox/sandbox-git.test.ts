import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { useSandbox } from './fixtures/use-sandbox.ts';

const { here, put, run, git, sandbox } = useSandbox();
const at = (...parts: string[]): string => join(here.root, ...parts);
const COMMIT = 'echo x > new && git add -A && git commit -qm made && git log --format=%s -1 && git status --short';
const EVIL = '[core]\n\tfsmonitor = touch /tmp/pwned\n';

/** A repository with one commit. */
async function repository(path = here.root): Promise<void> {
  mkdirSync(path, { recursive: true });
  await git(path, 'init', '-q', '-b', 'main');
  writeFileSync(join(path, 'a.txt'), 'a\n');
  await git(path, 'add', '-A');
  await git(path, 'commit', '-qm', 'first');
}

describe('Sandbox: git', () => {
  it('IDE-65 commits, branches and linked worktrees work where .git is a folder', async () => {
    await repository();
    const { output, exitCode } = await run(
      `${COMMIT} && git switch -qc other && git branch -d main && git worktree add -q .trees/x -b x && cd .trees/x && echo 2 > two && git add -A && git commit -qm made && git log --format=%s -1 && cd ../.. && git worktree remove .trees/x && git worktree prune && git gc -q && git stash list`,
    );
    // Its configuration is read-only; git says so and goes on.
    expect(output.replaceAll(/^(error|warning): .*config.*\n/gm, '')).toMatch(/^made\nDeleted branch main .*\nmade\n$/);
    expect(exitCode).toBe(0);
    expect(await git(here.root, 'log', '--format=%s', 'other')).toBe('made\nfirst\n');
  });

  it('codex#37081 configuration and hooks are read-only, at any depth', async () => {
    await repository();
    await repository(at('vendor/sub'));
    put('app/.git/modules/m/HEAD', 'ref: refs/heads/main\n');
    put('app/.git/modules/m/config', '[core]\n');
    const before = readFileSync(at('.git/config'), 'utf8');
    const targets = ['.git/config', '.git/hooks/pre-commit', '.git/modules/m/config', '.git/modules/m/hooks/x'];
    const all = [...targets, 'vendor/sub/.git/hooks/pre-commit', 'vendor/sub/.git/config'];
    const { output, sandbox: report } = await run(
      `for f in ${all.join(' ')}; do mkdir -p $(dirname $f); echo evil >> $f && echo WRITTEN $f; done; git config core.fsmonitor evil && echo WRITTEN; mv .git .old && echo MOVED; mv vendor/sub/.git/hooks x && echo MOVED; rm -rf .git/hooks; ln -s /tmp .git/modules/m/hooks && echo MOVED; true`,
    );
    expect(output).not.toMatch(/WRITTEN|MOVED/);
    expect(readFileSync(at('.git/config'), 'utf8')).toBe(before);
    expect(existsSync(at('.git/hooks'))).toBe(true);
    expect(existsSync(at('vendor/sub/.git/hooks/pre-commit'))).toBe(false);
    expect(report).toMatchObject({ setAside: [], restored: [] });
  });

  it('IDE-65 hooks that the configuration keeps elsewhere, and files that it includes, are read-only', async () => {
    await repository();
    put('app/tools/hooks/pre-commit', '#!/bin/sh\n');
    put('app/team.gitconfig', '[user]\n\tname = Team\n');
    await git(here.root, 'config', 'core.hooksPath', 'tools/hooks');
    await git(here.root, 'config', 'include.path', '../team.gitconfig');
    const { output } = await run(
      'echo evil >> tools/hooks/pre-commit; touch tools/hooks/new; echo evil >> team.gitconfig; mv tools/hooks x',
    );
    expect(output.match(/Read-only|busy/g)).toHaveLength(4);
    expect(readFileSync(at('tools/hooks/pre-commit'), 'utf8')).toBe('#!/bin/sh\n');
  });

  it('IDE-65 hooks and includes that the configuration names and that are not there do not come into being', async () => {
    await repository();
    await git(here.root, 'config', 'core.hooksPath', 'tools/hooks');
    await git(here.root, 'config', 'include.path', '../later.gitconfig');
    const { sandbox: report } = await run(
      'mkdir -p tools/hooks && echo evil > tools/hooks/pre-commit; echo x > later.gitconfig',
    );
    expect(report?.setAside.map(({ path }) => path).sort()).toEqual([at('later.gitconfig'), at('tools/hooks')]);
    expect(existsSync(at('tools/hooks'))).toBe(false);
  });

  it('IDE-65 a hooks folder that is missing stays so beside other commands', async () => {
    await repository();
    await run('true');
    rmSync(at('.git/hooks'), { recursive: true });
    let first: Promise<unknown> = Promise.resolve();
    await new Promise<void>((resolve) => {
      first = run('mkfifo gate; echo up; read x < gate', { onOutput: () => resolve() });
    });
    let second: Promise<unknown> = Promise.resolve();
    await new Promise<void>((resolve) => {
      second = run('mkfifo gate2; echo up; read x < gate2; echo evil > .git/hooks/post-commit', {
        onOutput: () => resolve(),
      });
    });
    await run('echo go > gate; rm gate');
    await first;
    await run('echo go > gate2; rm gate2');
    await second;
    expect(existsSync(at('.git/hooks'))).toBe(false);
  });

  it('IDE-65 a commondir does not bring another configuration in', async () => {
    await repository();
    const { sandbox: report } = await run(
      `cp -r .git evil && printf '${EVIL.replaceAll('\n', '\\n')}' > evil/config && echo ../evil > .git/commondir`,
    );
    expect(report?.setAside.map(({ path }) => path)).toContain(at('.git/commondir'));
    expect(existsSync(at('.git/commondir'))).toBe(false);
    expect(await git(here.root, 'status', '--short')).toBe('');
  });

  it('IDE-65 a link inside of .git does not lead what git writes elsewhere', async () => {
    await repository();
    const profile = put('me/.profile', 'mine\n');
    const { sandbox: report } = await run(
      `rm .git/logs/HEAD && ln -s ${profile} .git/logs/HEAD; mv .git/refs/heads .git/refs/was && ln -s ${here.home} .git/refs/heads`,
    );
    expect(report?.setAside.map(({ path }) => path).sort()).toEqual([at('.git/logs/HEAD'), at('.git/refs/heads')]);
    await git(here.root, 'commit', '-qm', 'evil', '--allow-empty');
    expect(readFileSync(profile, 'utf8')).toBe('mine\n');
  });

  it('IDE-65 a fresh repository or clone stays, one that runs programs does not', async () => {
    put('app/readme', 'x');
    await repository(join(here.base, 'origin'));
    sandbox();
    const { sandbox: report, output } = await run(
      `git init -q good && git -C good commit -q --allow-empty -m one && git init -q bad && git -C bad config core.fsmonitor evil && git init -q hooked && mkdir -p hooked/.git/hooks && echo evil > hooked/.git/hooks/pre-commit; echo 'gitdir: ${here.base}/origin/.git' > readme.git; mkdir led && echo 'gitdir: ${here.base}/origin/.git' > led/.git; ls -d */.git`,
    );
    expect(output).toBe('bad/.git\ngood/.git\nhooked/.git\nled/.git\n');
    expect(report?.setAside.map(({ path }) => path).sort()).toEqual([
      at('bad/.git'),
      at('hooked/.git'),
      at('led/.git'),
    ]);
    expect(await git(at('good'), 'log', '--format=%s')).toBe('one\n');
  });

  it('§4.52 a linked worktree commits, and the main repository gives no more than that', async () => {
    const main = join(here.base, 'main');
    await repository(main);
    await git(main, 'worktree', 'add', '-q', at('tree'), '-b', 'side');
    sandbox({ root: at('tree') });
    const { output, exitCode } = await run(COMMIT, { cwd: at('tree') });
    expect([output, exitCode]).toEqual(['made\n', 0]);
    expect(await git(main, 'log', '--format=%s', 'side')).toBe('made\nfirst\n');
    const paths = ['config', 'hooks/pre-commit', 'commondir', 'worktrees/tree/commondir', 'HEAD', 'info/attributes'];
    const { output: refused } = await run(
      `for f in ${paths.join(' ')}; do echo evil > ${main}/.git/$f && echo WRITTEN $f; done; echo evil > ${main}/a.txt; echo 'gitdir: /' > .git && echo WRITTEN; true`,
      { cwd: at('tree') },
    );
    expect(refused).not.toContain('WRITTEN');
    expect(await git(main, 'status', '--short')).toBe('');
  });

  it('§4.52 a submodule commits where its git folder points back', async () => {
    const main = join(here.base, 'main');
    await repository(join(here.base, 'lib'));
    await repository(main);
    await git(main, '-c', 'protocol.file.allow=always', 'submodule', 'add', '-q', join(here.base, 'lib'), 'lib');
    const root = join(main, 'lib');
    sandbox({ root });
    const { output } = await run(`${COMMIT}; git config x.y z; echo x > ${main}/x`, { cwd: root });
    expect(output).toMatch(/^made\n/);
    expect(output).toMatch(/could not (lock|write) config/);
    expect(existsSync(join(main, 'x'))).toBe(false);
  });

  it('§4.52 a link as .git works where it stays inside or points back', async () => {
    await repository();
    renameSync(at('.git'), at('.real'));
    symlinkSync('.real', at('.git'));
    const { output } = await run(`${COMMIT}; git config x.y z; echo evil > .real/hooks/pre-commit`);
    expect(output).toMatch(/^made\n/);
    expect(output.match(/busy|Read-only|could not/g)!.length).toBeGreaterThan(1);
    expect(existsSync(at('.real/hooks/pre-commit'))).toBe(false);
  });

  it('omac#31 a planted gitfile, link or commondir opens nothing outside', async () => {
    put('me/.ssh/id_rsa', 'SECRET');
    await repository(join(here.base, 'other'));
    const fake = put('app/fake/gitdir', `${at('.git')}\n`);
    expect(existsSync(fake)).toBe(true);
    const plants = [`gitdir: ${here.home}/.ssh`, `gitdir: ${here.base}/other/.git`, 'gitdir: fake'];
    for (const [index, plant] of plants.entries()) {
      put(`app/p${index}/.git`, `${plant}\n`);
    }
    put('app/p2/fake/commondir', `${here.base}/other/.git\n`);
    put('app/p2/fake/gitdir', `${at('p2/.git')}\n`);
    mkdirSync(at('p3'));
    symlinkSync(join(here.base, 'other/.git'), at('p3/.git'));
    const { output } = await run(
      `cat ${here.home}/.ssh/id_rsa; for d in ${here.home}/.ssh ${here.base}/other/.git ${here.base}/other/.git/objects; do touch $d/x && echo WRITTEN; done; true`,
    );
    expect(output).not.toMatch(/SECRET|WRITTEN/);
    expect(existsSync(join(here.base, 'other/.git/objects/x'))).toBe(false);
  });
});
