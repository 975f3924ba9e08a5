import { posix } from 'node:path';

/**
 * A second, independent reading of a command line, with nothing in common with the grammar that the policy works on: a
 * line may run without being asked about only where both readings agree. It knows words, quotes, pipes, chains and
 * redirections to nowhere, and refuses every character with which two shells, or a shell and a parser, could differ:
 * expansions, escapes, comments, brackets, here-documents, assignments, negation.
 */

/** Programs that run what their arguments or the environment say, or whose reading of a line is their own. */
const OPAQUE = new Set(
  (
    'alias bash busybox builtin chroot command coproc dash doas env eval exec export fish flock ionice ksh nice nohup ' +
    'parallel script set setsid sh source ssh stdbuf strace sudo test time timeout trap unalias unset watch xargs zsh'
  ).split(' '),
);

/** Options that name a file to read words, names or code from. */
const INDIRECT = /^-{1,2}(files0-from|files-from|fromfile|from-file|file|exclude-from|include-from|pattern-file|pre)\b/;

/** Options by which a search goes where links lead, or hands every name it finds to a program that does. */
const FOLLOWING: Readonly<Record<string, RegExp>> = {
  grep: /^(-[A-Za-z]*R|--deref|--directories)/,
  egrep: /^(-[A-Za-z]*R|--deref|--directories)/,
  fgrep: /^(-[A-Za-z]*R|--deref|--directories)/,
  rg: /^(-[A-Za-z.]*L|--follow)/,
  find: /^-(L|H|follow|exec)/,
  tree: /^-[A-Za-z]*l/,
  diff: /^(-[A-Za-z]*[rN]|--(recursive|new-file|unidirectional-new-file|from-file|to-file))/,
};

const QUOTED = /'[^'\n]*'|"[^"$`\\!\n]*"/y;
/** Behind a letter or a digit `~` and `^` are what git takes them for, and nothing to a shell. */
const BARE = /(?:[A-Za-z0-9_./:,=@%+-]|(?<=[A-Za-z0-9@}~^])[~^])+/y;
const OPERATOR = /\|\||&&|[|;]/y;
const NOWHERE = /(?:[12]?>{1,2}|&>)\s*\/dev\/null|2>&1|1>&2/y;

/**
 * Whether the line is plain in this sense, its programs are no wrappers, and what it names lies inside `root`.
 * @param root absolute and without a slash at its end
 */
export function isPlainLine(line: string, root: string): boolean {
  const commands = plainCommands(line);
  return commands !== undefined && commands.length > 0 && commands.every((words) => isPlainCommand(words, root));
}

/** The words of each simple command, quotes taken off; undefined for a line that is not plain. */
export function plainCommands(line: string): string[][] | undefined {
  const commands: string[][] = [[]];
  let at = 0;
  const take = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = at;
    const found = pattern.exec(line)?.[0];
    if (found !== undefined) at += found.length;
    return found;
  };
  while (at < line.length) {
    if (line[at] === ' ') {
      at += 1;
      continue;
    }
    if (take(NOWHERE) !== undefined) continue;
    const operator = take(OPERATOR);
    if (operator !== undefined) {
      if (commands.at(-1)!.length === 0) return undefined;
      commands.push([]);
      continue;
    }
    const parts: string[] = [];
    for (;;) {
      const quoted = take(QUOTED);
      const part = quoted === undefined ? take(BARE) : quoted.slice(1, -1);
      if (part === undefined) break;
      parts.push(part);
    }
    if (parts.length === 0) return undefined;
    commands.at(-1)!.push(parts.join(''));
  }
  if (commands.at(-1)!.length === 0) commands.pop();
  return commands;
}

function isPlainCommand([program = '', ...words]: string[], root: string): boolean {
  const asksOnly = program === 'command' && /^-[vV]$/.test(words[0] ?? '') && /^[a-z][\w.-]*$/.test(words[1] ?? '');
  if (asksOnly && words.length === 2) return true;
  if (!/^[a-z][a-z0-9._-]*$/.test(program) || OPAQUE.has(program)) return false;
  // `uniq IN OUT` writes its second operand; behind `--` an operand may look like an option.
  if (program === 'uniq' && words.some((word) => !/^-[cdDuiz]+$/.test(word))) return false;
  if (words.some((word) => FOLLOWING[program]?.test(word))) return false;
  const pattern = patternOf(program, words);
  return words.every((word, index) => !INDIRECT.test(word) && (index === pattern || staysInside(word, root)));
}

/** Programs whose first operand is a pattern or a program, unless an option has given it. */
const PATTERN_FIRST = /^([ef]?grep|rg|[gmn]?awk)$/;

/** Where the word stands that is looked for, or an awk program: `/api/users` is no path there. -1: nowhere for sure. */
function patternOf(program: string, words: readonly string[]): number {
  if (!PATTERN_FIRST.test(program) || words.some((word) => /^(-[A-Za-z]*[ef]|--(regexp|file|ignore))/.test(word)))
    return -1;
  return words.findIndex((word) => !word.startsWith('-'));
}

/** Whether no path that the word may be, or hold, leads out of the root. */
function staysInside(word: string, root: string): boolean {
  if (word.startsWith(':(') || /(^|[=:,/])~/.test(word)) return false;
  return word.split(/[=:,]/).every((part) => {
    if (part.split('/').includes('..')) return false;
    if (!part.startsWith('/') && !/^-[A-Za-z]\//.test(part)) return true;
    const path = posix.normalize(part.replace(/^-[A-Za-z]/, ''));
    return path === root || path.startsWith(`${root}/`);
  });
}

/**
 * Programs that read what they are given and nothing else: no configuration of the folder they run in, as git's, a
 * package manager's or an interpreter's, can make them start anything.
 */
const HARMLESS = new Set(
  (
    'cat cut echo expr false grep egrep fgrep head ls nl paste pwd rev seq stat tail tr true uname uniq wc basename ' +
    'dirname readlink realpath cmp comm fold du df tac nproc arch sort base64 find rg tree file printf cksum md5sum ' +
    'sha1sum sha256sum sha512sum b2sum diff column jq sleep date sed'
  ).split(' '),
);

/** Whether every program of a plain line is one that runs nothing, whatever a stranger put into the folder. */
export function isHarmlessAnywhere(line: string): boolean {
  const commands = plainCommands(line);
  return commands?.every(([program = '']) => HARMLESS.has(program)) === true;
}
