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

/**
 * The files below a folder as the last scan left them, under numbers that stay the same as long as the file is there;
 * a path that comes back gets its old number. `TreeScan` keeps it up to date.
 */
export class FileTree {
  /** Real path of the folder. */
  readonly root: string;
  readonly top = new TreeFolder(undefined, '');
  /** State of the ignore files above the root. */
  stampAbove = '';
  /** Files that went away and that nobody has taken note of yet: who does removes them from here. */
  readonly gone = new Set<number>();
  /** What could not be looked at, with the reason. */
  readonly unreadable = new Map<string, string>();
  /** Told of each folder that a scan enters for the first time, before its names are read, and of those that went away. */
  follower: { entered(folder: TreeFolder): void; left(folder: TreeFolder): void } | undefined;
  /** Of a file that went away they stay, so that its path can still be told. */
  readonly #folders: TreeFolder[];
  readonly #names: string[];
  readonly #mtimes: number[];
  readonly #sizes: number[];
  readonly #news: FileNews[];
  readonly #isThere: boolean[];
  /** Paths of files that went away. */
  readonly #buried = new Map<string, number>();

  /** @param size how many numbers are taken already. */
  constructor(root: string, size = 0) {
    this.root = root;
    this.#folders = new Array(size).fill(this.top);
    this.#names = new Array(size).fill('');
    this.#mtimes = new Array(size).fill(UNKNOWN);
    this.#sizes = new Array(size).fill(UNKNOWN);
    this.#news = new Array(size).fill(FileNews.NONE);
    this.#isThere = new Array(size).fill(false);
  }

  /** How many files there are. */
  get count(): number {
    return this.size - this.#buried.size;
  }

  /** One more than the highest number ever given. */
  get size(): number {
    return this.#folders.length;
  }

  get buried(): ReadonlyMap<string, number> {
    return this.#buried;
  }

  has(id: number): boolean {
    return this.#isThere[id] === true;
  }

  /** From the root, with `/`; also of a file that went away. @throws RangeError for a number that was never given. */
  path(id: number): string {
    const folder = this.#folders[id];
    if (!folder) throw new RangeError(`no file has the number ${id}`);
    return folder.prefix + this.#names[id];
  }

  absolutePath(id: number): string {
    return `${this.root}/${this.path(id)}`;
  }

  /** Milliseconds since the epoch; -1 where it could not be looked at. */
  mtimeMs(id: number): number {
    return this.#mtimes[id] ?? UNKNOWN;
  }

  /** Bytes; -1 where it could not be looked at. */
  bytes(id: number): number {
    return this.#sizes[id] ?? UNKNOWN;
  }

  news(id: number): FileNews {
    return this.#news[id] ?? FileNews.NONE;
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
    for (let id = 0; id < this.#isThere.length; id++) if (this.#isThere[id]) yield id;
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
    const id = this.#buried.get(path) ?? this.#folders.length;
    this.#buried.delete(path);
    this.gone.delete(id);
    this.place(id, folder, name);
    this.record(id, UNKNOWN, UNKNOWN, FileNews.CHANGED);
    return id;
  }

  /** Puts a file where it is. @throws RangeError for a number that is taken, or was never given. */
  place(id: number, folder: TreeFolder, name: string): void {
    if (this.#isThere[id] || id > this.#folders.length) throw new RangeError(`no file can have the number ${id}`);
    this.#folders[id] = folder;
    this.#names[id] = name;
    this.#isThere[id] = true;
  }

  /** A file of that path is not there any more. */
  bury(id: number, path: string): void {
    this.#isThere[id] = false;
    this.#buried.set(path, id);
  }

  record(id: number, mtimeMs: number, bytes: number, news: FileNews): void {
    this.#mtimes[id] = mtimeMs;
    this.#sizes[id] = bytes;
    this.#news[id] = news;
  }

  /** A file was read that had this time and size before; where it has others by now it stays changed. */
  settle(id: number, mtimeMs: number, bytes: number): void {
    const isSame = mtimeMs === this.#mtimes[id] && bytes === this.#sizes[id];
    if (isSame && this.#news[id] === FileNews.CHANGED) this.#news[id] = FileNews.NONE;
  }

  /** A file is not there any more. */
  remove(id: number): void {
    const path = this.path(id);
    this.#folders[id]!.lose(this.#names[id]!);
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
