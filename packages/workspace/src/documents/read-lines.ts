import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';
import { byteOrderMark } from '../text/text-codec.ts';
import { unicodeCodec } from '../text/unicode-codec.ts';
import { isOpenAt } from './read-regular-file.ts';

/** Larger files have no lines that anybody asks for. */
const MOST_BYTES = 32 * 1024 * 1024;

/**
 * Lines of a text file, from 1, both ends included, without their line ends. Fewer where the file ends before. UTF-8, with
 * U+FFFD for other bytes, or UTF-16 with a byte order mark. Synchronous: it is asked for what a screen shows.
 * @param path absolute, without links: one that leads elsewhere is not followed.
 * @returns undefined where it cannot be read, or is no regular file.
 */
export function readLines(path: string, startLine: number, endLine: number): string[] | undefined {
  const { O_RDONLY, O_NONBLOCK = 0, O_NOFOLLOW = 0 } = constants;
  let fd: number | undefined;
  try {
    fd = openSync(path, O_RDONLY | O_NONBLOCK | O_NOFOLLOW);
    const stats = fstatSync(fd);
    if (!stats.isFile() || stats.size > MOST_BYTES || !isOpenAt(fd, path)) return undefined;
    return linesIn(textOf(readFileSync(fd)), startLine, endLine);
  } catch {
    // Gone, or not to be read: whoever asks has to do without.
    return undefined;
  } finally {
    if (fd !== undefined) closeSync(fd);
  }
}

function textOf(bytes: Buffer): string {
  for (const encoding of ['utf-8', 'utf-16le', 'utf-16be'] as const) {
    const mark = byteOrderMark(encoding);
    if (bytes.subarray(0, mark.length).equals(mark)) return unicodeCodec(encoding, true).decode(bytes);
  }
  return bytes.toString('utf8');
}

function linesIn(text: string, startLine: number, endLine: number): string[] {
  const lines: string[] = [];
  let start = 0;
  for (let line = 1; line <= endLine && start < text.length; line++) {
    const end = text.indexOf('\n', start);
    const next = end < 0 ? text.length : end;
    if (line >= startLine) lines.push(text.slice(start, text[next - 1] === '\r' ? next - 1 : next));
    start = next + 1;
  }
  return lines;
}
