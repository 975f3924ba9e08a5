import { readdirSync, realpathSync, type Stats } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { FileOps } from '../../changes/file-ops.ts';
import type { PathGuard } from '../../paths/path-guard.ts';
import { errnoOf } from '../../stores/errno.ts';
import { storedPath } from '../store/pack-change.ts';
import type { ChangeRecord } from '../store/records.ts';
import { entryAt } from './live-file.ts';

const IN_USE = new Set(['ENOTEMPTY', 'EEXIST', 'ENOENT', 'ENOTDIR', 'EBUSY', 'EACCES', 'EPERM']);

/**
 * What taking changes back does to folders: those with a mode are to be there, those with null are not.
 * @param records the newest first
 */
function foldersBefore(records: readonly Folders[]): Map<string, number | null> {
  const folders = new Map<string, number | null>();
  for (const { madeFolders = [], goneFolders = [] } of records) {
    for (const path of madeFolders) folders.set(path, null);
    for (const { path, mode } of goneFolders) folders.set(path, mode);
  }
  return folders;
}

export type Folders = Pick<ChangeRecord, 'madeFolders' | 'goneFolders'>;

/** The folders that taking changes back will make, and those that it will take away, as they are now. */
export function foldersToChange(records: readonly Folders[], guard: PathGuard): Folders {
  const madeFolders: string[] = [];
  const goneFolders: { path: string; mode: number }[] = [];
  for (const [path, mode] of foldersBefore(records)) {
    const stats = folderAt(resolve(guard.root, path));
    const isFolder = stats !== undefined;
    if (mode !== null && !isFolder) madeFolders.push(path);
    if (mode === null && isFolder) goneFolders.push({ path, mode: stats.mode & 0o7777 });
  }
  return { madeFolders, goneFolders };
}

/** A folder and all folders in it, as the manifest has them; its files are known to go. */
export function foldersIn(real: string, { root }: PathGuard): string[] {
  const inside = readdirSync(real, { recursive: true, withFileTypes: true }).filter((entry) => entry.isDirectory());
  return [real, ...inside.map((entry) => join(entry.parentPath, entry.name))].map((path) => storedPath(path, root));
}

/**
 * Takes folders back that came and went with changes: those that were made go where they are empty now, those that went
 * are made again. Files are the point; a folder in which somebody works is left.
 */
export function restoreFolders(records: readonly Folders[], guard: PathGuard, ops: FileOps): void {
  const folders = [...foldersBefore(records)].sort(([a], [b]) => a.length - b.length);
  for (const [path] of folders.filter(([, mode]) => mode === null).reverse()) unlessInUse(path, guard, ops.rmdir);
  for (const [path, mode] of folders) {
    if (mode !== null) unlessInUse(path, guard, (real) => ops.mkdir(real, mode));
  }
}

/** The folder itself: what only a link leads to is another one. */
function folderAt(path: string): Stats | undefined {
  const stats = entryAt(path);
  const above = dirname(path);
  return stats?.isDirectory() && realpathSync(above) === above ? stats : undefined;
}

function unlessInUse(path: string, guard: PathGuard, act: (real: string) => unknown): void {
  const absolute = resolve(guard.root, path);
  const resolved = guard.resolveEntry(absolute, 'write');
  if (!resolved.ok || dirname(resolved.real) !== dirname(absolute)) return;
  try {
    act(resolved.real);
  } catch (cause) {
    if (!IN_USE.has(errnoOf(cause) ?? '')) throw cause;
  }
}
