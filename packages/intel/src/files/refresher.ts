import { setTimeout as delay } from 'node:timers/promises';
import { CLOCK_TICK, FileNews, isIgnoreFile, lookAtFile, TreeScan } from '@black-ide/workspace';
import type { DiskChanges, RefreshProgress, RefreshReport } from '../code-intelligence-api.ts';
import type { FileId } from './file-table.ts';
import type { Intake } from './intake.ts';
import type { KnownFiles } from './known-files.ts';
import type { RefreshRun } from './refresh-queue.ts';
import { runInSlices } from './run-in-slices.ts';

export interface RefresherOptions {
  files: KnownFiles;
  intake: Intake;
  /** Milliseconds since the epoch. */
  now(): number;
  /** Something is another than what was stored. */
  onChange(): void;
  /** A look at the tree, or at folders, has found changes. */
  onFound?(changes: DiskChanges): void;
}

/** Timers and `Date.now` may be ahead of the disk's clock by fractions of a millisecond. */
const TIMER_SLACK = 3;

/** Looks at the disk, and has what is new taken in. */
export class Refresher {
  readonly #options: RefresherOptions;
  #scanning: Promise<unknown> = Promise.resolve();

  constructor(options: RefresherOptions) {
    this.#options = options;
  }

  /**
   * Looks at the whole tree, or at some folders. Only one such run at a time. What was done before it failed or was ended
   * stays, and the next one does the rest.
   * @throws BlackError `root_missing`; the signal's reason; errors of the parser.
   */
  async refresh({ folders, signal, onProgress }: RefreshRun): Promise<Omit<RefreshReport, 'took' | 'rebuilt'>> {
    const { files, intake, now, onChange, onFound } = this.#options;
    const scan = new TreeScan(files.tree, { folders, now });
    const { added, changed, removed } = scan.result;
    // Permissions are nothing that a look at times and sizes would show.
    const retried = folders ? [] : files.unreadable();
    try {
      await this.#scan(scan, signal);
      const pathsOf = (ids: ReadonlySet<FileId>): string[] => [...ids].map((id) => files.path(id));
      const found = added.size + changed.size + removed.size > 0;
      if (found) onFound?.({ added: pathsOf(added), changed: pathsOf(changed), removed: pathsOf(removed) });
      await intake.tidy();
      await this.#read(new Set([...added, ...changed, ...retried]), signal, onProgress);
      await intake.tidy();
      await intake.settleMany();
    } finally {
      await intake.tidy();
      const isNews = retried.some((id) => files.state(id) !== 'unreadable');
      if (added.size + changed.size + removed.size > 0 || isNews) onChange();
    }
    const { unchanged } = scan.result;
    return { added: added.size, changed: changed.size, removed: removed.size, unchanged };
  }

  /**
   * Reads files again. Where one is not known, or not there any more, its folder is looked at, as it is where the rules of
   * what is ignored have changed. It may run beside others.
   * @param paths from the root.
   * @throws the signal's reason; errors of the parser.
   */
  async refreshFiles(paths: readonly string[], signal: AbortSignal): Promise<void> {
    const { files, intake, onChange } = this.#options;
    const ids = paths.map((path) => files.idOf(path)).filter((id) => id !== undefined);
    const known = this.#lookAgain(ids);
    const folders = paths.filter((path) => isIgnoreFile(nameOf(path)) || files.idOf(path) === undefined).map(folderOf);
    const reads = [intake.read(known, { isEdited: true, signal })];
    if (folders.length > 0) reads.push(this.#readFolders(folders, signal));
    try {
      await Promise.all(reads);
    } finally {
      await intake.tidy();
      onChange();
    }
  }

  /** Reads what has changed in folders. */
  async #readFolders(folders: readonly string[], signal: AbortSignal): Promise<void> {
    const { files, intake, now } = this.#options;
    const scan = new TreeScan(files.tree, { folders, now });
    await this.#scan(scan, signal);
    const { added, changed } = scan.result;
    await intake.tidy();
    await intake.read(this.#lookAgain([...added, ...changed]), { signal });
  }

  /** Only one scan at a time can go over the tree. */
  async #scan(scan: TreeScan, signal: AbortSignal): Promise<void> {
    const mine = this.#scanning.then(() => {
      signal.throwIfAborted();
      return runInSlices(scan.run(), signal);
    });
    // Whoever comes next only waits for its end.
    this.#scanning = mine.catch(() => undefined);
    await mine;
  }

  /** Reads files; those that were written a moment ago come last, when another write would leave another time. */
  async #read(
    found: ReadonlySet<FileId>,
    signal: AbortSignal,
    onProgress: (progress: RefreshProgress) => void,
  ): Promise<void> {
    const { files, intake } = this.#options;
    const ids = [...found].filter((id) => files.has(id));
    const isRecent = (id: FileId): boolean => files.tree.news(id) === FileNews.JUST_CHANGED;
    const [recent, settled] = [ids.filter(isRecent), ids.filter((id) => !isRecent(id))];
    const progress = { done: 0, total: ids.length };
    onProgress({ ...progress });
    const onRead = (): void => {
      progress.done++;
      onProgress({ ...progress });
    };
    await intake.read(settled, { signal, onRead });
    if (recent.length === 0) return;
    await delay(CLOCK_TICK + TIMER_SLACK, undefined, { signal });
    await intake.read(this.#lookAgain(recent), { signal, onRead });
  }

  /** @returns those that are there. */
  #lookAgain(ids: readonly FileId[]): FileId[] {
    const { files, now } = this.#options;
    return ids.filter((id) => {
      const isThere = files.has(id) && lookAtFile(files.tree, id, now) !== 'gone';
      if (!isThere && files.has(id)) files.tree.remove(id);
      return isThere;
    });
  }
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}
