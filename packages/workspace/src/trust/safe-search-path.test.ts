import { mkdirSync, symlinkSync } from 'node:fs';
import { createTempWorkspace } from '@black-ide/testkit';
import { expect, it } from 'vitest';
import { safeSearchPath } from './safe-search-path.ts';

it('IDE-67 nothing of the folder is found as a program: relative, empty, inside, through a link', async () => {
  await using workspace = await createTempWorkspace({});
  await using other = await createTempWorkspace({});
  mkdirSync(workspace.at('bin'));
  symlinkSync(workspace.at('bin'), other.at('link'));
  const entries = [
    'node_modules/.bin',
    '',
    '.',
    workspace.path,
    workspace.at('bin'),
    other.at('link'),
    '/usr/bin',
    '..',
  ];
  const sibling = `${workspace.path}-2/bin`;
  expect(safeSearchPath([...entries, sibling].join(':'), workspace.path)).toBe(`/usr/bin:${sibling}`);
});
