import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createTempWorkspace } from '@black-ide/testkit';
import { expect, it, onTestFinished } from 'vitest';
import { FolderWatch } from './watch-folders.ts';

it('IDE-38 tells of files that are created, changed, replaced and deleted, in folders that come later, too', async () => {
  const workspace = await createTempWorkspace({ files: { 'there/a.md': 'a' } });
  let changes = 0;
  let heard: (() => void) | undefined;
  const watch = await FolderWatch.start({
    folders: [workspace.at('there'), workspace.at('.blackide', 'modes')],
    onChange: () => {
      changes++;
      heard?.();
    },
  });
  onTestFinished(async () => {
    await watch.dispose();
    await workspace.dispose();
  });
  const after = async (act: () => void): Promise<void> => {
    const next = new Promise<void>((resolve) => {
      heard = resolve;
    });
    act();
    await next;
  };
  await after(() => writeFileSync(workspace.at('there', 'b.md'), 'b'));
  await after(() => writeFileSync(workspace.at('there', 'a.md'), 'changed'));
  await after(() => {
    writeFileSync(workspace.at('c.tmp'), 'whole');
    renameSync(workspace.at('c.tmp'), workspace.at('there', 'a.md'));
  });
  await after(() => rmSync(workspace.at('there', 'b.md')));
  await after(() => mkdirSync(workspace.at('.blackide', 'modes'), { recursive: true }));
  await after(() => writeFileSync(workspace.at('.blackide', 'modes', 'x.md'), 'x'));
  await after(() => rmSync(join(workspace.at('.blackide'), 'modes'), { recursive: true }));
  await after(() => mkdirSync(workspace.at('.blackide', 'modes')));
  await after(() => writeFileSync(workspace.at('.blackide', 'modes', 'y.md'), 'y'));
  expect(changes).toBeGreaterThanOrEqual(9);
});
