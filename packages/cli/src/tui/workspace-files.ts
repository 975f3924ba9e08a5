import { walk } from '@black-ide/workspace';

/** A completion needs no more; a tree beyond this is searched with the model's tools. */
const MAX_FILES = 20_000;
const STALE_MS = 5_000;

/** The paths of a workspace's files and folders, as far as ignore rules leave them, read anew when they are old. */
export class WorkspaceFiles {
  readonly #root: string;
  readonly #now: () => number;
  #paths: readonly string[] = [];
  #readAt = Number.NEGATIVE_INFINITY;
  #reading: Promise<void> | undefined;

  constructor(root: string, now: () => number) {
    this.#root = root;
    this.#now = now;
  }

  /** The paths that were read last; a folder ends with `/`. */
  get known(): readonly string[] {
    return this.#paths;
  }

  /** The paths, read anew where the last reading is some seconds old. */
  async paths(): Promise<readonly string[]> {
    if (this.#now() - this.#readAt > STALE_MS) {
      this.#reading ??= this.#read().finally(() => {
        this.#reading = undefined;
      });
      // What is old still helps while it is read anew.
      if (this.#paths.length === 0) await this.#reading;
    }
    return this.#paths;
  }

  async #read(): Promise<void> {
    const paths: string[] = [];
    try {
      for await (const { path, kind } of walk({ root: this.#root })) {
        if (kind === 'other') continue;
        paths.push(kind === 'folder' ? `${path}/` : path);
        if (paths.length >= MAX_FILES) break;
      }
    } catch (cause) {
      // A folder that is gone or closed to us has no files to complete.
      if (!(cause instanceof Error)) throw cause;
    }
    this.#paths = paths;
    this.#readAt = this.#now();
  }
}
