import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { bundleStamp, sourceStamp } from './source-stamp.mjs';

/**
 * In a checkout: bundles the program when the bundle is missing or older than its sources. What the build says goes to
 * stderr. Two starts at once may both build; each replaces the bundle in one step.
 *
 * @param {string} root the checkout
 * @param {string} bundle the bundle's path
 * @returns {string | undefined} what went wrong and what to do
 */
export function refreshBundle(root, bundle) {
  const found = bundleStamp(bundle);
  if (found && found === sourceStamp(root)) return undefined;
  if (!existsSync(join(root, 'node_modules', 'esbuild'))) {
    return `black runs from a checkout whose packages are not installed. Run "npm ci" in ${root}`;
  }
  const build = spawnSync(process.execPath, [join(root, 'scripts', 'build.ts'), '--quick'], {
    stdio: ['ignore', 2, 2],
  });
  if (build.error) return `black could not be bundled: ${build.error.message}`;
  if (build.status !== 0) return "black could not be bundled; the build's messages stand above.";
  return undefined;
}
