import { closeSync, constants, type Dirent, lstatSync, openSync, type Stats } from 'node:fs';
import { opendir } from 'node:fs/promises';
import { Document } from './document.ts';
import type { Documents, FileKind, FolderEntry, ListOutcome, ReadOutcome, StatOutcome } from './documents.ts';
import { failure, ioError } from './io-errors.ts';
import { isOpenAt, pathMoved, readRegularFile } from './read-regular-file.ts';

export interface DiskDocumentsOptions {
  /** Files beyond this many bytes are refused. Default 50 MiB. */
  maxBytes?: number;
}

const DEFAULT_MAX_BYTES = 50 * 1024 * 1024;
const DEFAULT_LIST_LIMIT = 10_000;

/** The files as they are on disk. */
export class DiskDocuments implements Documents {
  readonly #maxBytes: number;

  constructor(options: DiskDocumentsOptions = {}) {
    this.#maxBytes = options.maxBytes ?? DEFAULT_MAX_BYTES;
  }

  async read(path: string, signal?: AbortSignal): Promise<ReadOutcome> {
    try {
      const { bytes, stats } = await readRegularFile(path, { maxBytes: this.#maxBytes, signal });
      const facts = {
        path,
        mtimeMs: Number(stats.mtimeMs),
        mode: Number(stats.mode) & 0o7777,
        links: Number(stats.nlink),
        unsaved: false,
      };
      return { ok: true, document: await Document.of(bytes, facts) };
    } catch (error) {
      if (signal?.aborted) throw error;
      return failure(error);
    }
  }

  async stat(path: string, signal?: AbortSignal): Promise<StatOutcome> {
    signal?.throwIfAborted();
    try {
      const stats = lstatSync(path);
      const { size, mtimeMs, mode } = stats;
      return { ok: true, stat: { kind: kindOf(stats), size, mtimeMs, mode: mode & 0o7777 } };
    } catch (error) {
      return failure(ioError(error, path));
    }
  }

  async list(path: string, options: { limit?: number; signal?: AbortSignal } = {}): Promise<ListOutcome> {
    const { limit = DEFAULT_LIST_LIMIT, signal } = options;
    signal?.throwIfAborted();
    try {
      refuseLink(path);
      const entries: FolderEntry[] = [];
      let truncated = false;
      for await (const entry of await opendir(path)) {
        signal?.throwIfAborted();
        truncated = entries.length === limit;
        if (truncated) break;
        entries.push({ name: entry.name, kind: kindOf(entry) });
      }
      return { ok: true, entries: entries.sort((a, b) => (a.name < b.name ? -1 : 1)), truncated };
    } catch (error) {
      if (signal?.aborted) throw error;
      return failure(ioError(error, path));
    }
  }
}

/** Refuses a folder that a link leads to since its path was resolved. */
function refuseLink(path: string): void {
  const { O_RDONLY, O_DIRECTORY = 0, O_NOFOLLOW = 0 } = constants;
  const fd = openSync(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
  try {
    if (!isOpenAt(fd, path)) throw pathMoved(path);
  } finally {
    closeSync(fd);
  }
}

function kindOf(entry: Stats | Dirent): FileKind {
  if (entry.isFile()) return 'file';
  if (entry.isDirectory()) return 'folder';
  return entry.isSymbolicLink() ? 'link' : 'other';
}
