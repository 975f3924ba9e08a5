import { constants, existsSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { ioError } from '../documents/io-errors.ts';
import { isOpenAt, pathMoved } from '../documents/read-regular-file.ts';
import { errnoOf } from '../stores/errno.ts';
import type { FileOps } from './file-ops.ts';

const MAX_OPEN = 64;
const FD_FOLDER = '/proc/self/fd';

/**
 * Ways to files that cannot be diverted. A folder is opened, checked to be the one its real path names, and its files are
 * then reached through the open folder (Linux: `/proc/self/fd/N/name`, which is what `openat` does): whoever swaps a
 * folder of the path for a link afterwards changes nothing. Where there is no `/proc`, the folder's real path is checked
 * before every use, which leaves a window of microseconds.
 */
export class FolderHandles {
  readonly #ops: FileOps;
  readonly #open = new Map<string, number>();
  readonly #hasDescriptors = existsSync(FD_FOLDER);

  constructor(ops: FileOps) {
    this.#ops = ops;
  }

  /**
   * The path by which to reach `name` in a folder right now.
   * @throws BlackError `path_moved`, `missing`, `not_a_folder` …
   */
  at(folder: string, name: string): string {
    if (this.#hasDescriptors) return `${FD_FOLDER}/${this.#descriptor(folder)}/${name}`;
    const real = realOf(folder);
    if (real !== folder) throw pathMoved(folder);
    return join(folder, name);
  }

  dispose(): void {
    for (const fd of this.#open.values()) this.#close(fd);
    this.#open.clear();
  }

  #close(fd: number): void {
    try {
      this.#ops.close(fd);
    } catch (error) {
      // Nothing was written through it and it is closed all the same; a change set that was made must not fail by it.
      if (errnoOf(error) === undefined) throw error;
    }
  }

  #descriptor(folder: string): number {
    const known = this.#open.get(folder);
    if (known !== undefined) return known;
    const [oldest] = this.#open;
    if (this.#open.size >= MAX_OPEN && oldest) {
      this.#open.delete(oldest[0]);
      this.#close(oldest[1]);
    }
    const fd = this.#openFolder(folder);
    this.#open.set(folder, fd);
    return fd;
  }

  #openFolder(folder: string): number {
    const { O_RDONLY, O_DIRECTORY = 0, O_NOFOLLOW = 0 } = constants;
    let fd: number | undefined;
    try {
      fd = this.#ops.open(folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
      if (!isOpenAt(fd, folder)) throw pathMoved(folder);
      return fd;
    } catch (error) {
      if (fd !== undefined) this.#close(fd);
      throw ioError(error, folder);
    }
  }
}

function realOf(folder: string): string {
  try {
    return realpathSync.native(folder);
  } catch (error) {
    throw ioError(error, folder);
  }
}
