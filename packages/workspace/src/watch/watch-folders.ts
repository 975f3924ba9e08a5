import { dirname, sep } from 'node:path';
import type { FSWatcher } from 'chokidar';

export interface WatchFoldersOptions {
  /** Absolute; one that is not there yet is waited for. What lies in folders inside them is not looked at. */
  folders: readonly string[];
  /** Something in them was created, changed or deleted; several changes at once are told once. */
  onChange(): void;
  /** What cannot be watched, e.g. because the system has no watch left. */
  onError?(error: Error): void;
}

/** So many folders on the way to a watched one may be missing. */
const MOST_MISSING = 3;

/** An editor's save is several changes. */
const SETTLE_MS = 50;

/**
 * Watches the files of a few folders. The system tells of changes: nothing is polled, and nothing runs while nothing
 * changes. Dispose it.
 */
export class FolderWatch {
  readonly #watcher: FSWatcher;
  #timer: NodeJS.Timeout | undefined;

  private constructor(watcher: FSWatcher) {
    this.#watcher = watcher;
  }

  /** Resolves when every change from now on will be told. */
  static async start({ folders, onChange, onError }: WatchFoldersOptions): Promise<FolderWatch> {
    // Loaded at its first use: most runs watch nothing.
    const { watch } = await import('chokidar');
    const watcher = watch([...folders], {
      // Of a folder that is not there yet the ones above it are waited for, and count as levels.
      depth: MOST_MISSING,
      ignored: (path) => !concerns(path, folders),
      ignoreInitial: true,
      backend: 'native',
      persistent: false,
    });
    const started = new FolderWatch(watcher);
    watcher.on('all', () => {
      clearTimeout(started.#timer);
      started.#timer = setTimeout(onChange, SETTLE_MS);
    });
    watcher.on('error', (error) => onError?.(error instanceof Error ? error : new Error(String(error))));
    await new Promise<void>((resolve) => watcher.once('ready', resolve));
    return started;
  }

  async dispose(): Promise<void> {
    clearTimeout(this.#timer);
    await this.#watcher.close();
  }
}

/** Whether a path is a watched folder, on the way to one, or right in one. */
function concerns(path: string, folders: readonly string[]): boolean {
  return folders.some((folder) => (folder + sep).startsWith(path + sep) || dirname(path) === folder);
}
