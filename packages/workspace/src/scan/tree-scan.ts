import { type Dirent, lstatSync, readdirSync } from 'node:fs';
import { BlackError } from '@black-ide/protocol';
import { FolderRules, isIgnoreFile } from '../search/ignore-rules.ts';
import { errnoOf } from '../stores/errno.ts';
import { FileNews, type FileTree } from './file-tree.ts';
import { keepsFolderTimes } from './folder-times.ts';
import { stampAbove, stampOf } from './ignore-stamps.ts';
import { isRecent } from './is-recent.ts';
import { lookAtFile } from './look-at-file.ts';
import { IGNORED, OTHER, type TreeEntry, TreeFolder } from './tree-folder.ts';

export interface ScanOptions {
  /**
   * Paths from the root: only these folders are looked at, or the last known one on the way, and what is new in them.
   * Default: all.
   */
  folders?: Iterable<string> | undefined;
  /** Milliseconds since the epoch. Default: the system's clock. */
  now?: () => number;
  /** Whether a folder with the same ctime has the same names. Default: what is known of the file system. */
  trustsFolderTimes?: boolean;
}

/** Numbers of files. A file that was not read since an earlier scan is `changed` again. */
export interface ScanResult {
  added: Set<number>;
  changed: Set<number>;
  removed: Set<number>;
  unchanged: number;
}

/** What is looked at between two pauses. */
const ENTRIES_A_SLICE = 128;
/** Stamp of a folder whose entries were not judged by the rules of now. No real one is like it. */
const UNKNOWN = 'unknown';

interface Visit {
  folder: TreeFolder;
  /** The ignore rules have changed: everything in it is judged anew. */
  isForced: boolean;
  /** The folders in it are visited even where nothing points to a change. */
  isDeep: boolean;
}

/**
 * One look at the tree on the disk, which brings a `FileTree` up to date: all regular files that are not ignored (see
 * `FolderRules`). Links are never followed.
 *
 * A folder whose time is the same has the same names; where the file system is not known to keep such times, they are
 * read and compared. No rule is asked then, unless an ignore file in the folder or above has changed: each file is looked
 * at with one lstat.
 */
export class TreeScan {
  /** What was found so far: it stays true where the scan is ended early. */
  readonly result: ScanResult = { added: new Set(), changed: new Set(), removed: new Set(), unchanged: 0 };
  readonly #tree: FileTree;
  readonly #folders: Iterable<string> | undefined;
  readonly #now: () => number;
  readonly #trustsFolderTimes: boolean | undefined;
  /** The file system whose folders are trusted; others may be mounted in them. */
  #trustedDevice: number | undefined;
  readonly #rules = new Map<TreeFolder, FolderRules>();
  /** Found by this scan, and not yet looked at. */
  readonly #found = new Set<number>();
  readonly #todo: Visit[] = [];
  #looks = 0;

  constructor(tree: FileTree, { folders, now = Date.now, trustsFolderTimes }: ScanOptions = {}) {
    this.#tree = tree;
    this.#folders = folders;
    this.#now = now;
    this.#trustsFolderTimes = trustsFolderTimes;
  }

  /**
   * Others may run at each `yield`, but no second scan of the same tree.
   * @throws BlackError `root_missing`; nothing is forgotten then.
   */
  *run(): Generator<void, ScanResult, void> {
    const tree = this.#tree;
    const root = lstatSync(tree.root, { throwIfNoEntry: false });
    if (!root?.isDirectory()) {
      throw new BlackError('root_missing', `${tree.root} is not there any more.`, 'Open the folder where it is now.');
    }
    if (this.#trustsFolderTimes ?? keepsFolderTimes(tree.root)) this.#trustedDevice = root.dev;
    const above = stampAbove(tree.root, this.#now());
    const isForced = above !== tree.stampAbove;
    tree.stampAbove = above;
    if (isForced || !this.#folders) {
      tree.unreadable.clear();
      this.#todo.push({ folder: tree.top, isForced, isDeep: true });
    } else {
      const nearest = new Set(Array.from(this.#folders, (path) => tree.nearestFolder(path)));
      for (const folder of nearest) this.#todo.push({ folder, isForced: false, isDeep: false });
    }
    let visit = this.#todo.pop();
    try {
      for (; visit; visit = this.#todo.pop()) {
        if (!visit.folder.isGone && this.#enter(visit)) yield* this.#look(visit);
      }
    } finally {
      // Where it was ended early, the next scan must not take the stamps for proof.
      if (visit) for (const { folder, isForced } of [visit, ...this.#todo]) if (isForced) folder.ignoreStamp = UNKNOWN;
    }
    return this.result;
  }

  /** Brings the names of a folder up to date. @returns whether there is something to look at. */
  #enter(visit: Visit): boolean {
    const { folder } = visit;
    const path = `${this.#tree.root}/${folder.prefix}`;
    try {
      // Not the path with its slash: of a link that would be the folder that it points to.
      const stats = lstatSync(path.slice(0, -1) || '/', { throwIfNoEntry: false });
      if (!stats?.isDirectory()) return this.#leave(folder);
      if (stats.ino !== folder.inode) {
        folder.inode = stats.ino;
        this.#tree.follower?.entered(folder);
      }
      const now = this.#now();
      if (folder.ignoreStamp !== '') this.#judge(visit, stampOf(path, now));
      const isTrusted = stats.dev === this.#trustedDevice;
      const isUntouched = !visit.isForced && stats.ctimeMs === folder.ctimeMs;
      if (!isUntouched || !(isTrusted || isSame(readdirSync(path), folder.names))) {
        const entries = readdirSync(path, { withFileTypes: true });
        this.#judge(visit, entries.some(({ name }) => isIgnoreFile(name)) ? stampOf(path, now) : '');
        this.#list(visit, entries);
        folder.ctimeMs = isRecent(stats.ctimeMs, now) ? Number.NaN : stats.ctimeMs;
      }
      if (this.#tree.unreadable.size > 0) this.#tree.unreadable.delete(folder.prefix);
      return true;
    } catch (cause) {
      return this.#giveUp(folder, cause);
    }
  }

  /** Of a folder that cannot be read what is known stays. */
  #giveUp(folder: TreeFolder, cause: unknown): boolean {
    const code = errnoOf(cause);
    if (code === undefined) throw cause;
    if (code === 'ENOENT' || code === 'ENOTDIR') return this.#leave(folder);
    this.#tree.unreadable.set(folder.prefix, `the folder cannot be read (${code})`);
    folder.ctimeMs = Number.NaN;
    return false;
  }

  #leave(folder: TreeFolder): boolean {
    for (const id of this.#tree.removeFolder(folder)) this.#lost(id);
    this.#noteLostLetters(folder.name, folder.prefix);
    return false;
  }

  #judge(visit: Visit, stamp: string): void {
    if (stamp === visit.folder.ignoreStamp) return;
    visit.isForced = true;
    visit.folder.ignoreStamp = stamp;
  }

  /** Takes over the names that are there now; what is known of them stays. */
  #list({ folder, isForced }: Visit, found: readonly Dirent[]): void {
    const gone = new Set(folder.entries);
    const entries = found.map((entry): TreeEntry | undefined => {
      const isFolder = entry.isDirectory();
      if (!isFolder && !entry.isFile()) return OTHER;
      const before = folder.find(entry.name);
      const isKnown = isFolder ? typeof before === 'object' : typeof before === 'number' && before >= 0;
      if ((isForced || !isKnown) && this.#rulesOf(folder).ignores(entry.name, isFolder)) return IGNORED;
      if (!isKnown) return isFolder ? new TreeFolder(folder, entry.name) : undefined;
      gone.delete(before!);
      return before;
    });
    for (const entry of gone) this.#forget(entry);
    const names = found.map(({ name }) => name);
    folder.list(
      names,
      entries.map((entry, place) => entry ?? this.#add(folder, names[place]!)),
    );
  }

  #add(folder: TreeFolder, name: string): number {
    const id = this.#tree.add(folder, name);
    this.#found.add(id);
    return id;
  }

  #forget(entry: TreeEntry): void {
    if (typeof entry === 'object') for (const id of this.#tree.removeFolder(entry)) this.#lost(id);
    else if (entry >= 0) {
      this.#tree.remove(entry);
      this.#lost(entry);
    }
  }

  /** Looks at the files of a folder, and goes on to the folders in it. */
  *#look({ folder, isForced, isDeep }: Visit): Generator<void, void, void> {
    const { names, entries } = folder;
    const path = `${this.#tree.root}/${folder.prefix}`;
    for (let place = 0; place < names.length; place++) {
      const entry = entries[place]!;
      if (typeof entry === 'object') {
        if (isDeep || isForced || Number.isNaN(entry.ctimeMs)) this.#todo.push({ folder: entry, isForced, isDeep });
      } else if (entry >= 0) this.#lookAt(entry, path + names[place]);
      if (++this.#looks % ENTRIES_A_SLICE === 0) yield;
    }
  }

  #lookAt(id: number, path: string): void {
    const { added, changed } = this.result;
    const isFound = this.#found.size > 0 && this.#found.delete(id);
    const news = lookAtFile(this.#tree, id, this.#now, path);
    if (news === 'gone') {
      const known = this.#tree.path(id);
      this.#tree.remove(id);
      if (!isFound) this.#lost(id);
      this.#noteLostLetters(known, known);
    } else if (isFound) added.add(id);
    else if (news !== FileNews.NONE) changed.add(id);
    else this.result.unchanged++;
  }

  #lost(id: number): void {
    const { added, changed, removed } = this.result;
    if (this.#found.delete(id) || added.delete(id)) return;
    changed.delete(id);
    removed.add(id);
  }

  /** A name whose bytes are not UTF-8 comes with U+FFFD in their place, and leads nowhere. */
  #noteLostLetters(name: string, path: string): void {
    if (name.includes('\ufffd')) this.#tree.unreadable.set(path, 'its name is not UTF-8');
  }

  #rulesOf(folder: TreeFolder): FolderRules {
    const known = this.#rules.get(folder);
    if (known) return known;
    const rules = folder.parent
      ? this.#rulesOf(folder.parent).child(folder.name, folder.ignoreStamp === '')
      : FolderRules.of(this.#tree.root);
    this.#rules.set(folder, rules);
    return rules;
  }
}

function isSame(names: readonly string[], others: readonly string[]): boolean {
  return names.length === others.length && names.every((name, place) => name === others[place]);
}
