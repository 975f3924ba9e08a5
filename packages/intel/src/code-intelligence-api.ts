import type { FileTable } from './files/file-table.ts';
import type { CodeGraph } from './graph/code-graph-api.ts';
import type { CodeIndex, Embedder } from './index/code-index-api.ts';

/**
 * What became of the files (INT-5); each file is counted in one state, or in none before it was read. A folder that cannot
 * be read counts as one unreadable file.
 */
export interface IndexReport {
  files: number;
  parsed: number;
  /** With syntax errors. */
  partial: number;
  text: number;
  skipped: number;
  binary: number;
  unreadable: number;
  symbols: number;
  references: number;
  chunks: number;
  sourceBytes: number;
  /**
   * Up to 20 of those that were skipped or could not be read, with the reason. Before them, with the path `.`, what goes
   * for all: that changes on the disk cannot be followed, that the index cannot be stored.
   */
  notes: { path: string; why: string }[];
}

/** What one look at the disk changed. */
export interface RefreshReport {
  added: number;
  changed: number;
  removed: number;
  unchanged: number;
  /** Milliseconds. */
  took: number;
  /** Why the stored index was not used; undefined when it was, and after the first refresh. */
  rebuilt: 'none' | 'damaged' | 'foreign version' | 'other workspace' | undefined;
}

export interface RefreshProgress {
  done: number;
  total: number;
}

/** What a look at the disk found: paths from the root. */
export interface DiskChanges {
  added: string[];
  changed: string[];
  removed: string[];
}

export interface CodeIntelligenceOptions {
  /** The workspace: absolute. */
  root: string;
  /** Where the index is kept, e.g. `~/.blackide/index/KEY`; undefined: in memory only. */
  folder: string | undefined;
  /** Threads that parse. Default: one less than the machine's cores, at least 1 and at most 4. */
  workers?: number;
  embedder?: Embedder | undefined;
  /** Called when a look at the disk, but the first, has found changes, whoever made them. It must not throw. */
  onDiskChanges?: ((changes: DiskChanges) => void) | undefined;
}

/**
 * The code of one workspace: graph, index and map over one table of files. Opening loads what is stored; `refresh` brings
 * it up to date. Questions may be asked at any time: before the first refresh has ended they are answered from what is
 * known so far, and `complete` says so.
 */
export interface CodeIntelligence {
  readonly root: string;
  readonly files: FileTable;
  readonly graph: CodeGraph;
  readonly index: CodeIndex;
  /** Whether a refresh has gone through since it was opened. */
  readonly complete: boolean;
  /** Goes up whenever the files, the graph or the index have changed: what was made from them may be kept until then. */
  readonly version: number;
  /** Looks at the whole tree and reads what changed; calls at the same time share one. */
  refresh(options?: { signal?: AbortSignal; onProgress?(progress: RefreshProgress): void }): Promise<RefreshReport>;
  /** Reads these files again, e.g. after a write. Paths from the root. */
  refreshFiles(paths: readonly string[]): Promise<void>;
  /** Follows changes on the disk until it is disposed. */
  watch(): Promise<void>;
  report(): IndexReport;
  /** Waits until what is indexed has its vectors, or cannot have them. Without an embedder, at once. */
  embedded(signal?: AbortSignal): Promise<void>;
  /** The lines of a file, from 1, both ends included; undefined where it cannot be read any more. */
  lines(path: string, startLine: number, endLine: number): string[] | undefined;
  dispose(): Promise<void>;
}
