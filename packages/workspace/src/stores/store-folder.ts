import { constants, copyFileSync, linkSync, mkdirSync, readdirSync } from 'node:fs';
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
