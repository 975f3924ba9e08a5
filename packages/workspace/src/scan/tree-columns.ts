import { type FileNews, FileTree } from './file-tree.ts';
import { OTHER, type TreeEntry, TreeFolder } from './tree-folder.ts';

/** A `FileTree` as plain arrays, to be stored. Folders stand in the order in which they are first named, the root first. */
export interface TreeColumns {
  /** By the number of a file. */
  mtimes: Float64Array;
  bytes: Float64Array;
  news: Uint8Array;
  folderMtimes: Float64Array;
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
    folderMtimes: Float64Array.from(folders, ({ mtimeMs }) => mtimeMs),
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
  const { mtimes, bytes, news, folderMtimes, counts, entries, buriedIds } = columns;
  const tree = new FileTree(root, mtimes.length);
  const names = namesIn(columns.names, entries.length);
  const folders = [tree.top];
  let place = 0;
  const entryOf = (folder: TreeFolder, name: string, entry: number): TreeEntry => {
    if (entry >= 0) {
      tree.place(entry, folder, name);
      tree.record(entry, mtimes[entry]!, bytes[entry]!, news[entry] as FileNews);
    }
    if (entry >= OTHER) return entry;
    if (entry !== OTHER - folders.length) throw new RangeError('a folder is out of its turn');
    const below = new TreeFolder(folder, name);
    folders.push(below);
    return below;
  };
  for (const [number, count] of counts.entries()) {
    const folder = folders[number];
    if (!folder) throw new RangeError('a folder lies nowhere');
    const own = names.slice(place, place + count);
    folder.list(
      own,
      own.map((name) => entryOf(folder, name, entries[place++]!)),
    );
    folder.mtimeMs = folderMtimes[number]!;
  }
  if (folders.length !== counts.length || place !== names.length) throw new RangeError('names are left over');
  const files = entries.reduce((sum, entry) => sum + Number(entry >= 0), 0);
  if (files + buriedIds.length !== mtimes.length) throw new RangeError('a number stands for nothing');
  for (const [folder, stamp] of columns.ignoreStamps) folders[folder]!.ignoreStamp = stamp;
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
