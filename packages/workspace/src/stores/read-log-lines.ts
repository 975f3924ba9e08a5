import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';

const CHUNK = 1 << 20;
const NEWLINE = 10;

/**
 * Calls `visit` with every line of a file, without its line end and counted from 1; `complete` is false for a last line
 * that has none. Ends early where it answers false. Reads in pieces: memory holds one piece and the longest line. Synchronous on purpose: what takes time
 * is parsing the lines, not reading them. Decodes line by line, so that one emoji does not double the size of all text.
 * @throws the system's error where the file cannot be read, or is no regular file.
 */
export function readLogLines(path: string, visit: (text: string, number: number, complete: boolean) => unknown): void {
  const { O_RDONLY, O_NONBLOCK = 0 } = constants;
  // Without O_NONBLOCK a FIFO in the place of the file would hold us up for ever.
  const fd = openSync(path, O_RDONLY | O_NONBLOCK);
  try {
    if (!fstatSync(fd).isFile()) throw Object.assign(new Error(`${path} is no regular file`), { code: 'EINVAL' });
    let buffer = Buffer.allocUnsafe(CHUNK);
    let filled = 0;
    let number = 0;
    for (;;) {
      if (filled === buffer.length) buffer = Buffer.concat([buffer], buffer.length * 2);
      const read = readSync(fd, buffer, filled, buffer.length - filled, null);
      if (read === 0) break;
      const bytes = buffer.subarray(0, filled + read);
      let start = 0;
      // What was there before this read has no line end in it.
      let end = bytes.indexOf(NEWLINE, filled);
      while (end !== -1) {
        number += 1;
        if (visit(bytes.toString('utf8', start, end), number, true) === false) return;
        start = end + 1;
        end = bytes.indexOf(NEWLINE, start);
      }
      buffer.copyWithin(0, start, bytes.length);
      filled = bytes.length - start;
    }
    if (filled > 0) visit(buffer.toString('utf8', 0, filled), number + 1, false);
  } finally {
    closeSync(fd);
  }
}
