import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, symlinkSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { bundledNode } from '../../packages/cli/bin/bundled-node.mjs';

/**
 * Runs `npm ci` in a folder whose installed packages are not those of its lock. Progress goes to stderr.
 *
 * @param {string} folder the one with `package-lock.json`
 * @param {string} name how to speak of it
 * @returns {boolean} whether the packages are in place now
 */
export function installPackages(folder, name) {
  if (isInstalled(folder)) return true;
  console.error(`Installing the packages of ${name} (npm ci) …`);
  const { status, error } = spawnSync(
    'npm',
    ['ci', '--ignore-scripts', '--prefer-offline', '--loglevel=error', '--no-audit', '--no-fund'],
    {
      cwd: folder,
      stdio: ['ignore', 2, 2],
      shell: process.platform === 'win32',
    },
  );
  if (status === 0) return true;
  console.error(
    `npm ci failed${error ? `: ${error.message}` : ''}. It needs the npm registry; run "npm ci" in ${folder}`,
  );
  return false;
}

/**
 * Puts the Node that npm brought on the PATH of npm scripts. npm 11 has done so by itself; npm 10 takes the link away
 * again, together with the same program's packages for other platforms.
 *
 * @param {string} root
 */
export function linkNode(root) {
  const node = bundledNode(join(root, 'package.json'));
  const link = join(root, 'node_modules', '.bin', 'node');
  if (node && process.platform !== 'win32' && !existsSync(link)) symlinkSync(relative(dirname(link), node), link);
}

/**
 * Whether each package of the lock stands in `node_modules` in its version. Optional ones may be missing (they belong to
 * other platforms).
 *
 * @param {string} folder
 */
export function isInstalled(folder) {
  const installed = join(folder, 'node_modules', '.package-lock.json');
  if (!existsSync(installed)) return false;
  const have = packagesOf(installed);
  return Object.entries(packagesOf(join(folder, 'package-lock.json'))).every(([path, wanted]) => {
    if (!path.includes('node_modules/') || wanted.optional || wanted.devOptional) return true;
    return have[path] !== undefined && have[path].version === wanted.version;
  });
}

/**
 * @param {string} lock
 * @returns {Record<string, { version?: string, optional?: boolean, devOptional?: boolean }>}
 */
function packagesOf(lock) {
  return JSON.parse(readFileSync(lock, 'utf8')).packages;
}
