import { lstatSync, readdirSync, type Stats } from 'node:fs';
import { join } from 'node:path';
import { errnoOf } from '../../stores/errno.ts';
import type { Tree } from './tree.ts';

/** Of all that is ignored so many files and folders are looked at: a folder of packages holds tens of thousands. */
const MAX_LOOKED_AT = 1_000;

/**
 * What is ignored and has come, changed or gone since a snapshot, as the snapshots list it. Nobody knows the old bytes: it is told,
 * not taken back. Deep in a large folder a change may be missed; that the folder has come is not.
 */
export function changedIgnored(root: string, before: Tree, after: Tree): string[] {
  const known = new Set(before.uncovered.ignored);
  let left = MAX_LOOKED_AT;
  const isChanged = (path: string): boolean => {
    const top = join(root, path);
    const stats = statsOf(top);
    if (!stats) return known.has(path);
    const open = [{ at: top, stats }];
    for (let next = open.shift(); next; next = open.shift()) {
      const { at, stats: now } = next;
      if (now.ctimeMs >= before.at) return true;
      if (!now.isDirectory()) continue;
      for (const name of namesIn(at).slice(0, left)) {
        left -= 1;
        const inside = statsOf(join(at, name));
        if (inside) open.push({ at: join(at, name), stats: inside });
      }
    }
    return false;
  };
  return [...new Set([...known, ...after.uncovered.ignored])].filter(isChanged);
}

/** How files that are not covered stand now. @param paths as `changedIgnored` names them */
export function leftOf(root: string, paths: readonly string[]): { path: string; gone?: true }[] {
  return paths.map((path) => (statsOf(join(root, path)) ? { path } : { path, gone: true }));
}

/** Undefined where nothing is there, or nothing that we may look at. */
function statsOf(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch (cause) {
    if (errnoOf(cause) === undefined) throw cause;
    return undefined;
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (cause) {
    if (errnoOf(cause) === undefined) throw cause;
    return [];
  }
}
