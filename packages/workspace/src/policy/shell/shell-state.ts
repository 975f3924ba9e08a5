import { posix } from 'node:path';
import { ANY, SOME } from './markers.ts';
import type { ShellNode } from './shell-parser.ts';

/** One possible value of a variable: its elements (one, unless it is an array). */
export type Value = readonly string[];

/** What the line runs in. */
export interface ShellSurroundings {
  /** The working folder: absolute. */
  cwd: string;
  /** The user's home: absolute. */
  home: string;
  /** The environment of the command; without it every variable that the line does not set is unknown. */
  env?: Readonly<Record<string, string | undefined>>;
}

/** A function defined by the line. */
export interface ShellFunction {
  source: string;
  body: ShellNode;
}

/** Stands for a working folder that is not known. */
export const UNKNOWN_FOLDER = '?';

/** More possibilities than these are not told apart: the thing is unknown then. */
const MAX_VALUES = 16;
/** Variables that bash sets by itself, to something not empty. */
const SET_BY_SHELL =
  /^(RANDOM|SRANDOM|SECONDS|LINENO|SHLVL|HOSTNAME|HOSTTYPE|MACHTYPE|OSTYPE|PPID|UID|EUID|BASH.*|EPOCH.*)$/;

/**
 * What is known while a line is being followed: a set of possibilities for every variable and for the working folder.
 * Values are plain text that may hold `ANY` and `SOME`.
 */
export class ShellState {
  readonly surroundings: ShellSurroundings;
  /** Possible working folders. */
  cwds: readonly string[];
  /** Folders left behind, for `cd -` and `popd`. */
  left: readonly string[];
  readonly variables: Map<string, readonly Value[]>;
  /** Functions the line defines; several where it depends on the way taken. */
  readonly functions: Map<string, readonly ShellFunction[]>;
  /** Files whose content the line itself makes: absolute path to possible contents. */
  readonly files: Map<string, readonly string[]>;
  /** `$0`. */
  zero = 'bash';
  /** `$1`, `$2`, …; undefined when not known. */
  positional: readonly string[] | undefined;

  constructor(surroundings: ShellSurroundings) {
    this.surroundings = surroundings;
    this.cwds = [posix.normalize(surroundings.cwd)];
    this.left = [];
    this.variables = new Map();
    this.functions = new Map();
    this.files = new Map();
    this.positional = [];
  }

  clone(): ShellState {
    const copy = new ShellState(this.surroundings);
    copy.#take(this);
    return copy;
  }

  /** What holds after either this or the other way was gone. */
  join(other: ShellState): ShellState {
    if (other === this) return this;
    const joined = this.clone();
    joined.cwds = union(this.cwds, other.cwds) ?? [...this.cwds.slice(0, MAX_VALUES), UNKNOWN_FOLDER];
    joined.left = union(this.left, other.left) ?? [...this.left.slice(0, MAX_VALUES), UNKNOWN_FOLDER];
    for (const name of new Set([...this.variables.keys(), ...other.variables.keys()])) {
      joined.assign(name, [...this.lookup(name), ...other.lookup(name)]);
    }
    for (const [name, bodies] of other.functions) {
      joined.functions.set(name, [...new Set([...(this.functions.get(name) ?? []), ...bodies])].slice(0, MAX_VALUES));
    }
    for (const [path, contents] of other.files) {
      joined.files.set(path, [...new Set([...(this.files.get(path) ?? []), ...contents])].slice(0, MAX_VALUES));
    }
    if (this.positional !== other.positional) joined.positional = undefined;
    return joined;
  }

  /**
   * What has grown since `before`, one round of a loop ago, may grow for ever: it is unknown from here on. Undefined where
   * nothing has.
   */
  widened(before: ShellState): ShellState | undefined {
    const grown = [...this.variables.keys()].filter(
      (name) => JSON.stringify(this.lookup(name)) !== JSON.stringify(before.lookup(name)),
    );
    if (grown.length === 0) return undefined;
    const wide = this.clone();
    for (const name of grown) wide.assign(name, [...this.lookup(name).slice(0, MAX_VALUES - 1), [ANY]]);
    return wide;
  }

  /** The values a variable may have; `['']` when it is known to be unset. */
  lookup(name: string): readonly Value[] {
    const assigned = this.variables.get(name);
    if (assigned) return assigned;
    const { home, env } = this.surroundings;
    if (name === 'PWD') return this.cwds.map((cwd) => [cwd === UNKNOWN_FOLDER ? SOME : cwd]);
    if (name === 'OLDPWD') return this.left.length > 0 ? this.left.map((folder) => [folder]) : [[ANY]];
    if (name === 'HOME') return [[home]];
    if (name === 'IFS') return [[' \t\n']];
    const given = env && Object.hasOwn(env, name) ? env[name] : undefined;
    if (given !== undefined) return [[given]];
    if (name === 'USER' || name === 'LOGNAME') return [[posix.basename(home)]];
    if (SET_BY_SHELL.test(name)) return [[SOME]];
    return [[env ? '' : ANY]];
  }

  /** Whether the line itself gave the variable a value. */
  isAssigned(name: string): boolean {
    return this.variables.has(name);
  }

  assign(name: string, values: readonly Value[]): void {
    const distinct = new Map(values.map((value) => [JSON.stringify(value), value]));
    this.variables.set(name, distinct.size > MAX_VALUES || distinct.size === 0 ? [[ANY]] : [...distinct.values()]);
  }

  /** Absolute forms of a path, one for each possible working folder; the path itself when none is known. */
  resolve(path: string): string[] {
    if (path.startsWith('/')) return [posix.normalize(path)];
    return this.cwds.map((cwd) => (cwd === UNKNOWN_FOLDER ? path : posix.join(cwd, path)));
  }

  #take(from: ShellState): void {
    this.cwds = from.cwds;
    this.left = from.left;
    this.positional = from.positional;
    this.zero = from.zero;
    for (const [name, values] of from.variables) this.variables.set(name, values);
    for (const [name, bodies] of from.functions) this.functions.set(name, bodies);
    for (const [path, contents] of from.files) this.files.set(path, contents);
  }
}

/** Both lists without repetition; undefined when that is too much. */
function union(a: readonly string[], b: readonly string[]): readonly string[] | undefined {
  const both = [...new Set([...a, ...b])];
  return both.length > MAX_VALUES ? undefined : both;
}

/** A list with more elements. An empty value may be that of an unset variable, which is no first element. */
export function lengthened(old: Value, more: Value): Value[] {
  if (old.length === 1 && old[0] === ANY) return [[ANY]];
  return old.length === 1 && old[0] === '' ? [more, ['', ...more]] : [[...old, ...more]];
}
