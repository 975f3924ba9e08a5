import { lstatSync, realpathSync, type Stats, statSync } from 'node:fs';
import { isAbsolute, relative, resolve, sep } from 'node:path';
import { BlackError } from '@black-ide/protocol';
import { errnoOf } from '../stores/errno.ts';

/** A file or folder below a root, all links resolved. */
export interface SearchPlace {
  /** Real path of the root. */
  root: string;
  /** From the root, with `/`; empty for the root itself. */
  path: string;
  kind: 'file' | 'folder';
}

/**
 * Finds what to search or list.
 * @throws BlackError `path_missing`, `outside_root`, `not_searchable`.
 */
export function findPlace(root: string, path = ''): SearchPlace {
  const shown = path === '' ? root : path;
  if (shown.includes('\0')) {
    throw new BlackError('path_missing', 'The path contains a NUL character.', 'Send it without.');
  }
  const realRoot = real(resolve(root), root);
  const target = real(resolve(realRoot, path), shown);
  const inside = relative(realRoot, target);
  if (inside === '..' || inside.startsWith(`..${sep}`) || isAbsolute(inside)) {
    throw new BlackError('outside_root', `${shown} lies outside of ${root}.`, 'Give a path inside of it.');
  }
  const stats = statSync(target);
  if (!stats.isFile() && !stats.isDirectory()) {
    throw new BlackError('not_searchable', `${shown} is ${kindName(stats)}.`, 'Give a file or a folder.');
  }
  return { root: realRoot, path: inside.split(sep).join('/'), kind: stats.isFile() ? 'file' : 'folder' };
}

/** Size in bytes of a file, not of what a link points to; undefined where it is gone. */
export function sizeOf(path: string): number | undefined {
  try {
    return lstatSync(path).size;
  } catch {
    // Removed since it was listed, or its name is not text.
    return undefined;
  }
}

function real(absolute: string, shown: string): string {
  try {
    return realpathSync(absolute);
  } catch (cause) {
    const code = errnoOf(cause);
    const what = ['ENOENT', 'ENOTDIR'].includes(code ?? '') ? 'does not exist' : `cannot be opened (${code})`;
    throw new BlackError('path_missing', `${shown} ${what}.`, 'Look at the folder above it with list_directory.', {
      cause,
    });
  }
}

function kindName(stats: Stats): string {
  if (stats.isFIFO()) return 'a named pipe';
  if (stats.isSocket()) return 'a socket';
  return 'a device';
}
