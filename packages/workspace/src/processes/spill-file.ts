import { closeSync, mkdirSync, openSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';

export interface SpillOptions {
  /** A file that does not exist yet; its folder is made. */
  path: string;
  /** What comes after so many bytes is not written. */
  maxBytes: number;
  /** Changes the bytes on their way, e.g. takes secrets out. */
  through?: { push(bytes: Uint8Array): Uint8Array; end(): Uint8Array };
}

/** Takes the whole output of a command where it is too long to be kept in memory. Readable by its owner alone. */
export class SpillFile {
  readonly path: string;
  readonly #fd: number;
  readonly #through: SpillOptions['through'];
  #left: number;

  /** @throws the system's error where the file cannot be made, or is there already. */
  constructor({ path, maxBytes, through }: SpillOptions) {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    this.#fd = openSync(path, 'wx', 0o600);
    this.path = path;
    this.#left = maxBytes;
    this.#through = through;
  }

  /** @throws the system's error, e.g. `ENOSPC`. */
  write(bytes: Uint8Array): void {
    this.#write(this.#through?.push(bytes) ?? bytes);
  }

  /** @throws the system's error where the last bytes cannot be written; the file is closed all the same. */
  close(): void {
    try {
      if (this.#through) this.#write(this.#through.end());
    } finally {
      closeSync(this.#fd);
    }
  }

  #write(bytes: Uint8Array): void {
    let rest = bytes.subarray(0, Math.max(0, this.#left));
    this.#left -= rest.length;
    while (rest.length > 0) rest = rest.subarray(writeSync(this.#fd, rest));
  }
}
