import { existsSync, lstatSync, readFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { type IgnoreRule, parseIgnoreFile } from './ignore-file.ts';

/** Our own ignore file: what it names is never listed or searched, whatever a `.gitignore` says. */
export const OWN_IGNORE_FILE = '.blackideignore';
export const GIT_IGNORE_FILE = '.gitignore';
/** Nobody writes more by hand. */
const MAX_FILE_BYTES = 1024 * 1024;

/** The rules of one file, and of those above it. */
interface Layer {
  rules: readonly IgnoreRule[];
  /** How many folders lie above the file, from where the counting begins. */
  depth: number;
  above: Layer | undefined;
}

/**
 * What of a folder is left out of searches and listings: what `.gitignore` (nested, negated, as Git reads it, with or
 * without a repository) or `.blackideignore` (same syntax, but a `!` takes back only its own rules) names, and `.git`
 * itself. In a folder inside a repository the rules of the folders above it hold as well. The user's global ignore file
 * and `.git/info/exclude` do not count, nor does an ignore file that is a link
 * or longer than 1 MiB.
 */
export class FolderRules {
  /** Whether some rules of the folders above do not count, because they would leave out this folder itself. */
  readonly startsAfresh: boolean;
  readonly #folder: string;
  /** From where the counting begins: the top of the repository, or the root. */
  readonly #path: readonly string[];
  readonly #git: Layer | undefined;
  readonly #own: Layer | undefined;

  private constructor(
    folder: string,
    path: readonly string[],
    git: Layer | undefined,
    own: Layer | undefined,
    startsAfresh: boolean,
    isBare = false,
  ) {
    this.#folder = folder;
    this.#path = path;
    this.#git = isBare ? git : withFile(git, path, join(folder, GIT_IGNORE_FILE));
    this.#own = isBare ? own : withFile(own, path, join(folder, OWN_IGNORE_FILE));
    this.startsAfresh = startsAfresh;
  }

  /** @param root real path of a folder. */
  static of(root: string): FolderRules {
    const top = repositoryAbove(root);
    let git: Layer | undefined;
    let startsAfresh = false;
    const path: string[] = [];
    for (const name of top === undefined ? [] : relative(top, root).split(sep)) {
      git = withFile(git, path, join(top!, ...path, GIT_IGNORE_FILE));
      const isIgnored = matches(git, path, name, true);
      startsAfresh ||= isIgnored;
      if (isIgnored) git = undefined;
      path.push(name);
    }
    return new FolderRules(root, path, git, undefined, startsAfresh);
  }

  /** Whether an entry of this folder is left out. */
  ignores(name: string, isFolder: boolean): boolean {
    return (
      isGitsOwn(name) ||
      matches(this.#git, this.#path, name, isFolder) ||
      matches(this.#own, this.#path, name, isFolder)
    );
  }

  /**
   * The rules of a folder in this one.
   * @param isBare whether it is known to hold no ignore file: none is looked for then.
   */
  child(name: string, isBare = false): FolderRules {
    return this.#child(name, this.#git, this.startsAfresh, isBare);
  }

  /**
   * The rules of a folder that somebody names: one that a `.gitignore` leaves out may be looked into all the same, and
   * the rules above it do not count then. Undefined where `.blackideignore` or `.git` forbids it.
   * @param path from this folder, with `/`; empty for this one.
   */
  named(path: string): FolderRules | undefined {
    let rules: FolderRules = this;
    for (const name of path.split('/').filter(Boolean)) {
      if (isGitsOwn(name) || matches(rules.#own, rules.#path, name, true)) return undefined;
      const isIgnored = matches(rules.#git, rules.#path, name, true);
      rules = rules.#child(name, isIgnored ? undefined : rules.#git, rules.startsAfresh || isIgnored);
    }
    return rules;
  }

  /** Whether a named file of this folder may be opened. */
  allowsNamed(name: string): boolean {
    return !isGitsOwn(name) && !matches(this.#own, this.#path, name, false);
  }

  #child(name: string, git: Layer | undefined, startsAfresh: boolean, isBare = false): FolderRules {
    return new FolderRules(join(this.#folder, name), [...this.#path, name], git, this.#own, startsAfresh, isBare);
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

/**
 * What lies where an ignore file may lie. `odd` is what nobody should read: opening a named pipe would wait for ever, a link
 * may lead to an endless device, and no ignore file is that long.
 */
export function ignoreFileAt(path: string): 'none' | 'plain' | 'odd' {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (!stats) return 'none';
  return stats.isFile() && stats.size <= MAX_FILE_BYTES ? 'plain' : 'odd';
}

/** Whether an ignore file may stand behind a name: a file system may take no notice of letter case. */
export function isIgnoreFile(name: string): boolean {
  return name.startsWith('.') && [GIT_IGNORE_FILE, OWN_IGNORE_FILE].includes(name.toLowerCase());
}

function isGitsOwn(name: string): boolean {
  return name.toLowerCase() === '.git';
}

/** The last rule that matches decides, and a file nearer by comes after one further up. */
function matches(layer: Layer | undefined, folder: readonly string[], name: string, isFolder: boolean): boolean {
  for (let each = layer; each; each = each.above) {
    const path = [...folder.slice(each.depth), name];
    const rule = each.rules.findLast((one) => one.matches(path, isFolder));
    if (rule) return !rule.isNegated;
  }
  return false;
}

function withFile(above: Layer | undefined, folder: readonly string[], file: string): Layer | undefined {
  const rules = parseIgnoreFile(readIgnoreFile(file));
  return rules.length > 0 ? { rules, depth: folder.length, above } : above;
}

function readIgnoreFile(path: string): string {
  try {
    if (ignoreFileAt(path) !== 'plain') return '';
    return readFileSync(path).toString('utf8');
  } catch {
    // None here, as nearly everywhere; one that cannot be read has no rules for Git either.
    return '';
  }
}
