import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createTempWorkspace, runProcess, type TempWorkspace } from '@black-ide/testkit';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { grep } from './grep.ts';
import { type ListDirectoryOptions, listDirectory } from './list-directory.ts';
import { walk } from './walk.ts';

let workspace: TempWorkspace;

beforeEach(async () => {
  workspace = await createTempWorkspace();
});

afterEach(() => workspace.dispose());

async function write(...paths: string[]): Promise<void> {
  for (const path of paths) await workspace.write(path, path);
}

async function list(options: Partial<ListDirectoryOptions> = {}): Promise<string[]> {
  const { entries } = await listDirectory({ root: workspace.path, ...options });
  return entries.map(
    ({ path, kind, omitted }) => `${path}${kind === 'folder' ? '/' : ''}${omitted ? ` +${omitted}` : ''}`,
  );
}

async function walked(path = ''): Promise<string[]> {
  const paths: string[] = [];
  for await (const entry of walk({ root: workspace.path, path })) paths.push(entry.path);
  return paths;
}

describe('listDirectory', () => {
  it('lists folders first, then files, both by name, with sizes', async () => {
    await write('b.txt', 'a.txt', 'z/in', 'y/in', '.env', 'B.txt');
    expect(await list()).toEqual(['y/', 'z/', '.env', 'B.txt', 'a.txt', 'b.txt']);
    const { entries } = await listDirectory({ root: workspace.path });
    expect(entries.at(-1)).toEqual({ path: 'b.txt', name: 'b.txt', kind: 'file', depth: 1, size: 5 });
    expect(entries[0]).toEqual({ path: 'y', name: 'y', kind: 'folder', depth: 1 });
  });

  it('goes as deep as asked', async () => {
    await write('a/b/c/d', 'a/x', 'y');
    expect(await list({ depth: 1 })).toEqual(['a/', 'y']);
    expect(await list({ depth: 2 })).toEqual(['a/', 'a/b/', 'a/x', 'y']);
    expect(await list({ depth: 9 })).toEqual(['a/', 'a/b/', 'a/b/c/', 'a/b/c/d', 'a/x', 'y']);
    expect(await list({ path: 'a/b', depth: 1 })).toEqual(['a/b/c/']);
  });

  it('shows the upper levels first where there is too much, and says what is missing', async () => {
    await write(...Array.from({ length: 9 }, (_, index) => `full/${index}`), 'other/x', 'y');
    const cut = await listDirectory({ root: workspace.path, depth: 2, maxEntries: 5 });
    expect(cut).toMatchObject({ cut: true, omitted: 0 });
    expect(await list({ depth: 2, maxEntries: 5 })).toEqual(['full/ +7', 'full/0', 'full/1', 'other/', 'y']);
    const narrow = await listDirectory({ root: workspace.path, maxEntries: 1 });
    expect(narrow).toMatchObject({ cut: true, omitted: 2, entries: [{ path: 'full' }] });
    expect(await listDirectory({ root: workspace.path, depth: 2, maxEntries: 13 })).toMatchObject({ cut: false });
  });

  it('INT-11 leaves out what is ignored', async () => {
    await write('node_modules/a', 'src/a.ts', 'src/a.log', 'secret/x', '.git/config');
    await workspace.write('.gitignore', 'node_modules\n*.log');
    await workspace.write('.blackideignore', 'secret');
    expect(await list({ depth: 3 })).toEqual(['src/', 'src/a.ts', '.blackideignore', '.gitignore']);
    expect(await list({ path: 'node_modules' })).toEqual(['node_modules/a']);
  });

  it('IDE-53 shows links and special files, and follows none', async () => {
    await write('in/x');
    symlinkSync('..', workspace.at('in/circle'));
    symlinkSync('/', workspace.at('out'));
    symlinkSync('nowhere', workspace.at('broken'));
    await runProcess({ command: 'mkfifo', args: [workspace.at('pipe')], env: { PATH: process.env.PATH } });
    const { entries } = await listDirectory({ root: workspace.path, depth: 99 });
    expect(entries.map(({ path, kind }) => [path, kind])).toEqual([
      ['in', 'folder'],
      ['in/circle', 'link'],
      ['in/x', 'file'],
      ['broken', 'link'],
      ['out', 'link'],
      ['pipe', 'other'],
    ]);
    await expect(list({ path: 'out' })).rejects.toMatchObject({ code: 'outside_root' });
    await expect(list({ path: 'pipe' })).rejects.toMatchObject({ code: 'not_searchable' });
    await expect(list({ path: 'in/x' })).rejects.toMatchObject({ code: 'not_a_folder' });
  });

  it('IDE-18 stops when it is cancelled', async () => {
    await expect(list({ signal: AbortSignal.abort(new Error('stop')) })).rejects.toThrow('stop');
  });
});

describe('walk', () => {
  it('meets five thousand files in the same order each time', async () => {
    for (let folder = 0; folder < 50; folder++) {
      mkdirSync(workspace.at(`d${folder}/e`), { recursive: true });
      for (let file = 0; file < 100; file++) writeFileSync(workspace.at(`d${folder}/e/${file}.txt`), 'needle');
    }
    const first = await walked();
    expect(first).toHaveLength(5_100);
    expect(await walked()).toEqual(first);
    const found = await grep({ root: workspace.path, pattern: 'needle', maxMatches: 10_000 });
    expect(found).toMatchObject({ totalFiles: 5_000, cut: false });
  });

  it('survives a tree that changes under its feet', async () => {
    await write('a/x', 'b/y', 'c/z');
    const paths: string[] = [];
    for await (const entry of walk({ root: workspace.path })) {
      paths.push(entry.path);
      if (entry.path === 'a') rmSync(workspace.at('b'), { recursive: true });
    }
    expect(paths).toEqual(['a', 'a/x', 'b', 'c', 'c/z']);
  });

  it('goes to the bottom of a very deep tree', async () => {
    const deep = 'd/'.repeat(1_000);
    await write(`${deep}file`);
    expect(await walked()).toHaveLength(1_001);
  });

  it('IDE-18 stops when it is cancelled', async () => {
    await write('a/x', 'b/y');
    const stop = new AbortController();
    const paths: string[] = [];
    const all = (async () => {
      for await (const entry of walk({ root: workspace.path, signal: stop.signal })) {
        paths.push(entry.path);
        stop.abort(new Error('stop'));
      }
    })();
    await expect(all).rejects.toThrow('stop');
    expect(paths).toEqual(['a']);
  });

  it('agrees with a listing of everything', async () => {
    const path = fc.array(fc.constantFrom('a', 'b', 'C', 'a.b', '-', 'é'), { minLength: 1, maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(fc.array(path, { maxLength: 10 }), fc.nat(20), async (paths, maxEntries) => {
        await using tree = await createTempWorkspace();
        for (const parts of paths) await tree.write(`${parts.join('/')}/file`, '');
        const all: string[] = [];
        for await (const entry of walk({ root: tree.path })) all.push(entry.path);
        const listing = await listDirectory({ root: tree.path, depth: 99 });
        expect(listing.entries.map((entry) => entry.path)).toEqual(all);
        const some = await listDirectory({ root: tree.path, depth: 99, maxEntries });
        expect(some.entries).toHaveLength(Math.min(maxEntries, all.length));
        expect(some.cut).toBe(maxEntries < all.length);
        expect(all.filter((each) => some.entries.some((entry) => entry.path === each))).toEqual(
          some.entries.map((entry) => entry.path),
        );
      }),
    );
  });
});
