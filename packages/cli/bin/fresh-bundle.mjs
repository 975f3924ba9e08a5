import { closeSync, existsSync, fstatSync, openSync, readdirSync, readSync, statSync } from 'node:fs';
import { join } from 'node:path';

const STAMP_LINE = /\n\/\/# stamp (\S+)\n$/;

/**
 * A fingerprint of everything that the bundle is made from: names, sizes and modification times, contents unread. Each
 * start from a checkout pays for it, so it makes no strings and loads no hash (FNV-1a, 32 bits, by hand): a few hundred
 * files in about two milliseconds.
 *
 * @param {string} root the checkout
 */
export function sourceStamp(root) {
  let hash = 0x811c9dc5;
  let files = 0;
  /** @param {number} value */
  const mix = (value) => {
    hash = Math.imul(hash ^ value, 0x01000193);
  };
  /** @param {string} name */
  const mixName = (name) => {
    for (let i = 0; i < name.length; i++) mix(name.charCodeAt(i));
  };
  /** @param {string} path */
  const mixFile = (path) => {
    const stat = statSync(path, { throwIfNoEntry: false });
    if (!stat) return;
    files++;
    mix(stat.size);
    mix(stat.mtimeMs);
    mix(stat.mtimeMs / 2 ** 32);
  };
  /** @param {string} folder */
  const walk = (folder) => {
    if (!existsSync(folder)) return;
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      const { name } = entry;
      if (name === 'fixtures' || name === 'testing' || name.endsWith('.test.ts') || name.endsWith('.test.tsx'))
        continue;
      mixName(name);
      if (entry.isDirectory()) walk(`${folder}/${name}`);
      else mixFile(`${folder}/${name}`);
    }
  };
  for (const name of readdirSync(`${root}/packages`)) {
    // What ships never imports it.
    if (name === 'testkit') continue;
    for (const part of ['src', 'modes', 'prompts']) walk(`${root}/packages/${name}/${part}`);
  }
  walk(`${root}/scripts/bundle`);
  mixFile(`${root}/package-lock.json`);
  return `${files}-${(hash >>> 0).toString(16)}`;
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
 * In a checkout: bundles the program when the bundle is missing or older than its sources. What the build says goes to
 * stderr. Two starts at once may both build; each replaces the bundle in one step.
 *
 * @param {string} root the checkout
 * @param {string} bundle the bundle's path
 * @returns {Promise<string | undefined>} what went wrong and what to do
 */
export async function refreshBundle(root, bundle) {
  const found = bundleStamp(bundle);
  if (found && found === sourceStamp(root)) return undefined;
  if (!existsSync(join(root, 'node_modules', 'esbuild'))) {
    return `black runs from a checkout whose packages are not installed. Run "npm ci" in ${root}`;
  }
  const { spawnSync } = await import('node:child_process');
  const build = spawnSync(process.execPath, [join(root, 'scripts', 'build.ts'), '--quick'], {
    stdio: ['ignore', 2, 2],
  });
  if (build.error) return `black could not be bundled: ${build.error.message}`;
  if (build.status !== 0) return "black could not be bundled; the build's messages stand above.";
  return undefined;
}
