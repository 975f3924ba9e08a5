import type {
  CodeIntelligence,
  CodeService,
  DiskChanges,
  Embedder,
  RepoMapOptions,
  RepoMapper,
} from '@black-ide/intel';
import { BlackError } from '@black-ide/protocol';
import { type FileChange, workspaceKey } from '@black-ide/workspace';
import { estimateTokens } from '../context/tokens.ts';
import type { Clock } from '../engine-api.ts';

export interface WorkspaceCodeOptions {
  /** The workspace's real path. */
  root: string;
  /** The state folder; undefined: the index is kept in memory only. */
  home: string | undefined;
  /** The engine stays for long: changes on the disk are followed. */
  watch: boolean;
  clock: Pick<Clock, 'sleep'>;
  /** Files were found changed on the disk, whoever has changed them. */
  onDiskChanges(changes: DiskChanges): void;
  /** Whoever makes vectors of the code; none: it is found by its words alone. */
  embedder(): Promise<Embedder | undefined>;
}

/**
 * The code intelligence of one engine, opened at its first use: a run that never asks pays nothing for it. What is changed
 * by tools and commands is told here, so that the next answer knows of it.
 */
export class WorkspaceCode {
  readonly #options: WorkspaceCodeOptions;
  #loading: Promise<CodeService> | undefined;
  #service: CodeService | undefined;
  #mapper: RepoMapper | undefined;
  #isDisposed = false;

  constructor(options: WorkspaceCodeOptions) {
    this.#options = options;
  }

  /**
   * The code as it is now; as far as it is known where that takes longer than `patience` milliseconds.
   * @throws BlackError where it cannot be opened or read; the signal's reason.
   */
  async ready(patience: number, signal: AbortSignal): Promise<CodeIntelligence> {
    const service = await this.#load();
    return await service.ready({ patience, signal });
  }

  /**
   * A map of the repository; undefined where there is none worth showing, or where it takes longer than `patience`
   * milliseconds: the map of half a repository would be another one the next time.
   */
  async map(options: RepoMapOptions, patience: number, signal: AbortSignal): Promise<string | undefined> {
    const intel = await this.ready(patience, signal);
    if (!intel.complete) return undefined;
    const { RepoMapper: Mapper } = await import('@black-ide/intel');
    this.#mapper ??= new Mapper(intel, estimateTokens);
    return this.#mapper.map({ ...options, signal }).text || undefined;
  }

  /**
   * The files that import one or use what it defines, as paths from the root; undefined where the code is not at hand:
   * nobody waits for it.
   */
  async filesThatUse(path: string, signal: AbortSignal): Promise<string[] | undefined> {
    const intel = await this.#service?.atHand(signal);
    if (!intel) return undefined;
    const { filesThatUse } = await import('@black-ide/intel');
    return filesThatUse(intel, path);
  }

  /** Files were written. */
  changed(changes: readonly FileChange[]): void {
    this.#service?.changed(changes.flatMap(({ path, from }) => (from ? [path, from.path] : [path])));
  }

  /** Something may have changed files, e.g. a command. */
  stale(): void {
    this.#service?.stale();
  }

  async dispose(): Promise<void> {
    this.#isDisposed = true;
    await (await this.#loading)?.dispose();
  }

  #load(): Promise<CodeService> {
    if (this.#isDisposed) throw new BlackError('closing', 'The engine is closing.');
    this.#loading ??= this.#make();
    return this.#loading;
  }

  async #make(): Promise<CodeService> {
    const { root, home, watch, clock, embedder, onDiskChanges } = this.#options;
    const { CodeService: Service, openCodeIntelligence } = await import('@black-ide/intel');
    const folder = home === undefined ? undefined : `${home}/index/${workspaceKey(root)}`;
    this.#service = new Service({
      open: async () => openCodeIntelligence({ root, folder, embedder: await embedder(), onDiskChanges }),
      watch,
      wait: (ms, signal) => clock.sleep(ms, signal),
    });
    return this.#service;
  }
}
