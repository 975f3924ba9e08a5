import { randomBytes } from 'node:crypto';
import { constants, readFileSync, rmSync, statSync, utimesSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { BlackError } from '@black-ide/protocol';
import { type FileOps, writeAll } from '../../changes/file-ops.ts';
import { versionOf } from '../../documents/document.ts';
import { errnoOf } from '../../stores/errno.ts';
import { listStoreFolder, makeStoreFolder } from '../../stores/store-folder.ts';

const HASH = /^[0-9a-f]{64}$/;

export interface StoredBlob {
  hash: string;
  size: number;
  /** Milliseconds since the epoch: when it was last asked for. */
  usedAt: number;
}

/**
 * Bytes by their SHA-256, each once. A blob is complete and on the disk itself before its name is there, so that a kill
 * at any point leaves nothing that could be taken for one.
 */
export class BlobStore {
  readonly folder: string;
  readonly #ops: FileOps;

  constructor(folder: string, ops: FileOps) {
    this.folder = folder;
    this.#ops = ops;
  }

  /**
   * @param durable false: a copy that nothing depends on yet, which need not survive a power cut
   * @returns the hash. @throws the system's error; nothing is left of it then.
   */
  async put(
    bytes: Uint8Array,
    hash = versionOf(bytes),
    { durable = true }: { durable?: boolean } = {},
  ): Promise<string> {
    const path = this.#path(hash);
    if (this.touch(hash)) {
      if (durable) await this.#sync(path);
      return hash;
    }
    makeStoreFolder(dirname(path));
    const temporary = `${path}.${randomBytes(6).toString('hex')}.tmp`;
    const { O_WRONLY, O_CREAT, O_EXCL } = constants;
    try {
      const fd = this.#ops.open(temporary, O_WRONLY | O_CREAT | O_EXCL, 0o600);
      try {
        writeAll(this.#ops, fd, bytes);
        if (durable) await this.#ops.fsync(fd);
      } finally {
        this.#ops.close(fd);
      }
      this.#ops.rename(temporary, path);
    } catch (cause) {
      rmSync(temporary, { force: true });
      throw cause;
    }
    return hash;
  }

  /** Whether there is such a blob; it counts as used now, so that nobody sweeps it away. */
  touch(hash: string): boolean {
    const now = Date.now() / 1000;
    try {
      utimesSync(this.#path(hash), now, now);
      return true;
    } catch (cause) {
      if (errnoOf(cause) === 'ENOENT') return false;
      throw cause;
    }
  }

  /** @throws BlackError `checkpoint_damaged` where it is gone or not what it was. */
  get(hash: string): Buffer {
    let bytes: Buffer | undefined;
    try {
      bytes = readFileSync(this.#path(hash));
    } catch (cause) {
      if (errnoOf(cause) !== 'ENOENT') throw cause;
    }
    if (bytes && versionOf(bytes) === hash) return bytes;
    throw new BlackError(
      'checkpoint_damaged',
      `The checkpoint's copy ${hash.slice(0, 12)} is ${bytes ? 'not what it was' : 'gone'}.`,
      'Take the file from version control, if it is there.',
    );
  }

  list(): StoredBlob[] {
    return listStoreFolder(this.folder).flatMap(({ name, folder }) =>
      folder ? listStoreFolder(join(this.folder, name)).flatMap((file) => this.#described(name + file.name)) : [],
    );
  }

  remove(hash: string): void {
    rmSync(this.#path(hash), { force: true });
  }

  async #sync(path: string): Promise<void> {
    const fd = this.#ops.open(path, constants.O_RDONLY);
    try {
      await this.#ops.fsync(fd);
    } finally {
      this.#ops.close(fd);
    }
  }

  #described(hash: string): StoredBlob[] {
    if (!HASH.test(hash)) return [];
    const stats = statSync(this.#path(hash), { throwIfNoEntry: false });
    return stats ? [{ hash, size: stats.size, usedAt: stats.mtimeMs }] : [];
  }

  #path(hash: string): string {
    if (!HASH.test(hash)) throw new BlackError('checkpoint_damaged', `${hash.slice(0, 80)} names no blob.`);
    return join(this.folder, hash.slice(0, 2), hash.slice(2));
  }
}
