const FIRST_ROWS = 256;

/**
 * Rows of `width` 32-bit integers in two parts: the settled rows, which are never written to (they may be a view on a
 * stored snapshot), and rows that were added since. A row's number runs through both.
 */
export class RowTable {
  readonly width: number;
  readonly #settled: Int32Array;
  readonly #settledCount: number;
  #added = new Int32Array(0);
  #addedCount = 0;

  constructor(width: number, settled: Int32Array = new Int32Array(0)) {
    this.width = width;
    this.#settled = settled;
    this.#settledCount = settled.length / width;
  }

  get count(): number {
    return this.#settledCount + this.#addedCount;
  }

  get settledCount(): number {
    return this.#settledCount;
  }

  get settled(): Int32Array {
    return this.#settled;
  }

  get(row: number, column: number): number {
    return row < this.#settledCount
      ? this.#settled[row * this.width + column]!
      : this.#added[(row - this.#settledCount) * this.width + column]!;
  }

  /** Only for a row that was added. */
  set(row: number, column: number, value: number): void {
    this.#added[(row - this.#settledCount) * this.width + column] = value;
  }

  /** Adds rows and says the number of the first. */
  add(rows: Int32Array): number {
    const first = this.count;
    const start = this.#addedCount * this.width;
    if (start + rows.length > this.#added.length) {
      const size = Math.max(FIRST_ROWS * this.width, 2 * this.#added.length, start + rows.length);
      const longer = new Int32Array(size);
      longer.set(this.#added.subarray(0, start));
      this.#added = longer;
    }
    this.#added.set(rows, start);
    this.#addedCount += rows.length / this.width;
    return first;
  }

  /** Rows that were added at once, as they lie in memory: only to read, only until the next change. */
  slice(first: number, count: number): Int32Array {
    const isSettled = first < this.#settledCount;
    const start = (isSettled ? first : first - this.#settledCount) * this.width;
    return (isSettled ? this.#settled : this.#added).subarray(start, start + count * this.width);
  }
}
