import { setTimeout as delay } from 'node:timers/promises';
import { BlackError } from '@black-ide/protocol';
import { CLOCK_TICK, FileNews, isIgnoreFile, lookAtFile, readLines, TreeScan, TreeWatch } from '@black-ide/workspace';
import type {
  CodeIntelligence,
  CodeIntelligenceOptions,
  IndexReport,
  RefreshProgress,
  RefreshReport,
} from '../code-intelligence-api.ts';
import type { CodeGraph } from '../graph/code-graph-api.ts';
import type { CodeIndex } from '../index/code-index-api.ts';
import type { FileCodec, FileParser } from './file-parser.ts';
import type { FileId, FileTable } from './file-table.ts';
import { indexReport } from './index-report.ts';
import { Intake } from './intake.ts';
import type { Layer } from './layer.ts';
import { type Known, loadSnapshot } from './load-snapshot.ts';
import type { ModuleNames } from './module-names.ts';
import { Persistence } from './persistence.ts';
import { RefreshQueue, type RefreshRun } from './refresh-queue.ts';
import { runInSlices } from './run-in-slices.ts';
import { SnapshotStore } from './snapshot-store.ts';
import type { VectorKeeper } from './vector-keeper.ts';

/** The layers over the table of files. */
export type CodeLayers = { graph: Layer & CodeGraph; index: Layer & CodeIndex };

/** Where something is attached to. */
export interface AttachTo<L extends CodeLayers> {
  files: FileTable;
  layers: L;
  /** Whether this process is the one that may write into the folder of the index. */
  claim(): boolean;
}

export interface Attached {
  moduleNames?: ModuleNames | undefined;
  vectors?: VectorKeeper | undefined;
}

/** What the code of a workspace is put together from. */
export interface CodeParts<L extends CodeLayers = CodeLayers> extends Pick<CodeIntelligenceOptions, 'root' | 'folder'> {
  /** Real path of the workspace. */
  root: string;
  parser: FileParser;
  codec: FileCodec;
  /** Called once more where what is stored turns out to be damaged. */
  makeLayers(files: FileTable): L;
  /** What else is to be kept up to date. */
  attach?(code: AttachTo<L>): Attached;
  /** Changes with what a parse yields and with what the layers store: what is stored under another one is not used. */
  schema: string;
  /** Milliseconds since the epoch. Default: the system's clock. */
  now?: () => number;
}

/** More files than that outside the compact form of a layer make its answers slow. */
const MOST_UNSETTLED = 64;
/** Timers and `Date.now` may be ahead of the disk's clock by fractions of a millisecond. */
const TIMER_SLACK = 3;

/** Keeps the table of files, the layers over it and what is stored of them together. */
export class WorkspaceCode<L extends CodeLayers = CodeLayers> implements CodeIntelligence {
  readonly root: string;
  readonly #known: Known<L>;
  readonly #parser: FileParser;
  readonly #now: () => number;
  readonly #intake: Intake;
  readonly #persistence: Persistence | undefined;
  readonly #attached: Attached;
  readonly #queue = new RefreshQueue((run) => this.#refresh(run));
  readonly #life = new AbortController();
  /** Reads outside of the queue that are under way. */
  readonly #reads = new Set<Promise<void>>();
  #scanning: Promise<unknown> = Promise.resolve();
  #watch: Promise<TreeWatch> | undefined;
  /** Why changes on the disk are not followed. */
  #watchFailure: string | undefined;
  #disposing: Promise<void> | undefined;
  #rebuilt: RefreshReport['rebuilt'];
  #complete = false;

  constructor({ root, folder, parser, codec, makeLayers, attach, schema, now = Date.now }: CodeParts<L>) {
    const store = folder === undefined ? undefined : new SnapshotStore({ folder, root, schema });
    const known = loadSnapshot(root, store, makeLayers, codec);
    const { files, layers, changes } = known;
    this.root = root;
    this.#known = known;
    this.#parser = parser;
    this.#now = now;
    this.#rebuilt = known.rebuilt;
    this.#attached = attach?.({ files, layers, claim: () => store?.claim() ?? false }) ?? {};
    const onFile = (path: string): void => this.#attached.moduleNames?.fileChanged(path);
    this.#intake = new Intake({ files, layers: Object.values(layers), parser, changes, now, onFile });
    this.#persistence = store && new Persistence({ store, files, layers, changes, intake: this.#intake });
  }

  get files(): FileTable {
    return this.#known.files;
  }

  get graph(): CodeGraph {
    return this.#known.layers.graph;
  }

  get index(): CodeIndex {
    return this.#known.layers.index;
  }

  get complete(): boolean {
    return this.#complete;
  }

  get version(): number {
    return this.#intake.version;
  }

  /** @throws BlackError `root_missing`, `disposed`; the signal's reason; errors of the parser. */
  async refresh(
    options: { signal?: AbortSignal; onProgress?(progress: RefreshProgress): void } = {},
  ): Promise<RefreshReport> {
    this.#life.signal.throwIfAborted();
    const { signal, onProgress } = options;
    return await this.#queue.join({ signal, onProgress: onProgress?.bind(options) });
  }

  async refreshFiles(paths: readonly string[]): Promise<void> {
    this.#life.signal.throwIfAborted();
    const read = this.#readAgain(paths);
    this.#reads.add(read);
    try {
      await read;
    } finally {
      this.#reads.delete(read);
    }
  }

  async watch(): Promise<void> {
    this.#life.signal.throwIfAborted();
    this.#watch ??= runInSlices(
      TreeWatch.start({
        tree: this.#known.files.tree,
        onChange: (folders) => this.#follow(folders),
        onFailure: (error) => this.#noteWatchFailure(error),
      }),
    );
    await this.#watch;
    // What has changed before the last folder was watched.
    await this.refresh();
  }

  report(): IndexReport {
    const { files, layers } = this.#known;
    const failures = [this.#watchFailure, this.#persistence?.failure, this.#attached.vectors?.problem];
    const { symbolCount: symbols, referenceCount: references } = layers.graph;
    return indexReport({
      files,
      symbols,
      references,
      chunks: layers.index.chunkCount,
      notes: failures.filter((each) => each !== undefined),
    });
  }

  lines(path: string, startLine: number, endLine: number): string[] | undefined {
    const id = this.files.idOf(path);
    return id === undefined ? undefined : readLines(this.#known.files.tree.absolutePath(id), startLine, endLine);
  }

  dispose(): Promise<void> {
    this.#disposing ??= this.#dispose();
    return this.#disposing;
  }

  async #dispose(): Promise<void> {
    const reason = new BlackError('disposed', 'The index of this workspace was closed.', 'Open the workspace again.');
    this.#life.abort(reason);
    await this.#queue.dispose(reason);
    await Promise.allSettled(this.#reads);
    (await this.#watch)?.dispose();
    await this.#attached.vectors?.dispose();
    await this.#persistence?.dispose();
    await this.#parser.dispose();
  }

  async #refresh({ folders, signal, onProgress }: RefreshRun): Promise<RefreshReport> {
    const began = performance.now();
    const { files } = this.#known;
    const scan = new TreeScan(files.tree, { folders, now: this.#now });
    const { added, changed, removed } = scan.result;
    // Permissions are nothing that a look at times and sizes would show.
    const retried = folders ? [] : files.unreadable();
    try {
      await this.#scan(scan, signal);
      await this.#intake.tidy();
      await this.#read(new Set([...added, ...changed, ...retried]), signal, onProgress);
      this.#nameModules();
      await this.#settleMany();
    } finally {
      // What was done before it was ended stays.
      await this.#intake.tidy();
      this.#nameModules();
      const isNews = retried.some((id) => files.state(id) !== 'unreadable');
      if (added.size + changed.size + removed.size > 0 || isNews) this.#persistence?.changed();
    }
    const rebuilt = this.#rebuilt;
    if (rebuilt) this.#persistence?.changed();
    if (!folders) {
      this.#complete = true;
      this.#rebuilt = undefined;
    }
    this.#attached.vectors?.indexChanged();
    return {
      added: added.size,
      changed: changed.size,
      removed: removed.size,
      unchanged: scan.result.unchanged,
      took: performance.now() - began,
      rebuilt,
    };
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
    const { tree } = this.#known.files;
    const ids = [...found].filter((id) => tree.has(id));
    const isRecent = (id: FileId): boolean => tree.news(id) === FileNews.JUST_CHANGED;
    const recent = ids.filter(isRecent);
    const progress = { done: 0, total: ids.length };
    onProgress({ ...progress });
    const onRead = (): void => {
      progress.done++;
      onProgress({ ...progress });
    };
    await this.#intake.read(recent.length > 0 ? ids.filter((id) => !isRecent(id)) : ids, { signal, onRead });
    if (recent.length === 0) return;
    await delay(CLOCK_TICK + TIMER_SLACK, undefined, { signal });
    await this.#intake.read(this.#lookAgain(recent), { signal, onRead });
  }

  /** @returns those that are there. */
  #lookAgain(ids: readonly FileId[]): FileId[] {
    const { tree } = this.#known.files;
    return ids.filter((id) => {
      const isThere = tree.has(id) && lookAtFile(tree, id, this.#now) !== 'gone';
      if (!isThere && tree.has(id)) tree.remove(id);
      return isThere;
    });
  }

  async #settleMany(): Promise<void> {
    const { layers } = this.#known;
    if (Object.values(layers).some(({ unsettled }) => unsettled > MOST_UNSETTLED)) await this.#intake.settle();
  }

  async #readAgain(paths: readonly string[]): Promise<void> {
    const { tree } = this.#known.files;
    const { signal } = this.#life;
    const ids = paths.map((path) => tree.idOf(path)).filter((id) => id !== undefined);
    const known = this.#lookAgain(ids);
    const folders = paths.filter((path) => isIgnoreFile(nameOf(path)) || tree.idOf(path) === undefined).map(folderOf);
    const reads = [this.#intake.read(known, { isEdited: true, signal })];
    if (folders.length > 0) reads.push(this.#readFolders(folders, signal));
    try {
      await Promise.all(reads);
    } finally {
      await this.#intake.tidy();
      this.#nameModules();
      this.#persistence?.changed();
    }
  }

  #nameModules(): void {
    // The names are stored with the layers as a whole.
    if (this.#attached.moduleNames?.update()) this.#known.changes.overflow();
  }

  /** Reads what has changed in folders. */
  async #readFolders(folders: readonly string[], signal: AbortSignal): Promise<void> {
    const scan = new TreeScan(this.#known.files.tree, { folders, now: this.#now });
    await this.#scan(scan, signal);
    const { added, changed } = scan.result;
    await this.#intake.tidy();
    await this.#intake.read(this.#lookAgain([...added, ...changed]), { signal });
  }

  #follow(folders: ReadonlySet<string> | undefined): void {
    this.#queue.join({ folders }).catch((cause) => {
      if (!this.#life.signal.aborted) this.#noteWatchFailure(cause);
    });
  }

  #noteWatchFailure(cause: unknown): void {
    const why = cause instanceof Error ? cause.message : String(cause);
    this.#watchFailure = `changes on the disk are only seen when the index is refreshed: ${why}`;
  }
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}
