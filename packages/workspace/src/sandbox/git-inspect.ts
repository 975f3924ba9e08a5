import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { pathKind } from './path-kind.ts';

const run = promisify(execFile);

/** What git writes by itself into the configuration of a new repository or clone, and what runs nothing. */
const HARMLESS =
  /^(core\.(repositoryformatversion|filemode|bare|logallrefupdates|ignorecase|precomposeunicode|symlinks|autocrlf|eol|safecrlf|quotepath|abbrev|longpaths|sparsecheckout|sparsecheckoutcone)|extensions\.(objectformat|refstorage|partialclone|compatobjectformat)|remote\..+\.(url|fetch|tagopt|prune|promisor|partialclonefilter)|branch\..+\.(remote|merge|rebase|description)|submodule\.(.+\.)?(url|active|branch|path|ignore)|user\.(name|email)|init\.defaultbranch|pull\.(rebase|ff)|push\.default|lfs\.repositoryformatversion)$/i;
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
 * @param worktree what a relative `core.hooksPath` counts against
 * @param git absolute path of the program; without one nobody reads the configuration either
 */
export async function pathsInConfig(config: string, worktree: string, git: string | undefined): Promise<string[]> {
  const text = textOf(config);
  if (git === undefined || text === undefined || !NAMES_FILES.test(text)) return [];
  // What git cannot read, it does not follow either.
  const entries = (await listConfig(git, config, true)) ?? [];
  const origins = entries.map(({ origin }) => origin).filter((origin) => origin !== config);
  const named = entries.flatMap(({ origin, key, value }) => {
    if (value.startsWith('~')) return [];
    if (/^core\.(hookspath|attributesfile)$/i.test(key)) return [resolve(worktree, value)];
    return /^include(if\..*)?\.path$/i.test(key) ? [resolve(dirname(origin), value)] : [];
  });
  return [...new Set([...origins, ...named])];
}

/**
 * Why a git folder that a command has made may not stay: its configuration or its hooks would run programs as soon as
 * somebody calls git there. Undefined where it is like any fresh repository or clone.
 * @param known texts of configurations that were there before: a moved repository brings its own along
 */
export async function runsPrograms(
  folder: string,
  known: ReadonlySet<string>,
  git: string | undefined,
): Promise<string | undefined> {
  for (const name of ['config', 'config.worktree']) {
    const path = join(folder, name);
    const text = textOf(path);
    if (text === undefined && pathKind(path) !== undefined) return `its ${name} is no ordinary file`;
    if (text === undefined || known.has(text)) continue;
    const entries = git === undefined ? undefined : await listConfig(git, path, false);
    if (!entries) return `its ${name} cannot be read`;
    const bad = entries.find(({ key, value }) => !HARMLESS.test(key) && !isInnerWorktree(key, value, folder));
    if (bad) return `its configuration sets ${bad.key}`;
  }
  const hook = namesIn(join(folder, 'hooks')).find((name) => !name.endsWith('.sample'));
  return hook === undefined ? undefined : `it has a hook, ${hook}`;
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
