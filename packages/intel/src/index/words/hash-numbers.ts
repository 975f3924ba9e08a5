import { grown } from './grow.ts';

/** Numbers distinct 32-bit hashes from 0 in the order in which they come: an open hash table. */
export class HashNumbers {
  /** The hash of each number. */
  hashes: Uint32Array<ArrayBuffer>;
  count = 0;
  #slots: Int32Array;

  /** @param expected how many there will be, about; a power of 2. */
  constructor(expected: number) {
    this.hashes = new Uint32Array(expected);
    this.#slots = new Int32Array(expected * 2);
  }

  /** The number of a hash, a new one where it had none. */
  add(hash: number): number {
    const slots = this.#slots;
    const mask = slots.length - 1;
    let slot = (hash ^ (hash >>> 15)) & mask;
    for (let entry = slots[slot]!; entry !== 0; entry = slots[slot]!) {
      if (this.hashes[entry - 1] === hash) return entry - 1;
      slot = (slot + 1) & mask;
    }
    const number = this.count++;
    this.hashes = grown(this.hashes, this.count);
    this.hashes[number] = hash;
    slots[slot] = this.count;
    if (this.count * 2 > slots.length) this.#rehash(slots.length * 2);
    return number;
  }

  clear(): void {
    this.count = 0;
    this.#slots.fill(0);
  }

  #rehash(size: number): void {
    const slots = new Int32Array(size);
    for (let number = 0; number < this.count; number++) {
      const hash = this.hashes[number]!;
      let slot = (hash ^ (hash >>> 15)) & (size - 1);
      while (slots[slot] !== 0) slot = (slot + 1) & (size - 1);
      slots[slot] = number + 1;
    }
    this.#slots = slots;
  }
}
