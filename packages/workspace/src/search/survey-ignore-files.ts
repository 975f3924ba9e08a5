import { type Dirent, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { errnoOf } from '../stores/errno.ts';
import { type FolderRules, GIT_IGNORE_FILE, ignoreFileAt, isIgnoreFile } from './ignore-rules.ts';
import type { SearchPlace } from './search-place.ts';

export interface IgnoreSurvey {
  /** Whether another program that honours `.gitignore` files reads only plain ones on its way. */
  arePlain: boolean;
  /** Folders that the rules leave out, from the root: for a program that must not read the files itself. At most 500. */
  leftOut: string[];
}

/** So many arguments fit on every system's command line. */
const MOST_LEFT_OUT = 500;
/** After as many folders everything else has its turn. */
const FOLDERS_A_TURN = 64;

/**
 * Looks at every ignore file that a search of a folder would read: those in the folders above it, up to the top of the
 * file system, and in those below that are not ignored. A cloned repository can hold a `.gitignore` that is a link to an
 * endless device.
 * @param rules those of the folder.
 * @throws the signal's reason.
 */
export async function surveyIgnoreFiles(
  { root, path }: SearchPlace,
  rules: FolderRules,
  signal?: AbortSignal,
): Promise<IgnoreSurvey> {
  const survey: IgnoreSurvey = { arePlain: areAllPlainAbove(join(root, path)), leftOut: [] };
  const todo: { path: string; rulesIf: (isBare: boolean) => FolderRules }[] = [{ path, rulesIf: () => rules }];
  for (let next = todo.pop(), count = 1; next; next = todo.pop(), count++) {
    if (count % FOLDERS_A_TURN === 0) await setImmediate();
    signal?.throwIfAborted();
    const entries = entriesIn(join(root, next.path));
    const isBare = !entries.some(({ name }) => isIgnoreFile(name));
    if (!isBare && isOdd(join(root, next.path))) survey.arePlain = false;
    const own = next.rulesIf(isBare);
    for (const entry of entries) {
      if (!entry.isDirectory()) continue;
      const { name } = entry;
      const below = next.path === '' ? name : `${next.path}/${name}`;
      if (!own.ignores(name, true)) todo.push({ path: below, rulesIf: (isBareToo) => own.child(name, isBareToo) });
      else if (survey.leftOut.length < MOST_LEFT_OUT) survey.leftOut.push(below);
    }
  }
  return survey;
}

function areAllPlainAbove(folder: string): boolean {
  for (let at = folder; ; at = dirname(at)) {
    if (isOdd(at)) return false;
    if (at === dirname(at)) return true;
  }
}

function isOdd(folder: string): boolean {
  try {
    return ignoreFileAt(join(folder, GIT_IGNORE_FILE)) === 'odd';
  } catch (cause) {
    // A folder that may not be looked into: neither may who searches it.
    if (errnoOf(cause) !== undefined) return false;
    throw cause;
  }
}

function entriesIn(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (cause) {
    // Gone meanwhile, or not to be read: the search will tell.
    if (errnoOf(cause) !== undefined) return [];
    throw cause;
  }
}
