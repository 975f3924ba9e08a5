import { rmSync } from 'node:fs';
import { createTempWorkspace } from '@black-ide/testkit';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FileTree } from './file-tree.ts';
import { columnsOf, type TreeColumns, treeOf } from './tree-columns.ts';
import { type ScanResult, TreeScan } from './tree-scan.ts';

const LATER = Date.now() + 60_000;

function scan(tree: FileTree): ScanResult {
  const steps = new TreeScan(tree, { now: () => LATER }).run();
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

function read(tree: FileTree): void {
  for (const id of tree.ids()) tree.settle(id, tree.mtimeMs(id), tree.bytes(id));
}

describe('columnsOf and treeOf', () => {
  it('INT-12 bring back a tree that the next scan finds unchanged, whatever its names', async () => {
    const name = fc.constantFrom('a', 'b', 'c.ts', 'line\nbreak', 'ä\u{1f600}', '.gitignore', '-');
    const path = fc.array(name, { minLength: 1, maxLength: 4 }).map((names) => names.join('/'));
    await fc.assert(
      fc.asyncProperty(fc.uniqueArray(path, { maxLength: 12 }), fc.uniqueArray(path), async (paths, removed) => {
        await using workspace = await createTempWorkspace();
        for (const each of paths) await workspace.write(`${each}/file`, 'b');
        const tree = new FileTree(workspace.path);
        scan(tree);
        for (const each of removed) rmSync(workspace.at(each), { recursive: true, force: true });
        scan(tree);
        read(tree);
        const loaded = treeOf(workspace.path, columnsOf(tree));
        expect([...loaded.ids()].map((id) => [id, loaded.path(id)])).toEqual(
          [...tree.ids()].map((id) => [id, tree.path(id)]),
        );
        expect([loaded.count, loaded.size, loaded.stampAbove]).toEqual([tree.count, tree.size, tree.stampAbove]);
        expect(scan(loaded)).toEqual({
          added: new Set(),
          changed: new Set(),
          removed: new Set(),
          unchanged: tree.count,
        });
        for (const each of paths) await workspace.write(`${each}/file`, 'b');
        scan(tree);
        scan(loaded);
        for (const id of tree.ids()) expect(loaded.idOf(tree.path(id))).toBe(id);
      }),
    );
  });

  it('INT-12 keep what was not read yet', async () => {
    await using workspace = await createTempWorkspace({ files: { a: 'a', b: 'b' } });
    const tree = new FileTree(workspace.path);
    scan(tree);
    const loaded = treeOf(workspace.path, columnsOf(tree));
    expect(scan(loaded)).toMatchObject({ changed: new Set(tree.ids()), unchanged: 0 });
  });

  it('INT-12 refuse columns that make no tree', async () => {
    await using workspace = await createTempWorkspace({ files: { 'a/b': 'x', 'c/d': 'x' } });
    const tree = new FileTree(workspace.path);
    scan(tree);
    const columns = columnsOf(tree);
    const wrong: Partial<TreeColumns>[] = [
      { entries: columns.entries.map(() => 0) },
      { entries: columns.entries.map(() => 99) },
      { entries: columns.entries.map(() => -4) },
      { entries: columns.entries.slice(1) },
      { counts: columns.counts.slice(1) },
      { counts: columns.counts.map(() => 1) },
      { names: new Uint8Array() },
      { mtimes: new Float64Array(9) },
      { buriedIds: Uint32Array.of(0), buriedPaths: Buffer.from('x') },
    ];
    for (const each of wrong) {
      expect(() => treeOf(workspace.path, { ...columns, ...each }), JSON.stringify(each)).toThrow(RangeError);
    }
  });
});
