import type { Field } from '../shell/facts.ts';
import { programName } from '../shell/wrappers.ts';

/** Options with which an otherwise harmless program runs other code, writes where it should not, or changes things. */
interface OptionTable {
  /** Letters of short options. */
  short?: string;
  /** Short options that look like long ones (`find -exec`). */
  single?: readonly string[];
  /** Long options, without the dashes; programs accept them shortened. */
  long?: readonly string[];
  /** Anything else, by the whole word. */
  word?: RegExp;
  /** At most so many operands, a further one would be written to. */
  operands?: number;
}

const AWK: OptionTable = {
  short: 'fil',
  long: ['file', 'include', 'load', 'exec', 'in-place'],
  word: /system\s*\(|getline|\||>|close\s*\(|\b(ARG(V|C|IND)|SYMTAB|FUNCTAB|ENVIRON|PROCINFO)\b/,
};
/** Options of git by which it looks into submodules; like all of its long options they may be shortened. */
const SUBMODULES = /^--(ignore-su[a-z]*=(?!(all|dirty)$)|sub[a-z]*(=(?!short$)|$)|recurse(-|$))/;
const GIT_WRITING_BRANCH = 'dDmMcCfu';

const TABLES: Readonly<Record<string, OptionTable>> = {
  find: {
    // What `-exec` runs is judged by itself.
    single: ['execdir', 'ok', 'okdir', 'delete', 'fls', 'fprint', 'fprint0', 'fprintf'],
  },
  fd: { short: 'xX', long: ['exec', 'exec-batch'] },
  rg: { short: 'z', long: ['pre', 'hostname-bin', 'search-zip'] },
  ag: { long: ['pager', 'search-zip'], short: 'z' },
  sort: { short: 'oT', long: ['output', 'compress-program', 'temporary-directory'] },
  uniq: { operands: 1 },
  xxd: { short: 'r', operands: 1, word: /^-(revert|r)/ },
  strings: { short: 'T', long: ['target'] },
  look: { operands: 2 },
  base64: { short: 'o', long: ['output'] },
  tree: { short: 'oR', long: ['output'] },
  date: { short: 's', long: ['set'] },
  file: { short: 'mC', long: ['magic-file', 'compile'] },
  man: {
    short: 'PHCMTplZEX',
    long: ['pager', 'html', 'config-file', 'manpath', 'preprocessor', 'gxditview', 'troff-device', 'local-file'],
  },
  jq: {
    short: 'fL',
    long: ['from-file', 'rawfile', 'slurpfile'],
    word: /\$ENV\b|\benv\b|\binput_filename\b|\binclude\b|\bimport\b/,
  },
  awk: AWK,
  gawk: AWK,
  mawk: AWK,
  nawk: AWK,
  tar: {
    short: 'IFPC',
    long: [
      'to-command',
      'checkpoint-action',
      'use-compress-program',
      'info-script',
      'new-volume-script',
      'rsh-command',
      'rmt-command',
      'absolute-names',
      'directory',
    ],
    word: /^[^-/]*:/,
  },
  zip: { short: 'T', long: ['test', 'unzip-command'] },
  rsync: { short: 'e', long: ['rsh', 'rsync-path', 'delete'] },
  less: { short: 'oOkKpP', long: ['log-file', 'LOG-FILE', 'lesskey-file'], word: /^\+/ },
  npm: {
    short: 'C',
    long: [
      'prefix',
      'script-shell',
      'shell',
      'node-options',
      'userconfig',
      'globalconfig',
      'git',
      'editor',
      'viewer',
      'ignore-path',
    ],
  },
  yarn: { long: ['cwd', 'use-yarnrc'] },
  pnpm: { short: 'C', long: ['dir', 'script-shell', 'shell-emulator', 'pnpmfile', 'global-pnpmfile'] },
  node: { short: 'epr', long: ['eval', 'print', 'require', 'import', 'loader', 'experimental-loader', 'env-file'] },
  make: {
    short: 'fCEI',
    long: ['file', 'makefile', 'directory', 'eval', 'include-dir'],
    word: /^(SHELL|MAKEFILES|MAKEFLAGS|\.SHELLFLAGS)[:+?]?=/,
  },
  cargo: { long: ['config', 'manifest-path', 'target-dir'], word: /^\+/ },
  go: { single: ['exec', 'toolexec', 'vettool', 'overlay', 'modfile'], short: 'C' },
  pytest: { short: 'cp', long: ['rootdir', 'confcutdir', 'override-ini'] },
  eslint: { short: 'c', long: ['config', 'rulesdir', 'resolve-plugins-relative-to', 'plugin', 'parser'] },
  git: {
    short: '',
    long: [
      'exec-path',
      'config-env',
      'git-dir',
      'work-tree',
      'namespace',
      'paginate',
      'upload-pack',
      'receive-pack',
      'ext-diff',
      'textconv',
      'output',
      'open-files-in-pager',
      'edit-description',
      'exec',
      'show-signature',
      'super-prefix',
      'output-directory',
      'no-index',
    ],
    word: /%G/,
  },
};

/** A word of a command by which it goes beyond what its name says. */
export interface DangerousWord {
  /** The option as a pattern of the user would have to name it. */
  token: string;
  why: string;
}

/** Whether the program is one whose options are looked at. */
export function hasDangerousOptions(program: string): boolean {
  return Object.hasOwn(TABLES, program) || program === 'sed';
}

/** The dangerous words of a command; none for a program that is not in the table. */
export function dangerousWords(words: readonly Field[]): DangerousWord[] {
  const [name, ...rest] = words;
  if (!name) return [];
  const program = programName(name);
  if (program === 'sed') return sedWords(rest);
  const table = Object.hasOwn(TABLES, program) ? TABLES[program] : undefined;
  if (!table) return [];
  const found = rest.flatMap(({ value }, index) =>
    stopsOptions(rest, index, program) ? [] : dangerousOption(value, table),
  );
  if (program === 'find' && rest.some(({ value }) => value === '--exec'))
    found.push({ token: '--exec', why: 'it is misspelt' });
  if (program === 'git') found.push(...gitWords(rest));
  const bundled = rest[0]?.value ?? '';
  if (program === 'tar' && /^[A-Za-z]+$/.test(bundled)) found.push(...dangerousOption(`-${bundled}`, table));
  if (
    program === 'tar' &&
    rest.some(({ value }) => /^(-?[A-Za-z]*[cruA]|--(create|append|update|catenate))/.test(value))
  ) {
    const outside = rest.find(({ value }) => /^(--file=)?(\/|~|.*\.\.\/)/.test(value));
    if (outside) found.push({ token: outside.value, why: 'it may write or read outside the workspace' });
  }
  const operands = rest.filter(({ value }) => !/^-./.test(value)).length;
  if (table.operands !== undefined && operands > table.operands) {
    found.push({ token: name.value, why: `${program} writes to its last operand` });
  }
  return found;
}

/** Behind `--` stand operands, except where a program hands its words on. */
function stopsOptions(words: readonly Field[], index: number, program: string): boolean {
  const end = words.findIndex(({ value }) => value === '--');
  return end >= 0 && index > end && /^(git|npm|rg|sort|rsync|ag|tar)$/.test(program);
}

function dangerousOption(value: string, table: OptionTable): DangerousWord[] {
  const why = 'it may run other code, or write or read elsewhere';
  if (table.word?.test(value)) return [{ token: value, why }];
  if (!/^-./.test(value)) return [];
  const dashes = value.replace(/^-+/, '');
  const name = dashes.split('=')[0] ?? '';
  if (table.single?.some((option) => option === name)) return [{ token: `-${name}`, why }];
  if (value.startsWith('--')) {
    const long = table.long?.find((option) => (name.length >= 2 && option.startsWith(name)) || option === name);
    return long ? [{ token: `--${name}`, why }] : [];
  }
  const letter = [...dashes].find((symbol) => table.short?.includes(symbol));
  return letter ? [{ token: `-${letter}`, why }] : [];
}

function gitWords(words: readonly Field[]): DangerousWord[] {
  const at = words.findIndex(({ value }) => !value.startsWith('-'));
  const sub = words[at]?.value ?? '';
  const found: DangerousWord[] = words
    .slice(0, Math.max(at, 0))
    .filter(({ value }) => /^-[cCp]/.test(value))
    .map(({ value }) => ({ token: value, why: 'it sets what git runs, or where' }));
  for (const { value } of at < 0 ? [] : words.slice(at + 1)) {
    if (!value.startsWith('-')) continue;
    if (sub === 'grep' && /^-[A-Za-z]*O/.test(value)) found.push({ token: '-O', why: 'it opens files in a pager' });
    // The configuration of a submodule names programs, too, and the guard of ours does not hold for these.
    if (SUBMODULES.test(value)) found.push({ token: value.split('=')[0] as string, why: 'it goes into submodules' });
    if (sub !== 'branch' && sub !== 'tag') continue;
    const letter = /^-[A-Za-z]+$/.test(value)
      ? [...GIT_WRITING_BRANCH].find((symbol) => value.includes(symbol))
      : undefined;
    const long = /^--(delete|move|copy|force|set-upstream-to|unset-upstream|create-reflog)/.exec(value)?.[0];
    if (letter || long) found.push({ token: long ?? `-${letter}`, why: 'it changes branches or tags' });
  }
  return found;
}

/** Commands of a `sed` script that cannot run or write anything. */
const SED_COMMAND =
  /^\s*((\d+|\$|\/(\\.|[^/\\])*\/)(\s*,\s*(\+?\d+|\$|\/(\\.|[^/\\])*\/))?)?\s*!?\s*([pdq=]|s([/|#,:@!])((?!\8)[^\\\n]|\\.)*\8((?!\8)[^\\\n]|\\.)*\8[gpiIm0-9]*)?\s*$/;

function sedWords(words: readonly Field[]): DangerousWord[] {
  const found: DangerousWord[] = [];
  const scripts: string[] = [];
  let scriptGiven = false;
  words.forEach(({ value }, index) => {
    const before = words[index - 1]?.value ?? '';
    if (/^-[A-Za-z]*e$|^--expression$/.test(before)) scripts.push(value);
    else if (/^--expression=/.test(value)) scripts.push(value.slice('--expression='.length));
    else if (/^-[nErsuz]*e./.test(value)) scripts.push(value.replace(/^-[nErsuz]*e/, ''));
    else if (/^-[A-Za-z]*[if]|^--(in-?|fi)/.test(value)) {
      found.push({
        token: value.startsWith('--') ? (value.split('=')[0] as string) : value.slice(0, 2),
        why: 'it writes files or reads its commands from one',
      });
    }
    if (/^-[A-Za-z]*e|^--expression/.test(value)) scriptGiven = true;
  });
  const operand = words.find(({ value }) => !value.startsWith('-'));
  if (!scriptGiven && operand) scripts.push(operand.value);
  for (const script of scripts) {
    const harmless = script.length < 500 && script.split(/;|\n/).every((command) => SED_COMMAND.test(command));
    if (!harmless) found.push({ token: script, why: 'its script may run or write something' });
  }
  return found;
}
