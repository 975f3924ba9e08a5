import { randomBytes } from 'node:crypto';
import { closeSync, fstatSync, openSync, readSync, rmSync } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { errnoOf } from './errno.ts';

/**
 * The bytes of a file of the state home, in a buffer of their own: typed arrays may be laid over it. Undefined where there
 * is none. @throws the system's error for any other reason.
 */
export function readStoreBytes(path: string): Uint8Array<ArrayBuffer> | undefined {
  let fd: number;
  try {
    fd = openSync(path, 'r');
  } catch (cause) {
    if (['ENOENT', 'ENOTDIR'].includes(errnoOf(cause) ?? '')) return undefined;
    throw cause;
  }
  try {
    const bytes = new Uint8Array(fstatSync(fd).size);
    let filled = 0;
    while (filled < bytes.length) {
      const read = readSync(fd, bytes, filled, bytes.length - filled, filled);
      if (read === 0) break;
      filled += read;
    }
    return bytes.subarray(0, filled);
  } finally {
    closeSync(fd);
  }
}

/**
 * Writes a file of the state home all or nothing, as `writeFileAtomic`, on the system's threads and without joining its
 * parts. They must not change meanwhile.
 * @throws the system's error; the old file is untouched then.
 */
export async function writeStoreParts(path: string, parts: readonly Uint8Array[]): Promise<void> {
  const temporary = `${path}.${randomBytes(6).toString('hex')}.tmp`;
  try {
    const file = await open(temporary, 'wx', 0o600);
    try {
      for (const part of parts) await file.writeFile(part);
    } finally {
      await file.close();
    }
    await rename(temporary, path);
  } catch (cause) {
    await rm(temporary, { force: true });
    throw cause;
  }
}

/** Removes a file of the state home. One that is not there is no error. */
export function removeStoreFile(path: string): void {
  rmSync(path, { force: true });
}
