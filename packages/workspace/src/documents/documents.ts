import type { Document } from './document.ts';
import type { Failure } from './io-errors.ts';

export type FileKind = 'file' | 'folder' | 'link' | 'other';

export interface DocumentStat {
  kind: FileKind;
  size: number;
  mtimeMs: number;
  mode: number;
}

export interface FolderEntry {
  name: string;
  kind: FileKind;
}

export type ReadOutcome = { ok: true; document: Document } | Failure;
export type StatOutcome = { ok: true; stat: DocumentStat } | Failure;
export type ListOutcome = { ok: true; entries: FolderEntry[]; truncated: boolean } | Failure;

/**
 * The port through which everything reads workspace files. A face with unsaved editor text puts its own in front of the
 * disk. Paths are real ones, as `PathGuard` resolved them. Failures are values (`missing`, `not_a_file`, `too_large`,
 * `no_permission`, `path_moved` …); an aborted call rejects with the signal's reason.
 */
export interface Documents {
  /** Reads a whole file. */
  read(path: string, signal?: AbortSignal): Promise<ReadOutcome>;
  /** Looks at a path without following a link at its end. */
  stat(path: string, signal?: AbortSignal): Promise<StatOutcome>;
  /** The entries of a folder in the order of their names, at most `limit` of them. */
  list(path: string, options?: { limit?: number; signal?: AbortSignal }): Promise<ListOutcome>;
}
