import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import type { BlackError } from '@black-ide/protocol';
import { ioError, notAFile } from './io-errors.ts';
import { isOpenAt } from './read-regular-file.ts';

/** A file as it was at one moment. */
export interface SourceFile {
  /** Undefined where it is larger than was asked for. The memory is used again by the next call. */
  bytes: Buffer | undefined;
  /** In bytes. */
  size: number;
  mtimeMs: number;
}

const { O_RDONLY, O_NONBLOCK = 0, O_NOFOLLOW = 0, O_NOCTTY = 0 } = constants;

/**
 * Reads many files one after the other, each into the same memory. For threads that do nothing else: it waits for the
 * disk.
 */
export class SourceReader {
  readonly #maxBytes: number;
  #memory = Buffer.allocUnsafeSlow(64 * 1024);

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /**
   * @param path absolute and real, without symbolic links: what is behind a link is not read
   * @returns an error where the file is gone, is no regular file, or may not be read
   */
  read(path: string): SourceFile | BlackError {
    let fd: number | undefined;
    try {
      fd = openSync(path, O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_NOCTTY);
      const stats = fstatSync(fd);
      if (!stats.isFile()) return notAFile(path, stats);
      if (!isOpenAt(fd, path))
        return ioError(Object.assign(new Error('a link is on the way'), { code: 'ELOOP' }), path);
      const { size, mtimeMs } = stats;
      return { bytes: size > this.#maxBytes ? undefined : this.#bytes(fd, size), size, mtimeMs };
    } catch (error) {
      return ioError(error, path);
    } finally {
      if (fd !== undefined) closeSync(fd);
    }
  }

  /** Not more than the size that was told, should it grow meanwhile: its time of change then tells that it is to be read again. */
  #bytes(fd: number, size: number): Buffer {
    if (size > this.#memory.length) this.#memory = Buffer.allocUnsafeSlow(size);
    let total = 0;
    while (total < size) {
      const count = readSync(fd, this.#memory, total, size - total, total);
      if (count === 0) break;
      total += count;
    }
    return this.#memory.subarray(0, total);
  }
}
