import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readStoreBytes, removeStoreFile, writeStoreParts } from './store-bytes.ts';

let folder: string;
let path: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'store-bytes-'));
  path = join(folder, 'a.bin');
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('writeStoreParts', () => {
  it('INT-12 writes parts in a row, for their owner alone, and leaves nothing else', async () => {
    await writeStoreParts(path, [Uint8Array.of(1, 2), new Uint8Array(), Uint8Array.of(3)]);
    expect([...readFileSync(path)]).toEqual([1, 2, 3]);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    await writeStoreParts(path, [Uint8Array.of(4)]);
    expect([...readStoreBytes(path)!]).toEqual([4]);
    expect(readdirSync(folder)).toEqual(['a.bin']);
  });

  it('INT-12 leaves the old file where the new one cannot take its place', async () => {
    mkdirSync(join(path, 'in'), { recursive: true });
    await expect(writeStoreParts(path, [Uint8Array.of(1)])).rejects.toMatchObject({ code: 'EISDIR' });
    expect(readdirSync(folder)).toEqual(['a.bin']);
  });
});

describe('readStoreBytes', () => {
  it('INT-12 reads into a buffer of its own, and knows when there is no file', () => {
    expect(readStoreBytes(path)).toBeUndefined();
    writeFileSync(path, new Uint8Array(100_000).fill(7));
    const bytes = readStoreBytes(path)!;
    expect([bytes.byteOffset, bytes.buffer.byteLength, bytes.every((each) => each === 7)]).toEqual([0, 100_000, true]);
    removeStoreFile(path);
    removeStoreFile(path);
    expect(readStoreBytes(path)).toBeUndefined();
    expect(readStoreBytes(join(path, 'below'))).toBeUndefined();
    expect(() => readStoreBytes(folder)).toThrow(expect.objectContaining({ code: 'EISDIR' }));
  });
});
