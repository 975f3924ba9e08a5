import { existsSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { useSandbox } from './fixtures/use-sandbox.ts';

const { here, put, run, sandbox, env } = useSandbox();

describe('Sandbox: files', () => {
  it('IDE-65 the workspace is writable, all else is not', async () => {
    put('outside/file', 'old');
    const outside = join(here.base, 'outside');
    const { output, exitCode } = await run(
      `echo new > made && mkdir -p a/b && echo x > a/b/c; for f in ${outside}/file ${outside}/new /etc/new /usr/new /var/new; do echo evil > $f && echo WRITTEN $f; done; rm -rf ${outside}; true`,
    );
    expect(exitCode).toBe(0);
    expect(output).not.toContain('WRITTEN');
    expect(readFileSync(join(here.root, 'made'), 'utf8')).toBe('new\n');
    expect(readFileSync(join(here.root, 'a/b/c'), 'utf8')).toBe('x\n');
    expect(readdirSync(outside)).toEqual(['file']);
    expect(readFileSync(join(outside, 'file'), 'utf8')).toBe('old');
    expect(readdirSync(here.root).sort()).toEqual(['a', 'made']);
  });

  it('IDE-65 has a private /tmp that all commands of a session share, and that goes with it', async () => {
    const name = `black-private-${process.pid}`;
    await run(`echo mine > /tmp/${name}; echo "$TMPDIR"; mktemp`);
    expect(existsSync(`/tmp/${name}`)).toBe(false);
    expect((await run(`cat /tmp/${name} /var/tmp/${name}`)).output).toBe('mine\nmine\n');
    expect((await run('ls -d /tmp/*')).output).not.toContain('vitest');
    sandbox().dispose();
    expect(readdirSync(join(here.stateHome, 'sandbox'))).toEqual([]);
  });

  it('IDE-65 hides the secrets of the home, keeps caches, forgets the rest', async () => {
    const secrets = ['.ssh/id_ed25519', '.aws/credentials', '.netrc', '.config/gh/hosts.yml', '.docker/config.json'];
    const more = ['.gnupg/key', '.bash_history', '.local/share/keyrings/login', '.config/unknown/token', 'server.pem'];
    for (const path of [...secrets, ...more]) put(`me/${path}`, 'SECRET');
    put('state/keys.json', 'SECRET');
    put('me/.npmrc', 'registry=http://npm.example/\n//npm.example/:_authToken=SECRET\n');
    put('me/.gitconfig', '[user]\n\tname = Me\n[url "https://me:SECRET@git.example/"]\n\tinsteadOf = x:\n');
    put('me/.npm/_cacache/old', 'cached');
    put('me/projects/lib/index.js', 'lib\n');
    put('me/.nvm/versions/node', 'node');
    const { output } = await run(
      `grep -rs . ~ ${here.stateHome} | head -100; cat ~/.npmrc ~/.gitconfig ~/projects/lib/index.js; echo new > ~/.npm/_cacache/new; echo gone > ~/.fresh && cat ~/.fresh; echo x > ~/projects/x; echo x >> ~/.gitconfig; true`,
    );
    expect(output).not.toContain('SECRET');
    expect(output).toContain('registry=http://npm.example/');
    expect(output).toContain('name = Me');
    expect(output).toMatch(/lib\n/);
    expect(output).toMatch(/^gone$/m);
    expect(readFileSync(join(here.home, '.npm/_cacache/new'), 'utf8')).toBe('new\n');
    expect(existsSync(join(here.home, '.fresh'))).toBe(false);
    expect(readdirSync(join(here.home, 'projects'))).toEqual(['lib']);
    expect(readFileSync(join(here.home, '.gitconfig'), 'utf8')).not.toContain('\nx');
  });

  it('IDE-65 tells what was written into the private home, once, and neither caches nor what is shown there', async () => {
    for (const path of ['.npm/_cacache/old', 'projects/lib/index.js', '.nvm/node', '.cargo/registry/x', '.cargo/env']) {
      put(`me/${path}`, 'x');
    }
    put('me/.gitconfig', '[user]\n\tname = Me\n');
    const written = async (command: string) => (await run(command)).sandbox?.homeWrites;
    expect(await written('cat ~/.gitconfig; ls ~; echo x > ~/.npm/_cacache/new')).toEqual([]);
    expect(
      await written('echo hi > ~/notes.md; echo x > /tmp/x; mkdir -p ~/.cache/odd && echo x > ~/.cache/odd/x'),
    ).toEqual(['~/notes.md']);
    expect(await written('cat ~/notes.md')).toEqual([]);
    expect(
      (
        await written('echo more >> ~/notes.md; mkdir -p ~/a/b ~/c ~/d; touch ~/a/b/x ~/a/b/y ~/c/z ~/.cargo/new')
      )?.sort(),
    ).toEqual(['~/.cargo/new', '~/a/b/', '~/c/z', '~/d/', '~/notes.md']);
    expect(await written('touch ~/a/b/z; ln -s / ~/root; mkdir ~/shut; touch ~/shut/x; chmod 000 ~/shut')).toContain(
      '~/a/b/z',
    );
  });

  it('IDE-65 hides the secrets of a home that is the workspace itself', async () => {
    put('me/.ssh/id_rsa', 'SECRET');
    put('me/.netrc', 'SECRET');
    sandbox({ root: here.home });
    const { output } = await run('cat .ssh/* .netrc; echo x > made; echo x > .ssh/authorized_keys', { cwd: here.home });
    expect(output).not.toContain('SECRET');
    expect(readdirSync(here.home).sort()).toEqual(['.netrc', '.ssh', 'made']);
    expect(readdirSync(join(here.home, '.ssh'))).toEqual(['id_rsa']);
  });

  it('§4.44 sees no other process, and none of their environments', async () => {
    const { output } = await run(
      `cat /proc/*/environ | tr '\\0' '\\n' | grep -c '^PATH='; ls /proc | grep -c '^[0-9]'; ls /proc/${process.pid} ; ls /run`,
    );
    expect(output).toMatch(/^\d\n[3-9]\n/);
    expect(output).toContain(`/proc/${process.pid}`);
  });

  it('IDE-65 no name of a link or a path with slashes opens what is hidden', async () => {
    put('me/.aws/credentials', 'SECRET');
    symlinkSync(here.home, join(here.base, 'alias'));
    put('me/notes/a', 'note');
    sandbox({ mask: [`${here.home}/notes/`] });
    const { output } = await run(
      `cat ${here.base}/alias/.aws/credentials ${here.home}//.aws//credentials ~/notes/a; ls -a ~ ~/notes`,
    );
    expect(output).not.toMatch(/SECRET|note$/);
  });

  it('IDE-65 a workspace right in the home is writable, also where the PATH leads into it', async () => {
    const root = join(here.home, 'app');
    put('me/app/bin/tool', '#!/bin/sh\necho old\n');
    put('me/other/file', 'other');
    const own = { ...env(), PATH: `${root}/bin:${root}/node_modules/.bin:${env().PATH}` };
    sandbox({ root, env: own });
    const { output } = await run('echo new > bin/tool; echo x > made; cat ../other/file; ls -A ~', {
      cwd: root,
      env: own,
    });
    expect(output).toBe('otherapp\nother\n');
    expect(readFileSync(join(root, 'bin/tool'), 'utf8')).toBe('new\n');
    expect(existsSync(join(root, 'made'))).toBe(true);
  });

  it('IDE-65 does not hide a workspace that lies in a temporary folder or in a hidden one', async () => {
    const root = join(here.stateHome, 'worktrees/x');
    put('state/worktrees/x/file', 'here');
    put('state/settings.json', 'SECRET');
    sandbox({ root });
    const { output } = await run(`cat file; echo y > new; cat ${here.stateHome}/settings.json`, { cwd: root });
    expect(output).toMatch(/^here/);
    expect(output).not.toContain('SECRET');
    expect(existsSync(join(root, 'new'))).toBe(true);
  });

  it('IDE-65 shows the output of earlier commands, and only to read', async () => {
    put('state/sessions/a.d/out.txt', 'long output');
    const readable = [join(here.stateHome, 'sessions/a.d')];
    const { output } = await run(`cat ${readable[0]}/out.txt; echo x > ${readable[0]}/x; ls ${here.stateHome}`, {
      readable,
    });
    expect(output).toMatch(/^long output/);
    expect(output).toMatch(/Read-only file system/);
    expect(output).toMatch(/^sessions$/m);
    expect(output).not.toMatch(/sandbox$/m);
  });

  it('IDE-88 works where the state home cannot be written', async () => {
    const stateHome = put('file');
    sandbox({ stateHome });
    const { output } = await run('echo x > /tmp/x && cat /tmp/x; mkdir -p a/.idea');
    expect(output).toBe('x\n');
    expect((await run('ls -A a')).sandbox).toMatchObject({ setAside: [] });
  });

  it('IDE-29 with readOnly nothing in the workspace can be changed', async () => {
    put('app/file', 'old');
    const { output } = await run('cat file; echo x > file; rm file; touch new .git; echo t > /tmp/t && cat /tmp/t', {
      readOnly: true,
    });
    expect(output).toMatch(/^old/);
    expect(output).toMatch(/^t$/m);
    expect(readdirSync(here.root)).toEqual(['file']);
    expect(readFileSync(join(here.root, 'file'), 'utf8')).toBe('old');
  });

  it('IDE-65 has no privileges, and none can be won', async () => {
    put('app/.vscode/settings.json', '{}');
    const umount = `umount ${here.root}/.vscode; mount -o remount,rw,bind ${here.root}/.vscode; echo x > .vscode/settings.json`;
    const { output } = await run(
      `grep CapEff /proc/self/status; unshare -Urm sh -c '${umount}'; mount -t tmpfs x /mnt`,
    );
    expect(output).toMatch(/CapEff:\t0+\n/);
    expect(readFileSync(join(here.root, '.vscode/settings.json'), 'utf8')).toBe('{}');
  });

  it('IDE-86 passes the cleaned environment on, and the proxy', async () => {
    const { output } = await run('env', { env: { OPENAI_API_KEY: 'SECRET', LD_PRELOAD: '/x.so', MINE: '1' } });
    expect(output).toMatch(/^MINE=1$/m);
    expect(output).toMatch(/^HTTPS_PROXY=http:\/\/127\.0\.0\.1:\d+$/m);
    expect(output).toMatch(new RegExp(`^HOME=${here.home}$`, 'm'));
    expect(output).not.toMatch(/SECRET|LD_PRELOAD/);
    expect(env().HOME).toBe(here.home);
  });
});
