import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { BlackError } from '@black-ide/protocol';
import { findRipgrep } from '../doctor/find-ripgrep.ts';
import type { ProcessRegistry } from '../processes/process-registry.ts';
import { GrepCollector, type GrepResult } from './grep-collector.ts';
import { FolderRules, GIT_IGNORE_FILE, ignoreFileAt, OWN_IGNORE_FILE, repositoryAbove } from './ignore-rules.ts';
import { runRipgrep } from './run-ripgrep.ts';
import { findPlace, type SearchPlace } from './search-place.ts';
import { surveyIgnoreFiles } from './survey-ignore-files.ts';
import { pathIgnored } from './walk.ts';

export interface GrepOptions {
  root: string;
  /** A regular expression in Rust's syntax (linear time, no look-around), or plain text if `literal`. */
  pattern: string;
  /** File or folder to search, from the root. Default: the root. One that is ignored by Git is searched when named. */
  path?: string;
  /** Only files that match, e.g. `*.ts` or `src/**`; with `!` in front, only others. From the root. */
  glob?: string | readonly string[];
  ignoreCase?: boolean;
  literal?: boolean;
  /** Lines to show before and after each match. */
  context?: number;
  /** Default 500. */
  maxMatches?: number;
  /** In UTF-16 units; longer lines are clipped around the match. Default 500. */
  maxLineLength?: number;
  signal?: AbortSignal;
  /** Path of a ripgrep. Default: the one that comes with us. */
  ripgrep?: string;
  /** Owns the search's process, so that it ends with us even where we are killed. */
  processes?: Pick<ProcessRegistry, 'own'>;
}

const DEFAULT_MAX_MATCHES = 500;
const DEFAULT_MAX_LINE = 500;
const MAX_CONTEXT = 100;
/** Counting stops here; a search that finds more was the wrong question. */
const COUNT_LIMIT = 20_000;
/** Larger files are searched only when they are named. */
const MAX_FILE_SIZE = '32M';
/** They exclude nothing; but for ripgrep a glob that matches takes back what is ignored, and these would take back all. */
const MATCHES_ALL = /^(?:\.\/)?\*\*?(?:\/\*\*?)*$/;

/**
 * Searches the text of files with ripgrep, in the order of their paths, without what is ignored (see `FolderRules`),
 * binary files (a NUL byte) and links. UTF-16 with a byte order mark is read, other encodings byte by byte.
 * @throws BlackError as `findPlace`, `path_ignored`, `invalid_pattern`, `invalid_glob` (with ripgrep's own message),
 *   `ripgrep_missing`, `search_failed`; the signal's reason.
 */
export async function grep(options: GrepOptions): Promise<GrepResult> {
  const { signal, maxMatches = DEFAULT_MAX_MATCHES, maxLineLength = DEFAULT_MAX_LINE } = options;
  signal?.throwIfAborted();
  if (options.pattern.includes('\0')) {
    throw new BlackError(
      'invalid_pattern',
      'The pattern contains a NUL character.',
      'Files with one are not searched.',
    );
  }
  const place = findPlace(options.root, options.path);
  const rules = FolderRules.of(place.root);
  const folder = place.kind === 'folder' ? place.path : parentOf(place.path);
  const named = rules.named(folder);
  const isForbidden = place.kind === 'file' && named?.allowsNamed(nameOf(place.path)) === false;
  if (!named || isForbidden) throw pathIgnored(options.path ?? '');
  const collector = new GrepCollector({
    maxMatches,
    maxLineLength,
    context: contextOf(options),
    countLimit: Math.max(COUNT_LIMIT, maxMatches),
    isIgnored: place.kind === 'file' ? () => false : ignoredBelow(folder, named),
  });
  const program = options.ripgrep ?? (await foundRipgrep());
  const args = argumentsFor(options, place, await ignoreArguments(place, named, signal));
  const search = (env: Readonly<Record<string, string>>, stop?: AbortSignal): Promise<number> => {
    const ends = [signal, stop].filter((each) => each !== undefined);
    return runRipgrep({
      program,
      args,
      cwd: place.root,
      env,
      signal: AbortSignal.any(ends),
      onRecord: (record) => collector.receive(record),
    });
  };
  const unreadable = await (options.processes ? options.processes.own(search) : search({}));
  return { ...collector.result(), unreadable };
}

/**
 * How ripgrep comes to the same rules as `FolderRules`, which has the last word: this only saves work. Where it would read
 * an ignore file that is none, or other rules than ours, it reads none and is told which folders to leave out.
 */
async function ignoreArguments(place: SearchPlace, rules: FolderRules, signal?: AbortSignal): Promise<string[]> {
  // A named file is searched whatever is ignored.
  if (place.kind === 'file') return ['--no-ignore'];
  const { arePlain, leftOut } = await surveyIgnoreFiles(place, rules, signal);
  const ownRules = join(place.root, OWN_IGNORE_FILE);
  const ignoresAlike = arePlain && !rules.startsAfresh && !hasStrayRules(place.root);
  return [
    '--no-ignore-dot',
    '--no-ignore-exclude',
    '--no-ignore-global',
    '--no-require-git',
    ...(ignoresAlike ? [] : ['--no-ignore-vcs', ...leftOut.map((path) => `--glob=!/${escapedGlob(path)}/`)]),
    ...(ignoreFileAt(ownRules) === 'plain' ? [`--ignore-file=${ownRules}`] : []),
  ];
}

function escapedGlob(path: string): string {
  return path.replaceAll(/[\\*?[\]{}!]/g, '\\$&');
}

function argumentsFor(options: GrepOptions, place: SearchPlace, ignoring: readonly string[]): string[] {
  const { pattern, literal = false, ignoreCase = false } = options;
  const globs = typeof options.glob === 'string' ? [options.glob] : (options.glob ?? []);
  const isMultiline = pattern.includes('\n') || (!literal && /\\n/.test(pattern));
  return [
    '--json',
    '--no-config',
    '--hidden',
    '--crlf',
    // Mapped into memory, a file is not seen to be binary.
    '--no-mmap',
    // Searching with one thread costs less than it seems, because it can stop at the last match that is wanted.
    '--sort=path',
    ...(place.kind === 'folder' ? [`--max-filesize=${MAX_FILE_SIZE}`] : []),
    ...globs.filter((glob) => !MATCHES_ALL.test(glob)).map((glob) => `--glob=${glob.replace(/^\.\//, '')}`),
    // After the caller's, because of two globs that match the later one counts.
    ...ignoring,
    '--glob=!.git',
    '--glob=!**/.blackide/keys.json',
    ignoreCase ? '--ignore-case' : '--case-sensitive',
    ...(literal ? ['--fixed-strings'] : []),
    ...(isMultiline ? ['--multiline'] : []),
    `--context=${contextOf(options)}`,
    `--regexp=${pattern}`,
    '--',
    place.path === '' ? './' : `./${place.path}`,
  ];
}

function contextOf({ context = 0 }: GrepOptions): number {
  return Math.max(0, Math.min(MAX_CONTEXT, Math.floor(context)));
}

async function foundRipgrep(): Promise<string> {
  const found = await findRipgrep();
  if ('path' in found) return found.path;
  throw new BlackError(
    'ripgrep_missing',
    `The search program ripgrep is missing: ${found.problem}`,
    'Install it with `npm ci --include=optional` in the folder of Black IDE.',
  );
}

/** Without a repository ripgrep would follow the ignore files of all folders above. */
function hasStrayRules(root: string): boolean {
  if (repositoryAbove(root) !== undefined || existsSync(join(root, '.git'))) return false;
  for (let above = dirname(root), last = root; above !== last; last = above, above = dirname(above)) {
    if (existsSync(join(above, GIT_IGNORE_FILE))) return true;
  }
  return false;
}

/** Whether a file below a folder is ignored; folders are looked at once. */
function ignoredBelow(folder: string, named: FolderRules): (path: string) => boolean {
  const known = new Map<string, FolderRules | undefined>([[folder, named]]);
  const rulesOf = (path: string): FolderRules | undefined => {
    if (known.has(path)) return known.get(path);
    const above = rulesOf(parentOf(path));
    const rules = above && !above.ignores(nameOf(path), true) ? above.child(nameOf(path)) : undefined;
    known.set(path, rules);
    return rules;
  };
  return (path) => rulesOf(parentOf(path))?.ignores(nameOf(path), false) ?? true;
}

function parentOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
