import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, isAbsolute, resolve } from 'node:path';
import { promisify } from 'node:util';
import { type GitConfig, namesOwnRepository } from './git-rules.ts';
import { pathKind } from './path-kind.ts';

const run = promisify(execFile);

/** What git writes by itself into the configuration of a new repository or clone, and what runs nothing. */
const HARMLESS =
  /^(core\.(repositoryformatversion|filemode|bare|logallrefupdates|ignorecase|precomposeunicode|symlinks|autocrlf|eol|safecrlf|quotepath|abbrev|longpaths|sparsecheckout|sparsecheckoutcone)|extensions\.(objectformat|refstorage|partialclone|compatobjectformat)|remote\..+\.(url|fetch|tagopt|prune|promisor|partialclonefilter)|branch\..+\.(remote|merge|rebase|description)|submodule\.(.+\.)?(url|active|branch|path|ignore)|user\.(name|email)|init\.defaultbranch|pull\.(rebase|ff)|push\.default|lfs\.repositoryformatversion)$/i;
/** What people set besides, and what names neither a file nor a program: a copy of their own configuration may say it. */
const NAMES_NOTHING =
  /^(advice|color|column|log|status|pull|push|fetch|branch|rerere)\.[^\n]*$|^(commit|tag)\.gpgsign$|^(merge|diff)\.(ff|conflictstyle|algorithm|renames|renamelimit)$/i;
/** Names of settings whose values are files or folders that git runs, or reads as further settings. */
const NAMES_FILES = /hookspath|\[\s*include|attributesfile/i;

interface ConfigEntry {
  /** The file that says it. */
  origin: string;
  key: string;
  value: string;
}

/**
 * Files and folders that a git configuration names as its hooks or as further configuration, whether they are there or
 * not.
 * @param git absolute path of the program; without one nobody reads the configuration either
 * @param relative what counts in every repository (see `relativeInOwnConfig`)
 */
export async function pathsInConfig(
  { path: config, worktree }: GitConfig,
  git: string | undefined,
  relative: readonly string[],
): Promise<string[]> {
  const everywhere = relative.map((path) => resolve(worktree, path));
  const text = textOf(config);
  if (git === undefined || text === undefined || !NAMES_FILES.test(text)) return everywhere;
  // What git cannot read, it does not follow either.
  const entries = (await listConfig(git, config, true)) ?? [];
  const origins = entries.map(({ origin }) => origin).filter((origin) => origin !== config);
  const named = entries.flatMap(({ origin, key, value }) => {
    if (value.startsWith('~')) return [];
    if (/^core\.(hookspath|attributesfile)$/i.test(key)) return [resolve(worktree, value)];
    return /^include(if\..*)?\.path$/i.test(key) ? [resolve(dirname(origin), value)] : [];
  });
  return [...new Set([...everywhere, ...origins, ...named])];
}

/**
 * What the person's own and the system's configuration name as hooks or attributes by a relative path, which counts in
 * every repository.
 * @param root the workspace: some settings hold only below certain folders
 */
export async function relativeInOwnConfig(
  root: string,
  env: Readonly<Record<string, string | undefined>>,
  git: string | undefined,
): Promise<string[]> {
  if (git === undefined) return [];
  try {
    const args = ['config', '-z', '--show-scope', '--includes', '--get-regexp', '^core\\.(hookspath|attributesfile)$'];
    const { stdout } = await run(git, args, { cwd: root, env: { ...env }, timeout: 5_000 });
    const fields = stdout.split('\0');
    // Pairs; what the repository itself says counts only there.
    const own = fields.filter((_, at) => at % 2 === 1 && fields[at - 1] !== 'local' && fields[at - 1] !== 'worktree');
    const values = own.map((entry) => entry.split('\n').slice(1).join('\n'));
    return values.filter((value) => value !== '' && !value.startsWith('~') && !isAbsolute(value));
  } catch {
    // There are none, which is exit code 1, or git cannot read them and follows none.
    return [];
  }
}

/**
 * Why something that a command has made in a git folder may not stay: it would let programs run as soon as somebody calls
 * git there. Undefined where it is like that of any fresh repository or clone.
 * @param path one of `GitRules.deciding`
 * @param known texts of configurations that were there before: a copied repository brings its own along
 */
export async function runsPrograms(
  path: string,
  known: ReadonlySet<string>,
  git: string | undefined,
): Promise<string | undefined> {
  switch (basename(path)) {
    case 'hooks': {
      const hook = namesIn(path).find((name) => !name.endsWith('.sample'));
      return hook === undefined ? undefined : `it has a hook, ${hook}`;
    }
    case 'attributes':
      return 'its attributes decide which programs git runs on files';
    case 'commondir':
      return namesOwnRepository(path) ? undefined : 'it would bring in the configuration of another repository';
    default:
      return ofConfig(path, known, git);
  }
}

async function ofConfig(
  path: string,
  known: ReadonlySet<string>,
  git: string | undefined,
): Promise<string | undefined> {
  const name = basename(path);
  const text = textOf(path);
  if (text === undefined) return `its ${name} is no ordinary file`;
  const entries = git === undefined ? undefined : await listConfig(git, path, false);
  if (!entries) return `its ${name} cannot be read`;
  const isKnown = known.has(text);
  const bad = entries.find(
    ({ key, value }) =>
      !HARMLESS.test(key) && !(isKnown && NAMES_NOTHING.test(key)) && !isInnerWorktree(key, value, dirname(path)),
  );
  return bad && `its configuration sets ${bad.key}`;
}

/** A submodule's git folder names its worktree, a relative path that leads out of `.git/modules`. */
function isInnerWorktree(key: string, value: string, folder: string): boolean {
  if (key.toLowerCase() !== 'core.worktree' || isAbsolute(value)) return false;
  const at = folder.indexOf('/.git/modules/');
  return at > 0 && resolve(folder, value).startsWith(`${folder.slice(0, at)}/`);
}

async function listConfig(git: string, file: string, includes: boolean): Promise<ConfigEntry[] | undefined> {
  const args = ['config', '--file', file, includes ? '--includes' : '--no-includes', '--show-origin', '-z', '--list'];
  const env = { GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_GLOBAL: '/dev/null', HOME: '/' };
  let stdout: string;
  try {
    ({ stdout } = await run(git, args, { cwd: '/', env, timeout: 5_000, maxBuffer: 8 * 1024 * 1024 }));
  } catch {
    // Not a configuration that git can read.
    return undefined;
  }
  const fields = stdout.split('\0');
  const entries: ConfigEntry[] = [];
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const [key = '', ...value] = fields[at + 1]!.split('\n');
    const origin = fields[at]!.replace(/^file:/, '');
    entries.push({
      origin: isAbsolute(origin) ? origin : resolve(dirname(file), origin),
      key,
      value: value.join('\n'),
    });
  }
  return entries;
}

function textOf(path: string): string | undefined {
  return pathKind(path) === 'file' ? readFileSync(path, 'utf8') : undefined;
}

function namesIn(folder: string): string[] {
  switch (pathKind(folder)) {
    case 'folder':
      return readdirSync(folder);
    case 'link':
      // Hooks that are kept elsewhere are hooks.
      return ['(a link)'];
    default:
      return [];
  }
}
