import type { FileId } from '../../files/file-table.ts';

/** The files of the graph by the ways in which imports name them. Paths are from the root, with `/`; the root itself is ``. */
export class PathIndex {
  readonly #paths = new Map<FileId, string>();
  readonly #byPath = new Map<string, FileId>();
  /** By path without the ending of its name. */
  readonly #byBase = new Map<string, FileId[]>();
  /** By the last name of that. */
  readonly #byStem = new Map<string, FileId[]>();
  readonly #byFolder = new Map<string, FileId[]>();
  /** Folders with files in them by their last name. */
  readonly #folders = new Map<string, string[]>();

  add(file: FileId, path: string): void {
    if (this.#paths.get(file) === path) return;
    this.remove(file);
    this.#paths.set(file, path);
    this.#byPath.set(path, file);
    const base = baseOf(path);
    const folder = folderOf(path);
    push(this.#byBase, base, file);
    push(this.#byStem, nameOf(base), file);
    if (!this.#byFolder.has(folder)) push(this.#folders, nameOf(folder), folder);
    push(this.#byFolder, folder, file);
  }

  remove(file: FileId): void {
    const path = this.#paths.get(file);
    if (path === undefined) return;
    this.#paths.delete(file);
    this.#byPath.delete(path);
    const base = baseOf(path);
    const folder = folderOf(path);
    drop(this.#byBase, base, file);
    drop(this.#byStem, nameOf(base), file);
    drop(this.#byFolder, folder, file);
    if (!this.#byFolder.has(folder)) drop(this.#folders, nameOf(folder), folder);
  }

  path(file: FileId): string {
    return this.#paths.get(file) ?? '';
  }

  file(path: string): FileId | undefined {
    return this.#byPath.get(path);
  }

  /** Files whose path without the ending is this one. */
  filesOfBase(base: string): readonly FileId[] {
    return this.#byBase.get(base) ?? [];
  }

  /** Files whose name without the ending is this one. */
  filesOfStem(stem: string): readonly FileId[] {
    return this.#byStem.get(stem) ?? [];
  }

  /** Files that lie in the folder itself. */
  filesIn(folder: string): readonly FileId[] {
    return this.#byFolder.get(folder) ?? [];
  }

  /** Folders of a name that have files in them. */
  foldersNamed(name: string): readonly string[] {
    return this.#folders.get(name) ?? [];
  }
}

export function folderOf(path: string): string {
  const slash = path.lastIndexOf('/');
  return slash < 0 ? '' : path.slice(0, slash);
}

export function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** A path without the ending of its name; `.d.ts` is one ending. A name that begins with its only dot has none. */
export function baseOf(path: string): string {
  const end = path.endsWith('.d.ts') ? path.length - 5 : path.lastIndexOf('.');
  return end > path.lastIndexOf('/') + 1 ? path.slice(0, end) : path;
}

/** A path with `.` and `..` carried out; undefined when it leads out of the root. */
export function joinPath(folder: string, path: string): string | undefined {
  const parts = folder === '' ? [] : folder.split('/');
  for (const part of path.split('/')) {
    if (part === '..') {
      if (parts.pop() === undefined) return undefined;
    } else if (part !== '.' && part !== '') parts.push(part);
  }
  return parts.join('/');
}

/** A folder and all that it lies in, innermost first, the root last. */
export function* foldersUp(folder: string): Generator<string, void, void> {
  for (let at = folder; at !== ''; at = folderOf(at)) yield at;
  yield '';
}

export function push<T>(map: Map<string, T[]>, key: string, value: T): void {
  const known = map.get(key);
  if (known === undefined) map.set(key, [value]);
  else known.push(value);
}

function drop<T>(map: Map<string, T[]>, key: string, value: T): void {
  const left = (map.get(key) ?? []).filter((each) => each !== value);
  if (left.length > 0) map.set(key, left);
  else map.delete(key);
}
