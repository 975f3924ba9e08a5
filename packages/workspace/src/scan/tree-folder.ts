/** An entry of a folder that is no file of the tree: its rules leave it out. */
export const IGNORED = -1;
/** An entry that is neither file nor folder (a link, a pipe, a device), or that went away while it was looked at. */
export const OTHER = -2;

/** What a name in a folder stands for: the number of a file, a folder, `IGNORED` or `OTHER`. */
export type TreeEntry = number | TreeFolder;

/** A folder as the last scan left it. */
export class TreeFolder {
  readonly parent: TreeFolder | undefined;
  readonly name: string;
  /** Its path from the root with a `/` at the end; empty for the root itself. */
  readonly prefix: string;
  /** In the order of the disk. */
  names: readonly string[] = [];
  /** What the names stand for. */
  entries: TreeEntry[] = [];
  /**
   * Its ctime when its names were read: nobody can set it back. NaN where they must be read again, whatever the disk says.
   */
  ctimeMs = Number.NaN;
  /** State of the ignore files in it; empty where there is none. */
  ignoreStamp = '';
  /** It was taken out of the tree. */
  isGone = false;
  /** 0: not looked at since the tree was loaded. */
  inode = 0;
  /** Made at the first search: most folders are never asked. */
  #places: Map<string, number> | undefined;

  constructor(parent: TreeFolder | undefined, name: string) {
    this.parent = parent;
    this.name = name;
    this.prefix = parent ? `${parent.prefix}${name}/` : '';
  }

  find(name: string): TreeEntry | undefined {
    const place = this.#place(name);
    return place === undefined ? undefined : this.entries[place];
  }

  list(names: readonly string[], entries: TreeEntry[]): void {
    this.names = names;
    this.entries = entries;
    this.#places = undefined;
  }

  /** An entry is not what it was: the names are looked at again by the next scan. */
  lose(name: string): void {
    const place = this.#place(name);
    if (place !== undefined) this.entries[place] = OTHER;
    this.ctimeMs = Number.NaN;
  }

  #place(name: string): number | undefined {
    this.#places ??= new Map(this.names.map((each, place) => [each, place]));
    return this.#places.get(name);
  }
}
