import {
  type BigIntStats,
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  read,
  readlinkSync,
  readSync,
} from 'node:fs';
import { promisify } from 'node:util';
import { BlackError } from '@black-ide/protocol';
import { errnoOf } from '../stores/errno.ts';
import { ioError, notAFile } from './io-errors.ts';

/** Up to this size a file is read at once: 20 µs instead of the 200 µs of a detour through the thread pool. */
const SYNC_BYTES = 1024 * 1024;

const readAsync = promisify(read);

export interface RegularFile {
  bytes: Buffer;
  stats: BigIntStats;
}

export interface ReadOptions {
  maxBytes: number;
  signal?: AbortSignal | undefined;
  /** The real path, where `path` is another way to the same file. It is named in errors. */
  real?: string;
}

/**
 * Reads a whole regular file through a path without symbolic links. Never waits for the other end of a pipe, never opens a
 * device, never follows a link that was put in the way.
 *
 * @throws BlackError `missing`, `not_a_file`, `too_large`, `no_permission`, `path_moved` …; the signal's reason when aborted
 */
export async function readRegularFile(
  path: string,
  { maxBytes, signal, real = path }: ReadOptions,
): Promise<RegularFile> {
  signal?.throwIfAborted();
  let fd: number | undefined;
  try {
    fd = openRegular(path, real);
    const stats = fstatSync(fd, { bigint: true });
    if (!stats.isFile()) throw notAFile(real, stats);
    if (!isOpenAt(fd, real)) throw pathMoved(real);
    if (stats.size > BigInt(maxBytes)) throw tooLarge(real, stats.size, maxBytes);
    const bytes = await readAll(fd, Number(stats.size), maxBytes);
    if (bytes.length > maxBytes) throw tooLarge(real, BigInt(bytes.length), maxBytes);
    signal?.throwIfAborted();
    return { bytes, stats };
  } catch (error) {
    throw signal?.aborted ? error : ioError(error, real);
  } finally {
    if (fd !== undefined) closeSync(fd);
  }
}

function openRegular(path: string, real: string): number {
  const { O_RDONLY, O_NONBLOCK = 0, O_NOFOLLOW = 0, O_NOCTTY = 0 } = constants;
  const stats = lstatSync(path);
  if (!stats.isFile()) throw notAFile(real, stats);
  return openSync(path, O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_NOCTTY);
}

/** Reads to the end of the file, wherever that is by now: files below /proc say they are empty, others grow. */
async function readAll(fd: number, size: number, maxBytes: number): Promise<Buffer> {
  let buffer = Buffer.allocUnsafe(size + 1);
  let total = 0;
  while (total <= maxBytes) {
    if (total === buffer.length) buffer = Buffer.concat([buffer, Buffer.allocUnsafe(buffer.length + SYNC_BYTES)]);
    const room = buffer.length - total;
    const count =
      size <= SYNC_BYTES
        ? readSync(fd, buffer, total, room, total)
        : (await readAsync(fd, buffer, total, room, total)).bytesRead;
    if (count === 0) break;
    total += count;
  }
  return buffer.subarray(0, total);
}

/**
 * Whether the open file is the one that the path names, with no link on the way; told by Linux alone, true elsewhere. A
 * folder of the path may have been swapped for a link between its resolution and the opening.
 */
export function isOpenAt(fd: number, path: string): boolean {
  try {
    const there = readlinkSync(`/proc/self/fd/${fd}`);
    return there === path || there.normalize('NFC').toLowerCase() === path.normalize('NFC').toLowerCase();
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return true;
    throw error;
  }
}

/** The error for a path that leads elsewhere than when it was resolved. */
export function pathMoved(path: string): BlackError {
  return new BlackError('path_moved', `${path}: leads elsewhere since it was resolved.`, 'Resolve the path again.');
}

function tooLarge(path: string, size: bigint, maxBytes: number): BlackError {
  const megabytes = (bytes: number) => `${(bytes / 1024 / 1024).toFixed(1)} MB`;
  return new BlackError(
    'too_large',
    `${path}: is ${megabytes(Number(size))}, more than the ${megabytes(maxBytes)} that are read at once.`,
    'Search it, or read a part of it with a command.',
  );
}
