import { readlinkSync, type Stats } from 'node:fs';
import { join } from 'node:path';
import { compareStates, type FileChange } from '../../changes/file-change.ts';
import type { FileState } from '../../changes/file-state.ts';
import { linkState } from '../../changes/plan-changes.ts';
import { versionOf } from '../../documents/document.ts';
import { readRegularFile } from '../../documents/read-regular-file.ts';
import { errnoOf } from '../../stores/errno.ts';
import { entryAt } from '../restore/live-file.ts';
import type { BlobStore } from '../store/blob-store.ts';
import type { LostFile } from '../store/records.ts';
import type { GitRepository } from './git-repository.ts';
import { isOlder, isUnseen, sameStat, statOf, type Tree, type TreeFile } from './tree.ts';

export interface DiffTreesOptions {
  root: string;
  before: Tree;
  after: Tree;
  /** Where the blobs that `g:` ids name may be. */
  repositories: readonly (GitRepository | undefined)[];
  blobs: BlobStore;
  signal?: AbortSignal | undefined;
}

interface TreeDiff {
  changes: FileChange[];
  /** Files that changed, or may have, and whose old bytes nobody knows. */
  uncovered: string[];
  /** Those of them whose old bytes may be in a copy only. */
  lost: LostFile[];
}

/** So many files, and bytes of them, are held in memory at once. */
const FILES_AT_ONCE = 256;
const BYTES_AT_ONCE = 64 * 1024 * 1024;

interface Pair {
  path: string;
  before: TreeFile | undefined;
  after: TreeFile | undefined;
}

/**
 * What changed in a workspace between two snapshots, with the bytes that undoing it needs: a part at a time, for
 * everything together may not fit into memory.
 */
export async function* diffTrees(options: DiffTreesOptions): AsyncGenerator<TreeDiff, void, undefined> {
  const { pairs, uncovered } = withoutUnseen(differing(options.before.files, options.after.files), options);
  if (uncovered.length > 0) yield { changes: [], uncovered, lost: [] };
  const renames = renamesIn(pairs);
  for (const some of portions(pairs)) {
    options.signal?.throwIfAborted();
    const diff: TreeDiff = { changes: [], uncovered: [], lost: [] };
    const ids = some.flatMap(({ path, before }) => {
      const source = renames.sourceOf.get(path) ?? before;
      return source?.id.startsWith('g:') ? [source.id.slice(2)] : [];
    });
    const fromGit = await blobsOf(options.repositories, [...new Set(ids)]);
    for (const pair of some) await addChange(pair, renames, fromGit, options, diff);
    yield diff;
  }
}

async function blobsOf(
  repositories: DiffTreesOptions['repositories'],
  ids: readonly string[],
): Promise<ReadonlyMap<string, Buffer>> {
  const found = new Map<string, Buffer>();
  for (const repository of new Set(repositories)) {
    const missing = ids.filter((id) => !found.has(id));
    for (const [id, bytes] of (await repository?.blobs(missing)) ?? []) found.set(id, bytes);
  }
  return found;
}

function* portions(pairs: readonly Pair[]): Generator<Pair[], void, undefined> {
  let portion: Pair[] = [];
  let bytes = 0;
  for (const pair of pairs) {
    portion.push(pair);
    bytes += (pair.before?.size ?? 0) + (pair.after?.size ?? 0);
    if (portion.length < FILES_AT_ONCE && bytes < BYTES_AT_ONCE) continue;
    yield portion;
    portion = [];
    bytes = 0;
  }
  if (portion.length > 0) yield portion;
}

function differing(before: ReadonlyMap<string, TreeFile>, after: ReadonlyMap<string, TreeFile>): Pair[] {
  const pairs: Pair[] = [];
  for (const [path, old] of before) {
    const now = after.get(path);
    if (!now || !sameContent(old, now)) pairs.push({ path, before: old, after: now });
  }
  for (const [path, now] of after) if (!before.has(path)) pairs.push({ path, before: undefined, after: now });
  return pairs.sort((a, b) => (a.path < b.path ? -1 : 1));
}

/**
 * Leaves out what only looks as if it came or went: rules that ignore files, folders that cannot be read and the like
 * differ between the snapshots, and the file itself was there all the time. What is deleted by taking a creation back must
 * surely not have been there.
 */
function withoutUnseen(pairs: readonly Pair[], options: DiffTreesOptions): { pairs: Pair[]; uncovered: string[] } {
  const { root, before, after } = options;
  const left: Pair[] = [];
  const uncovered: string[] = [];
  let inodes: Set<number> | undefined;
  for (const pair of pairs) {
    const { path } = pair;
    const isComing = !pair.before;
    if (!isComing && (pair.after || !isUnseen(after, path))) {
      left.push(pair);
      continue;
    }
    const stats = statsOf(join(root, path));
    if (!isComing) {
      const now = stats === 'unknown' || !stats ? undefined : statOf(stats);
      if (stats === 'unknown') uncovered.push(path);
      else if (!now || !pair.before || !sameStat(pair.before, now))
        left.push(now ? { ...pair, after: { ...now, id: 'x' } } : pair);
      continue;
    }
    if (!stats || stats === 'unknown') continue;
    const wasUnseen = isUnseen(before, path);
    if (wasUnseen && isOlder(stats.ctimeMs, before.at)) continue;
    inodes ??= new Set([...before.files.values()].flatMap(({ id, ino }) => (id === 'x' ? [] : [ino])));
    // Moved here from where nobody looked: it is older than the command, and may be the only copy.
    const isMoved =
      (isOlder(stats.birthtimeMs, before.at) || isOlder(stats.ctimeMs, before.at)) && !inodes.has(stats.ino);
    if (wasUnseen || isMoved) uncovered.push(path);
    else left.push(pair);
  }
  return { pairs: left, uncovered };
}

function statsOf(path: string): Stats | undefined | 'unknown' {
  try {
    return entryAt(path);
  } catch (cause) {
    if (errnoOf(cause) === undefined) throw cause;
    return 'unknown';
  }
}

function sameContent(a: TreeFile, b: TreeFile): boolean {
  if (a === b || (a.id !== 'x' && a.id === b.id && a.mode === b.mode)) return true;
  return a.id === 'x' && b.id === 'x' && sameStat(a, b);
}

interface Renames {
  /** By its new path, the old file and its path. */
  sourceOf: Map<string, TreeFile & { path: string }>;
  /** Old paths: they are told with the new one. */
  gone: Set<string>;
}

/** A file that went while one with the same inode, or the same content and name, came. */
function renamesIn(pairs: readonly Pair[]): Renames {
  const renames: Renames = { sourceOf: new Map(), gone: new Set() };
  const gone = pairs.filter(({ before, after }) => before && !after);
  const byInode = new Map(gone.map((pair) => [pair.before?.ino, pair]));
  const byId = new Map(gone.map((pair) => [pair.before?.id, pair]));
  for (const { path, before, after } of pairs) {
    if (before || !after || after.id === 'x' || after.id.startsWith('l:')) continue;
    const inode = byInode.get(after.ino);
    const isSame = inode?.before?.size === after.size && inode.before.mtimeMs === after.mtimeMs;
    const source = isSame ? inode : after.size > 0 ? byId.get(after.id) : undefined;
    if (!source?.before || source.before.id === 'x' || source.before.id.startsWith('l:')) continue;
    if (renames.gone.has(source.path)) continue;
    renames.gone.add(source.path);
    renames.sourceOf.set(path, { ...source.before, path: source.path });
  }
  return renames;
}

async function addChange(
  { path, before, after }: Pair,
  renames: Renames,
  fromGit: ReadonlyMap<string, Buffer>,
  options: DiffTreesOptions,
  diff: TreeDiff,
): Promise<void> {
  if (renames.gone.has(path)) return;
  const source = renames.sourceOf.get(path);
  const was = source ?? before;
  const old = was ? oldState(was, fromGit, options.blobs) : null;
  const now = after ? await newState(path, options) : null;
  if (old === undefined || now === undefined) {
    diff.uncovered.push(path);
    // What was renamed still has its bytes.
    if (old === undefined && before) diff.lost.push({ path, size: before.size, gone: now === null });
    return;
  }
  if (!old && !now) return;
  if (old && now && !source && old.version === now.version && old.mode === now.mode) return;
  const names = { from: old ? (source?.path ?? path) : null, to: now ? path : null };
  diff.changes.push({
    path,
    real: join(options.root, path),
    kind: source ? 'renamed' : !old ? 'created' : !now ? 'deleted' : 'modified',
    ...(source ? { from: { path: source.path, real: join(options.root, source.path) } } : {}),
    before: old,
    after: now,
    ...(await compareStates(old, now, names)),
    merged: false,
    notes: [],
  });
}

/** Undefined where nobody knows the bytes. */
function oldState(
  { id, mode, size }: TreeFile,
  fromGit: ReadonlyMap<string, Buffer>,
  blobs: BlobStore,
): FileState | undefined {
  if (id.startsWith('l:')) return linkState(Buffer.from(id.slice(2), 'base64'));
  if (id === 'x') return undefined;
  const bytes = id.startsWith('g:') ? fromGit.get(id.slice(2)) : blobs.get(id.slice(2));
  if (bytes?.length !== size) return undefined;
  return { bytes, version: versionOf(bytes), size, mode };
}

/** The file as it is now; null where it has gone again, undefined where it cannot be read. */
async function newState(
  path: string,
  { root, signal, after }: DiffTreesOptions,
): Promise<FileState | null | undefined> {
  const absolute = join(root, path);
  try {
    if (after.files.get(path)?.id.startsWith('l:')) return linkState(readlinkSync(absolute, { encoding: 'buffer' }));
    const { bytes, stats } = await readRegularFile(absolute, { maxBytes: Number.MAX_SAFE_INTEGER, signal });
    return { bytes, version: versionOf(bytes), size: bytes.length, mode: Number(stats.mode) & 0o7777 };
  } catch (cause) {
    if (signal?.aborted) throw cause;
    const code = errnoOf(cause) ?? (cause as { code?: string }).code;
    return code === 'ENOENT' || code === 'missing' ? null : undefined;
  }
}
