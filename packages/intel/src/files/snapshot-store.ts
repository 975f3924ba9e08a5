import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import {
  listStoreFolder,
  makeStoreFolder,
  ProcessLock,
  readStoreBytes,
  removeStoreFile,
  writeStoreParts,
} from '@black-ide/workspace';
import type { SectionReader, SectionWriter } from './sections.ts';
import { SnapshotError, SnapshotFile, SnapshotWriter } from './snapshot-file.ts';

export interface SnapshotStoreOptions {
  /** Where it is kept; it is made when something is stored. */
  folder: string;
  /** The workspace that it is of. */
  root: string;
  /** What may be read: a snapshot with another one is of a foreign version. */
  schema: string;
}

/** The table of files with what changed since, and the layers as they were stored as a whole. */
export interface StoredSnapshot {
  files: SectionReader;
  layers: SectionReader;
}

/** What is written of a snapshot; without `layers` those that are stored stay. */
export interface SnapshotParts {
  files(writer: SectionWriter): void;
  layers?: ((writer: SectionWriter) => void) | undefined;
}

const FILES = 'files.bin';
const LAYERS = /^layers-[0-9a-f]{12}\.bin$/;
/** While we read, others may replace what they stored. */
const ATTEMPTS = 5;

/**
 * A snapshot in two files: `files.bin`, small and written after every change, which names the other, `layers-ID.bin`,
 * written once in a while. Replacing `files.bin` is what makes a new snapshot hold, so that a reader finds the old one or
 * the new one as a whole whenever we are killed.
 *
 * Of several processes with the same workspace one writes, from its first save until it is disposed or dies: two that
 * took turns would each have to write everything after every change of the other.
 */
export class SnapshotStore {
  readonly #options: SnapshotStoreOptions;
  #lock: ProcessLock | undefined;
  /** The file of the layers that we have loaded or written last. */
  #layers: string | undefined;

  constructor(options: SnapshotStoreOptions) {
    this.#options = options;
  }

  /**
   * Undefined where nothing is stored.
   * @throws SnapshotError where it cannot be used; the system's error.
   */
  load(): StoredSnapshot | undefined {
    for (let attempt = 1; ; attempt++) {
      const files = this.#read(FILES);
      if (!files) return undefined;
      const name = this.#check(files);
      const layers = this.#read(name);
      if (layers) {
        this.#layers = name;
        return { files, layers };
      }
      if (attempt === ATTEMPTS) throw new SnapshotError('damaged', `${name} is missing`);
    }
  }

  /**
   * Whether we are the one who writes. Where another process was that meanwhile, what it has stored does not fit what we
   * have loaded: only a whole snapshot can be written then (`canAdd`).
   */
  claim(): boolean {
    if (this.#lock) return true;
    makeStoreFolder(this.#options.folder);
    const attempt = ProcessLock.acquire(this.#path('lock'));
    if (!attempt.ok) return false;
    this.#lock = attempt.lock;
    if (this.#storedLayers() !== this.#layers) this.#layers = undefined;
    return true;
  }

  /** Whether the layers that are stored are those that we know. */
  get canAdd(): boolean {
    return this.#layers !== undefined;
  }

  /**
   * Must be claimed, and have layers where nothing can be added. The writers are called at once; what they hand over must
   * not change until this has ended.
   * @throws the system's error; what was stored before still holds then.
   */
  async save({ files, layers }: SnapshotParts): Promise<void> {
    const { folder, root, schema } = this.#options;
    const name = layers ? `layers-${randomBytes(6).toString('hex')}.bin` : this.#layers!;
    const filesParts = partsOf((writer) => {
      for (const [key, value] of Object.entries({ root, schema, layers: name })) writer.value(key, value);
      files(writer);
    });
    if (layers) await writeStoreParts(this.#path(name), partsOf(layers));
    await writeStoreParts(this.#path(FILES), filesParts);
    this.#layers = name;
    for (const { name: each } of listStoreFolder(folder)) {
      if (LAYERS.test(each) && each !== name) removeStoreFile(this.#path(each));
    }
  }

  dispose(): void {
    this.#lock?.release();
    this.#lock = undefined;
  }

  #path(name: string): string {
    return join(this.#options.folder, name);
  }

  #read(name: string): SnapshotFile | undefined {
    const bytes = readStoreBytes(this.#path(name));
    return bytes && new SnapshotFile(bytes);
  }

  /** @returns the name of the file of the layers. */
  #check(files: SnapshotFile): string {
    const name = files.value('layers');
    if (files.value('schema') !== this.#options.schema) throw new SnapshotError('foreign version', 'another schema');
    if (files.value('root') !== this.#options.root) throw new SnapshotError('other workspace', 'another root');
    if (typeof name !== 'string' || !LAYERS.test(name)) throw new SnapshotError('damaged', 'it names no layers');
    return name;
  }

  #storedLayers(): string | undefined {
    try {
      const files = this.#read(FILES);
      return files && this.#check(files);
    } catch (cause) {
      if (cause instanceof SnapshotError) return undefined;
      throw cause;
    }
  }
}

function partsOf(write: (writer: SectionWriter) => void): Uint8Array[] {
  const writer = new SnapshotWriter();
  write(writer);
  return writer.parts();
}
