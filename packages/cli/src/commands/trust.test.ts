import { mkdirSync, readFileSync, realpathSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../testing/temporary-folder.ts';
import { type Ran, runBlack } from '../testing/test-world.ts';

let home: string;
let cwd: string;

beforeEach(() => {
  home = join(temporaryFolder(), 'home');
  cwd = realpathSync(temporaryFolder());
});

const black = (args: string[], env: Record<string, string> = {}): Promise<Ran> =>
  runBlack(args, { cwd, env: { BLACKIDE_HOME: home, HOME: '/home/someone', ...env } });
const folders = async (): Promise<string[]> =>
  JSON.parse((await black(['trust', '--list', '--json'])).out).folders.map(({ folder }: { folder: string }) => folder);

describe('black trust', () => {
  it('IDE-67 trusts the working folder for good, lists it, and takes it back', async () => {
    expect((await black(['trust', '--show'])).out).toContain(`${cwd} is not trusted`);
    const { code, out } = await black(['trust']);
    expect({ code, out }).toMatchObject({ code: 0, out: expect.stringContaining(`${cwd} is trusted`) });
    expect(await folders()).toEqual([cwd]);
    if (process.platform !== 'win32') expect(statSync(join(home, 'trust.json')).mode & 0o777).toBe(0o600);
    expect((await black(['trust', '--list'])).out).toContain(cwd);
    expect((await black(['trust', '--revoke'])).out).toContain('is not trusted');
    expect(await folders()).toEqual([]);
    expect(await black(['trust', '--revoke'])).toMatchObject({
      code: 1,
      err: expect.stringContaining('was not trusted'),
    });
  });

  it('IDE-67 the key is the real path: a link leads to it, and a folder that is gone can be taken back', async () => {
    const real = join(cwd, 'real');
    mkdirSync(real);
    symlinkSync(real, join(cwd, 'link'));
    await black(['trust', 'link']);
    expect(await folders()).toEqual([real]);
    rmSync(real, { recursive: true });
    expect((await black(['trust', '--revoke', real])).code).toBe(0);
    expect(await folders()).toEqual([]);
  });

  it('IDE-67 tells what is ignored, by name alone, and what is only for other programs', async () => {
    writeFileSync(join(cwd, 'AGENTS.md'), 'x');
    mkdirSync(join(cwd, '.BlackIDE/modes'), { recursive: true });
    writeFileSync(join(cwd, '.BlackIDE/settings.json'), '{');
    mkdirSync(join(cwd, '.vscode'));
    mkdirSync(join(cwd, 'packages/a/.agents'), { recursive: true });
    const { out } = await black(['trust', '--show', '--json']);
    const told = JSON.parse(out);
    expect(told).toMatchObject({ folder: cwd, trusted: false });
    expect(told.ignored).toEqual([
      { path: '.BlackIDE/settings.json', what: 'settings', ours: true },
      { path: '.BlackIDE/modes/', what: 'modes', ours: true },
      { path: '.vscode/', what: "an editor's configuration", ours: false },
      { path: 'packages/a/.agents/', what: 'modes, skills and the like', ours: true },
      { path: 'AGENTS.md', what: 'rules', ours: true },
    ]);
    const words = (await black(['trust', '--show'])).out;
    expect(words).toContain('Ignored:\n  .BlackIDE/settings.json  (settings)');
    expect(words).toContain('never read by us:\n  .vscode/');
  });

  it('IDE-67 refuses what is far too much, and what is no folder', async () => {
    for (const [args, env] of [
      [['trust', '/'], {}],
      [['trust', '~'], { HOME: cwd }],
      [['trust'], { HOME: cwd }],
    ] as const) {
      expect(await black([...args], env)).toMatchObject({
        code: 1,
        err: expect.stringContaining('more than one project'),
      });
    }
    writeFileSync(join(cwd, 'file'), '');
    for (const name of ['file', 'none']) {
      expect(await black(['trust', name])).toMatchObject({ code: 1, err: expect.stringContaining('is no folder') });
    }
  });

  it('IDE-87 a list that cannot be read trusts nothing and is not overwritten', async () => {
    mkdirSync(home, { recursive: true });
    for (const text of ['{', '[]', '{"version":2,"folders":{}}', `{"version":1,"folders":{"${cwd}":true}}`]) {
      writeFileSync(join(home, 'trust.json'), text);
      expect(await black(['trust'])).toMatchObject({
        code: 1,
        err: expect.stringContaining('no folder counts as trusted'),
      });
      expect(readFileSync(join(home, 'trust.json'), 'utf8')).toBe(text);
    }
  });

  it('IDE-67 several at once lose nothing', async () => {
    const names = ['a', 'b', 'c', 'd', 'e'];
    for (const name of names) mkdirSync(join(cwd, name));
    await Promise.all(names.map((name) => black(['trust', name])));
    expect(await folders()).toEqual(names.map((name) => join(cwd, name)));
  });
});
