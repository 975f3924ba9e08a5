import type { FileId } from '../../files/file-table.ts';
import type { NameId } from '../names/name-table.ts';
import type { Looks } from '../resolve/trace.ts';
import { buildCsr, type Csr, EMPTY_CSR } from './csr.ts';

/** Files that looked something up: by name, by the file in which they did, by name among all files. */
export type LookupTables = Record<keyof Looks, Csr>;

export const NO_LOOKUPS: LookupTables = { names: EMPTY_CSR, files: EMPTY_CSR, everywhere: EMPTY_CSR };

/**
 * Which files looked up what in others when their references were resolved. The answers may have files in them that looked
 * it up in a state that is no more.
 */
export class LookupIndex {
  readonly #settled: LookupTables;
  /** Of the files that were resolved since the settling. */
  readonly #added = new Map<FileId, Looks>();

  constructor(settled: LookupTables = NO_LOOKUPS) {
    this.#settled = settled;
  }

  /** Whether no file was ever resolved: nobody depends on anything. */
  get isEmpty(): boolean {
    return this.#settled.names.values.length === 0 && this.#added.size === 0;
  }

  set(file: FileId, looks: Looks): void {
    this.#added.set(file, looks);
  }

  /** Files that looked a name up in some file. */
  lookersFor(name: NameId): FileId[] {
    return this.#lookers('names', name);
  }

  /** Files that looked up something in a file. */
  lookersAt(file: FileId): FileId[] {
    return this.#lookers('files', file);
  }

  /** Files that looked a name up among all files. */
  lookersEverywhere(name: NameId): FileId[] {
    return this.#lookers('everywhere', name);
  }

  /** The whole as one, of the files that `isKnown` still knows. Changes nothing. */
  *merge(
    nameCount: number,
    fileCount: number,
    isKnown: (file: FileId) => boolean,
  ): Generator<void, LookupTables, void> {
    return {
      names: yield* this.#merged('names', nameCount, isKnown),
      files: yield* this.#merged('files', fileCount, isKnown),
      everywhere: yield* this.#merged('everywhere', nameCount, isKnown),
    };
  }

  #lookers(by: keyof Looks, key: number): FileId[] {
    const { starts, values } = this.#settled[by];
    const found: FileId[] = [];
    if (key < starts.length - 1) for (let at = starts[key]!; at < starts[key + 1]!; at++) found.push(values[at]!);
    for (const [file, looks] of this.#added) if (includes(looks[by], key)) found.push(file);
    return found;
  }

  *#merged(by: keyof Looks, keys: number, isKnown: (file: FileId) => boolean): Generator<void, Csr, void> {
    const { starts, values } = this.#settled[by];
    const settledKeys = Math.min(keys, starts.length - 1);
    const added = [...this.#added].filter(([file]) => isKnown(file));
    return yield* buildCsr(keys, settledKeys + added.length, (from, to, each) => {
      for (let row = from; row < to; row++) {
        if (row >= settledKeys) {
          const [file, looks] = added[row - settledKeys]!;
          for (const key of looks[by]) if (key < keys) each(key, file);
          continue;
        }
        for (let at = starts[row]!; at < starts[row + 1]!; at++) {
          const file = values[at]!;
          if (!this.#added.has(file) && isKnown(file)) each(row, file);
        }
      }
    });
  }
}

function includes(ascending: Int32Array, value: number): boolean {
  let low = 0;
  let high = ascending.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (ascending[middle]! < value) low = middle + 1;
    else high = middle;
  }
  return ascending[low] === value;
}
