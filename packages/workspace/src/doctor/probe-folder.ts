import { randomBytes } from 'node:crypto';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

export type FolderProbe = { writable: true; exists: boolean } | { writable: false; problem: string };

/**
 * Whether a folder, or where it does not exist yet the nearest one above it, takes a file. The file is removed again;
 * no folder is made.
 */
export function probeFolder(path: string): FolderProbe {
  const exists = existsSync(path);
  const file = join(exists ? path : nearestExisting(path), `.blackide-probe-${randomBytes(6).toString('hex')}`);
  try {
    writeFileSync(file, '', { flag: 'wx', mode: 0o600 });
    rmSync(file);
    return { writable: true, exists };
  } catch (error) {
    return { writable: false, problem: (error as Error).message.replace(file, path) };
  }
}

function nearestExisting(path: string): string {
  const parent = dirname(path);
  return parent === path || existsSync(parent) ? parent : nearestExisting(parent);
}
