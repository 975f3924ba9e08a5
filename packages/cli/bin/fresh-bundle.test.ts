import { appendFileSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { bundleStamp, sourceStamp, stampLine } from './fresh-bundle.mjs';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'black-stamp-'));
  for (const folder of ['packages/a/src/deep', 'packages/a/prompts'])
    mkdirSync(join(root, folder), { recursive: true });
  for (const file of ['src/index.ts', 'src/deep/b.ts', 'prompts/system.md'])
    writeFileSync(join(root, 'packages/a', file), 'x');
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

it.each([
  ['an edit', () => appendFileSync(join(root, 'packages/a/src/deep/b.ts'), 'y')],
  ['an edited prompt', () => appendFileSync(join(root, 'packages/a/prompts/system.md'), 'y')],
  ['a renamed file', () => renameSync(join(root, 'packages/a/src/deep/b.ts'), join(root, 'packages/a/src/deep/c.ts'))],
  ['a removed file', () => rmSync(join(root, 'packages/a/src/index.ts'))],
  ['a new lock', () => writeFileSync(join(root, 'package-lock.json'), '{}')],
])('changes with %s', (_what, change) => {
  const before = sourceStamp(root);
  expect(sourceStamp(root)).toBe(before);
  change();
  expect(sourceStamp(root)).not.toBe(before);
});

it('does not change with tests and fixtures, which are not bundled', () => {
  const before = sourceStamp(root);
  writeFileSync(join(root, 'packages/a/src/index.test.ts'), '');
  mkdirSync(join(root, 'packages/a/src/fixtures'));
  writeFileSync(join(root, 'packages/a/src/fixtures/x.ts'), '');
  expect(sourceStamp(root)).toBe(before);
});

it('reads the stamp at the end of a bundle', () => {
  const file = join(root, 'main.mjs');
  expect(bundleStamp(file)).toBeUndefined();
  writeFileSync(file, 'export {};\n');
  expect(bundleStamp(file)).toBeUndefined();
  appendFileSync(file, stampLine(sourceStamp(root)));
  expect(bundleStamp(file)).toBe(sourceStamp(root));
});
