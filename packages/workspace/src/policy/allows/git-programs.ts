import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

/** Settings by which reading commands of git (`status`, `diff`, `log`, `show`, `blame`, `grep`) run a program. */
const PROGRAM_KEYS =
  /^(diff\.external|diff\..+\.(command|textconv)|filter\..+\.(clean|smudge|process)|core\.(pager|sshcommand|gitproxy|askpass|alternaterefscommand)|pager\..+|interactive\.difffilter|log\.showsignature|gpg\.program|gpg\..+\.program|include\.path|includeif\..+\.path|credential\..*helper|remote\..+\.(uploadpack|promisor|vcs)|extensions\.partialclone|ssh\.variant)$/;
/** What Git LFS writes, which is known and wanted. */
const LFS = /^git-lfs (clean -- %f|smudge -- %f|smudge --skip -- %f|filter-process|filter-process --skip)$/;
/** The hook that reading commands run: they may write the index anew. */
const READING_HOOK = 'post-index-change';
/** A repository further up is looked for so many folders. */
const MAX_DEPTH = 64;
const MAX_CONFIG = 1_000_000;

/**
 * Why a command of git that only reads would run a program all the same: because the repository's own configuration
 * names one, or a hook is in place. Undefined where there is no repository, or one that names none. The person's own
 * configuration (`~/.gitconfig`) is trusted, and `core.fsmonitor` is turned off for every command.
 *
 * Whatever cannot be read counts as naming one.
 */
export function gitPrograms(folder: string): string | undefined {
  const repository = findRepository(folder);
  if (repository === undefined) return undefined;
  const { root, gitFolder, common } = repository;
  const hookFolders = [join(common, 'hooks')];
  for (const path of new Set([join(common, 'config'), join(gitFolder, 'config.worktree')])) {
    const text = readText(path);
    if (text === false) return `${path} cannot be read`;
    for (const { key, value } of settingsOf(text ?? '')) {
      // A place for hooks alone runs nothing: most of them belong to commands that write.
      if (key === 'core.hookspath') hookFolders.push(resolve(root, value));
      else if (PROGRAM_KEYS.test(key) && !isHarmlessValue(key, value)) {
        return `the repository's configuration sets ${key.slice(0, 80)}, by which git may run a program`;
      }
    }
  }
  return hookFolders.some((hooks) => existsSync(join(hooks, READING_HOOK)))
    ? `the repository has a hook ${READING_HOOK}, which git may run`
    : undefined;
}

interface Setting {
  /** Section and name in lower case, e.g. `diff.external`. */
  key: string;
  value: string;
}

/** The settings of a configuration's text, in order (git-config(1), "Syntax"). */
function settingsOf(text: string): Setting[] {
  const found: Setting[] = [];
  let section = '';
  for (const line of text.replace(/\\\r?\n/g, '').split(/\r?\n/)) {
    // A header may stand on one line with its first setting.
    const header = /^\s*\[\s*([A-Za-z0-9.-]+)(?:\s+"((?:[^"\\]|\\.)*)")?\s*\]/.exec(line);
    if (header) {
      const [, name = '', sub] = header;
      section = (sub === undefined ? name : `${name}.${sub}`).toLowerCase();
    }
    const rest = header ? line.slice(header[0].length) : line;
    const setting = /^\s*([A-Za-z][A-Za-z0-9-]*)\s*(?:=\s*(.*?))?\s*$/.exec(rest);
    if (!setting) continue;
    const [, name = '', value = ''] = setting;
    const plain = value.replace(/\s+[#;].*$/, '').replace(/^"(.*)"$/, '$1');
    found.push({ key: `${section}.${name.toLowerCase()}`, value: plain });
  }
  return found;
}

function isHarmlessValue(key: string, value: string): boolean {
  if (key === 'log.showsignature') return /^(false|no|off|0)$/i.test(value);
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
    const candidate = join(at, '.git');
    const kind = kindOf(candidate);
    if (kind === 'folder') return { root: at, ...withCommon(candidate) };
    if (kind === 'file') {
      const target = /^gitdir:\s*(.+?)\s*$/m.exec(readText(candidate) || '')?.[1];
      return target === undefined ? undefined : { root: at, ...withCommon(resolve(at, target)) };
    }
    const parent = dirname(at);
    if (parent === at) return undefined;
    at = parent;
  }
  return undefined;
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
