import { type FileNews, FileTree } from './file-tree.ts';
import { OTHER, type TreeEntry, TreeFolder } from './tree-folder.ts';

/** A `FileTree` as plain arrays, to be stored. Folders stand in the order in which they are first named, the root first. */
export interface TreeColumns {
  /** By the number of a file. */
  mtimes: Float64Array;
  bytes: Float64Array;
  news: Uint8Array;
  folderTimes: Float64Array;
  /** How many names each folder has. */
  counts: Uint32Array;
  /** The names of all folders in a row, UTF-8, with NUL between them. */
  names: Uint8Array;
  /** What each name stands for: a file's number, `IGNORED`, `OTHER`, or -3 for folder 1, -4 for folder 2 and so on. */
  entries: Int32Array;
  /** Those that are not empty, by the number of the folder. */
  ignoreStamps: [number, string][];
  stampAbove: string;
  buriedIds: Uint32Array;
  /** UTF-8, with NUL between them. */
  buriedPaths: Uint8Array;
}

const SEPARATOR = '\0';

export function columnsOf(tree: FileTree): TreeColumns {
  const folders = [tree.top];
  const names: string[] = [];
  const entries: number[] = [];
  for (const folder of folders) {
    for (const [place, entry] of folder.entries.entries()) {
      names.push(folder.names[place]!);
      entries.push(typeof entry === 'number' ? entry : OTHER - folders.length);
      if (typeof entry === 'object') folders.push(entry);
    }
  }
  const length = tree.size;
  return {
    mtimes: Float64Array.from({ length }, (_, id) => tree.mtimeMs(id)),
    bytes: Float64Array.from({ length }, (_, id) => tree.bytes(id)),
    news: Uint8Array.from({ length }, (_, id) => tree.news(id)),
    folderTimes: Float64Array.from(folders, ({ ctimeMs }) => ctimeMs),
    counts: Uint32Array.from(folders, (folder) => folder.names.length),
    names: bytesOf(names),
    entries: Int32Array.from(entries),
    ignoreStamps: folders.flatMap(({ ignoreStamp }, folder) => (ignoreStamp === '' ? [] : [[folder, ignoreStamp]])),
    stampAbove: tree.stampAbove,
    buriedIds: Uint32Array.from(tree.buried.values()),
    buriedPaths: bytesOf([...tree.buried.keys()]),
  };
}

/** @throws RangeError for columns that make no tree. */
export function treeOf(root: string, columns: TreeColumns): FileTree {
  const { mtimes, bytes, news, folderTimes, counts, entries, buriedIds } = columns;
  const size = mtimes.length;
  const names = namesIn(columns.names, entries.length);
  const folders = [new TreeFolder(undefined, '')];
  const records = {
    folders: new Array(size).fill(folders[0]),
    names: new Array(size).fill(''),
    mtimes: Array.from(mtimes),
    bytes: Array.from(bytes),
    news: Array.from(news) as FileNews[],
    isThere: new Array(size).fill(false),
  };
  let place = 0;
  let files = 0;
  // Plain loops: this runs once, at every start, before anything is compiled.
  for (let number = 0; number < counts.length; number++) {
    const folder = folders[number];
    if (!folder) throw new RangeError('a folder lies nowhere');
    const end = place + counts[number]!;
    const own = names.slice(place, end);
    const listed: TreeEntry[] = [];
    for (; place < end; place++) {
      const entry = entries[place]!;
      const name = names[place]!;
      if (entry >= 0) {
        if (entry >= size || records.isThere[entry]) throw new RangeError('two files have the same number');
        records.folders[entry] = folder;
        records.names[entry] = name;
        records.isThere[entry] = true;
        files++;
        listed.push(entry);
      } else if (entry >= OTHER) listed.push(entry);
      else {
        if (entry !== OTHER - folders.length) throw new RangeError('a folder is out of its turn');
        const below = new TreeFolder(folder, name);
        folders.push(below);
        listed.push(below);
      }
    }
    folder.list(own, listed);
    folder.ctimeMs = folderTimes[number]!;
  }
  if (folders.length !== counts.length || place !== names.length) throw new RangeError('names are left over');
  if (files + buriedIds.length !== size) throw new RangeError('a number stands for nothing');
  for (const [folder, stamp] of columns.ignoreStamps) folders[folder]!.ignoreStamp = stamp;
  const tree = new FileTree(root, folders[0], records);
  for (const [at, path] of namesIn(columns.buriedPaths, buriedIds.length).entries()) {
    tree.place(buriedIds[at]!, tree.top, path);
    tree.bury(buriedIds[at]!, path);
  }
  tree.stampAbove = columns.stampAbove;
  return tree;
}

function bytesOf(names: readonly string[]): Uint8Array {
  return Buffer.from(names.join(SEPARATOR), 'utf8');
}

function namesIn(bytes: Uint8Array, count: number): string[] {
  const { buffer, byteOffset, byteLength } = bytes;
  const names = count === 0 ? [] : Buffer.from(buffer, byteOffset, byteLength).toString('utf8').split(SEPARATOR);
  if (names.length !== count) throw new RangeError('there are not as many names as entries');
  return names;
}
