import { readFileSync, type Stats } from 'node:fs';
import { isRecord } from '@black-ide/protocol';
import { errnoOf } from '../../stores/errno.ts';

/**
 * One file of a workspace as a snapshot knows it. `id`: where its bytes are: `g:` a blob of the repository that holds the workspace, `s:` a blob
 * of the store, `l:` the target of a link in base64, `x` nowhere: it is not covered.
 */
export interface TreeFile {
  mode: number;
  size: number;
  mtimeMs: number;
  ctimeMs: number;
  ino: number;
  id: string;
}

/** Every file of a workspace that is not ignored, at one moment. */
export interface Tree {
  /** On the file system's own clock, in milliseconds: a file that is not older may have changed unseen since. */
  at: number;
  files: Map<string, TreeFile>;
  /** Folders with their permission bits. */
  folders: Map<string, number>;
  /**
   * What was there and not taken in: ignored or unreadable, a folder (with `/` at the end) for all that is in it; `/`
   * where there is more. Nothing of it was ever "not there".
   */
  unseen: Set<string>;
  uncovered: Uncovered;
}

/** What a snapshot does not hold. */
export interface Uncovered {
  /** Ignored files and folders (with `/` at the end), the first so many, and how many there are. */
  ignored: string[];
  ignoredCount: number;
  /** Files over the size that is copied, or beyond what is copied in total. */
  large: string[];
  /** What cannot be read, or is neither file nor link. */
  unreadable: string[];
  /** Why nothing is covered at all. */
  nothing?: string;
}

export function emptyUncovered(): Uncovered {
  return { ignored: [], ignoredCount: 0, large: [], unreadable: [] };
}

/** Whether a path is of those that a snapshot has passed over. */
export function isUnseen({ unseen }: Pick<Tree, 'unseen'>, path: string): boolean {
  if (unseen.size === 0) return false;
  if (unseen.has('/') || unseen.has(path) || unseen.has(`${path}/`)) return true;
  for (let end = path.lastIndexOf('/'); end > 0; end = path.lastIndexOf('/', end - 1)) {
    if (unseen.has(path.slice(0, end + 1))) return true;
  }
  return false;
}

export function statOf({ mode, size, mtimeMs, ctimeMs, ino }: Stats): Omit<TreeFile, 'id'> {
  return { mode: mode & 0o7777, size, mtimeMs, ctimeMs, ino };
}

export function sameStat(a: Omit<TreeFile, 'id'>, b: Omit<TreeFile, 'id'>): boolean {
  return (
    a.mtimeMs === b.mtimeMs && a.ctimeMs === b.ctimeMs && a.size === b.size && a.ino === b.ino && a.mode === b.mode
  );
}

/** Two things done within one tick of a file system's clock look as if they were one. */
const TICK_MS = 20;
const COARSE_TICK_MS = 2_000;

/** Whether a file with these times, seen at this time, may change afterwards without looking different. */
export function isRacy({ mtimeMs, ctimeMs }: Pick<TreeFile, 'mtimeMs' | 'ctimeMs'>, seenAt: number): boolean {
  const newest = Math.max(mtimeMs, ctimeMs);
  if (newest < seenAt - COARSE_TICK_MS) return false;
  const tick = Number.isInteger(mtimeMs / 1000) && Number.isInteger(ctimeMs / 1000) ? COARSE_TICK_MS : TICK_MS;
  return newest > seenAt - tick;
}

/** Whether a stamp is surely older than a moment on the same clock; where a file system keeps none it is 0. */
export function isOlder(stampMs: number, at: number): boolean {
  const tick = Number.isInteger(stampMs / 1000) ? COARSE_TICK_MS : TICK_MS;
  return stampMs > 0 && stampMs < at - tick;
}

export function treeToJson({ at, files, folders, unseen, uncovered }: Tree): string {
  const rows = [...files].map(([path, f]) => [path, f.mode, f.size, f.mtimeMs, f.ctimeMs, f.ino, f.id]);
  return JSON.stringify({ v: 2, at, files: rows, folders: [...folders], unseen: [...unseen], uncovered });
}

/** Undefined where there is none, or none of ours: then every file is read anew. */
export function readTree(path: string): Tree | undefined {
  try {
    const value: unknown = JSON.parse(readFileSync(path, 'utf8'));
    if (!isRecord(value) || value.v !== 2) return undefined;
    if (![value.files, value.folders, value.unseen].every(Array.isArray)) return undefined;
    const files = new Map<string, TreeFile>();
    for (const [name, mode, size, mtimeMs, ctimeMs, ino, id] of value.files as [string, ...number[], string][]) {
      files.set(name, { mode, size, mtimeMs, ctimeMs, ino, id } as TreeFile);
    }
    const uncovered = (value.uncovered ?? emptyUncovered()) as Uncovered;
    const folders = new Map(value.folders as [string, number][]);
    return { at: Number(value.at), files, folders, unseen: new Set(value.unseen as string[]), uncovered };
  } catch (cause) {
    if (cause instanceof SyntaxError || errnoOf(cause) === 'ENOENT') return undefined;
    throw cause;
  }
}
