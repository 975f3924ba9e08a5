import { realpathSync } from 'node:fs';
import { posix } from 'node:path';
import { plainCommands } from './plain-line.ts';
import { isSecret, tellsNamesOnly } from './secret-paths.ts';

/** More folders that a line could be in by then are not followed. */
const MAX_FOLDERS = 16;

/**
 * Where the operands of a plain line really lead. A link is judged by what it points to, not by its own name: `cat
 * readme.txt` prints whatever the link `readme.txt` leads to.
 *
 * @param root the workspace, absolute, with its links resolved; the line runs in it
 * @returns `astray`: out of the root, to a file that may hold secrets, or nobody can tell; `linked`: through a link, to
 *   somewhere else in the root; undefined: every operand that exists is what it is called.
 */
export function linkedOperand(line: string, root: string): 'astray' | 'linked' | undefined {
  const commands = plainCommands(line);
  if (!commands) return 'astray';
  // A `cd` may have failed, or may have held for its side of a pipe alone: all the folders it could be are looked at.
  const folders = new Set([root]);
  let found: 'linked' | undefined;
  for (const [program = '', ...words] of commands) {
    const printing = !tellsNamesOnly(program);
    for (const path of words.flatMap((word) => pathsIn(word, folders))) {
      const real = realPath(path);
      if (real === undefined) continue;
      if (real === false || (real !== root && !real.startsWith(`${root}/`))) return 'astray';
      if (real === path) continue;
      if (printing && isSecret({ value: posix.relative(root, real), source: path, literal: true })) return 'astray';
      found = 'linked';
    }
    if (program === 'cd') for (const folder of [...folders]) folders.add(posix.resolve(folder, words[0] ?? '.'));
    if (folders.size > MAX_FOLDERS) return 'astray';
  }
  return found;
}

/** Every path that a word may be, or hold (`--file=a`, `-fa`, `HEAD:a`). */
function pathsIn(word: string, folders: ReadonlySet<string>): string[] {
  const parts = new Set([word, ...word.split(/[=:,]/), word.replace(/^-[A-Za-z]/, '')]);
  return [...folders].flatMap((folder) =>
    [...parts].filter((part) => part !== '' && part !== '.').map((part) => posix.resolve(folder, part)),
  );
}

/** Where a path leads; undefined where nothing is, false where that cannot be told. */
function realPath(path: string): string | undefined | false {
  try {
    return realpathSync.native(path);
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    // Too long for a name, or with a character that no name has: a word that is no path.
    return code === 'ENOENT' || code === 'ENOTDIR' || code === 'ENAMETOOLONG' ? undefined : false;
  }
}
