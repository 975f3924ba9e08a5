import { cpSync, mkdirSync, realpathSync, renameSync, rmSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { BlackError } from '@black-ide/protocol';
import { errnoOf } from '../stores/errno.ts';

/** Something that a command has made and may not keep. */
export interface SetAside {
  /** Where it was: absolute. */
  path: string;
  why: string;
  /** Where it is now. */
  keptAt: string;
}

/**
 * Moves a file, folder or link out of the workspace into a folder of ours, so that nothing is lost. Links are moved, not
 * followed, and nothing is moved that only a link leads to: another command may have put one on the way meanwhile.
 * @param folder made where it is missing
 * @throws the system's error; BlackError `moved_meanwhile`.
 */
export function setAside(path: string, root: string, folder: string, why: string): SetAside {
  const parent = dirname(path);
  if (realpathSync(parent) !== parent) throw new BlackError('moved_meanwhile', `A link leads to ${path} now.`);
  const keptAt = join(folder, relative(root, path).replaceAll('..', '_'));
  mkdirSync(dirname(keptAt), { recursive: true, mode: 0o700 });
  try {
    renameSync(path, keptAt);
  } catch (cause) {
    if (errnoOf(cause) !== 'EXDEV') throw cause;
    cpSync(path, keptAt, { recursive: true, verbatimSymlinks: true, preserveTimestamps: true });
    rmSync(path, { recursive: true, force: true });
  }
  return { path, why, keptAt };
}
