import { closeSync, fstatSync, openSync, readdirSync, readSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';

const STAMP_LINE = /\n\/\/# stamp (\S+)\n$/;

/**
 * A fingerprint of everything that the bundle is made from: names, sizes and modification times, contents unread
 * (a few hundred `stat` calls, some milliseconds).
 *
 * @param {string} root the checkout
 */
export function sourceStamp(root) {
  /** @type {string[]} */
  const lines = [];
  const packages = join(root, 'packages');
  for (const name of readdirSync(packages)) {
    for (const part of ['src', 'modes', 'prompts']) walk(join(packages, name, part), lines);
  }
  walk(join(root, 'scripts', 'bundle'), lines);
  addFile(join(root, 'package-lock.json'), lines);
  const text = lines.sort().join('\n');
  return `${lines.length}-${text.length}-${crc32(text).toString(16)}`;
}

/**
 * The last line of a bundle, which says what it was made from.
 *
 * @param {string} stamp
 */
export function stampLine(stamp) {
  return `\n//# stamp ${stamp}\n`;
}

/**
 * The stamp that a bundle carries, or undefined if there is no bundle or it has none.
 *
 * @param {string} file
 */
export function bundleStamp(file) {
  let fd;
  try {
    fd = openSync(file, 'r');
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code === 'ENOENT') return undefined;
    throw error;
  }
  try {
    const tail = Buffer.alloc(80);
    const size = fstatSync(fd).size;
    const read = readSync(fd, tail, 0, tail.length, Math.max(0, size - tail.length));
    return STAMP_LINE.exec(tail.toString('latin1', 0, read))?.[1];
  } finally {
    closeSync(fd);
  }
}

/**
 * @param {string} folder
 * @param {string[]} lines
 */
function walk(folder, lines) {
  let entries;
  try {
    entries = readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code === 'ENOENT') return;
    throw error;
  }
  for (const entry of entries) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) {
      if (entry.name !== 'fixtures') walk(path, lines);
    } else if (!/\.test\.tsx?$/.test(entry.name)) addFile(path, lines);
  }
}

/**
 * @param {string} path
 * @param {string[]} lines
 */
function addFile(path, lines) {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat) lines.push(`${path} ${stat.size} ${stat.mtimeMs}`);
}
