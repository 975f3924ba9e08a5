import { BlackError } from '@black-ide/protocol';
import { readLines, TreeWatch } from '@black-ide/workspace';
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
import type { FileTable } from './file-table.ts';
import { indexReport } from './index-report.ts';
import { Intake } from './intake.ts';
import type { Layer } from './layer.ts';
import { type Known, loadSnapshot } from './load-snapshot.ts';
import type { ModuleNames } from './module-names.ts';
import { Persistence } from './persistence.ts';
import { RefreshQueue, type RefreshRun } from './refresh-queue.ts';
import { Refresher } from './refresher.ts';
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
export interface CodeParts<L extends CodeLayers = CodeLayers>
  extends Pick<CodeIntelligenceOptions, 'root' | 'folder' | 'onDiskChanges'> {
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

/** Keeps the table of files, the layers over it and what is stored of them together. */
export class WorkspaceCode<L extends CodeLayers = CodeLayers> implements CodeIntelligence {
  readonly root: string;
  readonly #known: Known<L>;
  readonly #parser: FileParser;
  readonly #intake: Intake;
  readonly #refresher: Refresher;
  readonly #persistence: Persistence | undefined;
  readonly #attached: Attached;
  readonly #queue = new RefreshQueue((run) => this.#refresh(run));
  readonly #life = new AbortController();
  /** Reads outside of the queue that are under way. */
  readonly #reads = new Set<Promise<void>>();
  #watch: Promise<TreeWatch> | undefined;
  /** Why changes on the disk are not followed. */
  #watchFailure: string | undefined;
  #disposing: Promise<void> | undefined;
  #rebuilt: RefreshReport['rebuilt'];
  #complete = false;

  constructor(parts: CodeParts<L>) {
    const { root, folder, parser, codec, makeLayers, attach, schema, now = Date.now } = parts;
    const store = folder === undefined ? undefined : new SnapshotStore({ folder, root, schema });
    const known = loadSnapshot(root, store, makeLayers, codec);
    const { files, layers, changes } = known;
    this.root = root;
    this.#known = known;
    this.#parser = parser;
    this.#rebuilt = known.rebuilt;
    this.#attached = attach?.({ files, layers, claim: () => store?.claim() ?? false }) ?? {};
    const { moduleNames } = this.#attached;
    this.#intake = new Intake({
      files,
      layers: Object.values(layers),
      parser,
      changes,
      now,
      onFile: (path) => moduleNames?.fileChanged(path),
      onTidy: () => {
        // The names are stored with the layers as a whole.
        if (moduleNames?.update()) changes.overflow();
      },
    });
    this.#persistence = store && new Persistence({ store, files, layers, changes, intake: this.#intake });
    this.#refresher = new Refresher({
      files,
      intake: this.#intake,
      now,
      onChange: () => this.#persistence?.changed(),
      onFound: (changes) => {
        if (this.#complete) parts.onDiskChanges?.(changes);
      },
    });
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
    const read = this.#refresher.refreshFiles(paths, this.#life.signal);
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

  async embedded(signal?: AbortSignal): Promise<void> {
    await this.#attached.vectors?.settled(signal);
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

  async #refresh(run: RefreshRun): Promise<RefreshReport> {
    const began = performance.now();
    const found = await this.#refresher.refresh(run);
    const rebuilt = this.#rebuilt;
    if (rebuilt) this.#persistence?.changed();
    if (!run.folders) {
      this.#complete = true;
      this.#rebuilt = undefined;
    }
    this.#attached.vectors?.indexChanged();
    return { ...found, took: performance.now() - began, rebuilt };
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
