import { lstatSync, readlinkSync, type Stats } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { FileState } from '../../changes/file-state.ts';
import { linkState } from '../../changes/plan-changes.ts';
import { versionOf } from '../../documents/document.ts';
import { readRegularFile } from '../../documents/read-regular-file.ts';
import type { PathGuard } from '../../paths/path-guard.ts';
import type { ResolvedPath } from '../../paths/resolved-path.ts';
import { errnoOf } from '../../stores/errno.ts';

/** A file as it lies on the disk now, or why a restore leaves it alone. */
export type LiveFile =
  | { kind: 'file'; path: ResolvedPath; state: FileState | null; isFolder?: true }
  | { kind: 'skipped'; why: string }
  | { kind: 'refused'; why: string };

/**
 * Reads the file at a path of the manifest. Nothing is ever restored through a symbolic link or into a file with several
 * names: whoever put it there since may mean another file by it.
 */
export async function readLiveFile(
  path: string,
  guard: PathGuard,
  expects: { link: boolean },
  signal?: AbortSignal,
): Promise<LiveFile> {
  const absolute = resolve(guard.root, path);
  const resolved = guard.resolveEntry(absolute, 'write');
  if (!resolved.ok) return { kind: 'refused', why: `${resolved.message} ${resolved.next}` };
  if (dirname(resolved.real) !== dirname(absolute))
    return { kind: 'skipped', why: 'its folder is a symbolic link now' };
  const stats = entryAt(resolved.real);
  if (!stats) return { kind: 'file', path: resolved, state: null };
  if (stats.isSymbolicLink()) {
    if (!expects.link) return { kind: 'skipped', why: 'it is a symbolic link now' };
    return { kind: 'file', path: resolved, state: linkState(readlinkSync(resolved.real, { encoding: 'buffer' })) };
  }
  if (stats.isDirectory()) return { kind: 'file', path: resolved, state: null, isFolder: true };
  if (!stats.isFile()) return { kind: 'refused', why: 'it is no regular file now' };
  if (stats.nlink > 1) return { kind: 'skipped', why: `it has ${stats.nlink} names (hard links)` };
  const { bytes, stats: read } = await readRegularFile(resolved.real, { maxBytes: Number.MAX_SAFE_INTEGER, signal });
  const state: FileState = {
    bytes,
    version: versionOf(bytes),
    size: bytes.length,
    mode: Number(read.mode) & 0o7777,
  };
  return { kind: 'file', path: resolved, state };
}

/** The path of a file whose folders are still to be made: the change set looks again before it writes there. */
export function pathAfterwards(path: string, { root }: PathGuard): ResolvedPath {
  const absolute = resolve(root, path);
  return { ok: true, access: 'write', absolute, real: absolute, relative: path, exists: false, entry: true };
}

/** What has this name; a file in place of one of its folders means nothing has. */
export function entryAt(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch (cause) {
    // A file stands where one of its folders was.
    if (errnoOf(cause) === 'ENOTDIR') return undefined;
    throw cause;
  }
}
