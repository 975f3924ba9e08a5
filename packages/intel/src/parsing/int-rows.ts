/** A table of integers that grows: rows of one width in one array. */
export class IntRows {
  readonly width: number;
  count = 0;
  #data: Int32Array;

  constructor(width: number, expected = 64) {
    this.width = width;
    this.#data = new Int32Array(width * expected);
  }

  /** Makes room for one row more, and says where it begins in `data`. */
  add(): number {
    const at = this.count * this.width;
    this.count += 1;
    if (at + this.width > this.#data.length) {
      const larger = new Int32Array(this.#data.length * 2);
      larger.set(this.#data);
      this.#data = larger;
    }
    return at;
  }

  /** Until the next `add`. */
  get data(): Int32Array {
    return this.#data;
  }

  /** The rows alone, in an array of their own. */
  take(): Int32Array {
    return this.#data.slice(0, this.count * this.width);
  }
}
