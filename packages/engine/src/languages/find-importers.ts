import { basename, dirname, extname, join, relative, sep } from 'node:path';
import { type GrepOptions, grep } from '@black-ide/workspace';

export interface ImporterSearch {
  /** The workspace: a real path. */
  root: string;
  /** Absolute. */
  path: string;
  limit: number;
  signal: AbortSignal;
  processes: GrepOptions['processes'];
}

/** Words of a name that so many files hold say nothing. */
const MAX_MATCHES = 400;
/** Languages in which files of one package use each other without a word about it. */
const IMPLICIT = new Set(['.java', '.kt', '.kts', '.scala', '.cs', '.swift']);
/** Files of these names are imported by the name of their folder. */
const INDEX_NAMES = new Set(['index', '__init__', 'mod', 'lib', 'main', 'package']);

/**
 * Files that seem to import one, the nearest in the tree first, as absolute paths: found by text, as lines that name it
 * behind a word like `import`. For where no code graph knows better; it may err both ways, and what is found is only looked
 * at more closely.
 */
export async function findImporters({ root, path, limit, signal, processes }: ImporterSearch): Promise<string[]> {
  const ending = extname(path);
  const stem = basename(path, ending);
  const folder = basename(dirname(path));
  // What Go imports are folders.
  const name = escaped(INDEX_NAMES.has(stem) || ending === '.go' ? folder : stem);
  if (name === '') return [];
  const words = 'import|from|require|include|use|mod|export|load|source';
  const named = `\\b(${words})\\b.*\\b${name}\\b|^\\s*"[^"]*\\b${name}"\\s*$`;
  const found = await grep({
    root,
    pattern: IMPLICIT.has(ending) ? `\\b${name}\\b` : named,
    glob: `*${familyOf(ending)}`,
    maxMatches: MAX_MATCHES,
    maxLineLength: 10,
    signal,
    processes,
  });
  const files = new Set(found.lines.map((line) => join(root, line.path)));
  files.delete(path);
  return nearestTo(path, [...files], limit);
}

/** The files that lie nearest to one in the tree, the nearest first. */
export function nearestTo(path: string, files: readonly string[], limit: number): string[] {
  return files.toSorted((a, b) => distance(path, a) - distance(path, b) || (a < b ? -1 : 1)).slice(0, limit);
}

/** Endings of files that import each other, as a glob. */
function familyOf(ending: string): string {
  const families = [
    ['.ts', '.tsx', '.mts', '.cts', '.js', '.jsx', '.mjs', '.cjs', '.vue', '.svelte', '.astro'],
    ['.c', '.h', '.cc', '.cpp', '.cxx', '.hh', '.hpp', '.hxx', '.m', '.mm'],
    ['.py', '.pyi'],
    ['.kt', '.kts', '.java'],
    ['.css', '.scss', '.less'],
  ];
  const family = families.find((each) => each.includes(ending)) ?? [ending];
  return family.length > 1 ? `{${family.join(',')}}` : ending;
}

/** Steps from one file's folder to the other's. */
function distance(from: string, to: string): number {
  const steps = relative(dirname(from), dirname(to));
  return steps === '' ? 0 : steps.split(sep).length;
}

function escaped(text: string): string {
  return text.replaceAll(/[^\w-]/g, '\\$&');
}
