import { join } from 'node:path';
import { sizeOf } from './search-place.ts';
import { entriesOf, foldersFirst, startFolder, type WalkEntry, type WalkedFolder } from './walk.ts';

export interface ListDirectoryOptions {
  root: string;
  /** From the root. Default: the root. */
  path?: string;
  /** How deep to go; 1, the default, is the folder alone. */
  depth?: number;
  /** Default 1,000. */
  maxEntries?: number;
  signal?: AbortSignal;
}

export interface ListedEntry extends WalkEntry {
  /** Bytes, of a file. */
  size?: number;
  /** How many entries of this folder, not counting deeper ones, are left out because there were too many. */
  omitted?: number;
}

export interface DirectoryListing {
  /** Each folder before what is in it; see `walk` for the order. */
  entries: ListedEntry[];
  /** Whether there was more within `depth` than `maxEntries`. */
  cut: boolean;
  /** How many entries of the folder itself are left out. */
  omitted: number;
  /** How many folders could not be read. */
  unreadable: number;
}

const DEFAULT_MAX = 1_000;

/**
 * Lists a folder and, to a depth, what is below, without what is ignored (see `FolderRules`). Where there is too much, the
 * upper levels come first: a full folder never hides its siblings.
 * @throws BlackError as `walk`, `not_a_folder`; the signal's reason.
 */
export async function listDirectory(options: ListDirectoryOptions): Promise<DirectoryListing> {
  const { depth = 1, maxEntries = DEFAULT_MAX, signal } = options;
  const start = startFolder(options);
  const children = new Map<string, ListedEntry[]>();
  const listing: DirectoryListing = { entries: [], cut: false, omitted: 0, unreadable: 0 };
  let left = maxEntries;
  let level: (WalkedFolder & { entry?: ListedEntry })[] = [start];
  while (level.length > 0) {
    const next: typeof level = [];
    for (const folder of level) {
      signal?.throwIfAborted();
      // Whether a folder that gets no room is empty is not worth the look: it may be the millionth.
      if (left === 0 && folder.depth > 0) {
        listing.cut = true;
        continue;
      }
      const found: ListedEntry[] = await entriesOf(folder, start.root, () => {
        listing.unreadable++;
      });
      const shown = found.slice(0, left);
      left -= shown.length;
      const omitted = found.length - shown.length;
      if (omitted > 0) {
        listing.cut = true;
        if (folder.entry) folder.entry.omitted = omitted;
        else listing.omitted = omitted;
      }
      children.set(folder.path, shown);
      for (const entry of shown) {
        if (entry.kind === 'file') {
          const size = sizeOf(join(start.root, entry.path));
          if (size !== undefined) entry.size = size;
        }
        if (entry.kind !== 'folder' || entry.depth >= depth) continue;
        next.push({ path: entry.path, rules: folder.rules.child(entry.name), depth: entry.depth, entry });
      }
    }
    level = next;
  }
  listing.entries = inOrder(start.path, children);
  return listing;
}

function inOrder(path: string, children: ReadonlyMap<string, ListedEntry[]>): ListedEntry[] {
  const entries: ListedEntry[] = [];
  const todo = [...(children.get(path) ?? [])].reverse();
  for (let next = todo.pop(); next; next = todo.pop()) {
    entries.push(next);
    todo.push(...[...(children.get(next.path) ?? [])].sort(foldersFirst).reverse());
  }
  return entries;
}
