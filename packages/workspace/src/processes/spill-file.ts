import { closeSync, mkdirSync, openSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';

export interface SpillOptions {
  /** A file that does not exist yet; its folder is made. */
  path: string;
  /** What comes after so many bytes is not written. */
  maxBytes: number;
}

/** Takes the whole output of a command where it is too long to be kept in memory. Readable by its owner alone. */
export class SpillFile {
  readonly path: string;
  readonly #fd: number;
  #left: number;

  /** @throws the system's error where the file cannot be made, or is there already. */
  constructor({ path, maxBytes }: SpillOptions) {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    this.#fd = openSync(path, 'wx', 0o600);
    this.path = path;
    this.#left = maxBytes;
  }

  /** @throws the system's error, e.g. `ENOSPC`. */
  write(bytes: Uint8Array): void {
    let rest = bytes.subarray(0, Math.max(0, this.#left));
    this.#left -= rest.length;
    while (rest.length > 0) rest = rest.subarray(writeSync(this.#fd, rest));
  }

  close(): void {
    closeSync(this.#fd);
  }
}
