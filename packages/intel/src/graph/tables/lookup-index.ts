import type { FileId } from '../../files/file-table.ts';
import type { NameId } from '../names/name-table.ts';
import { buildCsr, type Csr, EMPTY_CSR } from './csr.ts';

/** Which files looked up which names in other files when their references were resolved. */
export class LookupIndex {
  /** Files by name. */
  readonly #settled: Csr;
  /** Names of the files that were resolved since the settling, ascending. */
  readonly #added = new Map<FileId, Int32Array>();

  constructor(settled: Csr = EMPTY_CSR) {
    this.#settled = settled;
  }

  /** Whether no file was ever resolved: nobody depends on anything. */
  get isEmpty(): boolean {
    return this.#settled.values.length === 0 && this.#added.size === 0;
  }

  /** @param names ascending */
  set(file: FileId, names: Int32Array): void {
    this.#added.set(file, names);
  }

  /** Files that looked a name up, and perhaps some that did in a state that is no more. */
  files(name: NameId): FileId[] {
    const found: FileId[] = [];
    if (name < this.#settled.starts.length - 1) {
      for (let at = this.#settled.starts[name]!; at < this.#settled.starts[name + 1]!; at++) {
        found.push(this.#settled.values[at]!);
      }
    }
    for (const [file, names] of this.#added) if (includes(names, name)) found.push(file);
    return found;
  }

  /** The whole as one, of the files that `isKnown` still knows. Changes nothing. */
  *merge(nameCount: number, isKnown: (file: FileId) => boolean): Generator<void, Csr, void> {
    const settledNames = this.#settled.starts.length - 1;
    const added = [...this.#added].filter(([file]) => isKnown(file));
    return yield* buildCsr(nameCount, settledNames + added.length, (from, to, each) => {
      for (let row = from; row < to; row++) {
        if (row >= settledNames) {
          const [file, names] = added[row - settledNames]!;
          for (const name of names) each(name, file);
          continue;
        }
        for (let at = this.#settled.starts[row]!; at < this.#settled.starts[row + 1]!; at++) {
          const file = this.#settled.values[at]!;
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
