import { posix } from 'node:path';
import type { AssignedVariable, Field, WrapperKind } from './facts.ts';
import { findScope, foundItems } from './find-scope.ts';
import { ANY, isGlob, isUnknown, SOME } from './markers.ts';
import type { Unwrapped } from './unwrapped.ts';
import { gitRuns } from './wrappers-git.ts';
import { shellRun } from './wrappers-shell.ts';

interface PlainWrapper {
  /** Short options that take the next word as their value. */
  values?: string;
  /** Long options that do. */
  long?: readonly string[];
  /** Words before the command that are none of its own. */
  operands?: number;
  opaque?: boolean;
  /** `NAME=VALUE` may stand before the command. */
  assigns?: boolean;
  /** A short option whose value is a shell script. */
  script?: string;
  /** An option whose value is the folder to run in. */
  folder?: string;
  /** What remains is joined to one line for a shell. */
  joins?: boolean;
  /** Only these options keep it transparent. */
  harmless?: RegExp;
}

const PLAIN: ReadonlyMap<string, PlainWrapper> = new Map(
  Object.entries({
    nohup: {},
    nice: { values: 'n', long: ['adjustment'] },
    ionice: { values: 'cnpPu', long: ['class', 'classdata', 'pid'] },
    chrt: { operands: 1, opaque: true, values: 'TPD' },
    taskset: { operands: 1 },
    timeout: { operands: 1, values: 'ks', long: ['kill-after', 'signal'] },
    gtimeout: { operands: 1, values: 'ks', long: ['kill-after', 'signal'] },
    stdbuf: { values: 'ioe', long: ['input', 'output', 'error'] },
    gstdbuf: { values: 'ioe', long: ['input', 'output', 'error'] },
    unbuffer: {},
    setsid: { opaque: true },
    time: { values: 'fo', long: ['format', 'output'], harmless: /^-[pv]$/ },
    command: { harmless: /^-p$/ },
    builtin: {},
    exec: { values: 'a', opaque: true },
    coproc: { opaque: true },
    env: { values: 'uC', long: ['unset', 'chdir'], opaque: true, assigns: true, folder: 'C' },
    sudo: {
      values: 'ACDghpRrTtUu',
      long: ['user', 'group', 'host', 'prompt', 'chdir', 'chroot', 'close-from', 'role', 'type', 'other-user'],
      opaque: true,
      assigns: true,
      folder: 'D',
    },
    doas: { values: 'uCa', opaque: true, assigns: true },
    pkexec: { long: ['user'], opaque: true },
    su: { values: 'gGsTw', long: ['command', 'group', 'shell', 'session-command'], script: 'c', opaque: true },
    runuser: { values: 'ugGsTw', long: ['command', 'user', 'group', 'shell'], script: 'c', opaque: true },
    chroot: { operands: 1, long: ['userspec', 'groups'], opaque: true },
    flock: { operands: 1, values: 'wE', long: ['timeout', 'wait', 'conflict-exit-code'], script: 'c', opaque: true },
    script: { values: 'ETIOBmo', long: ['command', 'echo', 'log-out', 'log-in'], script: 'c', opaque: true },
    strace: { values: 'abeEIoOpPsSuUX', opaque: true },
    ltrace: { values: 'abDeFlnopsuwxX', opaque: true },
    valgrind: { opaque: true },
    unshare: { opaque: true },
    nsenter: { values: 'tSG', long: ['target'], opaque: true },
    firejail: { opaque: true },
    'systemd-run': { values: 'EptuM', long: ['unit', 'property', 'slice', 'setenv', 'description'], opaque: true },
    'systemd-inhibit': { opaque: true },
    'dbus-run-session': { opaque: true },
    busybox: { opaque: true },
    toybox: { opaque: true },
    caffeinate: { values: 'tw', opaque: true },
    chronic: { opaque: true },
    proxychains: { values: 'f', opaque: true },
    proxychains4: { values: 'f', opaque: true },
    torsocks: { opaque: true },
    'xvfb-run': { values: 'enfps', opaque: true },
    faketime: { operands: 1, opaque: true },
    fakeroot: { opaque: true },
    watch: { values: 'nq', long: ['interval'], joins: true, opaque: true },
    ssh: { values: 'BbcDEeFIiJLlmOoPpQRSWw', operands: 1, joins: true, opaque: true, folder: '' },
    parallel: { values: 'jSa', long: ['jobs', 'arg-file'], joins: true, opaque: true },
    entr: { joins: true, opaque: true },
  } satisfies Record<string, PlainWrapper>),
);

/** Shells, and the names a command line may call them by. */
export const SHELLS: ReadonlySet<string> = new Set(
  'sh bash dash zsh ksh mksh ash rbash fish bash5 lksh yash posh'.split(' '),
);

/** The name a program is known by: no folder, small letters (file systems may not tell them apart). */
export function programName(field: Field): string {
  return posix.basename(field.value).toLowerCase();
}

/** What the command runs, if it is one of those that run others; none otherwise. */
export function unwrap(words: readonly Field[], stdin: readonly string[] | undefined): readonly Unwrapped[] {
  const [name, ...rest] = words;
  if (!name) return [];
  const program = programName(name);
  if (program === 'command' && /^-p?[vV]/.test(rest[0]?.value ?? '')) return [];
  if (SHELLS.has(program)) return [shellRun(rest)];
  if (program === 'eval') return [{ kind: 'transparent', script: joined(rest), sameShell: true }];
  if (program === 'trap') return [{ kind: 'opaque', script: rest[0]?.value ?? '', sameShell: true }];
  if (program === 'alias') {
    const bodies = rest.map(({ value }) => /^[^=]+=([\s\S]*)$/.exec(value)?.[1]);
    return bodies.filter((body) => body !== undefined).map((script) => ({ kind: 'opaque', script, sameShell: true }));
  }
  if (program === 'find' || program === 'gfind') return findRuns(rest);
  if (/^(fd|fdfind)$/.test(program)) return fdRuns(rest);
  if (program === 'xargs' || program === 'gxargs') return [xargsRun(rest, stdin)];
  if (program === 'parallel' && stdin && !rest.some(({ value }) => value.startsWith(':::'))) {
    return [{ ...xargsRun(rest, stdin), kind: 'opaque' }];
  }
  if (program === 'git') return gitRuns(rest);
  if (/^(npx|npm|pnpm|yarn|bunx|nix-shell|tmux)$/.test(program)) return scriptOptions(program, rest);
  const plain = PLAIN.get(program);
  return plain ? [plainRun(program, plain, rest)] : [];
}

/** Whether the word names a program that runs others. */
export function isWrapper(field: Field): boolean {
  const program = programName(field);
  return PLAIN.has(program) || SHELLS.has(program) || /^(eval|xargs|find|git)$/.test(program);
}

function joined(words: readonly Field[]): string {
  return words.map(({ value }) => value).join(' ');
}

function plainRun(program: string, wrapper: PlainWrapper, words: readonly Field[]): Unwrapped {
  let transparent = !wrapper.opaque;
  let operands = wrapper.operands ?? 0;
  let folder: string | undefined = wrapper.folder === '' ? SOME : undefined;
  let script: string | undefined;
  const assignments: AssignedVariable[] = [];
  let at = 0;
  let options = true;
  for (; at < words.length; at += 1) {
    const value = words[at]?.value ?? '';
    if (options && value === '--') {
      options = false;
    } else if (options && /^-./.test(value)) {
      if (wrapper.harmless && !wrapper.harmless.test(value)) transparent = false;
      const option = optionAt(wrapper, value, words[at + 1]?.value);
      if (option.takesNext) at += 1;
      if (option.name && option.name === wrapper.folder) folder = option.value ?? SOME;
      if (option.name && wrapper.script && (option.name === wrapper.script || /command$/.test(option.name))) {
        script = option.value ?? '';
      }
      if (program === 'env' && /^-+(S|split)/.test(value)) {
        const text = value.replace(/^(-S|--split[a-z-]*=?)/, '') || (words[at + 1]?.value ?? '');
        return { kind: 'opaque', script: `${text} ${joined(words.slice(at + 1))}` };
      }
    } else if (wrapper.assigns && /^[A-Za-z_]\w*=/.test(value)) {
      assignments.push({ name: value.slice(0, value.indexOf('=')), values: [value.slice(value.indexOf('=') + 1)] });
    } else if (operands > 0) {
      operands -= 1;
    } else {
      break;
    }
  }
  const rest = words.slice(at);
  const kind: WrapperKind = transparent && assignments.length === 0 ? 'transparent' : 'opaque';
  const common = { kind, assignments, ...(folder === undefined ? {} : { folder }) };
  if (script !== undefined) return { ...common, script };
  const late = rest.slice(0, 2).findIndex(({ value }) => value === '-c' || value === '--command');
  if (/^(su|runuser)$/.test(program) && late >= 0) return { ...common, script: rest[late + 1]?.value ?? '' };
  if (program === 'flock' && rest[0]?.value === '-c') return { ...common, script: rest[1]?.value ?? '' };
  return wrapper.joins ? { ...common, script: joined(rest) } : { ...common, words: rest };
}

interface OptionReading {
  name: string | undefined;
  value: string | undefined;
  takesNext: boolean;
}

/** Reads one option word: which of those with a value it holds, and whether that value is the next word. */
function optionAt(wrapper: PlainWrapper, word: string, next: string | undefined): OptionReading {
  if (word.startsWith('--')) {
    const [name = '', value] = word.slice(2).split(/=([\s\S]*)/);
    if (value !== undefined) return { name, value, takesNext: false };
    const known = wrapper.long?.some((long) => name.length > 0 && long.startsWith(name)) ?? false;
    return { name, value: known ? next : undefined, takesNext: known };
  }
  const withValue = (wrapper.values ?? '') + (wrapper.script ?? '');
  for (let index = 1; index < word.length; index += 1) {
    const letter = word[index] as string;
    if (!withValue.includes(letter)) continue;
    const attached = word.slice(index + 1);
    return { name: letter, value: attached || next, takesNext: attached === '' };
  }
  return { name: undefined, value: undefined, takesNext: false };
}

function findRuns(words: readonly Field[]): Unwrapped[] {
  const { roots, sweeping } = findScope(words);
  const items = foundItems(words);
  const runs: Unwrapped[] = [];
  for (let at = 0; at < words.length; at += 1) {
    if (!/^-+(exec|ok)(dir)?$/.test(words[at]?.value ?? '')) continue;
    const rest = words.slice(at + 1);
    const end = rest.findIndex(
      ({ value }, index) => value === ';' || (value === '+' && rest[index - 1]?.value === '{}'),
    );
    const command = end < 0 ? rest : rest.slice(0, end);
    const found = items.map((value, index) => ({
      value,
      source: index === 0 ? (roots[0]?.source ?? '') : '',
      literal: false,
    }));
    runs.push({ kind: 'opaque', words: insert(command, '{}', found), sweeping });
    at += command.length;
  }
  return runs;
}

/** Options of `fd` whose value is the next word. */
const FD_VALUES =
  /^(-[A-Za-z]*[etdESjcoT]|--(extension|type|max-depth|min-depth|exact-depth|exclude|size|color|threads))$/;

function fdRuns(words: readonly Field[]): Unwrapped[] {
  const at = words.findIndex(({ value }) => /^(-x|-X|--exec|--exec-batch)$/.test(value));
  if (at < 0) return [];
  const rest = words.slice(at + 1);
  const end = rest.findIndex(({ value }) => value === ';');
  const command = end < 0 ? rest : rest.slice(0, end);
  const before = words.slice(0, at);
  const operands = before.filter(
    ({ value }, index) => !/^-./.test(value) && !FD_VALUES.test(before[index - 1]?.value ?? ''),
  );
  const [pattern, ...paths] = operands;
  const narrowed = before.some(({ value }) => /^(-[A-Za-z]*e|--extension)/.test(value));
  const sweeping = !narrowed && !/[A-Za-z0-9_]{2}/.test(pattern?.value ?? '');
  const found = (paths.length > 0 ? paths : [{ value: '.', source: '.', literal: true }]).map(({ value }) => ({
    value: sweeping ? value : `${value}/${SOME}`,
    source: '',
    literal: false,
  }));
  const placed = command.some(({ value }) => value.includes('{}'));
  const inner = placed ? insert(command, '{}', found) : [...command, ...found];
  return [{ kind: 'opaque', words: inner, sweeping, moreOperands: true }];
}

/** The words with each placeholder replaced: whole words by all items, parts of words by the first. */
function insert(words: readonly Field[], placeholder: string, items: readonly Field[]): Field[] {
  return words.flatMap((word) => {
    if (word.value === placeholder) return items;
    if (!word.value.includes(placeholder)) return [word];
    return items.map((item) => ({ ...word, value: word.value.replaceAll(placeholder, item.value), literal: false }));
  });
}

const XARGS_VALUES = 'adEILnPs';
const XARGS_LONG = /^--(arg-file|delimiter|max-args|max-chars|max-procs|process-slot-var)$/;

function xargsRun(words: readonly Field[], stdin: readonly string[] | undefined): Unwrapped {
  let at = 0;
  let placeholder: string | undefined;
  let separator: RegExp | string = /\s+/;
  for (; at < words.length; at += 1) {
    const value = words[at]?.value ?? '';
    if (value === '--') {
      at += 1;
      break;
    }
    if (!/^-./.test(value)) break;
    const next = words[at + 1]?.value ?? '';
    if (/^(-I|--replace)/.test(value)) placeholder = value.replace(/^(-I|--replace=?)/, '') || next || '{}';
    if (/^-i/.test(value)) placeholder = value.slice(2) || '{}';
    if (/^-(0|-null)/.test(value)) separator = '\0';
    if (/^(-d|--delimiter)/.test(value)) separator = value.replace(/^(-d|--delimiter=?)/, '') || next;
    if (XARGS_LONG.test(value) || (/^-[A-Za-z]$/.test(value) && XARGS_VALUES.includes(value[1] as string))) at += 1;
  }
  const command = words.slice(at);
  const inner = command.length > 0 ? command : [{ value: 'echo', source: 'echo', literal: true }];
  const pieces = stdin?.flatMap((text) => text.split(separator).flatMap((piece) => piece.split('\n'))) ?? [ANY];
  const items = pieces
    .map((text) => text.trim().replace(/^(['"])([\s\S]*)\1$/, '$2'))
    .filter((text) => text !== '')
    .slice(0, MAX_ITEMS)
    .map(itemField);
  const moreOperands = pieces.length > MAX_ITEMS || items.some(({ source }) => source === '');
  return {
    kind: 'transparent',
    words: placeholder ? insert(inner, placeholder, items) : [...inner, ...items],
    // What stands for anything below a folder stands for everything below it.
    sweeping: items.some(({ value }) => value.endsWith(`/${SOME}`)),
    ...(moreOperands ? { moreOperands } : {}),
  };
}

/** More items of a list are not looked at. */
const MAX_ITEMS = 200;

/** A word that came by standard input; one that only stands for others is not shown as one. */
function itemField(value: string): Field {
  return { value, source: isUnknown(value) || isGlob(value) ? '' : value, literal: false };
}

/** `npx -c 'script'`, `nix-shell --run 'script'`, `tmux new 'script'`: every word that can hold a command line. */
function scriptOptions(program: string, words: readonly Field[]): Unwrapped[] {
  const sub = words.find(({ value }) => !value.startsWith('-'))?.value ?? '';
  // What a script of the project gets as its arguments is text.
  const isScript = /^(npm|pnpm|yarn)$/.test(program) && !/^(exec|x|dlx)$/.test(sub);
  return words
    .filter(
      ({ value }, index) =>
        value.includes(' ') && (!isScript || /^-+(c|call)$/.test(words[index - 1]?.value ?? '') || /^-/.test(value)),
    )
    .map(({ value }) => ({ kind: 'opaque', script: value.replace(/^--[a-z]+=/, '') }));
}
