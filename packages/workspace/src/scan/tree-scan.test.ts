import { mkdirSync, renameSync, rmSync, statSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createTempWorkspace, runProcess, type TempWorkspace } from '@black-ide/testkit';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { walk } from '../search/walk.ts';
import { FileNews, FileTree } from './file-tree.ts';
import { type ScanOptions, type ScanResult, TreeScan } from './tree-scan.ts';

let workspace: TempWorkspace;
let tree: FileTree;
/** The clock of the scans: long after everything was written, unless a test says otherwise. */
let now: number;

beforeEach(async () => {
  workspace = await createTempWorkspace();
  tree = new FileTree(workspace.path);
  now = Date.now() + 60_000;
});

afterEach(() => workspace.dispose());

async function write(...paths: string[]): Promise<void> {
  for (const path of paths) await workspace.write(path, path);
}

function end(scan: TreeScan): ScanResult {
  const steps = scan.run();
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

/** Scans, reads everything that is to be read, and says what was found, as paths. */
function scan(options: ScanOptions = {}): Record<'added' | 'changed' | 'removed', string[]> & { unchanged: number } {
  const { added, changed, removed, unchanged } = end(new TreeScan(tree, { now: () => now, ...options }));
  for (const id of tree.ids()) tree.settle(id, tree.mtimeMs(id), tree.bytes(id));
  const paths = (ids: Iterable<number>) => Array.from(ids, (id) => tree.path(id)).sort();
  return { added: paths(added), changed: paths(changed), removed: paths(removed), unchanged };
}

function known(): string[] {
  return Array.from(tree.ids(), (id) => tree.path(id)).sort();
}

const NOTHING = { added: [], changed: [], removed: [] };

describe('TreeScan', () => {
  it('INT-4 finds what is new, what has changed and what is gone', async () => {
    await write('a.ts', 'lib/b.ts', 'lib/in/c.ts');
    expect(scan()).toEqual({ added: ['a.ts', 'lib/b.ts', 'lib/in/c.ts'], changed: [], removed: [], unchanged: 0 });
    expect(scan()).toEqual({ ...NOTHING, unchanged: 3 });
    await workspace.write('lib/b.ts', 'longer than before');
    await write('lib/in/d.ts', 'new/e.ts');
    rmSync(workspace.at('a.ts'));
    expect(scan()).toEqual({
      added: ['lib/in/d.ts', 'new/e.ts'],
      changed: ['lib/b.ts'],
      removed: ['a.ts'],
      unchanged: 1,
    });
    rmSync(workspace.at('lib'), { recursive: true });
    expect(scan()).toEqual({
      ...NOTHING,
      removed: ['lib/b.ts', 'lib/in/c.ts', 'lib/in/d.ts'],
      unchanged: 1,
    });
    expect(known()).toEqual(['new/e.ts']);
  });

  it('INT-4 tells a change by the time as by the size, also where time goes back', async () => {
    await write('a', 'b', 'c');
    scan();
    await workspace.write('a', 'A');
    utimesSync(workspace.at('b'), new Date(0), new Date(0));
    expect(scan()).toMatchObject({ changed: ['a', 'b'], unchanged: 1 });
    now = 0;
    expect(scan()).toEqual({ ...NOTHING, unchanged: 3 });
  });

  it('INT-4 follows renames of files and folders, and a path that comes back has its old number', async () => {
    await write('a/x', 'a/y', 'z');
    scan();
    const id = tree.idOf('a/x');
    renameSync(workspace.at('a'), workspace.at('b'));
    renameSync(workspace.at('z'), workspace.at('a'));
    expect(scan()).toEqual({ added: ['a', 'b/x', 'b/y'], changed: [], removed: ['a/x', 'a/y', 'z'], unchanged: 0 });
    expect(tree.path(id!)).toBe('a/x');
    expect(tree.has(id!)).toBe(false);
    rmSync(workspace.at('a'));
    renameSync(workspace.at('b'), workspace.at('a'));
    expect(scan()).toMatchObject({ added: ['a/x', 'a/y'] });
    expect(tree.idOf('a/x')).toBe(id);
    expect(tree.count).toBe(2);
  });

  it('INT-4 does not remember all files with ever new names that came and went', async () => {
    await write('stays');
    scan();
    for (let file = 0; file < 10_100; file++) {
      const id = tree.add(tree.top, `built-${file}`);
      tree.remove(id);
      tree.gone.delete(id);
    }
    expect(tree.size).toBeLessThan(10_050);
    expect(tree.idOf('stays')).toBe(0);
    await write('built-10099', 'other');
    expect(scan().added).toEqual(['built-10099', 'other']);
    expect([tree.count, known()]).toEqual([3, ['built-10099', 'other', 'stays']]);
  });

  it('INT-4 counts a file as changed until it was read as it is', async () => {
    await write('a');
    end(new TreeScan(tree, { now: () => now }));
    const id = tree.idOf('a')!;
    const again = (): ScanResult => end(new TreeScan(tree, { now: () => now }));
    expect([...again().changed]).toEqual([id]);
    tree.settle(id, tree.mtimeMs(id) - 1, tree.bytes(id));
    expect([...again().changed]).toEqual([id]);
    tree.settle(id, tree.mtimeMs(id), tree.bytes(id));
    expect(again()).toMatchObject({ changed: new Set(), unchanged: 1 });
  });

  it('INT-4 does not take equal times for proof where the file was looked at in the moment of its change', async () => {
    await write('a', 'b');
    const moment = new Date(1_700_000_000_005);
    utimesSync(workspace.at('a'), moment, moment);
    now = moment.getTime() + 1;
    scan();
    const id = tree.idOf('a')!;
    expect(tree.news(id)).toBe(FileNews.JUST_CHANGED);
    now += 1_000;
    expect(scan()).toEqual({ ...NOTHING, changed: ['a'], unchanged: 1 });
    expect(scan()).toEqual({ ...NOTHING, unchanged: 2 });
  });

  it('INT-4 is more careful where the file system keeps whole seconds alone', async () => {
    await write('a');
    const second = new Date(1_700_000_000_000);
    utimesSync(workspace.at('a'), second, second);
    now = second.getTime() + 1_500;
    scan();
    expect(tree.news(tree.idOf('a')!)).toBe(FileNews.JUST_CHANGED);
  });

  it('INT-4 sees a new name in a folder whose time was set back', async () => {
    await write('in/a');
    const before = statSync(workspace.at('in'));
    scan();
    expect(scan()).toEqual({ ...NOTHING, unchanged: 1 });
    await write('in/b');
    utimesSync(workspace.at('in'), before.atime, before.mtime);
    expect(scan()).toEqual({ ...NOTHING, added: ['in/b'], unchanged: 1 });
  });

  it('INT-4 takes the time of a folder for no proof where it changed in the moment of the look', async () => {
    await write('a');
    now = statSync(workspace.path).ctimeMs + 1;
    scan();
    expect(tree.top.ctimeMs).toBeNaN();
    now += 60_000;
    scan();
    expect(tree.top.ctimeMs).toBe(statSync(workspace.path).ctimeMs);
  });

  it('INT-4 reads the names where the file system is not trusted, and finds what its times do not show', async () => {
    await write('a', 'b');
    scan();
    // As if the folder had kept its time though it has another name in it.
    const { names, entries } = tree.top;
    tree.top.list(names.slice(1), entries.slice(1));
    expect(scan({ trustsFolderTimes: true })).toEqual({ ...NOTHING, unchanged: 1 });
    expect(scan({ trustsFolderTimes: false }).added).toEqual([names[0]]);
  });

  it('INT-4 looks only at the folders that it is told, at new ones in them and at the nearest of unknown ones', async () => {
    await write('a/x', 'b/y', 'b/in/z');
    scan();
    await write('a/new', 'b/new', 'b/in/new', 'b/made/by/new', 'c/new');
    expect(scan({ folders: ['b'] })).toMatchObject({ added: ['b/made/by/new', 'b/new'] });
    expect(scan({ folders: ['c/not/there'] })).toMatchObject({ added: ['c/new'] });
    expect(scan({ folders: ['a/', 'b/in'] })).toMatchObject({ added: ['a/new', 'b/in/new'] });
    rmSync(workspace.at('b'), { recursive: true });
    expect(scan({ folders: ['b/in', 'b', ''] }).removed).toHaveLength(5);
    expect(scan()).toEqual({ ...NOTHING, unchanged: 3 });
  });

  it('INT-5 follows no link, and takes nothing but regular files', async () => {
    await write('in/x', 'y');
    symlinkSync('..', workspace.at('in/circle'));
    symlinkSync('/', workspace.at('out'));
    symlinkSync('nowhere', workspace.at('broken'));
    symlinkSync('y', workspace.at('alias'));
    await runProcess({ command: 'mkfifo', args: [workspace.at('pipe')], env: { PATH: process.env.PATH } });
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(workspace.at('socket'), resolve));
    try {
      expect(scan().added).toEqual(['in/x', 'y']);
      expect(scan()).toEqual({ ...NOTHING, unchanged: 2 });
    } finally {
      server.close();
    }
  });

  it('INT-5 sees a file become a folder, a folder a file, and either of them a link', async () => {
    await write('a', 'b/x', 'c', 'd/x', 'e/x');
    scan();
    for (const path of ['a', 'b', 'c', 'd']) rmSync(workspace.at(path), { recursive: true });
    await write('a/x', 'b');
    symlinkSync('e/x', workspace.at('c'));
    symlinkSync('e', workspace.at('d'));
    expect(scan()).toEqual({ added: ['a/x', 'b'], changed: [], removed: ['a', 'b/x', 'c', 'd/x'], unchanged: 1 });
    for (const path of ['c', 'd']) rmSync(workspace.at(path));
    await write('c', 'd/x');
    expect(scan()).toMatchObject({ added: ['c', 'd/x'], unchanged: 3 });
  });

  it('INT-5 survives files and folders that vanish after they were listed', async () => {
    const numbers = Array.from({ length: 300 }, (_, index) => index);
    await write(...numbers.map((each) => `one/${each}`), ...numbers.map((each) => `two/${each}`));
    const steps = new TreeScan(tree, { now: () => now }).run();
    // It pauses in the middle of one of the folders, and has listed both.
    steps.next();
    for (const folder of ['one', 'two']) rmSync(workspace.at(folder), { recursive: true });
    await write('one');
    for (let step = steps.next(); !step.done; step = steps.next());
    expect(known().length).toBeLessThan(300);
    scan();
    expect(known()).toEqual(['one']);
  });

  it('INT-5 takes names with line breaks, and notes those that are not UTF-8', async () => {
    await write('line\nbreak', 'ä\u0301 \u{1f600}');
    writeFileSync(Buffer.from(`${workspace.path}/caf\xe9`, 'latin1'), 'x');
    mkdirSync(Buffer.from(`${workspace.path}/d\xe9`, 'latin1'));
    for (let round = 0; round < 2; round++) {
      scan();
      expect(known()).toEqual(['line\nbreak', 'ä\u0301 \u{1f600}']);
      expect([...tree.unreadable]).toEqual([
        ['caf\ufffd', 'its name is not UTF-8'],
        ['d\ufffd/', 'its name is not UTF-8'],
      ]);
    }
  });

  it('INT-5 counts a folder that cannot be read, and keeps what was known of it', async () => {
    await write('tree/a', 'tree/shut/b', 'tree/dark/c');
    const script = fileURLToPath(new URL('./fixtures/scan-as-nobody.ts', import.meta.url));
    const { stdout, stderr } = await runProcess({
      command: process.execPath,
      args: [script, workspace.at('tree')],
      env: { PATH: process.env.PATH },
    });
    expect(stderr).toBe('');
    const found = JSON.parse(stdout);
    expect(found.before).toEqual({ known: ['a', 'dark/c', 'shut/b'], unreadable: [] });
    expect(found.shut).toEqual({
      known: ['a', 'dark/c', 'shut/b'],
      unreadable: [['shut/', 'the folder cannot be read (EACCES)']],
      sizes: { a: 6, 'dark/c': -1, 'shut/b': 11 },
    });
    expect(found.after).toEqual({ known: ['a', 'dark/c', 'shut/b'], unreadable: [] });
  });

  it('IDE-18 may be ended early: the next scan finds the rest, by the rules of now', async () => {
    const many = Array.from({ length: 300 }, (_, index) => `b/${index}`);
    await write('a/x.log', ...many, 'c/x.log', 'c/d/x.log');
    scan();
    await workspace.write('.gitignore', '*.log');
    const steps = new TreeScan(tree, { now: () => now }).run();
    steps.next();
    steps.return({ added: new Set(), changed: new Set(), removed: new Set(), unchanged: 0 });
    scan();
    expect(known()).toEqual(['.gitignore', ...many.sort()]);
    expect([...tree.gone].map((id) => tree.path(id)).sort()).toEqual(['a/x.log', 'c/d/x.log', 'c/x.log']);
  });

  it('says that the folder itself is gone, and forgets nothing', async () => {
    await write('in/a');
    tree = new FileTree(workspace.at('in'));
    scan();
    renameSync(workspace.at('in'), workspace.at('elsewhere'));
    expect(() => scan()).toThrow(expect.objectContaining({ code: 'root_missing' }));
    expect(known()).toEqual(['a']);
  });

  it('goes to the bottom of a very deep tree', async () => {
    const deep = 'd/'.repeat(1_000);
    await write(`${deep}file`);
    expect(scan().added).toEqual([`${deep}file`]);
    expect(scan()).toEqual({ ...NOTHING, unchanged: 1 });
  });
});

describe('TreeScan and ignore files', () => {
  it('INT-11 leaves out what nested and negated rules ignore, and .git', async () => {
    await write('a.log', 'keep.log', 'lib/x', 'sub/keep.log', 'sub/b.log', 'sub/lib/y', '.git/config', 'secret/z');
    await workspace.write('.gitignore', '*.log\nlib/\n');
    await workspace.write('sub/.gitignore', '!keep.log\n!lib/\n');
    await workspace.write('.blackideignore', 'secret\n');
    expect(scan().added).toEqual(['.blackideignore', '.gitignore', 'sub/.gitignore', 'sub/keep.log', 'sub/lib/y']);
  });

  it('INT-11 judges anew below an ignore file that was written, changed, removed or became a link', async () => {
    await write('a/x.log', 'a/b/y.log', 'z.log', 'rules');
    scan();
    await workspace.write('a/.gitignore', '*.log');
    expect(scan()).toMatchObject({ added: ['a/.gitignore'], removed: ['a/b/y.log', 'a/x.log'] });
    await workspace.write('a/.gitignore', 'b/*.log');
    expect(scan()).toMatchObject({ added: ['a/x.log'], changed: ['a/.gitignore'] });
    await workspace.write('.blackideignore', '/*.log');
    expect(scan()).toMatchObject({ added: ['.blackideignore'], removed: ['z.log'] });
    rmSync(workspace.at('a/.gitignore'));
    symlinkSync('../rules', workspace.at('a/.gitignore'));
    expect(scan()).toMatchObject({ added: ['a/b/y.log'], removed: ['a/.gitignore'] });
    rmSync(workspace.at('.blackideignore'));
    expect(scan()).toMatchObject({ added: ['z.log'], removed: ['.blackideignore'] });
  });

  it('INT-11 judges anew when the rules above the root change, also where only a folder is looked at', async () => {
    await write('.git/HEAD', 'in/x.log', 'in/a/y.log');
    tree = new FileTree(workspace.at('in'));
    expect(scan().added).toEqual(['a/y.log', 'x.log']);
    await workspace.write('.gitignore', '*.log');
    expect(scan({ folders: ['a'] })).toMatchObject({ removed: ['a/y.log', 'x.log'] });
    rmSync(workspace.at('.git'), { recursive: true });
    expect(scan()).toMatchObject({ added: ['a/y.log', 'x.log'] });
  });

  it.each([
    ['knows its file system', true],
    ['does not', false],
  ])('INT-11 agrees with a walk of the tree after any changes when it %s', async (_, trustsFolderTimes) => {
    const name = fc.constantFrom('a', 'b', 'c.x', '.gitignore', '.blackideignore');
    const path = fc.array(name, { minLength: 1, maxLength: 3 }).map((names) => names.join('/'));
    const rules = fc
      .array(fc.constantFrom('a', '/a', 'b/', '*.x', '!a', '!c.x', 'a/b', '**/c.x', '!b/'), { maxLength: 3 })
      .map((lines) => lines.join('\n'));
    const step = fc.oneof(
      fc.record({ kind: fc.constant('write' as const), path, text: rules }),
      fc.record({ kind: fc.constant('remove' as const), path }),
      fc.record({ kind: fc.constant('move' as const), path, to: path }),
    );
    const round = fc.record({ steps: fc.array(step, { maxLength: 6 }), looks: fc.constantFrom('all', 'some', 'half') });
    await fc.assert(
      fc.asyncProperty(fc.array(round, { minLength: 1, maxLength: 4 }), async (rounds) => {
        await using place = await createTempWorkspace();
        const incremental = new FileTree(place.path);
        // The changes of one round lie within a tick of the clock: times prove nothing there.
        const options = { now: Date.now, trustsFolderTimes };
        for (const { steps, looks } of rounds) {
          for (const each of steps) ifPossible(() => change(place.path, each));
          if (looks === 'some') end(new TreeScan(incremental, { ...options, folders: ['a', 'b/c.x', ''] }));
          else if (looks === 'half') {
            const half = new TreeScan(incremental, options).run();
            half.next();
            half.return({ added: new Set(), changed: new Set(), removed: new Set(), unchanged: 0 });
          }
        }
        end(new TreeScan(incremental, options));
        const walked: string[] = [];
        for await (const entry of walk({ root: place.path })) if (entry.kind === 'file') walked.push(entry.path);
        expect(Array.from(incremental.ids(), (id) => incremental.path(id)).sort()).toEqual(walked.sort());
        expect(incremental.count).toBe(walked.length);
        for (const each of walked) expect(incremental.path(incremental.idOf(each)!)).toBe(each);
        for (const id of incremental.ids())
          expect(incremental.bytes(id)).toBe(statSync(incremental.absolutePath(id)).size);
      }),
    );
  });
});

type Change = { kind: 'write'; path: string; text: string } | { kind: 'remove'; path: string } | Move;
type Move = { kind: 'move'; path: string; to: string };

function change(root: string, step: Change): void {
  const path = join(root, step.path);
  if (step.kind === 'remove') rmSync(path, { recursive: true, force: true });
  else if (step.kind === 'move') renameSync(path, join(root, step.to));
  else {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, step.text);
  }
}

/** Random steps may not fit what is there. */
function ifPossible(act: () => void): void {
  try {
    act();
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? '';
    if (!['EEXIST', 'ENOTDIR', 'EISDIR', 'ENOENT', 'ENOTEMPTY', 'EINVAL'].includes(code)) throw error;
  }
}
