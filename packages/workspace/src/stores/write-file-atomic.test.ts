import { spawn } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { writeFileAtomic } from './write-file-atomic.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'write-atomic-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('writeFileAtomic', () => {
  it('SES-5 replaces a file whole, with the permissions asked for, and leaves nothing beside it', () => {
    const path = join(folder, 'state.json');
    writeFileAtomic(path, 'one');
    expect(statSync(path).mode & 0o777).toBe(0o600);
    writeFileAtomic(path, new TextEncoder().encode('two'), { mode: 0o644, durable: true });
    expect(readFileSync(path, 'utf8')).toBe('two');
    expect(statSync(path).mode & 0o777).toBe(0o644);
    expect(readdirSync(folder)).toEqual(['state.json']);
  });

  it('SES-5 leaves the old file and no rest where it fails', () => {
    const taken = join(folder, 'taken');
    mkdirSync(join(taken, 'inside'), { recursive: true });
    expect(() => writeFileAtomic(taken, 'x')).toThrow(/EISDIR|ENOTEMPTY|EEXIST|EPERM/);
    expect(() => writeFileAtomic(join(folder, 'no', 'such'), 'x')).toThrow(/ENOENT/);
    expect(readdirSync(folder)).toEqual(['taken']);
  });

  it('SES-5 replaces a symbolic link and does not write through it', () => {
    writeFileSync(join(folder, 'target'), 'old');
    symlinkSync('target', join(folder, 'link'));
    writeFileAtomic(join(folder, 'link'), 'new');
    expect(readFileSync(join(folder, 'target'), 'utf8')).toBe('old');
    expect(readFileSync(join(folder, 'link'), 'utf8')).toBe('new');
  });

  it('SES-5 a process killed while it writes leaves the old content or the new', async () => {
    const path = join(folder, 'state.json');
    const module = pathToFileURL(join(import.meta.dirname, 'write-file-atomic.ts')).href;
    const code = `
      import { writeFileAtomic } from ${JSON.stringify(module)};
      for (let i = 0; ; i++) {
        writeFileAtomic(${JSON.stringify(path)}, JSON.stringify({ i, fill: 'x'.repeat(200_000) }));
        process.stdout.write(i + '\\n');
        await new Promise(setImmediate);
      }`;
    for (const after of [0, 7, 30]) {
      const child = spawn(process.execPath, ['--input-type=module', '-e', code], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      for await (const line of createInterface({ input: child.stdout })) if (line === `${after}`) child.kill('SIGKILL');
      const { i, fill } = JSON.parse(readFileSync(path, 'utf8'));
      expect(i).toBeGreaterThanOrEqual(after);
      expect(fill).toHaveLength(200_000);
    }
  });
});
