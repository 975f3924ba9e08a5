import type { DiskTexts } from '../disk-texts.ts';
import type { FileEvent } from './diagnostics-source.ts';

/** So many files are kept an eye on. */
const MAX_FILES = 1_000;

/** Tells which of some files have changed on the disk since they were last looked at. */
export class DiskStamps {
  readonly #disk: DiskTexts;
  /** In the order of their use. */
  readonly #known = new Map<string, string | undefined>();

  constructor(disk: DiskTexts) {
    this.#disk = disk;
  }

  /** Looks at files that it does not know yet. */
  async record(paths: readonly string[]): Promise<void> {
    await Promise.all(
      paths.map(async (path) => {
        const stamp = this.#known.has(path) ? this.#known.get(path) : await this.#disk.stamp(path);
        this.#known.delete(path);
        this.#known.set(path, stamp);
      }),
    );
    for (const path of this.#known.keys()) {
      if (this.#known.size <= MAX_FILES) return;
      this.#known.delete(path);
    }
  }

  /** What has changed since; by now that is known. */
  async changes(): Promise<FileEvent[]> {
    const events: FileEvent[] = [];
    await Promise.all(
      [...this.#known].map(async ([path, before]) => {
        const now = await this.#disk.stamp(path);
        if (now === before) return;
        this.#known.set(path, now);
        events.push({ path, type: now === undefined ? 'deleted' : before === undefined ? 'created' : 'changed' });
      }),
    );
    return events;
  }
}
