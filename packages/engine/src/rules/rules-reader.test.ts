import { execFileSync } from 'node:child_process';
import { symlinkSync } from 'node:fs';
import { join, relative } from 'node:path';
import { createTempWorkspace, type TempWorkspace } from '@black-ide/testkit';
import { DiskDocuments } from '@black-ide/workspace';
import { afterEach, describe, expect, it } from 'vitest';
import { RulesReader } from './rules-reader.ts';

const made: TempWorkspace[] = [];
afterEach(async () => {
  for (const workspace of made.splice(0)) await workspace.dispose();
});

async function reader(files: Record<string, string | Uint8Array>, own: Record<string, string> = {}, trusted = ['']) {
  const workspace = await createTempWorkspace({ files });
  const home = await createTempWorkspace({ files: own });
  made.push(workspace, home);
  const isTrusted = (folder: string) => trusted.includes(relative(workspace.path, folder));
  const rules = new RulesReader({ root: workspace.path, home: home.path, documents: new DiskDocuments(), isTrusted });
  return { rules, workspace, home };
}

const told = (files: readonly { path: string; text: string }[]) => files.map(({ path, text }) => `${path}: ${text}`);

describe('RulesReader', () => {
  it('IDE-72 reads the person’s, the workspace’s and .blackide’s rules, outer ones first', async () => {
    const { rules } = await reader(
      { 'AGENTS.md': 'root', '.blackide/AGENTS.md': 'black', 'CLAUDE.md': 'unused', 'src/AGENTS.md': 'nested' },
      { 'AGENTS.md': 'mine', 'CLAUDE.md': 'not ours' },
    );
    expect(told(await rules.standing())).toEqual([
      '~/.blackide/AGENTS.md: mine',
      'AGENTS.md: root',
      '.blackide/AGENTS.md: black',
    ]);
  });

  it('IDE-67 an untrusted workspace has no say, the person’s own rules stay', async () => {
    const files = { 'AGENTS.md': 'root', '.blackide/AGENTS.md': 'black', 'src/AGENTS.md': 'nested' };
    const { rules } = await reader(files, { 'AGENTS.md': 'mine' }, []);
    expect(told(await rules.standing())).toEqual(['~/.blackide/AGENTS.md: mine']);
    expect(await rules.nested('src')).toEqual([]);
  });

  it('IDE-67 a repository inside a trusted workspace does not inherit its trust', async () => {
    const files = { 'vendor/AGENTS.md': 'ours', 'vendor/sub/.git/HEAD': 'x', 'vendor/sub/deep/AGENTS.md': 'theirs' };
    const folder = 'vendor/sub/deep';
    expect(told(await (await reader(files)).rules.nested(folder))).toEqual(['vendor/AGENTS.md: ours']);
    const { rules } = await reader(files, {}, ['', 'vendor/sub']);
    expect(told(await rules.nested(folder))).toEqual(['vendor/AGENTS.md: ours', 'vendor/sub/deep/AGENTS.md: theirs']);
  });

  it('finds the folder of an older spelling, and both where there are two', async () => {
    const both = { '.blackIDE/AGENTS.md': 'older', '.blackide/AGENTS.md': 'newer' };
    const { rules } = await reader(both);
    expect(told(await rules.standing())).toEqual(['.blackide/AGENTS.md: newer', '.blackIDE/AGENTS.md: older']);
  });

  it('IDE-72 takes CLAUDE.md where there is no AGENTS.md, any encoding and line ends, and nothing where nothing is', async () => {
    const bom = Buffer.from('\ufeffone\r\ntwo\r\n', 'utf8');
    const { rules } = await reader({ 'CLAUDE.md': bom, '.blackide/AGENTS.md': Buffer.from('\ufeffwide', 'utf16le') });
    expect(told(await rules.standing())).toEqual(['CLAUDE.md: one\ntwo\n', '.blackide/AGENTS.md: wide']);
    expect(await (await reader({})).rules.standing()).toEqual([]);
    expect(await (await reader({ 'AGENTS.md': Buffer.from([0, 1, 2, 255, 0]) })).rules.standing()).toEqual([]);
  });

  it('IDE-72 reads nested rules from the outside in, never from folders that git ignores', async () => {
    const { rules } = await reader({
      'AGENTS.md': 'root',
      '.gitignore': 'dist/\n',
      'packages/AGENTS.md': 'packages',
      'packages/cli/CLAUDE.md': 'cli',
      'node_modules/evil/AGENTS.md': 'evil',
      'packages/node_modules/evil/AGENTS.md': 'evil',
      'dist/AGENTS.md': 'built',
      'dist/deep/AGENTS.md': 'built',
    });
    expect(told(await rules.nested('packages/cli'))).toEqual([
      'packages/AGENTS.md: packages',
      'packages/cli/CLAUDE.md: cli',
    ]);
    for (const folder of ['', '.', 'node_modules/evil', 'packages/node_modules/evil', 'dist', 'dist/deep', 'no/such']) {
      expect(await rules.nested(folder), folder).toEqual([]);
    }
    expect(await rules.folderOf('packages/cli/CLAUDE.md')).toBe('packages/cli');
    expect(await rules.folderOf('packages')).toBe('packages');
    expect(await rules.folderOf('new/file.ts')).toBe('new');
    expect(await rules.folderOf('/etc/passwd')).toBeUndefined();
  });

  it('IDE-72 imports documents of the workspace, before the file that imports them, each once, cycles and all', async () => {
    const { rules } = await reader({
      'AGENTS.md': 'root @docs/a.md and @missing.md and @AGENTS.md',
      'docs/a.md': 'a @b.md @../AGENTS.md',
      'docs/b.md': 'b @a.md',
      '.blackide/AGENTS.md': 'black @../docs/b.md',
    });
    const files = await rules.standing();
    expect(files.map(({ path, importedBy }) => [path, importedBy])).toEqual([
      ['docs/b.md', 'docs/a.md'],
      ['docs/a.md', 'AGENTS.md'],
      ['AGENTS.md', undefined],
      ['.blackide/AGENTS.md', undefined],
    ]);
    expect(files.flatMap(({ notes }) => notes)).toEqual([]);
  });

  it('§5c imports nothing from outside, by whatever way, and says so', async () => {
    const { rules, workspace, home } = await reader(
      {
        'AGENTS.md': 'x @../outside.md @/etc/hosts.txt @~/notes.md @linked.md @node_modules/p/README.md @out/x.md',
        'node_modules/p/README.md': 'evil',
      },
      { 'secret.md': 'secret', 'AGENTS.md': 'mine @secret.md @../x.md' },
    );
    symlinkSync(join(home.path, 'secret.md'), join(workspace.path, 'linked.md'));
    symlinkSync(home.path, join(workspace.path, 'out'));
    const files = await rules.standing();
    expect(files.map(({ path }) => path)).toEqual(['~/.blackide/secret.md', '~/.blackide/AGENTS.md', 'AGENTS.md']);
    expect(files[1]!.notes).toEqual(['@../x.md was not read: it lies outside']);
    expect(files[2]!.notes).toEqual([
      '@../outside.md was not read: it lies outside',
      '@/etc/hosts.txt was not read: it lies outside',
      '@~/notes.md was not read: it lies outside',
      '@linked.md was not read: it lies outside',
      '@node_modules/p/README.md was not read: git ignores its folder',
      '@out/x.md was not read: it lies outside',
    ]);
  });

  it('§5c is not led astray by links, pipes, folders or endless imports', async () => {
    const chain = Object.fromEntries(Array.from({ length: 9 }, (_, i) => [`d${i}.md`, `${i} @d${i + 1}.md`]));
    const { rules, workspace, home } = await reader({ 'x/AGENTS.md/folder': '', 'CLAUDE.md': '@d0.md', ...chain });
    symlinkSync(join(home.path, 'none.md'), join(workspace.path, 'AGENTS.md'));
    execFileSync('mkfifo', [join(workspace.path, 'd9.md')]);
    const files = await rules.standing();
    expect(files.map(({ path }) => path)).toEqual(['d4.md', 'd3.md', 'd2.md', 'd1.md', 'd0.md', 'CLAUDE.md']);
    expect(files[0]!.notes).toEqual(['@d5.md was not read: there are too many imports']);
    expect(await rules.nested('x')).toEqual([]);
  });
});
