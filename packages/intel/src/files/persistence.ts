import type { ChangesSince } from './changes-since.ts';
import type { Intake } from './intake.ts';
import type { KnownFiles } from './known-files.ts';
import type { Layer } from './layer.ts';
import { partWriter } from './snapshot-file.ts';
import type { SnapshotStore } from './snapshot-store.ts';

export interface PersistenceOptions {
  store: SnapshotStore;
  files: KnownFiles;
  layers: Readonly<Record<string, Layer>>;
  changes: ChangesSince;
  intake: Intake;
}

/** Several edits in a row are stored once. Milliseconds. */
const DELAY_MS = 2_000;

/** Stores what has changed, a while after it has, and at the end. Whoever asks for something never waits for it. */
export class Persistence {
  readonly #options: PersistenceOptions;
  #isDue = false;
  #timer: NodeJS.Timeout | undefined;
  #saving: Promise<void> = Promise.resolve();
  /** Why the last save failed: what is known stays in memory alone. */
  failure: string | undefined;

  constructor(options: PersistenceOptions) {
    this.#options = options;
  }

  /** Something has changed. */
  changed(): void {
    this.#isDue = true;
    this.#timer ??= setTimeout(() => void this.flush(), DELAY_MS).unref();
  }

  /** Stores what has changed. A failure is noted, not thrown: the index is only a copy. */
  flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#saving = this.#saving.then(() => this.#save());
    return this.#saving;
  }

  async dispose(): Promise<void> {
    await this.flush();
    this.#options.store.dispose();
  }

  async #save(): Promise<void> {
    if (!this.#isDue) return;
    const { store, changes, intake } = this.#options;
    try {
      if (!store.claim()) return;
      if (changes.overflowed || !store.canAdd) {
        let saved: Promise<void> | undefined;
        await intake.settle(() => {
          changes.reset();
          saved = this.#write(true);
        });
        await saved;
      } else await this.#write(false);
      this.failure = undefined;
    } catch (cause) {
      this.failure = `the index cannot be stored: ${cause instanceof Error ? cause.message : String(cause)}`;
      this.#isDue = true;
      // What was stored before it does not hold what was to be stored now.
      changes.overflow();
    }
  }

  /** Collects everything at once, and writes it while others go on. */
  #write(isWhole: boolean): Promise<void> {
    const { store, files, layers, changes } = this.#options;
    this.#isDue = false;
    return store.save({
      files: (writer) => {
        files.save(partWriter(writer, 'files'));
        changes.save(partWriter(writer, 'changes'), files.tree.gone);
      },
      layers: isWhole
        ? (writer) => {
            for (const [name, layer] of Object.entries(layers)) layer.save(partWriter(writer, name));
          }
        : undefined,
    });
  }
}
