import {
  type BigIntStats,
  chmodSync,
  closeSync,
  constants,
  copyFileSync,
  fchmodSync,
  fchownSync,
  fstatSync,
  fsync,
  ftruncateSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmdirSync,
  symlinkSync,
  unlinkSync,
  writeSync,
} from 'node:fs';
import { promisify } from 'node:util';

/**
 * Every system call by which a change set touches the disk, so that a test can make any one of them fail or be the last
 * that its process ever makes. Synchronous, because they cost 4 µs each where the thread pool costs 70; only `fsync`, which
 * may take long, is not.
 */
export interface FileOps {
  open(path: string, flags: number, mode?: number): number;
  close(fd: number): void;
  /** Writes some of the bytes, at `position` or behind what was written last, and says how many. */
  write(fd: number, bytes: Uint8Array, position?: number): number;
  fsync(fd: number): Promise<void>;
  fstat(fd: number): BigIntStats;
  /** Undefined where nothing is. */
  lstat(path: string): BigIntStats | undefined;
  fchmod(fd: number, mode: number): void;
  fchown(fd: number, uid: number, gid: number): void;
  link(from: string, to: string): void;
  rename(from: string, to: string): void;
  unlink(path: string): void;
  /** Makes a symbolic link. */
  symlink(target: Uint8Array, path: string): void;
  /** What a symbolic link says, byte for byte. */
  readlink(path: string): Buffer;
  /** Cuts an open file; needs no room on the disk. */
  truncate(fd: number, length: number): void;
  /** Copies a file with its mode, or a link, never onto another. */
  copy(from: string, to: string): void;
  /** `mode`: permission bits, less those that the process masks; by default all. */
  mkdir(path: string, mode?: number): void;
  rmdir(path: string): void;
  readdir(path: string): string[];
  readText(path: string): string;
}

const fsyncAsync = promisify(fsync);

/** The disk itself. */
export const nodeFileOps: FileOps = {
  open: (path, flags, mode) => openSync(path, flags, mode),
  close: closeSync,
  write: (fd, bytes, position) => writeSync(fd, bytes, 0, bytes.length, position ?? null),
  fsync: fsyncAsync,
  fstat: (fd) => fstatSync(fd, { bigint: true }),
  lstat: (path) => lstatSync(path, { bigint: true, throwIfNoEntry: false }),
  fchmod: fchmodSync,
  fchown: fchownSync,
  link: linkSync,
  rename: renameSync,
  unlink: unlinkSync,
  symlink: (target, path) => symlinkSync(Buffer.from(target), path),
  readlink: (path) => readlinkSync(path, { encoding: 'buffer' }),
  truncate: ftruncateSync,
  copy: (from, to) => {
    const stats = lstatSync(from);
    if (stats.isSymbolicLink()) {
      symlinkSync(readlinkSync(from, { encoding: 'buffer' }), to);
      return;
    }
    copyFileSync(from, to, constants.COPYFILE_EXCL);
    chmodSync(to, stats.mode & 0o7777);
  },
  mkdir: (path, mode) => void mkdirSync(path, mode === undefined ? {} : { mode }),
  rmdir: rmdirSync,
  readdir: (path) => readdirSync(path),
  readText: (path) => readFileSync(path, 'utf8'),
};

/** Writes all of the bytes. */
export function writeAll(ops: FileOps, fd: number, bytes: Uint8Array): void {
  for (let done = 0; done < bytes.length; ) done += ops.write(fd, bytes.subarray(done));
}
