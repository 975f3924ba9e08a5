import type { FileId } from '../../files/file-table.ts';
import type { ModuleAlias } from './module-aliases.ts';
import { baseOf, foldersUp, nameOf, type PathIndex, push } from './path-index.ts';

/**
 * Finds files for imports. Whatever the answer depends on is told to `note`: the last name of each path that is tried,
 * so that an import is looked up again when a file or folder of such a name comes or goes.
 */
export class ModuleFinder {
  readonly paths: PathIndex;
  readonly #exact = new Map<string, ModuleAlias[]>();
  /** Aliases with a star by the first letters of what stands before it; under `` those with hardly anything there. */
  readonly #open = new Map<string, ModuleAlias[]>();
  readonly #note: (name: string) => void;

  constructor(paths: PathIndex, aliases: readonly ModuleAlias[], note: (name: string) => void) {
    this.paths = paths;
    this.#note = note;
    // A longer pattern says more, and so does one of a deeper folder.
    const sorted = aliases.toSorted(
      (one, other) => other.pattern.length - one.pattern.length || other.folder.length - one.folder.length,
    );
    for (const alias of sorted) {
      const star = alias.pattern.indexOf('*');
      if (star < 0) push(this.#exact, alias.pattern, alias);
      else push(this.#open, star < LETTERS ? '' : alias.pattern.slice(0, LETTERS), alias);
    }
  }

  file(path: string): FileId | undefined {
    this.#note(nameOf(baseOf(path)));
    return this.paths.file(path);
  }

  /** The file of a path whose ending lacks, the first of the endings that there is. */
  base(base: string, endings: readonly string[]): FileId | undefined {
    this.#note(nameOf(base));
    return this.#best(this.paths.filesOfBase(base), endings);
  }

  /** A file, or the index of a folder. */
  module(base: string, endings: readonly string[], index: string): FileId | undefined {
    const file = base === '' ? undefined : this.base(base, endings);
    return file ?? this.base(base === '' ? index : `${base}/${index}`, endings);
  }

  /** Files of an ending that lie in a folder itself, in the order of their paths. */
  filesIn(folder: string, ending: string): FileId[] {
    this.#note(nameOf(folder));
    const files = this.paths.filesIn(folder).filter((file) => this.paths.path(file).endsWith(ending));
    return files.sort((one, other) => this.#compare(one, other));
  }

  /**
   * The file whose path ends with a path, its ending as given or one of these; of several the nearest to a folder.
   */
  ending(path: string, endings: readonly string[], from: string): FileId | undefined {
    const name = nameOf(path);
    const stem = endings.length === 0 ? baseOf(name) : name;
    this.#note(stem);
    const wanted = endings.length === 0 ? [path] : endings.map((ending) => path + ending);
    const found = this.paths.filesOfStem(stem).filter((file) => {
      const own = this.paths.path(file);
      return wanted.some((end) => own === end || (own.endsWith(end) && own[own.length - end.length - 1] === '/'));
    });
    return nearest(found, from, (file) => this.paths.path(file));
  }

  /** The folder whose path ends with a path; of several the nearest. */
  folderEnding(path: string, from: string): string | undefined {
    this.#note(nameOf(path));
    const found = this.paths.foldersNamed(nameOf(path)).filter((each) => each === path || each.endsWith(`/${path}`));
    return nearest(found, from, (folder) => folder);
  }

  /** Whether a folder has a file of this name, without its ending. */
  hasFile(folder: string, stem: string): boolean {
    this.#note(stem);
    return this.paths.filesOfBase(folder === '' ? stem : `${folder}/${stem}`).length > 0;
  }

  /** Paths that a specifier may stand for by what the projects declare. */
  *aliased(specifier: string, from: string): Generator<string, void, void> {
    for (const { folder, targets } of this.#exact.get(specifier) ?? []) if (isIn(from, folder)) yield* targets;
    for (const key of [specifier.slice(0, LETTERS), '']) {
      for (const { folder, pattern, targets } of this.#open.get(key) ?? []) {
        const star = pattern.indexOf('*');
        const rest = pattern.length - star - 1;
        if (!isIn(from, folder) || specifier.length < star + rest) continue;
        if (!specifier.startsWith(pattern.slice(0, star)) || !specifier.endsWith(pattern.slice(star + 1))) continue;
        const middle = specifier.slice(star, specifier.length - rest);
        for (const target of targets) yield target.replace('*', () => middle);
      }
    }
  }

  #best(files: readonly FileId[], endings: readonly string[]): FileId | undefined {
    let [best, rank] = [undefined as FileId | undefined, endings.length];
    for (const file of files) {
      const path = this.paths.path(file);
      const own = endings.indexOf(path.slice(baseOf(path).length));
      if (own >= 0 && own < rank) [best, rank] = [file, own];
    }
    return best;
  }

  #compare(one: FileId, other: FileId): number {
    return this.paths.path(one) < this.paths.path(other) ? -1 : 1;
  }
}

const LETTERS = 2;

function isIn(path: string, folder: string): boolean {
  return folder === '' || path === folder || path.startsWith(`${folder}/`);
}

/** The one that shares the most folders with a folder, then the shortest path, then the first by its letters. */
function nearest<T>(found: readonly T[], from: string, pathOf: (each: T) => string): T | undefined {
  if (found.length < 2) return found[0];
  const around = [...foldersUp(from)];
  const distance = (path: string): number => {
    return around.findIndex((folder) => folder === '' || path.startsWith(`${folder}/`));
  };
  const order = (one: string, other: string): number =>
    distance(one) - distance(other) || one.length - other.length || (one < other ? -1 : 1);
  return found.toSorted((one, other) => order(pathOf(one), pathOf(other)))[0];
}
