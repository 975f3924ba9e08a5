import { lstatSync } from 'node:fs';

export type PathKind = 'file' | 'folder' | 'link' | 'other';

/** What is at a path, links not followed; undefined where nothing is, or nothing that we may see. */
export function pathKind(path: string): PathKind | undefined {
  try {
    const stat = lstatSync(path, { throwIfNoEntry: false });
    if (!stat) return undefined;
    if (stat.isSymbolicLink()) return 'link';
    return stat.isDirectory() ? 'folder' : stat.isFile() ? 'file' : 'other';
  } catch {
    // A folder on the way may not be entered.
    return undefined;
  }
}
