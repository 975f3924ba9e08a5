import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

/** The Node that `black` is made for; npm brings it as an optional dependency. */
const WANTED_MAJOR = 24;

/** The oldest system Node that may stand in where npm has none for the platform (it strips types, so it can bundle). */
export const OLDEST = '22.18.0';

/**
 * The path of the Node that npm installed for this platform, or undefined.
 *
 * @param {string} from a file path or URL from whose place packages are looked up
 * @param {{ platform?: string, arch?: string }} [host]
 * @returns {string | undefined}
 */
export function bundledNode(from, { platform = process.platform, arch = process.arch } = {}) {
  const name = `node-${platform === 'win32' ? 'win' : platform}-${arch}`;
  for (const folder of createRequire(from).resolve.paths(name) ?? []) {
    const path = join(folder, name, 'bin', platform === 'win32' ? 'node.exe' : 'node');
    if (existsSync(path)) return path;
  }
  return undefined;
}

/**
 * Which Node has to run the program: this one, another one by its path, or none, with the reason and what to do.
 *
 * @param {string} running version of the running Node, e.g. `20.20.2`
 * @param {string | undefined} bundled path of the Node that npm brought
 * @returns {{ run: 'here' } | { run: 'there', node: string } | { run: 'nowhere', message: string }}
 */
export function chooseNode(running, bundled) {
  const major = Number(running.split('.')[0]);
  if (major >= WANTED_MAJOR) return { run: 'here' };
  if (bundled) return { run: 'there', node: bundled };
  if (!isOlder(running, OLDEST)) return { run: 'here' };
  return {
    run: 'nowhere',
    message:
      `black needs Node ${WANTED_MAJOR}; this is Node ${running}, and npm installed none for ${process.platform}-${process.arch}.\n` +
      `Install Node ${WANTED_MAJOR} (at least ${OLDEST}), or run "npm ci" without --omit=optional.`,
  };
}

/**
 * The Node for scripts: the bundled one, else the running one.
 *
 * @param {string} root
 */
export function scriptNode(root) {
  return bundledNode(join(root, 'package.json')) ?? process.execPath;
}

/**
 * @param {string} version
 * @param {string} than
 */
function isOlder(version, than) {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [thanMajor = 0, thanMinor = 0] = than.split('.').map(Number);
  return major < thanMajor || (major === thanMajor && minor < thanMinor);
}
