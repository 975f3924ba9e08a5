import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ChangeJournal } from '../changes/change-journal.ts';
import { ChangeSet } from '../changes/change-set.ts';
import { PathGuard } from '../paths/path-guard.ts';
import { protectedPath } from '../paths/protected-paths.ts';
import { useSandbox } from './fixtures/use-sandbox.ts';

const { here, put, run, sandbox } = useSandbox();
const at = (...parts: string[]): string => join(here.root, ...parts);

describe('Sandbox: protected files', () => {
  it('IDE-53 what is there cannot be changed, at any depth', async () => {
    const files = ['.vscode/settings.json', '.github/workflows/ci.yml', 'pkg/.idea/x.xml', '.blackide/settings.json'];
    for (const file of [...files, 'a/b/.mcp.json', 'x.code-workspace', '.blackide/modes/m.md'])
      put(`app/${file}`, 'mine');
    put('app/.blackide/plans/p.md', 'plan');
    put('app/.github/CODEOWNERS', 'me');
    const { output, sandbox: report } = await run(
      `for f in ${files.join(' ')} a/b/.mcp.json x.code-workspace .blackide/modes/m.md; do echo evil > $f && echo WRITTEN $f; rm -f $f; done; rm -rf .vscode .blackide; mv .vscode .v; echo ok > .blackide/plans/p.md; echo ok > .github/CODEOWNERS; touch .blackide/hooks.json .vscode/tasks.json`,
    );
    expect(output).not.toContain('WRITTEN');
    for (const file of files) expect(readFileSync(at(file), 'utf8')).toBe('mine');
    expect(readFileSync(at('.blackide/plans/p.md'), 'utf8')).toBe('ok\n');
    expect(readFileSync(at('.github/CODEOWNERS'), 'utf8')).toBe('ok\n');
    expect(readdirSync(at('.blackide')).sort()).toEqual(['modes', 'plans', 'settings.json']);
    expect(report).toMatchObject({ setAside: [], restored: [] });
  });

  it('CVE-2026-25725 what is not there cannot come into being in the root, not for a moment', async () => {
    const { output } = await run(
      'for f in .vscode/settings.json .blackide/settings.json .blackide/hooks.json .agents/modes/a.md; do mkdir -p $(dirname $f); echo evil > $f && echo WRITTEN; done; echo x > .mcp.json && echo WRITTEN; rmdir .vscode .blackide; mv .vscode v; ln -s /tmp .agents; ls -A .vscode .blackide .agents',
    );
    expect(output).not.toContain('WRITTEN');
    expect(readdirSync(here.root)).toEqual([]);
  });

  it('CVE-2026-25725 what comes into being elsewhere is taken out, kept, and told', async () => {
    put('app/deep/file');
    const { sandbox: report } = await run(
      'mkdir -p deep/.vscode .github/workflows && echo evil > deep/.vscode/tasks.json; echo evil > .github/workflows/ci.yml; echo x > .envrc; ln -s /etc deep/.idea; mkdir ok; echo fine > ok/file',
    );
    const taken = report?.setAside.map(({ path }) => path).sort();
    expect(taken).toEqual([at('.envrc'), at('.github/workflows'), at('deep/.idea'), at('deep/.vscode')]);
    for (const path of taken ?? []) expect(existsSync(path)).toBe(false);
    const kept = report?.setAside.find(({ path }) => path === at('deep/.vscode'))?.keptAt;
    expect(readFileSync(join(kept!, 'tasks.json'), 'utf8')).toBe('evil\n');
    expect(readFileSync(at('ok/file'), 'utf8')).toBe('fine\n');
  });

  it('IDE-53 beside a background command a person may have made it: it is told, not taken', async () => {
    const { sandbox: report } = await run('mkdir -p deep/.vscode; echo x > deep/.vscode/a', { background: true });
    expect(report).toMatchObject({ setAside: [], appeared: [at('deep/.vscode')] });
    expect(existsSync(at('deep/.vscode/a'))).toBe(true);
  });

  it('IDE-65 what we or a person make in place of a stand-in meanwhile stays', async () => {
    const done = run('mkfifo gate; echo up; read x < gate', {
      onOutput: () => put('app/.blackide/plans/p.md', 'plan'),
    });
    await expect.poll(() => existsSync(at('.blackide/plans/p.md'))).toBe(true);
    await run('echo go > gate; rm gate');
    expect((await done).sandbox).toMatchObject({ setAside: [] });
    expect(readFileSync(at('.blackide/plans/p.md'), 'utf8')).toBe('plan');
  });

  it('IDE-65 a protected link is put back', async () => {
    put('app/shared/settings.json', 'mine');
    mkdirSync(at('pkg'));
    symlinkSync('../shared', at('pkg/.vscode'));
    const { sandbox: report } = await run(
      'rm pkg/.vscode && mkdir pkg/.vscode && echo evil > pkg/.vscode/settings.json',
    );
    expect(report?.restored).toEqual([at('pkg/.vscode')]);
    expect(readFileSync(at('pkg/.vscode/settings.json'), 'utf8')).toBe('mine');
  });

  it('IDE-65 stand-ins of commands that run side by side go with the last one', async () => {
    let first: Promise<unknown> = Promise.resolve();
    await new Promise<void>((resolve) => {
      first = run('mkfifo gate; echo up; read x < gate', { onOutput: () => resolve() });
    });
    expect((await run('ls -A')).output).toContain('.vscode');
    expect(readdirSync(here.root)).toContain('.vscode');
    await run('echo go > gate; rm gate');
    await first;
    expect(readdirSync(here.root)).toEqual([]);
  });

  it('CVE-2026-39861 a link that a command planted does not lead our own writes out', async () => {
    put('outside/file', 'old');
    const guard = new PathGuard({ root: here.root });
    const before = guard.resolve('link/file', 'write');
    await run(`ln -s ${here.base}/outside link`);
    expect(guard.resolve('link/file', 'write')).toMatchObject({ ok: false, code: 'path_outside' });
    if (!before.ok) throw new Error(before.message);
    const set = new ChangeSet({ guard, journal: new ChangeJournal({ folder: join(here.base, 'journal') }) });
    set.write(before, Buffer.from('evil'), { base: 'absent' });
    expect(await set.commit()).toMatchObject({ ok: false });
    expect(readFileSync(join(here.base, 'outside/file'), 'utf8')).toBe('old');
  });

  it('IDE-65 property: whatever paths a command writes, no protected one is different afterwards', async () => {
    sandbox();
    const part = fc.constantFrom(
      '.git',
      '.vscode',
      '.github',
      'workflows',
      'hooks',
      'config',
      'src',
      '.idea',
      'a',
      '.husky',
    );
    const paths = fc.uniqueArray(
      fc.array(part, { minLength: 1, maxLength: 4 }).map((parts) => parts.join('/')),
      {
        minLength: 1,
        maxLength: 12,
      },
    );
    const runs = Math.max(3, Math.ceil(Number(process.env.BLACK_TEST_RUNS) / 20));
    await fc.assert(
      fc.asyncProperty(paths, async (written) => {
        const quoted = written.map((path) => `'${path}'`).join(' ');
        await run(`for f in ${quoted}; do mkdir -p "$(dirname "$f")"; echo x > "$f"; done 2>/dev/null; true`);
        const left = readdirSync(here.root, { recursive: true, encoding: 'utf8' });
        // A fresh repository may be there, with nothing in it that runs a program.
        const bad = left.filter((path) => protectedPath(path) && !path.split('/').includes('.git'));
        expect(bad).toEqual([]);
        await run('rm -rf -- * .[!.]* 2>/dev/null; true');
      }),
      { numRuns: runs },
    );
  });
});
