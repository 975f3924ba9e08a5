import type { Stats } from 'node:fs';
import { BlackError, type EngineError } from '@black-ide/protocol';
import { errnoOf } from '../stores/errno.ts';

interface Explanation {
  code: string;
  message: (path: string) => string;
  next: string;
}

const NO_PERMISSION: Explanation = {
  code: 'no_permission',
  message: (path) => `${path}: permission denied.`,
  next: 'Change the permissions of the file and its folder, or leave it alone.',
};
const DISK_FULL: Explanation = {
  code: 'disk_full',
  message: (path) => `${path}: the disk is full, or its quota is used up.`,
  next: 'Free some space, then try again.',
};
const TOO_MANY_FILES: Explanation = {
  code: 'too_many_open_files',
  message: (path) => `${path}: too many files are open.`,
  next: 'Raise the limit (ulimit -n) or close other programs.',
};
const BUSY: Explanation = {
  code: 'file_busy',
  message: (path) => `${path}: in use, or mounted on its own, so that it cannot be replaced.`,
  next: 'Close the program that uses it, or change it by hand.',
};

const EXPLANATIONS: ReadonlyMap<string, Explanation> = new Map([
  ['EACCES', NO_PERMISSION],
  ['EPERM', NO_PERMISSION],
  ['ENOSPC', DISK_FULL],
  ['EDQUOT', DISK_FULL],
  ['EMFILE', TOO_MANY_FILES],
  ['ENFILE', TOO_MANY_FILES],
  ['EBUSY', BUSY],
  ['ETXTBSY', BUSY],
  [
    'ENOENT',
    {
      code: 'missing',
      message: (path) => `${path}: there is no such file or folder.`,
      next: 'Check the name by listing its folder.',
    },
  ],
  [
    'ENOTDIR',
    {
      code: 'not_a_folder',
      message: (path) => `${path}: a part of this path is a file.`,
      next: 'Use a path through folders only.',
    },
  ],
  ['EISDIR', { code: 'not_a_file', message: (path) => `${path}: is a folder.`, next: 'Name a file in it.' }],
  [
    'EROFS',
    {
      code: 'read_only_disk',
      message: (path) => `${path}: the disk is read-only.`,
      next: 'Work in a folder that can be written.',
    },
  ],
  [
    'ELOOP',
    { code: 'path_moved', message: (path) => `${path}: became a link meanwhile.`, next: 'Resolve the path again.' },
  ],
  [
    'ENAMETOOLONG',
    { code: 'path_too_long', message: (path) => `${path}: the name is too long.`, next: 'Use a shorter name.' },
  ],
]);

/** Turns what the operating system answered into a typed error that names the path and a next step. */
export function ioError(cause: unknown, path: string): BlackError {
  if (cause instanceof BlackError) return cause;
  const errno = errnoOf(cause) ?? '';
  const known = EXPLANATIONS.get(errno);
  if (known) return new BlackError(known.code, known.message(path), known.next, { cause });
  const detail = cause instanceof Error ? cause.message : String(cause);
  return new BlackError('io_error', `${path}: ${detail}`, 'Check the disk, then try again.', { cause });
}

/** The error for something that is there but is no regular file. */
export function notAFile(
  path: string,
  stats: Pick<Stats, 'isDirectory' | 'isFIFO' | 'isSocket' | 'isSymbolicLink'>,
): BlackError {
  const what = stats.isDirectory()
    ? 'a folder'
    : stats.isFIFO()
      ? 'a named pipe'
      : stats.isSocket()
        ? 'a socket'
        : stats.isSymbolicLink()
          ? 'a symbolic link'
          : 'a device';
  const next = stats.isDirectory() ? 'Name a file in it, or list it.' : 'Use a regular file.';
  return new BlackError('not_a_file', `${path}: is ${what}, not a file.`, next);
}

/** A failure as a value. */
export interface Failure {
  ok: false;
  error: EngineError;
}

export function failure(error: unknown): Failure {
  return { ok: false, error: BlackError.toValue(error) };
}
