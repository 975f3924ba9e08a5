import { posix } from 'node:path';
import { decodeAnsiC } from './ansi-c.ts';
import type { Field } from './facts.ts';
import { listedNames } from './listed-names.ts';
import { isUnknown, withGlobs, withoutMarkers } from './markers.ts';
import { type ShellState, UNKNOWN_FOLDER } from './shell-state.ts';
import { programName } from './wrappers.ts';

/** Longer outputs are not followed. */
const MAX_LENGTH = 10_000;

/** What the command prints, where that can be told from the line alone; undefined when it cannot. */
export function knownOutput(
  words: readonly Field[],
  stdin: readonly string[] | undefined,
  state: ShellState,
): readonly string[] | undefined {
  const [name, ...rest] = words;
  if (!name) return [''];
  const values = rest.map(({ value }) => withoutMarkers(value));
  switch (programName(name)) {
    case 'echo':
      return bounded([echoed(rest.map(({ value }) => withGlobs(value)))]);
    case 'printf':
      return values[0] === '-v' ? [''] : bounded([formatted(values)]);
    case 'pwd':
      return state.cwds.includes(UNKNOWN_FOLDER) ? undefined : state.cwds.map((cwd) => `${cwd}\n`);
    case 'cat':
    case 'tee':
      return bounded(contents(programName(name) === 'tee' ? [] : values, stdin, state));
    case 'base64':
      return decodes(values) ? stdin?.map((text) => Buffer.from(text, 'base64').toString('utf8')) : undefined;
    case 'rev':
      return values.length === 0 ? stdin?.map((text) => `${[...text.trimEnd()].reverse().join('')}\n`) : undefined;
    case 'dirname':
    case 'realpath':
    case 'readlink':
      return pathsOf(programName(name), values);
    case 'printenv':
      return values.length === 1 && values[0]
        ? state.lookup(values[0]).map((value) => `${value.join(' ')}\n`)
        : undefined;
    case 'true':
    case 'false':
    case ':':
    case 'cd':
    case 'set':
    case 'export':
    case 'sleep':
    case 'read':
      return [''];
    default: {
      const names = listedNames(words, stdin);
      return names === undefined ? undefined : bounded([names]);
    }
  }
}

/** Links are not followed: a path stands for itself. */
function pathsOf(program: string, values: readonly string[]): readonly string[] | undefined {
  const paths = values.filter((value) => !value.startsWith('-'));
  if (program === 'readlink' && paths.length === values.length) return undefined;
  return [paths.map((path) => `${program === 'dirname' ? posix.dirname(path) : path}\n`).join('')];
}

function bounded(outputs: readonly string[] | undefined): readonly string[] | undefined {
  return outputs?.some((output) => output.length > MAX_LENGTH) ? undefined : outputs;
}

function echoed(values: readonly string[]): string {
  const start = values.findIndex((value) => !/^-[neE]+$/.test(value));
  const options = (start < 0 ? values : values.slice(0, start)).join('');
  const text = (start < 0 ? [] : values.slice(start)).join(' ');
  return (/e/.test(options) ? decodeAnsiC(text) : text) + (/n/.test(options) ? '' : '\n');
}

/** What `printf` makes of a format and its arguments. */
export function formatted(values: readonly string[]): string {
  const [format = '', ...items] = values[0] === '--' ? values.slice(1) : values;
  let left = [...items];
  let output = '';
  do {
    const before = left.length;
    output += decodeAnsiC(format).replace(/%(%|[-0-9.]*[sbqdiuxXc])/g, (_whole, kind: string) => {
      if (kind === '%') return '%';
      const item = left.shift() ?? '';
      return kind.endsWith('b') ? decodeAnsiC(item) : item;
    });
    if (left.length === before) left = [];
  } while (left.length > 0 && output.length <= MAX_LENGTH);
  return output;
}

function contents(
  paths: readonly string[],
  stdin: readonly string[] | undefined,
  state: ShellState,
): readonly string[] | undefined {
  if (paths.length === 0 || (paths.length === 1 && paths[0] === '-')) return stdin;
  const [path = ''] = paths;
  if (paths.length > 1 || isUnknown(path)) return undefined;
  const known = state.resolve(path).map((absolute) => state.files.get(absolute));
  return known.every((content) => content !== undefined) ? known.flat() : undefined;
}

function decodes(values: readonly string[]): boolean {
  return values.length > 0 && values.every((value) => /^(-d|-D|--decode|-i|-di|--ignore-garbage)$/.test(value));
}
