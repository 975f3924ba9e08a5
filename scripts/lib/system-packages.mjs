import { spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/**
 * Programs that the tests run, or files of theirs, and the Debian packages that bring them. `all`: only asked for by
 * `npm test -- --all`. `proof`: arguments with which a program does nothing, if it works.
 *
 * @type {{ command?: string, proof?: string[], file?: string, package: string, all: boolean }[]}
 */
const NEEDED = [
  { command: 'git', package: 'git', all: false },
  { command: 'ps', package: 'procps', all: false },
  { command: 'tmux', package: 'tmux', all: false },
  { command: 'bwrap', package: 'bubblewrap', all: false },
  { command: 'nsenter', package: 'util-linux', all: false },
  // What the sandbox is tried with.
  { command: 'cc', package: 'build-essential', all: false },
  { command: 'python3', package: 'python3', all: false },
  { command: 'pip3', package: 'python3-pip', all: false },
  // Language servers, and what they run.
  { command: 'gopls', package: 'gopls', all: true },
  { command: 'go', package: 'golang-go', all: true },
  { command: 'clangd', package: 'clangd', all: true },
  { command: 'shellcheck', package: 'shellcheck', all: true },
  // A rustup without the component has a program of this name that only fails.
  { command: 'rust-analyzer', package: 'rust-web-analyzer', all: true, proof: ['--version'] },
  { command: 'cargo', package: 'cargo-web', all: true },
  // Debuggers.
  { file: '/usr/lib/python3/dist-packages/debugpy/__init__.py', package: 'python3-debugpy', all: true },
  { command: 'lldb-dap-19', package: 'lldb-19', all: true },
  { command: 'dlv', package: 'delve', all: true },
];

/**
 * Installs what the tests need from the system: by apt where that is possible, otherwise it says the command.
 *
 * @param {boolean} all
 * @returns {boolean} whether everything is in place now
 */
export function installSystemPackages(all) {
  const packages = NEEDED.filter((each) => (all || !each.all) && !isThere(each)).map((each) => each.package);
  if (packages.length === 0) return true;
  if (process.getuid?.() === 0 && isOnPath('apt-get')) {
    console.error(`Installing ${packages.join(', ')} (apt-get) …`);
    if (apt(['update', '-qq']) && apt(['install', '-y', '-qq', '--no-install-recommends', ...packages])) return true;
  }
  console.error(`The tests need ${packages.join(', ')}. Run: sudo apt-get install -y ${packages.join(' ')}`);
  return false;
}

/** @param {string[]} args */
function apt(args) {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  return spawnSync('apt-get', args, { stdio: ['ignore', 2, 2], env }).status === 0;
}

/** @param {(typeof NEEDED)[number]} needed */
function isThere({ command, proof, file }) {
  if (file !== undefined) return existsSync(file);
  if (command === undefined || !isOnPath(command)) return false;
  if (!proof) return true;
  const folders = ['/usr/bin', ...(process.env.PATH ?? '').split(delimiter)];
  const env = { ...process.env, PATH: folders.join(delimiter) };
  return spawnSync(command, proof, { stdio: 'ignore', env }).status === 0;
}

/** @param {string} command */
function isOnPath(command) {
  return (process.env.PATH ?? '').split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, process.platform === 'win32' ? `${command}.exe` : command), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}
