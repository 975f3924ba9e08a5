import { setTimeout as sleep } from 'node:timers/promises';
import type { CodeIntelligence, RefreshProgress } from '../code-intelligence-api.ts';
import { unlessAborted } from './unless-aborted.ts';

export interface CodeServiceOptions {
  /** Opens the code of the workspace; called at the first question. */
  open(): Promise<CodeIntelligence>;
  /** Follows changes on the disk: for a program that stays. Without, every question looks at the disk first. */
  watch: boolean;
  /** Waits some milliseconds, or rejects when the signal is aborted first. For tests. */
  wait?(ms: number, signal: AbortSignal): Promise<unknown>;
}

export interface ReadyOptions {
  /** Whoever asks goes on with what is known after so many milliseconds; `complete` then says how much that is. */
  patience: number;
  signal?: AbortSignal;
  onProgress?(progress: RefreshProgress): void;
}

/**
 * The code intelligence of a program that is asked now and then: opened at the first question, indexed beside the
 * questions, and fresh at each. Nobody waits longer than their patience.
 */
export class CodeService {
  readonly #options: CodeServiceOptions;
  readonly #ending = new AbortController();
  readonly #listeners = new Set<(progress: RefreshProgress) => void>();
  readonly #changed = new Set<string>();
  #opened: Promise<CodeIntelligence> | undefined;
  #refreshing: Promise<void> | undefined;
  #watching: Promise<void> | undefined;
  #isWatching = false;
  #isStale = true;

  constructor(options: CodeServiceOptions) {
    this.#options = options;
  }

  /** Whether anybody has asked yet; until then nothing is held. */
  get isOpen(): boolean {
    return this.#opened !== undefined;
  }

  /**
   * The code as it is now, or as far as it is known when the patience is over; what is left to read is read meanwhile.
   * @throws what kept it from being opened or read, the signal's reason, or that the service has ended.
   */
  async ready({ patience, signal, onProgress }: ReadyOptions): Promise<CodeIntelligence> {
    this.#ending.signal.throwIfAborted();
    const over = new AbortController();
    const giveUp = AbortSignal.any([over.signal, this.#ending.signal, ...(signal ? [signal] : [])]);
    const wait = this.#options.wait ?? ((ms, until) => sleep(ms, undefined, { signal: until }));
    const patient = wait(patience, giveUp);
    if (onProgress) this.#listeners.add(onProgress);
    try {
      const intel = await unlessAborted(this.#open(), giveUp);
      await Promise.race([this.#refresh(intel), patient]);
      return intel;
    } finally {
      if (onProgress) this.#listeners.delete(onProgress);
      over.abort();
      await patient.catch(() => undefined);
    }
  }

  /**
   * The code for whoever would rather do without than wait for a look at the whole tree: with the files that it was told
   * of. Undefined where nobody has asked yet, where it is being read, or where nobody knows what has changed since.
   * @throws the signal's reason; what kept the files from being read
   */
  async atHand(signal: AbortSignal): Promise<CodeIntelligence | undefined> {
    const intel = await this.#opened?.catch(() => undefined);
    signal.throwIfAborted();
    if (!intel?.complete || this.#isStale || this.#refreshing || this.#ending.signal.aborted) return undefined;
    if (this.#changed.size > 0) await unlessAborted(this.#share(intel, false), signal);
    return intel;
  }

  /** These files were written; paths from the root. */
  changed(paths: Iterable<string>): void {
    for (const path of paths) this.#changed.add(path);
  }

  /** Something was changed, nobody knows what: the next question looks at the whole tree. */
  stale(): void {
    this.#isStale = true;
  }

  /** Ends what runs, and closes. */
  async dispose(): Promise<void> {
    this.#ending.abort();
    await this.#refreshing?.catch(() => undefined);
    const intel = await this.#opened?.catch(() => undefined);
    await intel?.dispose();
    await this.#watching;
  }

  #open(): Promise<CodeIntelligence> {
    this.#opened ??= this.#options.open().catch((cause: unknown) => {
      // The next question tries again.
      this.#opened = undefined;
      throw cause;
    });
    return this.#opened;
  }

  /** Brings it up to date; questions at the same time share one look at the disk. */
  async #refresh(intel: CodeIntelligence): Promise<void> {
    if (this.#refreshing) {
      await this.#refreshing;
      // That look may have passed what has changed since it began.
      if (!this.#isStale && this.#changed.size === 0) return;
    }
    const isAll = this.#isStale || !this.#isWatching;
    if (!isAll && this.#changed.size === 0) return;
    await this.#share(intel, isAll);
  }

  /** Looks at the disk; whoever asks meanwhile waits for the same look. */
  #share(intel: CodeIntelligence, isAll: boolean): Promise<void> {
    this.#refreshing ??= this.#look(intel, isAll).finally(() => {
      this.#refreshing = undefined;
    });
    return this.#refreshing;
  }

  async #look(intel: CodeIntelligence, isAll: boolean): Promise<void> {
    const paths = [...this.#changed];
    this.#changed.clear();
    try {
      if (!isAll) return await intel.refreshFiles(paths);
      this.#isStale = false;
      const onProgress = (progress: RefreshProgress) => {
        for (const listener of this.#listeners) listener(progress);
      };
      await intel.refresh({ signal: this.#ending.signal, onProgress });
      if (this.#options.watch) this.#watching ??= this.#watch(intel);
    } catch (cause) {
      this.#isStale = true;
      throw cause;
    }
  }

  /** Nobody waits for it: until it follows, every question looks at the disk. */
  async #watch(intel: CodeIntelligence): Promise<void> {
    try {
      await intel.watch();
      this.#isWatching = true;
    } catch (cause) {
      // That nothing is followed only makes answers slower; the report of the index tells why.
      if (!(cause instanceof Error)) throw cause;
    }
  }
}
