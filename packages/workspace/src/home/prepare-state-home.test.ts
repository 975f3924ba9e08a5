import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { prepareStateHome, temporaryHome } from './prepare-state-home.ts';

describe('prepareStateHome', () => {
  it('makes the folder for its owner alone', () => {
    const path = join(temporaryFolder(), 'a', 'b');
    expect(prepareStateHome(path)).toBeUndefined();
    expect(prepareStateHome(path)).toBeUndefined();
    if (process.platform !== 'win32') expect(statSync(path).mode & 0o777).toBe(0o700);
  });

  it('IDE-88 says why it cannot, as a value', () => {
    const file = join(temporaryFolder(), 'file');
    writeFileSync(file, '');
    expect(prepareStateHome(join(file, 'x'))).toMatchObject({
      code: 'ENOTDIR',
      message: expect.stringContaining('a file is in its way'),
    });
    expect(prepareStateHome(file)?.code).toBe('ENOTDIR');
  });

  it.runIf(process.platform === 'linux')('IDE-88 comes back where the system denies a folder in odd ways', () => {
    expect(prepareStateHome('/proc/self/nope/a')?.message).toContain('/proc/self/nope/a cannot be written');
    expect(prepareStateHome('/dev/null')?.code).toBe('ENOTDIR');
  });
});

describe('temporaryHome', () => {
  it('IDE-88 is gone when it is disposed', () => {
    const home = temporaryHome();
    writeFileSync(join(home.path, 'x'), '');
    home.dispose();
    expect(existsSync(home.path)).toBe(false);
  });
});

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'black-test-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
