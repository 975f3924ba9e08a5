import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';

/** The beginning and the end of a file. Characters that a cut split are U+FFFD. */
export interface FileEnds {
  /** Bytes. */
  size: number;
  /** Milliseconds since the epoch. */
  modified: number;
  head: string;
  /** Empty where the head is the whole file. */
  tail: string;
}

/**
 * Reads at most so many bytes from a file's beginning and end, and all of it where it is no longer than both.
 * @throws the system's error where the file cannot be read, or is no regular file.
 */
export function readFileEnds(path: string, headBytes: number, tailBytes: number): FileEnds {
  const { O_RDONLY, O_NONBLOCK = 0 } = constants;
  const fd = openSync(path, O_RDONLY | O_NONBLOCK);
  try {
    const stat = fstatSync(fd);
    if (!stat.isFile()) throw Object.assign(new Error(`${path} is no regular file`), { code: 'EINVAL' });
    const { size, mtimeMs: modified } = stat;
    const whole = size <= headBytes + tailBytes;
    return {
      size,
      modified,
      head: readAt(fd, 0, whole ? size : headBytes),
      tail: whole ? '' : readAt(fd, size - tailBytes, tailBytes),
    };
  } finally {
    closeSync(fd);
  }
}

function readAt(fd: number, position: number, length: number): string {
  const buffer = Buffer.allocUnsafe(length);
  let filled = 0;
  while (filled < length) {
    const read = readSync(fd, buffer, filled, length - filled, position + filled);
    if (read === 0) break;
    filled += read;
  }
  return buffer.toString('utf8', 0, filled);
}
