import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { readGitConfig } from './git-config.ts';
import { submodulesIn } from './git-index.ts';

/** Settings by which reading commands of git (`status`, `diff`, `log`, `show`, `blame`, `grep`) run a program. */
const PROGRAM_KEYS =
  /^(diff\.external|diff\..*\.(command|textconv)|diff\.submodule|status\.submodulesummary|submodule\.recurse|filter\..*\.(clean|smudge|process)|core\.(pager|sshcommand|gitproxy|askpass|alternaterefscommand)|pager\..+|interactive\.difffilter|log\.showsignature|gpg\.program|gpg\..+\.program|include\.path|includeif\..+\.path|credential\..*helper|remote\..+\.(uploadpack|promisor|vcs)|extensions\.partialclone|ssh\.variant)$/;
/** What Git LFS writes, which is known and wanted. */
const LFS = /^git-lfs (clean -- %f|smudge -- %f|smudge --skip -- %f|filter-process|filter-process --skip)$/;
/** How git's configuration says no. */
const NO = /^(false|no|off|0)$/i;
/** The hook that reading commands run: they may write the index anew. */
const READING_HOOK = 'post-index-change';
/** A repository further up is looked for so many folders. */
const MAX_DEPTH = 64;
const MAX_CONFIG = 1_000_000;
const MAX_INDEX = 200_000_000;

/** Submodules inside of submodules are followed so deep. */
const MAX_NESTING = 8;

/**
 * Why a command of git that only reads would run a program all the same: because the configuration of the repository,
 * or of one of its submodules, names one, or a hook is in place. Undefined where there is no repository, or one that
 * names none. The person's own configuration (`~/.gitconfig`) is trusted, and `core.fsmonitor` is turned off for every
 * command.
 *
 * Whatever cannot be read counts as naming one.
 */
export function gitPrograms(folder: string): string | undefined {
  const repository = findRepository(folder);
  return repository && programsOf(repository, 0);
}

function programsOf(repository: Repository, nesting: number): string | undefined {
  const { root, gitFolder, common } = repository;
  const hookFolders = [join(common, 'hooks')];
  let idLength: 20 | 32 = 20;
  for (const path of new Set([join(common, 'config'), join(gitFolder, 'config.worktree')])) {
    const text = readText(path);
    const settings = text === false ? undefined : readGitConfig(text ?? '');
    if (!settings) return `${path} cannot be read`;
    for (const { key, value } of settings) {
      // A place for hooks alone runs nothing: most of them belong to commands that write.
      if (key === 'core.hookspath') hookFolders.push(resolve(root, value));
      else if (key === 'extensions.objectformat' && value === 'sha256') idLength = 32;
      else if (PROGRAM_KEYS.test(key) && !isHarmlessValue(key, value)) {
        return `the repository's configuration sets ${key.slice(0, 80)}, by which git may run a program`;
      }
    }
  }
  if (hookFolders.some((hooks) => existsSync(join(hooks, READING_HOOK)))) {
    return `the repository has a hook ${READING_HOOK}, which git may run`;
  }
  return programsOfSubmodules(repository, idLength, nesting);
}

/** `git status` and `git diff` look into submodules, each with a configuration of its own, where `.gitmodules` says so. */
function programsOfSubmodules({ root, gitFolder }: Repository, idLength: 20 | 32, nesting: number): string | undefined {
  const unread = `the submodules in ${gitFolder} cannot be read`;
  const index = readIndex(gitFolder);
  const paths = index && submodulesIn(index, idLength);
  if (!paths) return unread;
  for (const path of paths) {
    const submodule = repositoryIn(join(root, path));
    if (!submodule) continue;
    if (nesting >= MAX_NESTING) return unread;
    const why = programsOf(submodule, nesting + 1);
    if (why !== undefined) return `in the submodule ${path.slice(0, 80)}, ${why}`;
  }
  return undefined;
}

/** The index's bytes, none where there is no index; undefined where it cannot be read, or lies in several files. */
function readIndex(gitFolder: string): Buffer | undefined {
  try {
    if (readdirSync(gitFolder).some((name) => name.startsWith('sharedindex.'))) return undefined;
    const path = join(gitFolder, 'index');
    const found = statSync(path, { throwIfNoEntry: false });
    if (!found) return Buffer.alloc(0);
    return found.isFile() && found.size <= MAX_INDEX ? readFileSync(path) : undefined;
  } catch {
    // Not to be read by us: the caller takes it for one that names a program.
    return undefined;
  }
}

function isHarmlessValue(key: string, value: string): boolean {
  if (/^(log\.showsignature|status\.submodulesummary|submodule\.recurse)$/.test(key)) return NO.test(value);
  if (key === 'diff.submodule') return /^(short|log)$/.test(value);
  if (key.startsWith('filter.')) return LFS.test(value);
  return key === 'core.pager' || key.startsWith('pager.') ? /^(cat|less|false|true|)$/.test(value) : false;
}

interface Repository {
  /** The folder that `.git` is in. */
  root: string;
  gitFolder: string;
  /** Where the configuration and the hooks are: another one for a linked worktree. */
  common: string;
}

/** The repository a command in this folder works on, found as git finds it. */
function findRepository(folder: string): Repository | undefined {
  let at = resolve(folder);
  for (let depth = 0; depth < MAX_DEPTH; depth += 1) {
    if (kindOf(join(at, '.git')) !== undefined) return repositoryIn(at);
    const parent = dirname(at);
    if (parent === at) return undefined;
    at = parent;
  }
  return undefined;
}

/** The repository whose `.git`, a folder or a file that leads to one, is in this very folder. */
function repositoryIn(root: string): Repository | undefined {
  const candidate = join(root, '.git');
  const kind = kindOf(candidate);
  if (kind === 'folder') return { root, ...withCommon(candidate) };
  const target = kind && /^gitdir:\s*(.+?)\s*$/m.exec(readText(candidate) || '')?.[1];
  return target === undefined ? undefined : { root, ...withCommon(resolve(root, target)) };
}

function withCommon(gitFolder: string): Omit<Repository, 'root'> {
  const named = readText(join(gitFolder, 'commondir'));
  return { gitFolder, common: named ? resolve(gitFolder, named.trim()) : gitFolder };
}

function kindOf(path: string): 'folder' | 'file' | undefined {
  const found = statSync(path, { throwIfNoEntry: false });
  return found && (found.isDirectory() ? 'folder' : 'file');
}

/** A file's text; undefined where there is none, false where it cannot be read. */
function readText(path: string): string | undefined | false {
  try {
    const found = statSync(path, { throwIfNoEntry: false });
    if (!found) return undefined;
    return found.isFile() && found.size <= MAX_CONFIG ? readFileSync(path, 'utf8') : false;
  } catch {
    // Not to be read by us: the caller takes it for one that names a program.
    return false;
  }
}
