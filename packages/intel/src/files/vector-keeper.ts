import { readStoreBytes, writeStoreParts } from '@black-ide/workspace';
import { unlessAborted } from '../service/unless-aborted.ts';
import type { SectionReader, SectionWriter } from './sections.ts';
import { SnapshotFile, SnapshotWriter } from './snapshot-file.ts';

/** Gives vectors to what is in the index, and keeps them. */
export interface Vectors {
  /** @throws the signal's reason. */
  embed(options: { signal: AbortSignal }): Promise<{ embedded: number; problem: string | undefined }>;
  save(writer: SectionWriter): void;
  /** @throws when the sections make no sense. */
  load(reader: SectionReader): void;
}

export interface VectorKeeperOptions {
  vectors: Vectors;
  /** The file that they are stored in; undefined: in memory only. */
  path: string | undefined;
  /** Whether we are the one who writes. */
  claim(): boolean;
}

/**
 * Makes vectors in the background, after each refresh, and stores them in a file of their own: they are many, and each has
 * cost a request. Where they cannot be loaded they are made again.
 */
export class VectorKeeper {
  readonly #options: VectorKeeperOptions;
  readonly #life = new AbortController();
  #isRunning = false;
  #run = Promise.resolve();
  #isDue = false;
  #isUnsaved = false;
  /** Why some chunks have no vector, or all will be lost at the end. */
  problem: string | undefined;

  constructor(options: VectorKeeperOptions) {
    this.#options = options;
    const { path, vectors } = options;
    try {
      const bytes = path === undefined ? undefined : readStoreBytes(path);
      if (bytes) vectors.load(new SnapshotFile(bytes));
    } catch (cause) {
      this.problem = `the stored vectors cannot be used: ${messageOf(cause)}`;
    }
  }

  /** The index has changed. Nobody waits for what this begins. */
  indexChanged(): void {
    this.#isDue = true;
    if (this.#isRunning) return;
    this.#isRunning = true;
    this.#run = this.#embedAll();
  }

  /** Waits for what is under way. @throws the signal's reason. */
  async settled(signal?: AbortSignal): Promise<void> {
    await (signal ? unlessAborted(this.#run, signal) : this.#run);
  }

  /** Ends what is under way; what was made is stored. */
  async dispose(): Promise<void> {
    this.#life.abort(new Error('closed'));
    await this.#run;
    await this.#save();
  }

  async #embedAll(): Promise<void> {
    const { signal } = this.#life;
    while (this.#isDue && !signal.aborted) {
      this.#isDue = false;
      try {
        const { embedded, problem } = await this.#options.vectors.embed({ signal });
        this.problem = problem && `some code is not found by its meaning: ${problem}`;
        this.#isUnsaved ||= embedded > 0;
      } catch (cause) {
        // What was made before it was ended stays.
        this.#isUnsaved = true;
        if (!signal.aborted) this.problem = `code is not found by its meaning: ${messageOf(cause)}`;
      }
    }
    this.#isRunning = false;
    if (!signal.aborted) await this.#save();
  }

  async #save(): Promise<void> {
    const { path, claim, vectors } = this.#options;
    if (path === undefined || !this.#isUnsaved) return;
    try {
      if (!claim()) return;
      this.#isUnsaved = false;
      const writer = new SnapshotWriter();
      vectors.save(writer);
      await writeStoreParts(path, writer.parts());
    } catch (cause) {
      this.#isUnsaved = true;
      this.problem = `the vectors cannot be stored: ${messageOf(cause)}`;
    }
  }
}

function messageOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}
