import type { FileId } from '../../files/file-table.ts';

/** Which file the rows of a table were made for. */
export class RowOwners {
  /** By file: its first settled row, ascending. */
  readonly #settledFirst: Int32Array;
  readonly #settledCount: number;
  /** Where each block of added rows begins, ascending, and the file of each. */
  readonly #blockFirst: number[] = [];
  readonly #blockFile: FileId[] = [];

  constructor(settledFirst: Int32Array, settledCount: number) {
    this.#settledFirst = settledFirst;
    this.#settledCount = settledCount;
  }

  /** Tells of added rows; none of them is below those that were told of before. */
  add(first: number, file: FileId): void {
    this.#blockFirst.push(first);
    this.#blockFile.push(file);
  }

  fileOf(row: number): FileId {
    return row < this.#settledCount
      ? lastAtOrBelow(this.#settledFirst, row)
      : this.#blockFile[lastAtOrBelow(this.#blockFirst, row)]!;
  }
}

/** Index of the last entry that is not above a value. Files without rows share their first one with the next that has some. */
function lastAtOrBelow(ascending: ArrayLike<number>, value: number): number {
  let low = 0;
  let high = ascending.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (ascending[middle]! <= value) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
