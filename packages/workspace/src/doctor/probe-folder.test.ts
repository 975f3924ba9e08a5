import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { probeFolder } from './probe-folder.ts';

describe('probeFolder', () => {
  it('IDE-84 tells whether a folder takes a file, and leaves nothing behind', () => {
    const folder = temporaryFolder();
    expect(probeFolder(folder)).toEqual({ writable: true, exists: true });
    expect(probeFolder(join(folder, 'a', 'b'))).toEqual({ writable: true, exists: false });
    expect(readdirSync(folder)).toEqual([]);
    const file = join(folder, 'file');
    writeFileSync(file, '');
    expect(probeFolder(join(file, 'x'))).toMatchObject({
      writable: false,
      problem: expect.stringContaining('ENOTDIR'),
    });
    expect(probeFolder(file)).toMatchObject({ writable: false });
    expect(existsSync(file)).toBe(true);
  });
});

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'black-test-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
