import { type FSWatcher, watch } from 'node:fs';
import type { FileTree } from './file-tree.ts';
import { IGNORED, type TreeFolder } from './tree-folder.ts';

export interface TreeWatchOptions {
  tree: FileTree;
  /**
   * Something in these folders (paths from the root) was created, changed or deleted; undefined: so much has happened that
   * all are to be looked at.
   */
  onChange(folders: ReadonlySet<string> | undefined): void;
  /** Changes are no longer told, e.g. because the system has no watch left. The watch has ended. */
  onFailure(error: Error): void;
  /** Whether one watch covers a whole tree. Default: where the system can do that. */
  isRecursive?: boolean;
  /** After more changes at once than that, some may have been lost. Default 4,000. */
  mostEvents?: number;
}

/** A checkout or a build is many changes: they are told when it has been still for so long. Milliseconds. */
const QUIET_MS = 100;
/** But no later than this after the first one. */
const LATEST_MS = 2_000;
/** The system's queue holds 16,384 changes on Linux, and says nothing of those that are lost. */
const MOST_EVENTS = 4_000;
/** So many folders are watched before others have their turn. */
const FOLDERS_A_SLICE = 256;

/**
 * Tells which folders of a tree have changed; what has changed there a scan must find out. Folders that are ignored are
 * not watched, nothing is polled. Watching a folder costs about 7 µs and 2 KB: a general watcher, which keeps a picture of
 * its own of each file, took 45 times as long and 50 times the memory for 10,000 files.
 *
 * Where the system watches whole trees (macOS, Windows) there is one watch, else one for each folder.
 */
export class TreeWatch {
  readonly #options: TreeWatchOptions;
  readonly #watchers = new Map<TreeFolder, FSWatcher>();
  readonly #dirty = new Set<string>();
  #events = 0;
  #firstAt = 0;
  #timer: NodeJS.Timeout | undefined;
  #ended = false;

  private constructor(options: TreeWatchOptions) {
    this.#options = options;
  }

  /**
   * Starts to watch every folder that is known, in slices. What changes after it has ended is told, and from the next scan
   * on also what changes in new folders.
   */
  static *start(options: TreeWatchOptions): Generator<void, TreeWatch, void> {
    const started = new TreeWatch(options);
    const { tree, isRecursive = ['darwin', 'win32'].includes(process.platform) } = options;
    if (isRecursive) {
      started.#watchAll();
      return started;
    }
    tree.follower = { entered: (folder) => started.#enter(folder), left: (folder) => started.#leave(folder) };
    let count = 0;
    for (const folder of [...tree.folders()]) {
      started.#enter(folder);
      if (++count % FOLDERS_A_SLICE === 0) yield;
    }
    return started;
  }

  dispose(): void {
    this.#ended = true;
    clearTimeout(this.#timer);
    this.#options.tree.follower = undefined;
    for (const watcher of this.#watchers.values()) watcher.close();
    this.#watchers.clear();
  }

  #watchAll(): void {
    const { tree } = this.#options;
    this.#watch(tree.top, { recursive: true }, (name) => {
      const path = (name ?? '').replaceAll('\\', '/');
      const end = path.lastIndexOf('/');
      const folder = tree.folderAt(end < 0 ? '' : path.slice(0, end));
      if (folder) this.#happened(folder, path.slice(end + 1));
    });
  }

  #enter(folder: TreeFolder): void {
    if (this.#ended) return;
    // One that came in the place of another is another one for the system.
    this.#leave(folder);
    this.#watch(folder, {}, (name) => this.#happened(folder, name));
  }

  #leave(folder: TreeFolder): void {
    this.#watchers.get(folder)?.close();
    this.#watchers.delete(folder);
  }

  #watch(folder: TreeFolder, options: { recursive?: boolean }, onEvent: (name: string | null) => void): void {
    const path = `${this.#options.tree.root}/${folder.prefix}`;
    try {
      const watcher = watch(path, { ...options, persistent: false }, (_, name) => onEvent(name));
      // A folder that is deleted while it is watched is an error on some systems; the folder above tells of it.
      watcher.on('error', () => this.#leave(folder));
      this.#watchers.set(folder, watcher);
    } catch (cause) {
      this.#failed(cause);
    }
  }

  #failed(cause: unknown): void {
    const error = cause instanceof Error ? cause : new Error(String(cause));
    // Gone meanwhile: the scan that is to come will find that out.
    if (['ENOENT', 'ENOTDIR', 'EACCES'].includes((error as NodeJS.ErrnoException).code ?? '')) return;
    this.dispose();
    this.#options.onFailure(error);
  }

  #happened(folder: TreeFolder, name: string | null): void {
    if (this.#ended || (name !== null && folder.find(name) === IGNORED)) return;
    this.#dirty.add(folder.prefix);
    const now = performance.now();
    if (++this.#events === 1) this.#firstAt = now;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#tell(), Math.min(QUIET_MS, Math.max(0, this.#firstAt + LATEST_MS - now)));
  }

  #tell(): void {
    const { mostEvents = MOST_EVENTS, onChange } = this.#options;
    const folders = this.#events > mostEvents ? undefined : new Set(this.#dirty);
    this.#dirty.clear();
    this.#events = 0;
    onChange(folders);
  }
}
