import type { Language } from '../parsing/language.ts';

/**
 * A file's number, the same for as long as the file is there. A file that comes back has its old number; when very many
 * were deleted, theirs are given to others.
 */
export type FileId = number;

/** The files of a workspace that are known to the graph and the index. */
export interface FileTable {
  /** One more than the highest number in use; deleted files are holes. */
  readonly size: number;
  has(id: FileId): boolean;
  /** From the root, with `/`. */
  path(id: FileId): string;
  /** Undefined for a file that is not known. */
  idOf(path: string): FileId | undefined;
  language(id: FileId): Language | undefined;
  /** Numbers of the known files, ascending. */
  ids(): Iterable<FileId>;
}
