import {
  closeSync,
  constants,
  copyFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { BlackError } from '@black-ide/protocol';
import { errnoOf } from './errno.ts';

/** Makes a folder of the state home, and those above it, for its owner alone. */
export function makeStoreFolder(path: string): void {
  mkdirSync(path, { recursive: true, mode: 0o700 });
}

/** The files and folders in a folder, in no certain order; nothing where it does not exist. */
export function listStoreFolder(path: string): { name: string; folder: boolean }[] {
  try {
    return readdirSync(path, { withFileTypes: true }).map((item) => ({ name: item.name, folder: item.isDirectory() }));
  } catch (cause) {
    if (errnoOf(cause) === 'ENOENT') return [];
    throw cause;
  }
}

/**
 * Keeps the bytes of a file under a second name, once: what is there already stays. Meant to be called before
 * `writeFileAtomic` replaces the file.
 */
export function keepOriginal(path: string, copy: string): void {
  try {
    // The old content keeps its place on the disk when the first name gets a new file.
    linkSync(path, copy);
  } catch (cause) {
    if (errnoOf(cause) === 'EEXIST') return;
    try {
      copyFileSync(path, copy, constants.COPYFILE_EXCL);
    } catch (second) {
      if (errnoOf(second) !== 'EEXIST') throw second;
    }
  }
}

/**
 * Moves a file or folder of the state home to another place in it, making the folder that it goes to.
 * @returns false where there is nothing to move.
 * @throws BlackError `in_the_way` where something lies there already; the system's error.
 */
export function moveInStore(from: string, to: string): boolean {
  if (!existsSync(from)) return false;
  if (existsSync(to)) throw new BlackError('in_the_way', `${to} exists already.`, 'Move it away first.');
  makeStoreFolder(dirname(to));
  renameSync(from, to);
  return true;
}

/**
 * Writes a file that must not be there yet, for its owner alone; a link in its place is not followed.
 * @throws the system's error, `EEXIST` where there is one; what was written so far is gone then.
 */
export function writeNewFile(path: string, data: string | Uint8Array): void {
  const fd = openSync(path, 'wx', 0o600);
  try {
    writeFileSync(fd, data);
  } catch (cause) {
    rmSync(path, { force: true });
    throw cause;
  } finally {
    closeSync(fd);
  }
}
