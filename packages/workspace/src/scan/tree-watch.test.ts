import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { createTempWorkspace, runProcess, type TempWorkspace } from '@black-ide/testkit';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FileTree } from './file-tree.ts';
import { countWatches } from './fixtures/count-watches.ts';
import { TreeScan } from './tree-scan.ts';
import { TreeWatch } from './tree-watch.ts';

let workspace: TempWorkspace;
let tree: FileTree;
let watch: TreeWatch | undefined;
let wake: () => void = () => undefined;

beforeEach(async () => {
  workspace = await createTempWorkspace();
  tree = new FileTree(workspace.path);
});

afterEach(async () => {
  watch?.dispose();
  watch = undefined;
  await workspace.dispose();
});

function scan(folders?: Iterable<string>): void {
  const steps = new TreeScan(tree, folders ? { folders } : {}).run();
  while (!steps.next().done);
}

/** Follows the tree: each time something is told, the folders are scanned. */
function follow(isRecursive?: boolean): void {
  const options = isRecursive === undefined ? {} : { isRecursive };
  const steps = TreeWatch.start({
    ...options,
    tree,
    onChange: (folders) => {
      scan(folders);
      wake();
    },
    onFailure: (error) => expect.unreachable(error.message),
  });
  for (;;) {
    const step = steps.next();
    if (step.done) {
      watch = step.value;
      return;
    }
  }
}

function known(): string[] {
  return Array.from(tree.ids(), (id) => tree.path(id)).sort();
}

/** Resolves as soon as the followed tree has these files. */
async function expectFiles(...paths: string[]): Promise<void> {
  while (known().join('\n') !== paths.join('\n')) {
    await new Promise<void>((resolve) => {
      wake = resolve;
    });
  }
}

describe.each([
  ['one watch for each folder', false],
  ['one watch for all', true],
])('TreeWatch with %s', (_, isRecursive) => {
  it('INT-4 tells what is created, changed, renamed and deleted, in new folders, too', async () => {
    await workspace.write('a/x', 'x');
    scan();
    follow(isRecursive);
    writeFileSync(workspace.at('a/y'), 'y');
    await expectFiles('a/x', 'a/y');
    mkdirSync(workspace.at('b/c/d'), { recursive: true });
    writeFileSync(workspace.at('b/c/d/z'), 'z');
    await expectFiles('a/x', 'a/y', 'b/c/d/z');
    writeFileSync(workspace.at('b/c/d/w'), 'w');
    await expectFiles('a/x', 'a/y', 'b/c/d/w', 'b/c/d/z');
    renameSync(workspace.at('b'), workspace.at('e'));
    await expectFiles('a/x', 'a/y', 'e/c/d/w', 'e/c/d/z');
    writeFileSync(workspace.at('e/c/d/v'), 'v');
    rmSync(workspace.at('a'), { recursive: true });
    await expectFiles('e/c/d/v', 'e/c/d/w', 'e/c/d/z');
    mkdirSync(workspace.at('a'));
    writeFileSync(workspace.at('a/again'), 'x');
    await expectFiles('a/again', 'e/c/d/v', 'e/c/d/w', 'e/c/d/z');
    writeFileSync(workspace.at('a/more'), 'x');
    await expectFiles('a/again', 'a/more', 'e/c/d/v', 'e/c/d/w', 'e/c/d/z');
    expect(tree.count).toBe(5);
  });
});

describe('TreeWatch', () => {
  it('INT-11 watches no folder that is ignored, a link or .git', async () => {
    await workspace.write('.gitignore', 'out/\n*.log\n');
    for (const path of ['out/a/x', 'src/a/x', '.git/objects/x']) await workspace.write(path, 'x');
    symlinkSync('/', workspace.at('root'));
    scan();
    const before = countWatches();
    follow(false);
    expect(countWatches() - before).toBe(['', 'src', 'src/a'].length);
    await workspace.write('.gitignore', 'src/\n');
    await expectFiles('.gitignore', 'out/a/x');
    expect(countWatches() - before).toBe(['', 'out', 'out/a'].length);
  });

  it('leaves nothing behind', async () => {
    await workspace.write('a/b/x', 'x');
    scan();
    const before = countWatches();
    follow(false);
    writeFileSync(workspace.at('a/b/y'), 'y');
    await expectFiles('a/b/x', 'a/b/y');
    expect(countWatches()).toBe(before + 3);
    watch?.dispose();
    expect(countWatches()).toBe(before);
  });

  it('asks for a look at everything after so many changes that some may have been lost', async () => {
    await workspace.write('many/a', 'x');
    scan();
    let told: ReadonlySet<string> | undefined | 'nothing' = 'nothing';
    const heard = new Promise<void>((resolve) => {
      const onChange = (folders: ReadonlySet<string> | undefined): void => {
        told = folders;
        resolve();
      };
      const onFailure = (error: Error): void => expect.unreachable(error.message);
      const step = TreeWatch.start({ tree, isRecursive: false, mostEvents: 20, onChange, onFailure }).next();
      if (step.done) watch = step.value;
    });
    for (let file = 0; file < 20; file++) writeFileSync(workspace.at(`many/${file}`), 'x');
    await heard;
    expect(told).toBeUndefined();
  });

  it('says that the system has no watch left', async () => {
    await workspace.write('a/x', 'x');
    const script = fileURLToPath(new URL('./fixtures/watch-without-room.ts', import.meta.url));
    const { stdout, stderr } = await runProcess({
      command: 'sh',
      args: ['-c', `ulimit -n 64; exec "${process.execPath}" "${script}" "${workspace.path}"`],
      env: { PATH: process.env.PATH },
    });
    expect(stderr).toBe('');
    expect(JSON.parse(stdout)).toEqual({ failures: ['EMFILE'] });
  });
});
