import type { FileId, FileTable } from '../files/file-table.ts';
import { detectLanguage } from '../parsing/detect-language.ts';
import type { Language } from '../parsing/language.ts';

/** A table of files without a disk, for tests. */
export class MemoryFileTable implements FileTable {
  readonly #paths: (string | undefined)[] = [];

  get size(): number {
    return this.#paths.length;
  }

  /** The number of a path; a new one where it has none. */
  add(path: string): FileId {
    return this.idOf(path) ?? this.#paths.push(path) - 1;
  }

  remove(id: FileId): void {
    this.#paths[id] = undefined;
  }

  has(id: FileId): boolean {
    return this.#paths[id] !== undefined;
  }

  path(id: FileId): string {
    const path = this.#paths[id];
    if (path === undefined) throw new Error(`no file ${id}`);
    return path;
  }

  idOf(path: string): FileId | undefined {
    const id = this.#paths.indexOf(path);
    return id < 0 ? undefined : id;
  }

  language(id: FileId): Language | undefined {
    return detectLanguage(this.path(id), () => '');
  }

  ids(): Iterable<FileId> {
    return [...this.#paths.keys()].filter((id) => this.has(id));
  }
}
