import { randomBytes } from 'node:crypto';
import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

export interface WriteFileAtomicOptions {
  /** Permissions of the new file. Default: 0600, its owner alone. */
  mode?: number;
  /** Waits until the disk itself has the file: it survives a power cut. */
  durable?: boolean;
}

/**
 * Writes a file all or nothing: whoever reads it, whenever we are killed, finds the old content or the new. A symbolic
 * link is replaced, not followed.
 * @throws the system's error; the old file is untouched then.
 */
export function writeFileAtomic(
  path: string,
  data: string | Uint8Array,
  { mode = 0o600, durable = false }: WriteFileAtomicOptions = {},
): void {
  const temporary = `${path}.${randomBytes(6).toString('hex')}.tmp`;
  try {
    const fd = openSync(temporary, 'wx', mode);
    try {
      writeFileSync(fd, data);
      if (durable) fsyncSync(fd);
    } finally {
      closeSync(fd);
    }
    renameSync(temporary, path);
  } catch (cause) {
    rmSync(temporary, { force: true });
    throw cause;
  }
  if (durable) syncFolder(dirname(path));
}

/** The name itself is only safe once its folder is on the disk. */
function syncFolder(folder: string): void {
  if (process.platform === 'win32') return;
  const fd = openSync(folder, 'r');
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}
