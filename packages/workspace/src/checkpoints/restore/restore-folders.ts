import { mkdirSync, rmdirSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { PathGuard } from '../../paths/path-guard.ts';
import { errnoOf } from '../../stores/errno.ts';
import type { ChangeRecord } from '../store/records.ts';

const IN_USE = new Set(['ENOTEMPTY', 'EEXIST', 'ENOENT', 'ENOTDIR', 'EBUSY', 'EACCES', 'EPERM']);

/**
 * Takes folders back that came and went with changes: those that were made go where they are empty now, those that went
 * are made again. Files are the point; a folder in which somebody works is left.
 */
export function restoreFolders(records: readonly ChangeRecord[], guard: PathGuard): void {
  const made = new Set(records.flatMap(({ madeFolders = [] }) => madeFolders));
  const gone = records.flatMap(({ goneFolders = [] }) => goneFolders);
  for (const { path, mode } of gone.toSorted((a, b) => a.path.length - b.path.length)) {
    made.delete(path);
    unlessInUse(path, guard, (real) => mkdirSync(real, { mode }));
  }
  for (const path of [...made].sort((a, b) => b.length - a.length)) unlessInUse(path, guard, rmdirSync);
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
