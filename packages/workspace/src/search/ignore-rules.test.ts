import { execFile } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { createTempWorkspace, type TempWorkspace } from '@black-ide/testkit';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FolderRules } from './ignore-rules.ts';
import { walk } from './walk.ts';

const run = promisify(execFile);

async function filesOf(root: string, path = ''): Promise<string[]> {
  const files: string[] = [];
  for await (const entry of walk({ root, path })) if (entry.kind !== 'folder') files.push(entry.path);
  return files.sort();
}

/** What Git would add: the files that its ignore rules leave. */
async function filesForGit(root: string): Promise<string[]> {
  const { stdout } = await run('git', ['ls-files', '-co', '--exclude-standard', '-z'], { cwd: root });
  return stdout.split('\0').filter(Boolean).sort();
}

async function tree(files: Record<string, string>, git = false): Promise<TempWorkspace> {
  const workspace = await createTempWorkspace({ files });
  if (git) await workspace.git('init', '--quiet');
  return workspace;
}

describe('FolderRules', () => {
  it.each([
    ['a name anywhere', '*.log\n', ['a.log', 'b/c.log', 'd.txt'], ['.gitignore', 'd.txt']],
    ['an anchored name', '/out\n', ['out/x', 'a/out/x'], ['.gitignore', 'a/out/x']],
    ['folders alone', 'build/\n', ['build/x', 'a/build'], ['.gitignore', 'a/build']],
    ['a negation', '*.log\n!keep.log\n', ['a.log', 'keep.log'], ['.gitignore', 'keep.log']],
    ['no negation below an ignored folder', 'a/\n!a/b\n', ['a/b'], ['.gitignore']],
    ['stars over folders', 'a/**/z\n', ['a/z', 'a/b/c/z', 'z'], ['.gitignore', 'z']],
    ['comments, blank lines, Windows line ends', '# x\r\n\r\n*.tmp\r\n', ['a.tmp', '# x'], ['# x', '.gitignore']],
    ['escapes', '\\#a\n\\!b\nc\\ \n', ['#a', '!b', 'c ', 'c'], ['.gitignore', 'c']],
    ['classes', '[ab]?.x\n', ['a1.x', 'c1.x'], ['.gitignore', 'c1.x']],
    ['a byte order mark', '\ufeff*.log\n', ['a.log'], ['.gitignore']],
    ['case', 'Out\n', ['out', 'Out'], ['.gitignore', 'out']],
  ])('INT-11 reads %s as Git does', async (_, rules, files, expected) => {
    const all = { '.gitignore': rules, ...Object.fromEntries(files.map((file) => [file, ''])) };
    await using workspace = await tree(all, true);
    expect(await filesForGit(workspace.path)).toEqual(expected);
    expect(await filesOf(workspace.path)).toEqual(expected);
  });

  it('INT-11 lets a nested file add and take back', async () => {
    const files = {
      '.gitignore': '*.log\nlib/\n',
      'a/.gitignore': '!keep.log\n/here\n!lib/\n',
      'a/keep.log': '',
      'a/b/keep.log': '',
      'a/other.log': '',
      'a/here/x': '',
      'a/b/here/x': '',
      'a/lib/x': '',
      'lib/x': '',
    };
    const expected = ['.gitignore', 'a/.gitignore', 'a/b/here/x', 'a/b/keep.log', 'a/keep.log', 'a/lib/x'];
    await using workspace = await tree(files, true);
    expect(await filesForGit(workspace.path)).toEqual(expected);
    expect(await filesOf(workspace.path)).toEqual(expected);
  });

  it('INT-11 needs no repository, and the one around counts', async () => {
    const files = { '.gitignore': '*.log\n', 'a/.gitignore': '/z\n', 'a/b/x.log': '', 'a/b/y': '', 'a/z': '' };
    await using plain = await tree(files);
    expect(await filesOf(plain.path)).toEqual(['.gitignore', 'a/.gitignore', 'a/b/y']);
    expect(await filesOf(plain.at('a'))).toEqual(['.gitignore', 'b/x.log', 'b/y']);
    await using repository = await tree(files, true);
    expect(await filesOf(repository.at('a'))).toEqual(['.gitignore', 'b/y']);
    expect(await filesOf(repository.at('a/b'))).toEqual(['y']);
  });

  it('INT-11 shows an ignored folder when it is opened or named', async () => {
    await using workspace = await tree(
      { '.gitignore': 'out/\n*.log\n', 'out/x': '', 'out/y.log': '', 'out/in/z': '' },
      true,
    );
    expect(await filesOf(workspace.path)).toEqual(['.gitignore']);
    expect(await filesOf(workspace.at('out'))).toEqual(['in/z', 'x', 'y.log']);
    expect(await filesOf(workspace.path, 'out/in')).toEqual(['out/in/z']);
  });

  it('INT-11 never shows what .blackideignore names, whatever else is said', async () => {
    const files = {
      '.gitignore': '!private\n!*.key\n',
      '.blackideignore': 'private\n*.key\n!open.key\n',
      'private/x': '',
      'a.key': '',
      'open.key': '',
      'b/.blackideignore': '/secret\n',
      'b/secret/x': '',
      'b/c/secret': '',
    };
    await using workspace = await tree(files, true);
    expect(await filesOf(workspace.path)).toEqual([
      '.blackideignore',
      '.gitignore',
      'b/.blackideignore',
      'b/c/secret',
      'open.key',
    ]);
    await expect(filesOf(workspace.path, 'private')).rejects.toMatchObject({ code: 'path_ignored' });
    await expect(filesOf(workspace.path, 'b/secret')).rejects.toMatchObject({ code: 'path_ignored' });
    await expect(filesOf(workspace.path, '.git/hooks')).rejects.toMatchObject({ code: 'path_ignored' });
  });

  it('reads no ignore file that is a named pipe, a folder or a link', async () => {
    await using workspace = await tree({ 'a/x': '', 'b/.gitignore/y': '', 'c/x': '', rules: '*\n' });
    await run('mkfifo', [workspace.at('a/.gitignore')]);
    symlinkSync('../rules', workspace.at('c/.gitignore'));
    const expected = ['a/.gitignore', 'a/x', 'b/.gitignore/y', 'c/.gitignore', 'c/x', 'rules'];
    expect(await filesOf(workspace.path)).toEqual(expected);
  });

  it('is not stalled by a pattern of many stars', async () => {
    const name = 'a'.repeat(200);
    const hostile = [`${'*a'.repeat(60)}b`, `${'**/a/'.repeat(30)}b`, `${'a*/'.repeat(40)}b`, `*?*?*?*?*?*b`];
    await using workspace = await tree({ '.gitignore': hostile.join('\n'), [name]: '', [`${'a/'.repeat(60)}c`]: '' });
    expect(await filesOf(workspace.path)).toContain(`${'a/'.repeat(60)}c`);
  });

  it('INT-11 agrees with Git on any ignore files', async () => {
    const name = fc.constantFrom('a', 'b', 'c.x', 'ab', 'b.x', 'a b', '[a]', '!a', '#b', '{a}', 'B');
    const path = fc.array(name, { minLength: 1, maxLength: 4 }).map((names) => names.join('/'));
    const part = fc.constantFrom(
      ...[
        'a',
        'b',
        'c.x',
        '*',
        '?',
        '*.x',
        'a*',
        '**',
        '***',
        'a b',
        'B',
        '{a}',
        '\\[a\\]',
        'a\\',
        '[',
        '',
        ' ',
        '*?*',
      ],
      ...['[ab]', '[!a]', '[^a]', '[a-c]', '[]a]', '[a-]', '[[:alpha:]]', '[[:no:]]', '[\\a]', 'c\\.x', '[a/b]'],
    );
    const pattern = fc
      .tuple(
        fc.constantFrom('', '', '!'),
        fc.constantFrom('', '', '/'),
        fc.array(part, { minLength: 1, maxLength: 3 }),
        fc.constantFrom('', '', '/'),
      )
      .map(([sign, start, parts, end]) => `${sign}${start}${parts.join('/')}${end}`);
    const line = fc.oneof(
      { weight: 8, arbitrary: pattern },
      { weight: 1, arbitrary: fc.constantFrom('', '# a', '\\#b', '\\!a', 'a ', '/') },
    );
    const rules = fc.array(line, { maxLength: 4 }).map((lines) => lines.join('\n'));
    const folder = fc.array(name, { maxLength: 2 }).map((names) => names.join('/'));
    await fc.assert(
      fc.asyncProperty(
        fc.array(path, { minLength: 1, maxLength: 12 }),
        fc.array(fc.tuple(folder, rules), { maxLength: 3 }),
        async (paths, files) => {
          await using workspace = await tree({}, true);
          for (const each of paths) writeWhereItFits(join(workspace.path, each), '');
          for (const [below, text] of files) writeWhereItFits(join(workspace.path, below, '.gitignore'), text);
          expect(await filesOf(workspace.path)).toEqual(await filesForGit(workspace.path));
        },
      ),
    );
  });

  it('takes the rules of the folders above from Git, not from anybody', async () => {
    await using workspace = await tree({ '.gitignore': '*\n', 'home/project/x': '' });
    const rules = FolderRules.of(workspace.at('home/project'));
    expect(rules.ignores('x', false)).toBe(false);
    expect(rules.ignores('.GIT', true)).toBe(true);
  });
});

/** Two generated paths may want the same name for a file and a folder: the first has it. */
function writeWhereItFits(path: string, text: string): void {
  try {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? '';
    if (!['EEXIST', 'ENOTDIR', 'EISDIR'].includes(code)) throw error;
  }
}
