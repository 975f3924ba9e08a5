import type { Dirent } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { BlackError } from '@black-ide/protocol';
import { errnoOf } from '../stores/errno.ts';
import { FolderRules } from './ignore-rules.ts';
import { findPlace } from './search-place.ts';

export type EntryKind = 'file' | 'folder' | 'link' | 'other';

export interface WalkEntry {
  /** From the root, with `/`. */
  path: string;
  name: string;
  /** A link is never followed. `other`: named pipes, sockets, devices. */
  kind: EntryKind;
  /** 1 for what lies in the folder itself. */
  depth: number;
}

export interface WalkOptions {
  root: string;
  /** The folder to walk, from the root. Default: the root. */
  path?: string;
  /** How deep to go; 1 is the folder alone. No limit without it. */
  depth?: number;
  signal?: AbortSignal;
  /** Told about a folder that cannot be read; the walk goes on. */
  onUnreadable?: (path: string) => void;
}

/** A folder that the walk has come to. */
export interface WalkedFolder {
  path: string;
  rules: FolderRules;
  depth: number;
}

/**
 * Everything below a folder that is not ignored (see `FolderRules`), each folder before what is in it, in an order that
 * depends on the names alone: folders first, then the rest, both by code points. Reads one folder at a time and holds one
 * handle; the tree may change meanwhile.
 * @throws BlackError as `findPlace`, `path_ignored`; the signal's reason.
 */
export async function* walk(options: WalkOptions): AsyncGenerator<WalkEntry, void, undefined> {
  const { depth = Number.POSITIVE_INFINITY } = options;
  yield* below(startFolder(options), depth, options);
}

/** The folder where a walk begins, with the rules in force there. */
export function startFolder({ root, path }: WalkOptions): WalkedFolder & { root: string } {
  const place = findPlace(root, path);
  if (place.kind === 'file') {
    throw new BlackError('not_a_folder', `${path} is a file.`, 'Read it with read_file, or give a folder.');
  }
  const rules = FolderRules.of(place.root).named(place.path);
  if (!rules) throw pathIgnored(path ?? '');
  return { path: place.path, rules, depth: 0, root: place.root };
}

export function pathIgnored(path: string): BlackError {
  return new BlackError(
    'path_ignored',
    `${path} is left out of searches and listings (.git, or named in .blackideignore).`,
    'Ask the user if you need it.',
  );
}

/** The entries of one folder that are not ignored, in order. */
export async function entriesOf(
  { path, rules, depth }: WalkedFolder,
  root: string,
  onUnreadable: (path: string) => void = () => undefined,
): Promise<WalkEntry[]> {
  let found: Dirent[];
  try {
    found = await readdir(join(root, path), { withFileTypes: true });
  } catch (error) {
    // Gone meanwhile is not unreadable.
    if (!['ENOENT', 'ENOTDIR'].includes(errnoOf(error) ?? '')) onUnreadable(path);
    return [];
  }
  return found
    .filter((entry) => !rules.ignores(entry.name, entry.isDirectory()))
    .map((entry) => ({
      path: path === '' ? entry.name : `${path}/${entry.name}`,
      name: entry.name,
      kind: kindOf(entry),
      depth: depth + 1,
    }))
    .sort(foldersFirst);
}

/** The order of siblings. */
export function foldersFirst(one: WalkEntry, other: WalkEntry): number {
  const order = Number(other.kind === 'folder') - Number(one.kind === 'folder');
  if (order !== 0) return order;
  return one.name < other.name ? -1 : Number(one.name > other.name);
}

async function* below(
  folder: WalkedFolder & { root: string },
  depth: number,
  options: WalkOptions,
): AsyncGenerator<WalkEntry, void, undefined> {
  // A stack of what is still to come, the next at its end: recursion would cost a generator for each level.
  const todo: { entry: WalkEntry; parent: FolderRules }[] = [];
  const push = async (from: WalkedFolder): Promise<void> => {
    options.signal?.throwIfAborted();
    const entries = await entriesOf(from, folder.root, options.onUnreadable);
    for (const entry of entries.reverse()) todo.push({ entry, parent: from.rules });
  };
  await push(folder);
  for (let next = todo.pop(); next; next = todo.pop()) {
    const { entry, parent } = next;
    yield entry;
    if (entry.kind === 'folder' && entry.depth < depth) {
      await push({ path: entry.path, rules: parent.child(entry.name), depth: entry.depth });
    }
  }
}

function kindOf(entry: Dirent): EntryKind {
  if (entry.isDirectory()) return 'folder';
  if (entry.isFile()) return 'file';
  return entry.isSymbolicLink() ? 'link' : 'other';
}
