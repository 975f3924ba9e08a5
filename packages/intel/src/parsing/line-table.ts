/** Where the lines of a text begin. Lines end with LF, as tree-sitter counts them. */
export class LineTable {
  readonly #starts: Int32Array;
  readonly count: number;

  constructor(text: string) {
    let starts = new Int32Array(Math.max(16, text.length >> 4));
    let count = 1;
    for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) {
      if (count === starts.length) {
        const larger = new Int32Array(count * 2);
        larger.set(starts);
        starts = larger;
      }
      starts[count++] = at + 1;
    }
    this.#starts = starts;
    // What follows the last line break is a line only if it holds something.
    this.count = text.length > 0 && starts[count - 1] === text.length ? count - 1 : text.length > 0 ? count : 0;
    this.#last = count;
  }

  readonly #last: number;

  /** The line, from 1, of an offset in UTF-16 units. */
  lineOf(offset: number): number {
    let low = 0;
    let high = this.#last;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if ((this.#starts[middle] ?? 0) <= offset) low = middle;
      else high = middle;
    }
    return low + 1;
  }

  /** Where a line, from 1, begins. */
  startOf(line: number): number {
    return this.#starts[line - 1] ?? 0;
  }

  /** Row and column of an offset, both from 0, as tree-sitter counts. */
  pointAt(offset: number): { row: number; column: number } {
    const line = this.lineOf(offset);
    return { row: line - 1, column: offset - this.startOf(line) };
  }
}
