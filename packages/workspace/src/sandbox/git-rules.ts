import { lstatSync, readdirSync, readFileSync, realpathSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { type PathKind, pathKind } from './path-kind.ts';
import { isInside, type SandboxRule } from './sandbox-policy.ts';

/** The rules for one repository, and what has to be looked at after a command because no mount can hold it. */
export interface GitRules {
  rules: SandboxRule[];
  /** Small files that point git elsewhere, which git itself has to be able to remove. Absolute. */
  pointers: string[];
  /** Git folders that a command can write. */
  folders: string[];
  /** What decides which programs git runs, as far as it is there: files and folders, absolute, links not followed. */
  deciding: string[];
  /** Links where git writes by itself: it would write through them, out of the workspace. Absolute. */
  links: string[];
  /** Configuration files of git, to be asked for hooks and files that they name. */
  configs: GitConfig[];
}

export interface GitConfig {
  path: string;
  /** What a relative `core.hooksPath` counts against. */
  worktree: string;
}

/** Files and folders of a git folder that decide which programs git runs. */
const RUNS_PROGRAMS = ['config', 'config.worktree', 'hooks', 'info/attributes', 'commondir'];
/** What a commit in a linked worktree writes in the main repository. */
const SHARED = ['objects', 'refs', 'logs'];
/** Where git makes files by itself. */
const WRITTEN = [
  '',
  'logs',
  'logs/refs',
  'logs/refs/heads',
  'refs',
  'refs/heads',
  'refs/tags',
  'objects',
  'objects/info',
];
const MAX_POINTER = 4_096;
const MAX_MODULES = 2_000;

/**
 * The rules for what a `.git` means: its configuration and hooks are read-only, wherever they lie. A git folder outside
 * the workspace is opened for writing only where it points back to this very `.git` (a linked worktree, a submodule, a
 * repository with `core.worktree`): what a file in the workspace says counts for nothing by itself.
 *
 * @param dotGit absolute path of the `.git`: a folder, a file or a link; or of a bare repository
 * @param roots real paths of the folders that commands may change anyway
 */
export function gitRules(dotGit: string, roots: readonly string[]): GitRules {
  const found: GitRules = { rules: [], pointers: [], folders: [], deciding: [], links: [], configs: [] };
  const kind = pathKind(dotGit);
  const folder = gitFolderOf(dotGit, kind);
  const isOurs = (path: string): boolean => roots.some((root) => isInside(path, root));
  if (kind === 'folder') {
    // Its own mount: a folder that is one cannot be renamed out of the way.
    found.rules.push({ access: 'write', path: dotGit });
  }
  if (folder === undefined) {
    if (kind === 'file') found.rules.push({ access: 'read', path: dotGit });
    else if (kind === 'link') found.pointers.push(dotGit);
    return found;
  }
  const common = commonFolderOf(folder);
  if (isOurs(folder)) {
    // Git removes the file of a linked worktree together with it.
    if (kind === 'file' && common === folder) found.rules.push({ access: 'read', path: dotGit });
    else if (kind !== 'folder') found.pointers.push(dotGit);
    const worktree = basename(dotGit) === '.git' ? dirname(dotGit) : (worktreeOf(folder) ?? dotGit);
    addFolder(folder, worktree, found, isOurs);
    if (common !== folder && isOurs(common)) addFolder(common, worktree, found, isOurs);
    return found;
  }
  if (kind === 'file') found.rules.push({ access: 'read', path: dotGit });
  else found.pointers.push(dotGit);
  if (!isRepository(common)) return found;
  if (
    common !== folder &&
    pointsBack(join(folder, 'gitdir'), dotGit) &&
    dirname(folder) === join(common, 'worktrees')
  ) {
    found.rules.push({ access: 'read', path: common }, { access: 'write', path: folder });
    for (const name of SHARED)
      if (isFolder(join(common, name))) found.rules.push({ access: 'write', path: join(common, name) });
    for (const name of ['gitdir', 'commondir', 'config.worktree']) addExisting(join(folder, name), found);
    found.configs.push({ path: join(common, 'config'), worktree: dirname(dotGit) });
    addLinks(folder, found);
    addLinks(common, found);
  } else if (common === folder && worktreeOf(folder) === realOf(dirname(dotGit))) {
    found.rules.push({ access: 'write', path: folder });
    addFolder(folder, dirname(dotGit), found, () => true);
  }
  return found;
}

/** The rules of several repositories, each thing once. */
export function joined(all: readonly GitRules[]): GitRules {
  const configs = new Map(all.flatMap((each) => each.configs).map((each) => [`${each.path}\0${each.worktree}`, each]));
  const once = (of: (rules: GitRules) => string[]): string[] => [...new Set(all.flatMap(of))];
  return {
    rules: all.flatMap(({ rules }) => rules),
    pointers: once(({ pointers }) => pointers),
    folders: once(({ folders }) => folders),
    deciding: once(({ deciding }) => deciding),
    links: once(({ links }) => links),
    configs: [...configs.values()],
  };
}

/** A git folder inside what commands may change: everything in it that decides which programs git runs. */
function addFolder(
  folder: string,
  worktree: string,
  found: GitRules,
  isOurs: (path: string) => boolean,
  depth = 0,
): void {
  if (found.folders.includes(folder) || found.folders.length > MAX_MODULES) return;
  found.folders.push(folder);
  addLinks(folder, found);
  const isEntry = isWorktreeEntry(folder);
  for (const name of RUNS_PROGRAMS) {
    const path = join(folder, name);
    // Git removes that of a linked worktree together with it: see below.
    if (!isEntry || name !== 'commondir') addExisting(path, found);
    else if (exists(path)) found.deciding.push(path);
  }
  if (!exists(join(folder, 'hooks')) && isFile(join(folder, 'HEAD'))) {
    found.rules.push({ access: 'absent', path: join(folder, 'hooks') });
  }
  if (isFile(join(folder, 'config'))) found.configs.push({ path: join(folder, 'config'), worktree });
  for (const name of namesIn(join(folder, 'worktrees'))) {
    const entry = join(folder, 'worktrees', name);
    const tree = realOf(dirname(pointerIn(join(entry, 'gitdir'), '') ?? ''));
    const pointers = ['gitdir', 'commondir'].map((each) => join(entry, each)).filter(isFile);
    // One that lies elsewhere cannot be removed by a command; one of ours can, and git then removes these with it.
    if (tree !== undefined && isOurs(tree)) found.pointers.push(...pointers);
    else for (const pointer of pointers) found.rules.push({ access: 'read', path: pointer });
    addExisting(join(entry, 'config.worktree'), found);
  }
  if (depth < 8) addModules(join(folder, 'modules'), found, isOurs, depth + 1);
}

function addLinks(folder: string, found: GitRules): void {
  for (const place of WRITTEN) {
    for (const name of namesIn(join(folder, place))) {
      const path = join(folder, place, name);
      if (pathKind(path) === 'link') found.links.push(path);
    }
  }
}

/** Submodules' git folders; their names may hold slashes. */
function addModules(folder: string, found: GitRules, isOurs: (path: string) => boolean, depth: number): void {
  for (const name of namesIn(folder)) {
    const path = join(folder, name);
    if (isFile(join(path, 'HEAD'))) addFolder(path, worktreeOf(path) ?? path, found, isOurs, depth);
    else if (isFolder(path) && depth < 8) addModules(path, found, isOurs, depth + 1);
  }
}

function addExisting(path: string, found: GitRules): void {
  const kind = pathKind(path);
  if (kind !== undefined) found.deciding.push(path);
  if (kind === 'link') found.pointers.push(path);
  const real = kind === 'link' ? realOf(path) : path;
  if (kind !== undefined && real !== undefined) found.rules.push({ access: 'read', path: real });
}

/** Where a `.git` leads to; undefined where it leads nowhere. */
function gitFolderOf(dotGit: string, kind: PathKind | undefined): string | undefined {
  if (kind === 'folder') return dotGit;
  const target = kind === 'link' ? realOf(dotGit) : undefined;
  if (kind === 'link' && (target === undefined || isFolder(target))) return target;
  const named = pointerIn(target ?? dotGit, 'gitdir: ');
  return named === undefined ? undefined : realOf(resolve(dirname(target ?? dotGit), named));
}

/** The folder that a linked worktree shares with the main one; the folder itself elsewhere. */
function commonFolderOf(folder: string): string {
  const named = pointerIn(join(folder, 'commondir'), '');
  return (named !== undefined && realOf(resolve(folder, named))) || folder;
}

/** Whether a git folder is the entry of a linked worktree in its main repository, where a `commondir` belongs. */
function isWorktreeEntry(folder: string): boolean {
  return basename(dirname(folder)) === 'worktrees';
}

/** Whether the `commondir` of a linked worktree's entry names the repository that it lies in. */
export function namesOwnRepository(commondir: string): boolean {
  const folder = dirname(commondir);
  return isWorktreeEntry(folder) && commonFolderOf(folder) === realOf(dirname(dirname(folder)));
}

/** Whether a worktree's entry in the main repository names this very `.git`. */
function pointsBack(pointer: string, dotGit: string): boolean {
  const named = pointerIn(pointer, '');
  if (named === undefined) return false;
  const path = resolve(dirname(pointer), named);
  return basename(path) === '.git' && realOf(dirname(path)) === realOf(dirname(dotGit));
}

/** The folder that a repository's own configuration names as its worktree. */
function worktreeOf(folder: string): string | undefined {
  const named = /^\s*worktree\s*=\s*"?([^"\n]+?)"?\s*$/m.exec(textOf(join(folder, 'config')) ?? '')?.[1];
  return named === undefined ? undefined : realOf(resolve(folder, named));
}

function isRepository(folder: string): boolean {
  return isFile(join(folder, 'HEAD')) && isFolder(join(folder, 'objects')) && isFolder(join(folder, 'refs'));
}

function pointerIn(path: string, prefix: string): string | undefined {
  const text = textOf(path);
  if (text === undefined || text.length > MAX_POINTER || !text.startsWith(prefix) || text.includes('\0'))
    return undefined;
  return text.slice(prefix.length).replace(/[\r\n]+$/, '') || undefined;
}

function textOf(path: string): string | undefined {
  try {
    const stat = lstatSync(path);
    return stat.isFile() && stat.size < 1_000_000 ? readFileSync(path, 'utf8') : undefined;
  } catch {
    // Not there, or not for us: it points nowhere.
    return undefined;
  }
}

function namesIn(folder: string): string[] {
  try {
    return lstatSync(folder).isDirectory() ? readdirSync(folder) : [];
  } catch {
    // There is none.
    return [];
  }
}

function realOf(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    // It leads nowhere.
    return undefined;
  }
}

const exists = (path: string): boolean => pathKind(path) !== undefined;
const isFile = (path: string): boolean => pathKind(path) === 'file';
const isFolder = (path: string): boolean => pathKind(path) === 'folder';
