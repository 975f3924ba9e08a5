import { mkdirSync, mkdtempSync, readlinkSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { isInstalled, linkNode } from './install.mjs';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'black-install-'));
  mkdirSync(join(folder, 'node_modules'));
  lock('package-lock.json', {
    '': { version: '1.0.0' },
    'packages/a': { version: '1.0.0' },
    'node_modules/a': {},
    'node_modules/x': { version: '2.0.0' },
    'node_modules/other-platform': { version: '1.0.0', optional: true },
  });
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function lock(name: string, packages: object): void {
  writeFileSync(join(folder, name), JSON.stringify({ packages }));
}

it.each([
  ['the packages of the lock', { 'node_modules/a': {}, 'node_modules/x': { version: '2.0.0' } }, true],
  ['an older version', { 'node_modules/a': {}, 'node_modules/x': { version: '1.9.0' } }, false],
  ['a missing package', { 'node_modules/a': {} }, false],
  ['a missing workspace', { 'node_modules/x': { version: '2.0.0' } }, false],
])('tells what is installed from what is not: %s', (_what, packages, expected) => {
  lock('node_modules/.package-lock.json', packages);
  expect(isInstalled(folder)).toBe(expected);
});

it('takes a folder without installed packages for not installed', () => {
  expect(isInstalled(folder)).toBe(false);
});

it('links the Node that npm brought, once', () => {
  const name = `node-${process.platform}-${process.arch}`;
  for (const path of [`${name}/bin`, '.bin']) mkdirSync(join(folder, 'node_modules', path), { recursive: true });
  writeFileSync(join(folder, 'node_modules', name, 'bin/node'), '');
  linkNode(folder);
  linkNode(folder);
  expect(readlinkSync(join(folder, 'node_modules/.bin/node'))).toBe(`../${name}/bin/node`);
});
