import { execFileSync } from 'node:child_process';
import { chmodSync, copyFileSync, linkSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { createTempWorkspace, leakCheck, runProcess, type TempWorkspace } from '@black-ide/testkit';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { findRipgrep } from '../doctor/find-ripgrep.ts';
import { ProcessRegistry } from '../processes/process-registry.ts';
import { type GrepOptions, grep } from './grep.ts';
import { walk } from './walk.ts';

const leaks = leakCheck();
let workspace: TempWorkspace;

beforeEach(async () => {
  workspace = await createTempWorkspace();
});

afterEach(async () => {
  await workspace.dispose();
  await leaks.expectNoLeaks();
});

async function write(files: Record<string, string | Uint8Array>): Promise<void> {
  for (const [path, content] of Object.entries(files)) await workspace.write(path, content);
}

async function search(pattern: string, more: Partial<GrepOptions> = {}) {
  return await grep({ root: workspace.path, pattern, ...more });
}

/** Lines as the model sees them. */
async function lines(pattern: string, more: Partial<GrepOptions> = {}): Promise<string[]> {
  const found = await search(pattern, more);
  return found.lines.map(({ path, line, text, isContext }) =>
    isContext ? `${path}-${line}-${text}` : `${path}:${line}:${text}`,
  );
}

async function files(pattern: string, more: Partial<GrepOptions> = {}): Promise<string[]> {
  return [...new Set((await search(pattern, more)).lines.map(({ path }) => path))];
}

describe('grep', () => {
  it('finds lines in the order of paths, whatever finds them first', async () => {
    await write({
      'b.txt': 'x needle\n',
      'a/z.txt': '\nneedle',
      'a/a.txt': 'needle\n',
      'c/d/e.txt': 'no\n',
      '.hidden': 'needle',
    });
    const expected = ['.hidden:1:needle', 'a/a.txt:1:needle', 'a/z.txt:2:needle', 'b.txt:1:x needle'];
    expect(await lines('needle')).toEqual(expected);
    expect(await search('needle')).toMatchObject({
      totalMatches: 4,
      totalFiles: 4,
      shownMatches: 4,
      cut: false,
      unreadable: 0,
    });
    expect(await search('nothing')).toMatchObject({ lines: [], totalMatches: 0, totalFiles: 0, cut: false });
  });

  it('IDE-66 does not look into the keys of a person whose home is the workspace', async () => {
    await write({ '.blackide/keys.json': 'needle', '.blackide/settings.json': 'needle', 'keys.json': 'needle' });
    expect(await files('needle')).toEqual(['.blackide/settings.json', 'keys.json']);
    expect(await files('needle', { path: '.blackide', glob: '**/*.json' })).toEqual(['.blackide/settings.json']);
  });

  it('shows what stands around a match', async () => {
    await write({ 'a.txt': '1\n2\nneedle\n4\n5\n6\nneedle\n8\n' });
    expect(await lines('needle', { context: 1 })).toEqual([
      'a.txt-2-2',
      'a.txt:3:needle',
      'a.txt-4-4',
      'a.txt-6-6',
      'a.txt:7:needle',
      'a.txt-8-8',
    ]);
    expect(await lines('needle', { context: 1, maxMatches: 1 })).toEqual(['a.txt-2-2', 'a.txt:3:needle', 'a.txt-4-4']);
  });

  it.each<[string, string, Partial<GrepOptions>, string[]]>([
    ['a regular expression', 'f\\w+\\(', {}, ['a.txt:1:foo(bar)']],
    ['plain text', 'foo(', { literal: true }, ['a.txt:1:foo(bar)']],
    ['plain text that looks like an option', '--files', { literal: true }, ['a.txt:2:--files']],
    ['a pattern that looks like an option', '-[-]files', {}, ['a.txt:2:--files']],
    ['the case that is asked for', 'FOO', {}, ['a.txt:3:FOO']],
    ['any case', 'FOO', { ignoreCase: true }, ['a.txt:1:foo(bar)', 'a.txt:3:FOO']],
    ['ends of lines that end as on Windows', 'cr$', {}, ['a.txt:4:cr']],
    ['letters of all kinds', 'grün', {}, ['a.txt:5:grün 😀']],
    ['several lines', 'FOO\\r?\\ncr', {}, ['a.txt:3:FOO', 'a.txt:4:cr']],
    ['several lines of plain text', '--files\nFOO', { literal: true }, ['a.txt:2:--files', 'a.txt:3:FOO']],
  ])('finds %s', async (_, pattern, more, expected) => {
    await write({ 'a.txt': 'foo(bar)\n--files\nFOO\ncr\r\ngrün 😀\n' });
    expect(await lines(pattern, more)).toEqual(expected);
  });

  it.each<[string, GrepOptions['glob'], string[]]>([
    ['a name', '*.ts', ['a.ts', 'src/b.ts', 'src/in/c.ts']],
    ['a path', 'src/*.ts', ['src/b.ts']],
    ['a path of any depth', 'src/**', ['src/b.js', 'src/b.ts', 'src/in/c.ts']],
    ['a path from here', './src/**/*.ts', ['src/b.ts', 'src/in/c.ts']],
    ['alternatives', '*.{js,md}', ['src/b.js']],
    ['what not', '!*.ts', ['src/b.js']],
    ['several', ['*.ts', '!src/in/**'], ['a.ts', 'src/b.ts']],
    ['everything', '**/*', ['a.ts', 'src/b.js', 'src/b.ts', 'src/in/c.ts']],
    ['a name with a dash in front', '-x', []],
  ])('INT-11 takes a glob for %s, and never brings back what is ignored', async (_, glob, expected) => {
    const names = [
      'a.ts',
      'src/b.ts',
      'src/b.js',
      'src/in/c.ts',
      'src/gone.ts',
      'out/d.ts',
      '.git/e.ts',
      'src/secret.ts',
    ];
    await write(Object.fromEntries(names.map((name) => [name, 'needle'])));
    await write({ '.gitignore': 'gone.ts\nout/\n', '.blackideignore': 'secret.ts' });
    expect(await files('needle', { glob: glob! })).toEqual(expected);
  });

  it('INT-11 respects nested and negated ignore files, with and without a repository', async () => {
    const names = [
      'a.log',
      'keep.log',
      'a/x.log',
      'a/keep.log',
      'a/here/x',
      'b/here/x',
      'private/x',
      '.git/x',
      'b/.git/x',
    ];
    await write(Object.fromEntries(names.map((name) => [name, 'needle'])));
    await write({ '.gitignore': '*.log\n!keep.log\n', 'a/.gitignore': '/here\n!x.log', '.blackideignore': 'private/' });
    const expected = ['a/keep.log', 'a/x.log', 'b/here/x', 'keep.log'];
    expect(await files('needle')).toEqual(expected);
    await workspace.git('init', '--quiet');
    expect(await files('needle')).toEqual(expected);
    expect(await files('needle', { root: workspace.at('b') })).toEqual(['here/x']);
  });

  it('INT-11 searches what is ignored by Git when it is named, but not what is ours to hide', async () => {
    await write({ '.gitignore': '*\n', '.blackideignore': 'private', 'out/a/x': 'needle', 'out/private/x': 'needle' });
    expect(await files('needle')).toEqual([]);
    expect(await files('needle', { path: 'out' })).toEqual(['out/a/x']);
    expect(await files('needle', { path: './out/a/x' })).toEqual(['out/a/x']);
    expect(await files('needle', { root: workspace.at('out/a') })).toEqual(['x']);
    await expect(search('needle', { path: 'out/private' })).rejects.toMatchObject({ code: 'path_ignored' });
    await expect(search('needle', { path: 'out/private/x' })).rejects.toMatchObject({ code: 'path_ignored' });
  });

  it('INT-11 does not follow ignore files of folders that are no business of the project', async () => {
    await write({
      '.gitignore': '*\n',
      'home/project/a': 'needle',
      'home/project/.gitignore': 'b',
      'home/project/b': 'needle',
    });
    expect(await files('needle', { root: workspace.at('home/project') })).toEqual(['a']);
  });

  it('INT-11 agrees with the listing on any ignore files', async () => {
    const name = fc.constantFrom('a', 'b', 'c.x', 'a b', '[a]');
    const path = fc.array(name, { minLength: 1, maxLength: 3 }).map((names) => `${names.join('/')}/file`);
    // ripgrep, which looks first, reads rarer patterns in a way of its own (`a[!b]**`): it may leave out more.
    const part = fc.constantFrom('a', 'b', '*', '*.x', '?', 'a*', '**', '[ab]', 'file');
    const pattern = fc
      .tuple(
        fc.constantFrom('', '', '!'),
        fc.constantFrom('', '/'),
        fc.array(part, { minLength: 1, maxLength: 3 }),
        fc.constantFrom('', '/'),
      )
      .map(([sign, start, parts, end]) => `${sign}${start}${parts.join('/')}${end}`);
    const rules = fc.array(pattern, { maxLength: 3 }).map((patterns) => patterns.join('\n'));
    const folder = fc.array(name, { maxLength: 2 }).map((names) => [...names, ''].join('/'));
    const ignoreFile = fc.tuple(folder, fc.constantFrom('.gitignore', '.blackideignore'), rules);
    await fc.assert(
      fc.asyncProperty(
        fc.array(path, { minLength: 1, maxLength: 8 }),
        fc.array(ignoreFile, { maxLength: 3 }),
        async (paths, ignores) => {
          await using tree = await createTempWorkspace();
          for (const each of paths) await tree.write(each, 'needle');
          for (const [below, file, text] of ignores) await tree.write(`${below}${file}`, `${text}\n# needle`);
          const walked: string[] = [];
          for await (const entry of walk({ root: tree.path })) if (entry.kind === 'file') walked.push(entry.path);
          expect((await files('needle', { root: tree.path })).sort()).toEqual(walked.sort());
        },
      ),
    );
  });

  it('says how much there is when it shows less', async () => {
    await write({ 'a.txt': 'needle\n'.repeat(10), 'b.txt': 'needle\n'.repeat(10) });
    const found = await search('needle', { maxMatches: 12 });
    expect(found).toMatchObject({ shownMatches: 12, totalMatches: 20, totalFiles: 2, cut: true, countStopped: false });
    expect(found.lines.at(-1)).toEqual({ path: 'b.txt', line: 2, text: 'needle', isContext: false });
    expect(await search('needle', { maxMatches: 0 })).toMatchObject({ lines: [], totalMatches: 20, cut: true });
  });

  it('stops counting at a number that says enough', async () => {
    await write({ 'a.txt': 'needle\n'.repeat(200_000), 'b.txt': 'needle\n' });
    const found = await search('needle', { maxMatches: 5 });
    expect(found).toMatchObject({ shownMatches: 5, totalFiles: 1, cut: true, countStopped: true });
    expect(found.totalMatches).toBeLessThanOrEqual(20_000);
    expect(found.lines).toHaveLength(5);
  });

  it('clips long lines around the match', async () => {
    await write({ 'a.txt': `${'x'.repeat(5000)}needle${'y'.repeat(5000)}\n` });
    const [line] = (await search('needle', { maxLineLength: 40 })).lines;
    expect(line?.text).toBe(`…${'x'.repeat(10)}needle${'y'.repeat(24)}…`);
  });

  it('clips lines of megabytes, whatever their encoding and however often they match', async () => {
    const long = 'é"\\\t😀needle '.repeat(400_000);
    const latin = Buffer.concat([Buffer.from([0xe9]), Buffer.alloc(3_000_000, 'needle ')]);
    await write({ 'a.txt': `first\n${long}\nneedle last\n`, 'b.txt': latin });
    const found = await search('needle', { maxLineLength: 30, context: 1 });
    expect(found.lines.map(({ path, line, text }) => [path, line, text])).toEqual([
      ['a.txt', 1, 'first'],
      ['a.txt', 2, expect.stringMatching(/^é"\\\t😀needle é"\\\t😀needle .*…$/)],
      ['a.txt', 3, 'needle last'],
      ['b.txt', 1, expect.stringMatching(/^éneedle needle .*…$/)],
    ]);
  });

  it('reads files of any encoding', async () => {
    const utf16 = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from('grün needle\r\n', 'utf16le')]);
    await write({
      'latin.txt': Buffer.from('grün needle\n', 'latin1'),
      'utf16.txt': utf16,
      'bom.txt': '\ufeffneedle\n',
    });
    expect(await lines('needle')).toEqual(['bom.txt:1:needle', 'latin.txt:1:grün needle', 'utf16.txt:1:grün needle']);
  });

  it('INT-11 leaves out binary files, also those that turn out late', async () => {
    const late = Buffer.concat([
      Buffer.from(`needle\n${'x\n'.repeat(200_000)}`),
      Buffer.from([0]),
      Buffer.from('\nneedle'),
    ]);
    await write({ 'early.bin': Buffer.from('a\0b\nneedle\n'), 'late.bin': late, 'text.txt': 'needle' });
    expect(await files('needle')).toEqual(['text.txt']);
    expect(await search('needle', { path: 'late.bin' })).toMatchObject({ totalMatches: 0 });
  });

  it('IDE-53 follows no link, in circles, to the outside, or when one is named', async () => {
    await using outside = await createTempWorkspace({ files: { 'secret.txt': 'needle' } });
    await write({ 'in/a.txt': 'needle' });
    symlinkSync('..', workspace.at('in/circle'));
    symlinkSync(outside.path, workspace.at('out'));
    symlinkSync(outside.at('secret.txt'), workspace.at('secret.txt'));
    symlinkSync('in', workspace.at('alias'));
    symlinkSync('nowhere', workspace.at('broken'));
    linkSync(workspace.at('in/a.txt'), workspace.at('hard.txt'));
    expect(await files('needle')).toEqual(['hard.txt', 'in/a.txt']);
    expect(await files('needle', { path: 'alias' })).toEqual(['in/a.txt']);
    for (const path of ['out', 'secret.txt', 'in/circle/out', '..', outside.path, '/']) {
      await expect(search('needle', { path })).rejects.toMatchObject({ code: 'outside_root' });
    }
    await expect(search('needle', { path: 'broken' })).rejects.toMatchObject({ code: 'path_missing' });
  });

  it('passes by named pipes, and refuses one that is named', async () => {
    await write({ 'a.txt': 'needle' });
    await runProcess({ command: 'mkfifo', args: [workspace.at('pipe')], env: { PATH: process.env.PATH } });
    expect(await files('needle')).toEqual(['a.txt']);
    await expect(search('needle', { path: 'pipe' })).rejects.toMatchObject({ code: 'not_searchable' });
  });

  it('takes names of all kinds', async () => {
    const names = ['-x/--pre', 'a b/c\td', 'q"\'/$(x)', '!x', '#y', '*', 'new\nline', '😀/ü', '{a}'];
    await write(Object.fromEntries(names.map((name) => [name, 'needle'])));
    expect((await files('needle')).sort()).toEqual([...names].sort());
    for (const path of names) expect(await files('needle', { path })).toEqual([path]);
    expect(await files('needle', { path: '-x' })).toEqual(['-x/--pre']);
    writeFileSync(Buffer.concat([Buffer.from(`${workspace.path}/latin-`), Buffer.from([0xe9])]), 'needle');
    expect(await files('needle')).toHaveLength(names.length + 1);
  });

  it('counts what it may not read, and goes on', async () => {
    const found = await findRipgrep();
    if (!('path' in found)) throw new Error(found.problem);
    await write({ 'tree/a/x.txt': 'needle', 'tree/shut/x.txt': 'needle', 'tree/z.txt': 'needle' });
    // Where the tests run as root, the search must not, and then it may not reach what is installed.
    copyFileSync(found.path, workspace.at('rg'));
    chmodSync(workspace.at('rg'), 0o755);
    chmodSync(workspace.path, 0o755);
    chmodSync(workspace.at('tree/shut'), 0);
    const script = fileURLToPath(new URL('./fixtures/look-as-nobody.ts', import.meta.url));
    const args = [script, workspace.at('tree'), workspace.at('rg')];
    const { stdout, stderr } = await runProcess({ command: process.execPath, args, env: { PATH: process.env.PATH } });
    expect(stderr).toBe('');
    expect(JSON.parse(stdout)).toEqual({
      walked: ['a', 'a/x.txt', 'shut', 'z.txt'],
      listed: ['a', 'a/x.txt', 'shut', 'z.txt'],
      found: ['a/x.txt', 'z.txt'],
      unreadable: ['shut'],
      counts: [1, 1],
    });
  });

  it.each<[string, string, Partial<GrepOptions>, string, RegExp]>([
    ['an open group', '(a', {}, 'invalid_pattern', /unclosed group/],
    ['a look-around', '(?<=a)b', {}, 'invalid_pattern', /look-around[^\n]*not supported$/],
    ['a pattern that is far too large', '\\w{1000}{10}', {}, 'invalid_pattern', /size limit/],
    ['a NUL character', 'a\0', {}, 'invalid_pattern', /NUL/],
    ['an open alternative in a glob', 'a', { glob: '{a' }, 'invalid_glob', /unclosed alternate/],
    ['a path that is not there', 'a', { path: 'gone' }, 'path_missing', /gone does not exist/],
    ['a path with a NUL character', 'a', { path: 'a\0' }, 'path_missing', /NUL/],
    ['a root that is not there', 'a', { root: '/nowhere/at/all' }, 'path_missing', /does not exist/],
    ['a ripgrep that is not there', 'a', { ripgrep: '/nowhere/rg' }, 'ripgrep_missing', /ENOENT/],
  ])('refuses %s with a typed error', async (_, pattern, more, code, message) => {
    await write({ 'a.txt': 'a' });
    await expect(search(pattern, more)).rejects.toMatchObject({
      name: 'BlackError',
      code,
      message: expect.stringMatching(message),
      next: expect.any(String),
    });
  });

  const pipe = (path: string) => void execFileSync('mkfifo', [workspace.at(path)]);
  const endless = (path: string) => symlinkSync('/dev/zero', workspace.at(path));
  it.each<[string, string, (path: string) => void]>([
    ['.gitignore', 'an endless device', endless],
    ['.blackideignore', 'an endless device', endless],
    ['sub/.gitignore', 'an endless device', endless],
    ['sub/deep/.gitignore', 'a named pipe', pipe],
    ['.blackideignore', 'a named pipe', pipe],
    ['sub/.gitignore', 'two megabytes', (path) => writeFileSync(workspace.at(path), 'a*\n'.repeat(700_000))],
  ])('does not read %s that is %s, nor lets ripgrep; the other rules hold', async (path, _, make) => {
    const odd = [path.startsWith('.') ? 'other/.gitignore' : '.gitignore', 'ignored \\[a]{b}!/\n*.log\n'] as const;
    await write({ [odd[0]]: odd[1], 'sub/deep/a.txt': 'needle', 'other/b.log': 'needle', 'c.txt': 'needle' });
    await write({ 'other/ignored [a]{b}!/d.txt': 'needle' });
    make(path);
    expect(await files('needle')).toEqual(['c.txt', 'sub/deep/a.txt']);
    expect(await files('needle', { path: 'sub' })).toEqual(['sub/deep/a.txt']);
    expect(await files('needle', { path: 'sub/deep/a.txt' })).toEqual(['sub/deep/a.txt']);
  });

  it('leaves folders that rules of an odd repository ignore to themselves', async () => {
    await write({
      '.gitignore': 'out \\[1]/\n',
      'out [1]/a.txt': 'needle',
      'out 1/a.txt': 'needle',
      'x/b.txt': 'needle',
    });
    pipe('x/.gitignore');
    pipe('out [1]/.gitignore');
    expect(await files('needle')).toEqual(['out 1/a.txt', 'x/b.txt']);
    expect(await files('needle', { glob: '*.txt' })).toEqual(['out 1/a.txt', 'x/b.txt']);
  });

  it('IDE-18 a search belongs to the registry of processes: its end ends it', async () => {
    // A ripgrep that never answers, as one does that waits for a file system that has gone away.
    writeFileSync(workspace.at('rg'), `#!/bin/sh\nexec sleep 1000\n`, { mode: 0o755 });
    const processes = new ProcessRegistry({ stateFolder: workspace.at('state') });
    const found = search('needle', { ripgrep: workspace.at('rg'), processes });
    await vi.waitFor(() => expect(readdirSync(workspace.at('state/processes'))).toHaveLength(1));
    const ended = expect(found).rejects.toMatchObject({ name: 'AbortError' });
    await processes.dispose();
    await ended;
    expect(readdirSync(workspace.at('state/processes'))).toEqual([]);
  });

  it('IDE-18 ends the search when it is cancelled', async () => {
    await write({ 'a.txt': 'needle\n'.repeat(1_000_000) });
    await expect(search('needle', { signal: AbortSignal.abort(new Error('before')) })).rejects.toThrow('before');
    const stop = new AbortController();
    const found = search('needle', { signal: stop.signal });
    setImmediate(() => stop.abort(new Error('meanwhile')));
    await expect(found).rejects.toThrow('meanwhile');
  });
});
