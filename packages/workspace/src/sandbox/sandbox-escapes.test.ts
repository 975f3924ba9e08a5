import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ProcessRegistry } from '../processes/process-registry.ts';
import { useSandbox } from './fixtures/use-sandbox.ts';
import { Sandbox } from './sandbox.ts';
import { sandboxNotes } from './sandbox-notes.ts';

const { here, put, run, git, env, sandbox } = useSandbox();
const at = (...parts: string[]): string => join(here.root, ...parts);
/** For printf. */
const EVIL = '[core]\\n\\trepositoryformatversion = 0\\n\\tfsmonitor = touch pwned\\n';

async function repository(path = here.root): Promise<void> {
  mkdirSync(path, { recursive: true });
  await git(path, 'init', '-q', '-b', 'main');
  await git(path, 'commit', '-q', '--allow-empty', '-m', 'first');
}

function taken(result: Awaited<ReturnType<typeof run>>): string[] {
  return (result.sandbox?.setAside ?? []).map(({ path }) => path.slice(here.root.length + 1)).sort();
}

describe('Sandbox: ways around it', () => {
  it('IDE-65 a folder above something protected is renamed and made anew: what is new goes', async () => {
    await repository();
    await repository(at('vendor/sub'));
    put('app/pkg/.vscode/settings.json', '{}');
    put('app/vendor/.mcp.json', '{}');
    const result = await run(
      `mv vendor old && cp -r old vendor && printf '${EVIL}' > vendor/sub/.git/config; echo evil > vendor/.mcp.json; mv pkg was; mkdir -p pkg/.vscode; echo evil > pkg/.vscode/tasks.json`,
    );
    // What was moved counts as made, as everywhere but in git's own.
    expect(taken(result)).toEqual([
      'old/.mcp.json',
      'pkg/.vscode',
      'vendor/.mcp.json',
      'vendor/sub/.git',
      'was/.vscode',
    ]);
    expect(existsSync(at('old/sub/.git/config'))).toBe(true);
  });

  it('IDE-65 … inside of .git', async () => {
    await repository();
    for (const name of ['a', 'b']) {
      put(`app/.git/modules/libs/${name}/HEAD`, 'ref: refs/heads/main\n');
      put(`app/.git/modules/libs/${name}/config`, '[core]\n');
    }
    const result = await run(
      `cd .git/modules && mv libs was && cp -r was libs && printf '${EVIL}' > libs/a/config && mkdir -p libs/b/hooks && echo evil > libs/b/hooks/pre-commit`,
    );
    expect(taken(result)).toEqual(['.git/modules/libs/a', '.git/modules/libs/b/hooks']);
  });

  it('IDE-65 … above hooks that the configuration keeps elsewhere, also of a repository below', async () => {
    await repository();
    await repository(at('sub'));
    for (const place of ['tools/hooks', 'sub/tools/hooks']) put(`app/${place}/pre-commit`, 'mine');
    for (const place of ['.', 'sub']) await git(at(place), 'config', 'core.hooksPath', 'tools/hooks');
    const evil = 'mv tools was; mkdir -p tools/hooks; echo evil > tools/hooks/pre-commit';
    const result = await run(`echo evil > sub/tools/hooks/pre-commit; ${evil}; cd sub; ${evil}`);
    expect(taken(result)).toEqual(['sub/tools/hooks', 'tools/hooks']);
    expect(readFileSync(at('sub/was/hooks/pre-commit'), 'utf8')).toBe('mine');
  });

  it('IDE-65 another engine takes the stand-ins away: what is made in their place goes', async () => {
    await repository();
    rmSync(at('.git/hooks'), { recursive: true });
    const plant = (name: string) =>
      `mkfifo ${name}; echo up; read x < ${name}; mkdir -p .vscode .git/hooks; echo evil > .vscode/tasks.json; echo evil > .git/hooks/post-commit; echo evil > .mcp.json; ls -d .vscode`;
    const stateHome = join(here.base, 'other-state');
    mkdirSync(stateHome);
    const other = new Sandbox({ root: here.root, stateHome, env: env() });
    const processes = new ProcessRegistry({ stateFolder: stateHome });
    try {
      const contained = () => other.contain({ cwd: here.root, env: env() });
      let first: Promise<unknown> = Promise.resolve();
      await new Promise<void>((resolve) => {
        const command = 'mkfifo gate; echo up; read x < gate';
        first = processes.run({ command, cwd: here.root, env: {}, sandbox: contained, onOutput: () => resolve() });
      });
      let second: ReturnType<typeof run> | undefined;
      await new Promise<void>((resolve) => {
        second = run(plant('gate2'), { onOutput: () => resolve() });
      });
      writeFileSync(at('gate'), 'go\n');
      await first;
      writeFileSync(at('gate2'), 'go\n');
      expect(taken(await second!)).toEqual(['.git/hooks', '.mcp.json', '.vscode']);
      expect(existsSync(at('.vscode'))).toBe(false);
    } finally {
      await processes.dispose();
      other.dispose();
    }
  });

  it('IDE-65 a repository that is moved with all that it is stays', async () => {
    await repository();
    await repository(at('vendor/sub'));
    await git(at('vendor/sub'), 'config', 'alias.x', '!echo mine');
    const result = await run('mv vendor lib && git -C lib/sub status --short');
    expect([taken(result), result.output]).toEqual([[], '']);
    expect(await git(at('lib/sub'), 'x')).toBe('mine\n');
  });

  it('IDE-65 a config.worktree that was not there does not bring settings in', async () => {
    await repository();
    await git(here.root, 'config', 'core.repositoryformatversion', '1');
    await git(here.root, 'config', 'extensions.worktreeConfig', 'true');
    await git(here.root, 'worktree', 'add', '-q', 'tree', '-b', 'side');
    const result = await run(
      `for d in .git .git/worktrees/tree; do printf '${EVIL}' > $d/config.worktree; done; echo '* filter=x' > .git/info/attributes`,
    );
    expect(taken(result)).toEqual([
      '.git/config.worktree',
      '.git/info/attributes',
      '.git/worktrees/tree/config.worktree',
    ]);
  });

  it('IDE-65 … in the main repository of a worktree outside', async () => {
    const main = join(here.base, 'main');
    await repository(main);
    await git(main, 'worktree', 'add', '-q', at('tree'), '-b', 'side');
    const planted = join(main, '.git/worktrees/tree/config.worktree');
    const result = await run(`printf '${EVIL}' > ${planted} && cat ${planted}`);
    expect(result.output).toContain('pwned');
    expect(result.sandbox?.setAside.map(({ path }) => path)).toEqual([planted]);
    expect(existsSync(planted)).toBe(false);
  });

  it('IDE-65 a repository that is not called .git runs nothing either', async () => {
    put('app/src/hooks/use-it.ts', 'mine');
    const bare = 'mkdir -p objects refs && echo ref: refs/heads/main > HEAD';
    const result = await run(
      `${bare}; printf '${EVIL}\tworktree = .\n' > config; cd src && ${bare}; cd ..; git init -q --bare good.git; git init -q --bare evil && git -C evil config core.sshCommand x; mkdir led && echo ref: refs/heads/main > led/HEAD && echo ../evil > led/commondir`,
    );
    expect(taken(result)).toEqual(['HEAD', 'evil/HEAD', 'led/HEAD', 'src/HEAD']);
    expect(existsSync(at('src/hooks/use-it.ts'))).toBe(true);
    expect(existsSync(at('good.git/HEAD'))).toBe(true);
  });

  it('IDE-65 what is there of one is read-only', async () => {
    await git(here.root, 'init', '-q', '--bare', 'x.git');
    const { output } = await run('git -C x.git config core.fsmonitor evil; echo evil > x.git/hooks/post-update; true');
    expect(output.match(/Read-only|could not|busy/g)!.length).toBeGreaterThan(1);
    expect(readFileSync(at('x.git/config'), 'utf8')).not.toContain('evil');
  });

  it('IDE-65 a copied configuration stays only where it names no files or programs', async () => {
    await repository();
    await git(here.root, 'config', 'core.hooksPath', 'tools/hooks');
    await repository(at('plain'));
    await git(at('plain'), 'config', 'pull.ff', 'only');
    const result = await run(
      'for d in new copy; do git init -q $d; done; cp .git/config new/.git/config; mkdir -p new/tools/hooks && echo evil > new/tools/hooks/pre-commit; cp plain/.git/config copy/.git/config',
    );
    expect(taken(result)).toContain('new/.git');
    expect(taken(result)).not.toContain('copy/.git');
  });

  it('IDE-65 more folders than can be looked at switch nothing off', async () => {
    put('app/apps/web/.vscode/settings.json', '{}');
    await repository(at('apps/sub'));
    sandbox({ maxFolders: 40 });
    const flood = await run(
      'mkdir -p zz/deep/.vscode && echo evil > zz/deep/.vscode/tasks.json; for i in $(seq 200); do mkdir zz/$i apps/$i; done',
    );
    expect(taken(flood)).toContain('zz');
    expect(flood.sandbox?.unwatched).toEqual([at('apps')]);
    const notes = sandboxNotes(flood.sandbox!, { root: here.root, output: '', failed: false });
    expect(notes.join('\n')).toMatch(/read-only for commands from now on: apps\]/);
    // Out of reach from now on, with what was known of it.
    const { output, exitCode } = await run(
      'echo evil > apps/web/.vscode/settings.json; git -C apps/sub config a.b c; mkdir -p apps/200/.vscode; echo fine > other',
    );
    expect([exitCode, readFileSync(at('other'), 'utf8')]).toEqual([0, 'fine\n']);
    expect(output.match(/Read-only|could not/g)).toHaveLength(3);
    expect(readFileSync(at('apps/web/.vscode/settings.json'), 'utf8')).toBe('{}');
    // Nor does a second one pass by the first.
    const again = await run('mkdir -p yy/.idea && echo evil > yy/.idea/x.xml');
    expect(taken(again)).toEqual(['yy']);
  });

  it('IDE-65 hooks that the own configuration names in every repository are protected, too', async () => {
    await repository();
    await repository(at('sub'));
    put('me/.gitconfig', '[core]\n\thooksPath = .ghooks\n');
    put('app/sub/.ghooks/pre-commit', 'mine');
    const result = await run('mkdir .ghooks; echo evil > .ghooks/pre-commit; echo evil > sub/.ghooks/pre-commit');
    expect(taken(result)).toEqual(['.ghooks']);
    expect(readFileSync(at('sub/.ghooks/pre-commit'), 'utf8')).toBe('mine');
  });

  it('IDE-65 what lets git run programs does not stay after a command in the background', async () => {
    await repository();
    await git(here.root, 'config', 'core.hooksPath', 'tools/hooks');
    const result = await run(
      `mkdir -p .husky tools/hooks; echo evil > .husky/pre-commit; echo evil > tools/hooks/pre-commit; git init -q x && printf '${EVIL}' > x/.git/config`,
      { background: true },
    );
    expect(taken(result)).toEqual(['tools/hooks', 'x/.git']);
    expect(result.sandbox?.appeared).toEqual([at('.husky')]);
  });

  it('IDE-65 sockets of services outside the workspace do not answer, those of commands do', async () => {
    const paths = [join(here.home, 'services/agent.sock'), join(here.base, 'elsewhere.sock'), at('own.sock')];
    mkdirSync(join(here.home, 'services'));
    const servers = paths.map((path) => createServer((socket) => socket.end('answered')).listen(path));
    try {
      await Promise.all(servers.map((server) => server.listening || once(server, 'listening')));
      const ask = `const s = require('net').connect(process.argv[1], () => console.log('REACHED ' + process.argv[1])).on('error', () => {}).on('data', () => {})`;
      const { output } = await run(paths.map((path) => `node -e "${ask}" ${path}`).join('; '));
      expect(output).toBe(`REACHED ${at('own.sock')}\n`);
    } finally {
      for (const server of servers) server.close();
    }
  });
});
