import { existsSync, lstatSync, readFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import type { Ignore } from 'ignore';
import { patternsBelow } from './ignore-patterns.ts';

/** Our own ignore file: what it names is never listed or searched, whatever a `.gitignore` says. */
export const OWN_IGNORE_FILE = '.blackideignore';
export const GIT_IGNORE_FILE = '.gitignore';
/** Nobody writes more by hand. */
const MAX_FILE_BYTES = 1024 * 1024;

type NewRules = () => Ignore;

/** Rules, and the path from the folder for which they are written to the one that asks, with `/` at its end. */
interface RuleSet {
  rules: Ignore;
  path: string;
}

/**
 * What of a folder is left out of searches and listings: what `.gitignore` (nested, negated, as Git reads it, with or
 * without a repository) or `.blackideignore` (same syntax, but a `!` takes back only its own rules) names, and `.git`
 * itself. In a folder inside a repository the rules of the folders above it hold as well. The user's global ignore file
 * and `.git/info/exclude` do not count, nor does an ignore file that is a link.
 */
export class FolderRules {
  /** Whether the rules of the folders above, or some of them, do not count: they would leave out everything. */
  readonly startsAfresh: boolean;
  readonly #folder: string;
  readonly #git: RuleSet;
  readonly #own: RuleSet;
  readonly #newRules: NewRules;

  private constructor(folder: string, git: RuleSet, own: RuleSet, newRules: NewRules, startsAfresh: boolean) {
    this.#folder = folder;
    this.#git = withFile(git, join(folder, GIT_IGNORE_FILE), newRules);
    this.#own = withFile(own, join(folder, OWN_IGNORE_FILE), newRules);
    this.#newRules = newRules;
    this.startsAfresh = startsAfresh;
  }

  /** @param root real path of a folder. */
  static async of(root: string): Promise<FolderRules> {
    const { default: ignore } = await import('ignore');
    const newRules = (): Ignore => ignore({ ignorecase: false });
    const none = (): RuleSet => ({ rules: newRules(), path: '' });
    let git = none();
    let startsAfresh = false;
    const top = repositoryAbove(root);
    if (top !== undefined) {
      let folder = top;
      for (const name of relative(top, root).split(sep)) {
        git = withFile(git, join(folder, GIT_IGNORE_FILE), newRules);
        const ignored = matches(git, name, true);
        startsAfresh ||= ignored;
        git = into(ignored ? { ...git, rules: newRules() } : git, name);
        folder = join(folder, name);
      }
    }
    return new FolderRules(root, git, none(), newRules, startsAfresh);
  }

  /** Whether an entry of this folder is left out. */
  ignores(name: string, isFolder: boolean): boolean {
    return isGitsOwn(name) || matches(this.#git, name, isFolder) || matches(this.#own, name, isFolder);
  }

  /** The rules of a folder in this one. */
  child(name: string): FolderRules {
    return this.#child(name, this.#git, this.startsAfresh);
  }

  /**
   * The rules of a folder that somebody names: one that a `.gitignore` leaves out may be looked into all the same, and
   * the rules above it do not count then. Undefined where `.blackideignore` or `.git` forbids it.
   * @param path from this folder, with `/`; empty for this one.
   */
  named(path: string): FolderRules | undefined {
    let rules: FolderRules = this;
    for (const name of path.split('/').filter(Boolean)) {
      if (isGitsOwn(name) || matches(rules.#own, name, true)) return undefined;
      const ignored = matches(rules.#git, name, true);
      const git = ignored ? { ...rules.#git, rules: rules.#newRules() } : rules.#git;
      rules = rules.#child(name, git, rules.startsAfresh || ignored);
    }
    return rules;
  }

  /** Whether a named file of this folder may be opened. */
  allowsNamed(name: string): boolean {
    return !isGitsOwn(name) && !matches(this.#own, name, false);
  }

  #child(name: string, git: RuleSet, startsAfresh: boolean): FolderRules {
    const folder = join(this.#folder, name);
    return new FolderRules(folder, into(git, name), into(this.#own, name), this.#newRules, startsAfresh);
  }
}

/** The folder of the repository that a folder lies in; undefined where there is none or the folder is its top itself. */
export function repositoryAbove(folder: string): string | undefined {
  if (existsSync(join(folder, '.git'))) return undefined;
  for (let above = dirname(folder), last = folder; above !== last; last = above, above = dirname(above)) {
    if (existsSync(join(above, '.git'))) return above;
  }
  return undefined;
}

function isGitsOwn(name: string): boolean {
  return name.toLowerCase() === '.git';
}

function matches({ rules, path }: RuleSet, name: string, isFolder: boolean): boolean {
  return rules.ignores(`${path}${name}${isFolder ? '/' : ''}`);
}

function into({ rules, path }: RuleSet, name: string): RuleSet {
  return { rules, path: `${path}${name}/` };
}

function withFile(set: RuleSet, file: string, newRules: NewRules): RuleSet {
  const text = readIgnoreFile(file);
  if (text === undefined) return set;
  return { rules: newRules().add(set.rules).add(patternsBelow(set.path, text)), path: set.path };
}

function readIgnoreFile(path: string): string | undefined {
  try {
    // Opening a named pipe would wait for ever.
    if (!lstatSync(path).isFile()) return undefined;
    return readFileSync(path).subarray(0, MAX_FILE_BYTES).toString('utf8');
  } catch {
    // None here, as nearly everywhere; one that cannot be read has no rules for Git either.
    return undefined;
  }
}
