import { TreeFolder } from './tree-folder.ts';

/** Whether a file has been read since it last changed. */
export const FileNews = {
  NONE: 0,
  CHANGED: 1,
  /**
   * Changed, and so short before it was looked at that another change could leave the same time: it counts as changed
   * until a later look.
   */
  JUST_CHANGED: 2,
} as const;
export type FileNews = (typeof FileNews)[keyof typeof FileNews];

/** Time and size of what could not be looked at. */
const UNKNOWN = -1;

/** So many paths that went away are remembered in any case. */
const MOST_BURIED = 10_000;

/** What is known of each file, by its number. */
export interface FileRecords {
  /** Of a file that went away they stay, so that its path can still be told. */
  folders: TreeFolder[];
  names: string[];
  mtimes: number[];
  bytes: number[];
  news: FileNews[];
  isThere: boolean[];
}

/**
 * The files below a folder as the last scan left them, under numbers that stay the same as long as the file is there. A
 * path that comes back gets its old number, as after a branch switch there and back. `TreeScan` keeps it up to date.
 */
export class FileTree {
  /** Real path of the folder. */
  readonly root: string;
  readonly top: TreeFolder;
  /** State of the ignore files above the root. */
  stampAbove = '';
  /** Files that went away and that nobody has taken note of yet: who does removes them from here. */
  readonly gone = new Set<number>();
  /** What could not be looked at, with the reason. */
  readonly unreadable = new Map<string, string>();
  /** Told of each folder that a scan enters for the first time, before its names are read, and of those that went away. */
  follower: { entered(folder: TreeFolder): void; left(folder: TreeFolder): void } | undefined;
  readonly #files: FileRecords;
  /** Paths of files that went away. */
  readonly #buried = new Map<string, number>();

  constructor(root: string, top = new TreeFolder(undefined, ''), files: FileRecords = noRecords()) {
    this.root = root;
    this.top = top;
    this.#files = files;
  }

  /** How many files there are. */
  get count(): number {
    return this.size - this.#buried.size;
  }

  /** One more than the highest number ever given. */
  get size(): number {
    return this.#files.folders.length;
  }

  get buried(): ReadonlyMap<string, number> {
    return this.#buried;
  }

  has(id: number): boolean {
    return this.#files.isThere[id] === true;
  }

  /** From the root, with `/`; also of a file that went away. @throws RangeError for a number that was never given. */
  path(id: number): string {
    const folder = this.#files.folders[id];
    if (!folder) throw new RangeError(`no file has the number ${id}`);
    return folder.prefix + this.#files.names[id];
  }

  absolutePath(id: number): string {
    return `${this.root}/${this.path(id)}`;
  }

  /** Milliseconds since the epoch; -1 where it could not be looked at. */
  mtimeMs(id: number): number {
    return this.#files.mtimes[id] ?? UNKNOWN;
  }

  /** Bytes; -1 where it could not be looked at. */
  bytes(id: number): number {
    return this.#files.bytes[id] ?? UNKNOWN;
  }

  news(id: number): FileNews {
    return this.#files.news[id] ?? FileNews.NONE;
  }

  idOf(path: string): number | undefined {
    const end = path.lastIndexOf('/');
    const folder = end < 0 ? this.top : this.folderAt(path.slice(0, end));
    const entry = folder?.find(path.slice(end + 1));
    return typeof entry === 'number' && entry >= 0 ? entry : undefined;
  }

  /** @param path from the root, with `/`; empty for the root. */
  folderAt(path: string): TreeFolder | undefined {
    const nearest = this.nearestFolder(path);
    return nearest.prefix.length === (path === '' ? 0 : path.length + 1) ? nearest : undefined;
  }

  /** The last known folder on the way to a path; one slash more at its end does no harm. */
  nearestFolder(path: string): TreeFolder {
    let folder = this.top;
    if (path === '') return folder;
    for (const name of path.split('/')) {
      const entry = folder.find(name);
      if (typeof entry !== 'object') return folder;
      folder = entry;
    }
    return folder;
  }

  *ids(): Generator<number, void, void> {
    for (let id = 0; id < this.#files.isThere.length; id++) if (this.#files.isThere[id]) yield id;
  }

  /** Each folder before those in it. */
  *folders(from: TreeFolder = this.top): Generator<TreeFolder, void, void> {
    const todo = [from];
    for (let folder = todo.pop(); folder; folder = todo.pop()) {
      yield folder;
      for (const entry of folder.entries) if (typeof entry === 'object') todo.push(entry);
    }
  }

  /** Gives a new file its number. It has not been looked at. */
  add(folder: TreeFolder, name: string): number {
    const path = folder.prefix + name;
    const id = this.#buried.get(path) ?? this.#unused() ?? this.size;
    this.#buried.delete(path);
    this.gone.delete(id);
    this.place(id, folder, name);
    this.record(id, UNKNOWN, UNKNOWN, FileNews.CHANGED);
    return id;
  }

  /** Files with ever new names come and go, e.g. built ones: of too many that went away the number of the first is taken. */
  #unused(): number | undefined {
    if (this.gone.size > 0 || this.#buried.size < Math.max(MOST_BURIED, this.count)) return undefined;
    const [first] = this.#buried;
    if (!first) return undefined;
    this.#buried.delete(first[0]);
    return first[1];
  }

  /** Puts a file where it is. @throws RangeError for a number that is taken, or was never given. */
  place(id: number, folder: TreeFolder, name: string): void {
    if (this.#files.isThere[id] || id > this.#files.folders.length)
      throw new RangeError(`no file can have the number ${id}`);
    this.#files.folders[id] = folder;
    this.#files.names[id] = name;
    this.#files.isThere[id] = true;
  }

  /** A file of that path is not there any more. */
  bury(id: number, path: string): void {
    this.#files.isThere[id] = false;
    this.#buried.set(path, id);
  }

  record(id: number, mtimeMs: number, bytes: number, news: FileNews): void {
    this.#files.mtimes[id] = mtimeMs;
    this.#files.bytes[id] = bytes;
    this.#files.news[id] = news;
  }

  /** A file was read that had this time and size before; where it has others by now it stays changed. */
  settle(id: number, mtimeMs: number, bytes: number): void {
    const isSame = mtimeMs === this.#files.mtimes[id] && bytes === this.#files.bytes[id];
    if (isSame && this.#files.news[id] === FileNews.CHANGED) this.#files.news[id] = FileNews.NONE;
  }

  /** A file is not there any more. */
  remove(id: number): void {
    const path = this.path(id);
    this.#files.folders[id]!.lose(this.#files.names[id]!);
    this.bury(id, path);
    this.gone.add(id);
  }

  /** A folder is not there any more. @returns the files in it and below. */
  removeFolder(folder: TreeFolder): number[] {
    const gone: number[] = [];
    for (const each of [...this.folders(folder)]) {
      for (const entry of each.entries) if (typeof entry === 'number' && entry >= 0) gone.push(entry);
      each.isGone = true;
      this.follower?.left(each);
    }
    for (const id of gone) this.remove(id);
    folder.parent?.lose(folder.name);
    return gone;
  }
}

function noRecords(): FileRecords {
  return { folders: [], names: [], mtimes: [], bytes: [], news: [], isThere: [] };
}
