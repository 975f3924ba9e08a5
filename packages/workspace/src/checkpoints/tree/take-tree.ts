import {
  closeSync,
  type Dirent,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  readlinkSync,
  rmSync,
  type Stats,
  statfsSync,
} from 'node:fs';
import { join, parse, relative, sep } from 'node:path';
import { setImmediate as breathe } from 'node:timers/promises';
import { versionOf } from '../../documents/document.ts';
import { readRegularFile } from '../../documents/read-regular-file.ts';
import { FolderRules, repositoryAbove } from '../../search/ignore-rules.ts';
import { errnoOf } from '../../stores/errno.ts';
import type { BlobStore } from '../store/blob-store.ts';
import type { IndexEntry } from './git-index.ts';
import { type GitProgram, GitRepository } from './git-repository.ts';
import { emptyUncovered, isRacy, statOf, type Tree, type TreeFile, type Uncovered } from './tree.ts';

export interface TakeTreeOptions {
  /** Real path of the workspace. */
  root: string;
  /** Folders that are never looked into, as real paths. */
  exclude: readonly string[];
  git: GitProgram | undefined;
  blobs: BlobStore;
  /** A folder of ours to ask the file system's clock in. */
  clockFolder: string;
  /** An earlier snapshot: what looks as it did then is not read again. */
  last?: Tree | undefined;
  /** The repository as an earlier snapshot has read it. */
  repository?: GitRepository | undefined;
  /** Copy also what git has: its blobs may be gone afterwards. */
  copyTracked?: boolean;
  /** Only look: what would have to be copied is left out and named as nothing. */
  dry?: boolean;
  signal?: AbortSignal | undefined;
}

export interface TakenTree {
  tree: Tree;
  /** For the blobs that `g:` ids name. */
  repository: GitRepository | undefined;
  /** It says the same as the earlier one. */
  isSame: boolean;
}

/** A file over this size is not covered. */
const MAX_FILE_BYTES = 16 * 1024 * 1024;
/** So much is copied of one workspace. */
const MAX_COPIED_BYTES = 256 * 1024 * 1024;
/** What has to stay free on the disk of the store. */
const FREE_BYTES = 256 * 1024 * 1024;
const MAX_FILES = 200_000;
const MAX_LISTED = 100;
/** Others get a turn after so many folders. */
const FOLDERS_AT_ONCE = 200;

interface Frame {
  path: string;
  /** What git tracks may lie in a folder that it ignores. */
  isIgnored: boolean;
  rules: () => FolderRules;
}

/** A file whose bytes have to be looked at before it has an id. */
interface Open {
  path: string;
  stat: Omit<TreeFile, 'id'>;
  oid: string | undefined;
}

/**
 * Knows the bytes of every file of a workspace that is not ignored (IDE-51). A clean tracked file is known by its blob in
 * git, through the stat data of the index; any other is copied once and known again by path, size, times and inode.
 * Links are never followed; nothing is written but copies in the store.
 */
export async function takeTree(options: TakeTreeOptions): Promise<TakenTree> {
  const walk = new TreeWalk(options);
  return walk.take();
}

/** Why a folder is not taken as a whole: it is a person's home or a drive, and everything they have lies in it. */
export function refusesTree(root: string, home: string | undefined): string | undefined {
  if (root === parse(root).root) return 'the workspace is the root of a disk';
  const isHome = home !== undefined && `${home}${sep}`.startsWith(root + sep);
  return isHome ? 'the workspace is your home folder, or holds it' : undefined;
}

class TreeWalk {
  readonly #options: TakeTreeOptions;
  readonly #files = new Map<string, TreeFile>();
  readonly #folders = new Map<string, number>();
  readonly #unseen = new Set<string>();
  readonly #uncovered: Uncovered = emptyUncovered();
  readonly #repository: GitRepository | undefined;
  readonly #isSameIndex: boolean;
  /** From the repository's top to the root, with a `/` at the end. */
  readonly #prefix: string;
  readonly #attributes: string[] = [];
  /** Known through git's index alone, provided that nothing is converted. */
  readonly #byIndex: Open[] = [];
  readonly #open: Open[] = [];
  #reused = 0;
  #copied = 0;
  readonly #room: number;

  constructor(options: TakeTreeOptions) {
    this.#options = options;
    const { root, git, repository } = options;
    const top = repositoryAbove(root) ?? root;
    this.#repository = git && GitRepository.at(top, git, repository);
    this.#isSameIndex = repository !== undefined && this.#repository === repository;
    const { bavail, bsize } = statfsSync(options.clockFolder);
    this.#room = Math.min(MAX_COPIED_BYTES, bavail * bsize - FREE_BYTES);
    const inside = relative(top, root).split(sep).join('/');
    this.#prefix = inside === '' ? '' : `${inside}/`;
  }

  async take(): Promise<TakenTree> {
    const { last, clockFolder, dry } = this.#options;
    const at = clockOf(clockFolder);
    await this.#walk();
    if (!dry) {
      await this.#settleByIndex();
      for (const open of this.#open) await this.#read(open);
    }
    const tree = { at, files: this.#files, folders: this.#folders, unseen: this.#unseen, uncovered: this.#uncovered };
    const isSame =
      last !== undefined &&
      this.#reused === this.#files.size &&
      last.files.size === this.#files.size &&
      last.unseen.size === this.#unseen.size &&
      [...last.unseen].every((path) => this.#unseen.has(path)) &&
      sameFolders(last.folders, this.#folders);
    return { tree, repository: this.#repository, isSame };
  }

  async #walk(): Promise<void> {
    const { root, exclude, signal } = this.#options;
    const excluded = new Set(exclude);
    const todo: Frame[] = [{ path: '', isIgnored: false, rules: memo(() => FolderRules.of(root)) }];
    let count = 0;
    for (let frame = todo.pop(); frame; frame = todo.pop()) {
      count += 1;
      if (count % FOLDERS_AT_ONCE === 0) {
        await breathe();
        signal?.throwIfAborted();
      }
      const folder = frame.path === '' ? root : join(root, frame.path);
      for (const entry of this.#entriesOf(folder, frame.path)) {
        const path = frame.path === '' ? entry.name : `${frame.path}/${entry.name}`;
        // Its name is no UTF-8: there is no way to it, and none back.
        if (entry.name.includes('\uFFFD') && !isThere(`${folder}${sep}${entry.name}`)) {
          this.#unreadable(entry.isDirectory() ? `${path}/` : path);
          continue;
        }
        if (!entry.isDirectory()) {
          this.#file(path, `${folder}${sep}${entry.name}`, entry, frame);
          continue;
        }
        if (entry.name.toLowerCase() === '.git' || excluded.has(`${folder}${sep}${entry.name}`)) continue;
        const child = this.#folder(path, entry.name, frame);
        if (child) todo.push(child);
      }
    }
  }

  #entriesOf(folder: string, path: string): Dirent[] {
    try {
      const stats = lstatSync(folder);
      if (!stats.isDirectory()) return [];
      if (path !== '') this.#folders.set(path, stats.mode & 0o7777);
      return readdirSync(folder, { withFileTypes: true });
    } catch (cause) {
      if (errnoOf(cause) === 'ENOENT' || errnoOf(cause) === 'ENOTDIR') return [];
      if (errnoOf(cause) === undefined) throw cause;
      this.#unreadable(`${path}/`);
      return [];
    }
  }

  #folder(path: string, name: string, { isIgnored, rules }: Frame): Frame | undefined {
    const ignored = isIgnored || rules().ignores(name, true);
    if (ignored && !this.#repository?.tracksIn(this.#prefix + path)) {
      if (!isIgnored) this.#ignored(`${path}/`);
      return undefined;
    }
    if (ignored && !isIgnored) this.#passOver(`${path}/`);
    return { path, isIgnored: ignored, rules: memo(() => rules().child(name)) };
  }

  #file(path: string, absolute: string, entry: Dirent, { isIgnored, rules }: Frame): void {
    const known = this.#options.last?.files.get(path);
    // What was tracked still is where the index is the same.
    const isTracked = (this.#isSameIndex && known?.id.startsWith('g:')) || this.#indexed(path) !== undefined;
    if (!isTracked && (isIgnored || rules().ignores(entry.name, false))) {
      if (!isIgnored) this.#ignored(path);
      return;
    }
    if (entry.name === '.gitattributes') this.#attributes.push(absolute);
    const isKnowable = entry.isFile() || entry.isSymbolicLink();
    if (!isKnowable || this.#files.size >= MAX_FILES) {
      if (isKnowable) {
        this.#passOver('/');
        this.#list(this.#uncovered.large, path);
      } else this.#unreadable(path);
      return;
    }
    const stats = lstatSync(absolute, { throwIfNoEntry: false });
    if (!stats) return;
    const isHeld = known && known.id !== 'x' && !(this.#options.copyTracked && known.id.startsWith('g:'));
    if (isHeld && isUnchanged(known, stats, this.#options.last?.at ?? 0)) {
      this.#add(path, known);
    } else if (stats.isSymbolicLink()) {
      const target = readlinkSync(absolute, { encoding: 'buffer' }).toString('base64');
      this.#add(path, { ...statOf(stats), id: `l:${target}` });
    } else if (stats.isFile()) this.#regular(path, statOf(stats));
  }

  #regular(path: string, stat: Omit<TreeFile, 'id'>): void {
    if (stat.size > MAX_FILE_BYTES) {
      this.#skip(path, stat);
      return;
    }
    const indexed = this.#indexed(path);
    const isClean = indexed && isAsIndexed(indexed, stat) && !isRacy(stat, this.#repository?.writtenMs ?? 0);
    (isClean && !this.#options.copyTracked ? this.#byIndex : this.#open).push({ path, stat, oid: indexed?.oid });
  }

  #indexed(path: string): IndexEntry | undefined {
    return this.#repository?.entries.get(this.#prefix + path);
  }

  async #settleByIndex(): Promise<void> {
    if (this.#byIndex.length === 0) return;
    const isPlain = await this.#repository?.isPlain(this.#attributes);
    for (const open of this.#byIndex) {
      if (isPlain && open.oid) this.#add(open.path, { ...open.stat, id: `g:${open.oid}` });
      else this.#open.push(open);
    }
  }

  /** Reads a file: it is what git has, or is copied. */
  async #read({ path, stat, oid }: Open): Promise<void> {
    const { root, blobs, signal, copyTracked } = this.#options;
    signal?.throwIfAborted();
    try {
      const { bytes, stats } = await readRegularFile(join(root, path), { maxBytes: MAX_FILE_BYTES, signal });
      // What was written to meanwhile is told apart by its times, later.
      const now = { ...stat, size: bytes.length, mode: Number(stats.mode) & 0o7777 };
      const hasRoom = this.#copied + bytes.length <= this.#room;
      if (oid !== undefined && !(copyTracked && hasRoom) && this.#repository?.idOf(bytes, oid) === oid) {
        this.#add(path, { ...now, id: `g:${oid}` });
        return;
      }
      if (!hasRoom) {
        this.#skip(path, now);
        return;
      }
      this.#copied += bytes.length;
      const hash = versionOf(bytes);
      await blobs.put(bytes, hash, { durable: false });
      this.#add(path, { ...now, id: `s:${hash}` });
    } catch (cause) {
      if (signal?.aborted) throw cause;
      this.#unreadable(path);
    }
  }

  #add(path: string, file: TreeFile): void {
    if (this.#options.last?.files.get(path) === file) this.#reused += 1;
    this.#files.set(path, file);
  }

  #skip(path: string, stat: Omit<TreeFile, 'id'>): void {
    this.#add(path, { ...stat, id: 'x' });
    this.#list(this.#uncovered.large, path);
  }

  #unreadable(path: string): void {
    this.#passOver(path);
    this.#list(this.#uncovered.unreadable, path);
  }

  #passOver(path: string): void {
    this.#unseen.add(this.#unseen.size < MAX_FILES ? path : '/');
  }

  #ignored(path: string): void {
    this.#passOver(path);
    this.#uncovered.ignoredCount += 1;
    this.#list(this.#uncovered.ignored, path);
  }

  #list(list: string[], path: string): void {
    if (list.length < MAX_LISTED) list.push(path);
  }
}

function isThere(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}

/** Whether a file looks as it did in an earlier snapshot, and could not have changed unseen since. */
function isUnchanged(known: TreeFile, stats: Stats, seenAt: number): boolean {
  return (
    stats.mtimeMs === known.mtimeMs &&
    stats.ctimeMs === known.ctimeMs &&
    stats.size === known.size &&
    stats.ino === known.ino &&
    (stats.mode & 0o7777) === known.mode &&
    stats.isSymbolicLink() === known.id.startsWith('l:') &&
    !isRacy(known, seenAt)
  );
}

/** Whether a file's stat data are those that git took down with its blob. */
function isAsIndexed(indexed: IndexEntry, { size, mtimeMs, ctimeMs, ino }: Omit<TreeFile, 'id'>): boolean {
  return (
    !indexed.loose &&
    (indexed.mode & 0o170000) === 0o100000 &&
    indexed.size === size &&
    indexed.mtimeMs === mtimeMs &&
    indexed.ctimeMs === ctimeMs &&
    indexed.ino === ino % 2 ** 32
  );
}

function memo<T>(make: () => T): () => T {
  let value: T | undefined;
  return () => {
    value ??= make();
    return value;
  };
}

function sameFolders(a: ReadonlyMap<string, number>, b: ReadonlyMap<string, number>): boolean {
  if (a.size !== b.size) return false;
  for (const [path, mode] of a) if (b.get(path) !== mode) return false;
  return true;
}

/** What time the file system makes it: its stamps are compared with nothing else. */
function clockOf(folder: string): number {
  const path = join(folder, `clock-${process.pid}.tmp`);
  const fd = openSync(path, 'w', 0o600);
  try {
    return fstatSync(fd).mtimeMs;
  } finally {
    closeSync(fd);
    rmSync(path, { force: true });
  }
}
