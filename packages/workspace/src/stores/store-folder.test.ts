import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { keepOriginal, listStoreFolder, makeStoreFolder } from './store-folder.ts';
import { workspaceKey } from './workspace-key.ts';
import { writeFileAtomic } from './write-file-atomic.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'store-folder-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('workspaceKey', () => {
  it('SES-4 names a folder readably and tells names apart that look alike', () => {
    expect(workspaceKey('/home/ada/notes-app')).toMatch(/^notes-app-[0-9a-f]{8}$/);
    expect(workspaceKey('/')).toMatch(/^root-[0-9a-f]{8}$/);
    expect(workspaceKey('/home/ada/…')).toMatch(/^root-[0-9a-f]{8}$/);
    expect(workspaceKey('/home/ada/.config')).toMatch(/^config-[0-9a-f]{8}$/);
    const alike = ['/w/a_b', '/w/a-b', '/w/a.b', '/w/a b', '/w/a/b'].map(workspaceKey);
    expect(new Set(alike).size).toBe(alike.length);
  });

  it('SES-4 is a safe file name for any path', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (path) => {
        expect(workspaceKey(path)).toMatch(/^[A-Za-z0-9_][A-Za-z0-9._-]{0,39}-[0-9a-f]{8}$/);
      }),
    );
  });
});

describe('store folders', () => {
  it('SES-4 makes them for their owner alone and lists them, also where there is none', () => {
    const path = join(folder, 'sessions', 'key');
    makeStoreFolder(path);
    makeStoreFolder(path);
    expect(statSync(path).mode & 0o777).toBe(0o700);
    writeFileSync(join(path, 'a'), '');
    expect(listStoreFolder(path)).toEqual([{ name: 'a', folder: false }]);
    expect(listStoreFolder(join(folder, 'sessions'))).toEqual([{ name: 'key', folder: true }]);
    expect(listStoreFolder(join(folder, 'none'))).toEqual([]);
    expect(() => listStoreFolder(join(path, 'a'))).toThrow(/ENOTDIR/);
  });

  it('SES-5 keeps the original beside a file that is replaced, once', () => {
    const path = join(folder, 'file');
    writeFileSync(path, 'one');
    keepOriginal(path, `${path}.kept`);
    writeFileAtomic(path, 'two');
    keepOriginal(path, `${path}.kept`);
    writeFileAtomic(path, 'three');
    expect(readFileSync(`${path}.kept`, 'utf8')).toBe('one');
    expect(readFileSync(path, 'utf8')).toBe('three');
    expect(() => keepOriginal(join(folder, 'none'), `${path}.other`)).toThrow(/ENOENT/);
  });
});
