import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { UndoPlace } from '../fixtures/undo-place.ts';

let place: UndoPlace;

beforeEach(() => {
  place = new UndoPlace();
});

afterEach(() => place.dispose());

const STATE =
  'find . -path ./.git -prune -o -printf "%p %y %m %l\\n" | sort; find . -path ./.git -prune -o -type f -print0 | sort -z | xargs -0 sha256sum';

/** What of git nobody may touch. */
function gitState(): string {
  const index = createHash('sha256')
    .update(readFileSync(join(place.root, '.git/index')))
    .digest('hex');
  return `${place.shell('git for-each-ref; git stash list; cat .git/HEAD')}${index}`;
}

function repository(): void {
  for (let n = 0; n < 5; n += 1) place.put(`src/f${n}.ts`, `export const f${n} = ${n};\n`);
  place.put('.gitignore', 'node_modules/\n*.log\n');
  place.put('deep/er/f.ts', 'deeper\n');
  place.put('deep/g.ts', 'deep\n');
  place.put('bin/run.sh', '#!/bin/sh\necho run\n', 0o755);
  place.shell('git init -q -b main; git add -A; git commit -qm start; ln -s src/f0.ts link');
  place.put('untracked.txt', 'mine\r\nno end');
  settleIndex();
}

/** As if some time had passed since git wrote its index: its entries are to be trusted then. */
function settleIndex(): void {
  place.shell('touch -d "+1 hour" "$(git rev-parse --git-dir)/index"');
}

describe('what a command changed', () => {
  it.each([
    ['an rm', 'rm -rf src bin untracked.txt link'],
    [
      'changes of every kind',
      'echo more >> src/f1.ts; printf "\\0\\1" > data.bin; mv src/f2.ts lib.ts; chmod -x bin/run.sh; ln -sfn src/f1.ts link; mkdir -p a/b; echo x > a/b/c',
    ],
    [
      'an install',
      'mkdir -p pkg/dist; for n in 1 2 3; do echo $n > pkg/dist/$n.js; done; echo "{}" > package-lock.json',
    ],
    ['git of its own', 'git checkout -q -b other; git rm -q --cached src/f3.ts; sed -i s/0/9/ src/f0.ts'],
    ['a file in place of a link', 'rm link; echo plain > link'],
    ['a folder in place of a file', 'rm src/f0.ts; mkdir src/f0.ts; echo in > src/f0.ts/a; echo more > src/f0.ts/b'],
    ['a file in place of a folder', 'rm -r src; echo flat > src'],
    ['a link in place of a folder', 'mv src s2; ln -s s2 src'],
    [
      'links in place of folders',
      'mkdir x; mv src x/y; mv bin x/b; ln -s x/y src; ln -s x/b bin; echo more >> src/f0.ts; rm bin/run.sh',
    ],
    ['a link in place of a deep folder', 'mv deep d2; ln -s d2 deep'],
    ['both at once', 'mv src s; echo flat > src; rm untracked.txt; mv s untracked.txt'],
    ['a read-only file', 'echo x >> src/f0.ts; chmod 444 src/f0.ts'],
  ])('IDE-51 is taken back byte for byte: %s', async (_, line) => {
    repository();
    const before = place.shell(STATE);
    const changes = await place.command(line);
    expect(changes.checkpoint?.kind).toBe('command');
    expect(changes.uncovered).toEqual([]);
    const after = place.shell(STATE);
    const git = gitState();
    expect(await place.manager.restore({ sessionId: 's1', messageId: 'm1' })).toMatchObject({ ok: true });
    expect(place.shell(STATE)).toBe(before);
    expect(await place.manager.redo('s1')).toMatchObject({ ok: true });
    expect(place.shell(STATE)).toBe(after);
    expect(gitState()).toBe(git);
  });

  it('IDE-51 works without git, and without a repository', async () => {
    place.put('a.txt', 'a\n');
    const bare = new UndoPlace({ base: place.base, env: { PATH: '' } });
    const { checkpoint } = await bare.command('echo b > a.txt; rm -f x; echo new > n.txt');
    expect(checkpoint?.files).toMatchObject([
      { path: 'a.txt', kind: 'modified', added: 1, removed: 1 },
      { path: 'n.txt', kind: 'created' },
    ]);
    await bare.manager.restore({ sessionId: 's1', messageId: 'm1' });
    expect(bare.shell('cat *')).toBe('a\n');
  });

  it('IDE-51 tells what is not covered before it runs, and afterwards', async () => {
    repository();
    place.put('node_modules/x/index.js', 'x');
    place.put('big.bin', Buffer.alloc(17 * 1024 * 1024));
    place.shell('mkfifo pipe');
    expect(await place.manager.coverage()).toEqual({
      ignored: ['node_modules/'],
      ignoredCount: 1,
      large: ['big.bin'],
      unreadable: ['pipe'],
    });
    const { checkpoint, uncovered } = await place.command('echo >> big.bin; rm -r node_modules; echo 1 > one.txt');
    expect(uncovered).toEqual(['node_modules/', 'big.bin']);
    expect(checkpoint?.files.map(({ path }) => path)).toEqual(['one.txt']);
  });

  it('IDE-51 tells which ignored files a command made, changed or took away', async () => {
    repository();
    for (const name of ['old.log', 'gone.log', 'same.log', 'node_modules/x/index.js']) place.put(name, 'x');
    place.shell('until touch t.log; [ t.log -nt node_modules/x/index.js ]; do :; done; rm t.log');
    expect((await place.command('echo 1 > one.txt')).uncovered).toEqual([]);
    const changed = await place.command(
      'echo y >> old.log; rm gone.log; echo z > new.log; echo y > node_modules/x/index.js',
    );
    expect(changed.uncovered.sort()).toEqual(['gone.log', 'new.log', 'node_modules/', 'old.log']);
    expect(place.manager.leftOf(['gone.log', 'new.log', 'node_modules/'])).toEqual([
      { path: 'gone.log', gone: true },
      { path: 'new.log' },
      { path: 'node_modules/' },
    ]);
  });

  it('IDE-51 does not take a home folder or a disk into its store (opencode#8577)', async () => {
    const home = new UndoPlace({ base: place.base, env: { PATH: process.env.PATH, HOME: place.root } });
    expect((await home.manager.coverage()).nothing).toContain('your home folder');
    const { checkpoint } = await home.command('echo x > x.txt');
    expect(checkpoint).toBeUndefined();
  });

  it('IDE-51 line ends that git converts come back as they were in the folder', async () => {
    place.put('.gitattributes', '* text=auto\n');
    place.put('crlf.txt', 'one\r\ntwo\r\n');
    place.shell('git init -q; touch -d "1 hour ago" crlf.txt; git add -A 2>/dev/null; git commit -qm start');
    await place.command('rm crlf.txt');
    await place.manager.restore({ sessionId: 's1', messageId: 'm1' });
    expect(await place.read('crlf.txt')).toBe('one\r\ntwo\r\n');
    place.shell(
      'rm .gitattributes; git rm -q --cached .gitattributes; git config core.autocrlf true; git add --renormalize .',
    );
    await place.command('printf "x" >> crlf.txt');
    await place.manager.restore({ sessionId: 's1', messageId: 'm1' });
    expect(await place.read('crlf.txt')).toBe('one\r\ntwo\r\n');
  });

  it('IDE-51 runs nothing of a hostile repository: no monitor, filter or hook', async () => {
    repository();
    place.shell(
      'git config core.fsmonitor "touch ../pwned; false"; git config filter.x.smudge "touch ../pwned"; git config filter.x.clean "touch ../pwned"; git config core.hooksPath "$PWD/hooks"; git config core.pager "touch ../pwned"; git config core.sshCommand "touch ../pwned"; git config diff.x.textconv "touch ../pwned"; echo "* filter=x diff=x" > .git/info/attributes',
    );
    const index = gitState();
    await place.command('rm src/f0.ts; echo changed > src/f1.ts');
    await place.manager.restore({ sessionId: 's1', messageId: 'm1' });
    expect(place.shell('ls ..; cat src/f0.ts src/f1.ts')).not.toContain('pwned');
    expect(await place.read('src/f1.ts')).toBe('export const f1 = 1;\n');
    expect(gitState()).toBe(index);
  });

  it.each([
    [
      'a linked worktree',
      'git -C app worktree add -q ../wt; mv app main; mv wt app; git -C main worktree repair ../app',
    ],
    ['a folder of a larger repository', 'mv app/.git .; git rm -rq --cached .; git add app; git commit -qm moved'],
    ['index version 4', 'git -C app update-index --index-version 4'],
    ['a split index', 'git -C app update-index --split-index'],
    [
      'SHA-256',
      'rm -rf app/.git; git -C app init -q --object-format=sha256; git -C app add -A; git -C app commit -qm x',
    ],
    [
      'a merge that is not over',
      'cd app; git checkout -q -b b; echo b > src/f0.ts; git commit -qam b; git checkout -q main; echo c > src/f0.ts; git commit -qam c; git merge b >/dev/null || true',
    ],
  ])('IDE-51 understands %s, and copies nothing that git has', async (what, line) => {
    repository();
    place.shell(`git add -A; git commit -qm all; cd ..; ${line}`);
    settleIndex();
    const before = place.shell(STATE);
    const watch = await place.manager.beforeCommand(place.origin());
    const copies = place.shell(`find ${place.store}/blobs -type f 2>/dev/null | wc -l`);
    const known = what === 'a split index' ? 10 : what.startsWith('a merge') ? 1 : 0;
    expect(Number(copies)).toBe(known);
    place.shell('echo y >> src/f0.ts; rm src/f1.ts; mv src/f2.ts g2.ts');
    expect((await watch.settle()).uncovered).toEqual([]);
    await place.manager.restore({ sessionId: 's1', messageId: 'm1' });
    expect(place.shell(STATE)).toBe(before);
  });

  it('IDE-51 of a background command, every time it is asked, without what tools wrote meanwhile', async () => {
    repository();
    const watch = await place.manager.beforeCommand({ sessionId: 's1', messageId: 'm1', callId: 'bg' });
    place.shell('echo log > out.txt');
    expect((await watch.settle()).checkpoint?.files.map(({ path }) => path)).toEqual(['out.txt']);
    await place.edit({ 'src/f0.ts': 'edited\n', 'made.txt': 'made\n', 'untracked.txt': null });
    expect(await watch.settle()).toEqual({ uncovered: [] });
    place.shell('echo more >> out.txt; echo and >> src/f0.ts');
    expect((await watch.settle()).checkpoint?.files).toMatchObject([
      { path: 'out.txt', added: 1, removed: 0 },
      { path: 'src/f0.ts', added: 1, removed: 0 },
    ]);
    watch.end();
    await place.manager.restore({ sessionId: 's1', messageId: 'm1' });
    expect(place.shell('git status --short')).toBe('?? link\n?? untracked.txt\n');
  });

  it("IDE-51 what another session changed meanwhile is not this one's, also where their calls have the same id", async () => {
    repository();
    const slow = await place.manager.beforeCommand({ sessionId: 's1', messageId: 'm1', callId: 'call' });
    await place.command('echo theirs > theirs.txt; rm src/f0.ts', place.origin('m2', 's2'));
    place.shell('echo mine > mine.txt');
    expect((await slow.settle()).checkpoint?.files.map(({ path }) => path)).toEqual(['mine.txt']);
    slow.end();
  });

  it('IDE-51 what a killed command had changed is found by the next process', async () => {
    repository();
    const before = place.shell(STATE);
    const script = `
      import { UndoPlace } from ${JSON.stringify(new URL('../fixtures/undo-place.ts', import.meta.url).pathname)};
      const place = new UndoPlace({ base: ${JSON.stringify(place.base)} });
      await place.manager.beforeCommand({ sessionId: 's1', messageId: 'm1', callId: 'c' });
      place.shell('rm src/f0.ts; echo half > half.txt');
      process.kill(process.pid, 'SIGKILL');`;
    place.put('../run.mjs', script);
    expect(() => place.shell(`${process.execPath} ../run.mjs`)).toThrow();
    const [found] = await place.manager.recover();
    expect(found?.files.map(({ path, kind }) => `${kind} ${path}`)).toEqual(['created half.txt', 'deleted src/f0.ts']);
    expect(await place.manager.recover()).toEqual([]);
    await place.manager.restore({ sessionId: 's1', messageId: 'm1' });
    expect(place.shell(STATE)).toBe(before);
  });

  it('IDE-51 two sizes alike within one tick of the clock are told apart', async () => {
    place.put('a.txt', 'aaaa');
    for (let n = 0; n < 20; n += 1) {
      const text = String(1000 + n);
      const { checkpoint } = await place.command(`printf ${text} > a.txt`, place.origin(`m${n}`));
      expect(checkpoint?.files).toHaveLength(1);
    }
    await place.manager.restore({ sessionId: 's1', messageId: 'm19' });
    expect(await place.read('a.txt')).toBe('1018');
  });
});
