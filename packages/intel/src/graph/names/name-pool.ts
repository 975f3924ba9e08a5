const encoder = new TextEncoder();
const decoder = new TextDecoder();
const FIRST_SLOTS = 64;

/** The arrays of a pool, as they are stored. */
export interface NamePoolArrays {
  /** All names as UTF-8, one after another. */
  bytes: Uint8Array;
  /** Where each name ends in `bytes`. */
  ends: Uint32Array;
  /** Hash table with linear probing: number of a name plus 1, 0 for an empty slot. A power of two long. */
  slots: Uint32Array;
}

/** Distinct strings in three flat arrays: no object for a string, so that hundreds of thousands are cheap and loaded at once. */
export class NamePool {
  #bytes: Uint8Array;
  #ends: Uint32Array;
  #slots: Uint32Array;
  #count: number;

  constructor(arrays?: NamePoolArrays) {
    this.#bytes = arrays?.bytes ?? new Uint8Array(1024);
    this.#ends = arrays?.ends ?? new Uint32Array(FIRST_SLOTS / 2);
    this.#slots = arrays?.slots ?? new Uint32Array(FIRST_SLOTS);
    this.#count = arrays?.ends.length ?? 0;
  }

  get count(): number {
    return this.#count;
  }

  text(number: number): string {
    return decoder.decode(this.#bytes.subarray(this.#start(number), this.#ends[number]));
  }

  /** The number of a key; -1 when the pool does not have it. */
  find(key: NameKey): number {
    const mask = this.#slots.length - 1;
    for (let slot = key.hash & mask; ; slot = (slot + 1) & mask) {
      const number = this.#slots[slot]! - 1;
      if (number < 0) return -1;
      if (this.#is(number, key)) return number;
    }
  }

  /** Adds a key that the pool does not have. Only for a pool that was not made from stored arrays. */
  add(key: NameKey): number {
    const start = this.#start(this.#count);
    this.#bytes = fitted(this.#bytes, start + key.length);
    this.#bytes.set(key.bytes.subarray(0, key.length), start);
    this.#ends = fitted(this.#ends, this.#count + 1);
    this.#ends[this.#count] = start + key.length;
    if (2 * (this.#count + 1) > this.#slots.length) this.#slots = this.#rehashed(this.#slots.length * 2);
    insert(this.#slots, key.hash, this.#count);
    return this.#count++;
  }

  /** This pool and the names of another one after it; `other` has none of this one's. The arrays may be the pool's own. */
  joined(other: NamePool): NamePoolArrays {
    if (other.#count === 0 && this.#isExact) return { bytes: this.#bytes, ends: this.#ends, slots: this.#slots };
    const count = this.#count + other.#count;
    const own = this.#start(this.#count);
    const length = own + other.#start(other.#count);
    const bytes = new Uint8Array(length);
    bytes.set(this.#bytes.subarray(0, own));
    bytes.set(other.#bytes.subarray(0, length - own), own);
    const ends = new Uint32Array(count);
    ends.set(this.#ends.subarray(0, this.#count));
    for (let number = 0; number < other.#count; number++) ends[this.#count + number] = own + other.#ends[number]!;
    const pool = new NamePool({ bytes, ends, slots: new Uint32Array(FIRST_SLOTS) });
    return { bytes, ends, slots: pool.#rehashed(slotsFor(count)) };
  }

  get #isExact(): boolean {
    return this.#ends.length === this.#count && this.#bytes.length === this.#start(this.#count);
  }

  #start(number: number): number {
    return number === 0 ? 0 : this.#ends[number - 1]!;
  }

  #is(number: number, key: NameKey): boolean {
    const start = this.#start(number);
    if (this.#ends[number]! - start !== key.length) return false;
    for (let at = 0; at < key.length; at++) if (this.#bytes[start + at] !== key.bytes[at]) return false;
    return true;
  }

  #rehashed(size: number): Uint32Array {
    const slots = new Uint32Array(size);
    for (let number = 0; number < this.#count; number++) {
      insert(slots, hashOf(this.#bytes, this.#start(number), this.#ends[number]!), number);
    }
    return slots;
  }
}

/** A string made ready to be looked up. One is used again and again: its bytes are good until the next `set`. */
export class NameKey {
  bytes = new Uint8Array(256);
  length = 0;
  hash = 0;

  set(text: string): this {
    if (this.bytes.length < 3 * text.length) this.bytes = new Uint8Array(6 * text.length);
    const { bytes } = this;
    let at = 0;
    for (; at < text.length; at++) {
      const unit = text.charCodeAt(at);
      if (unit > 0x7f) break;
      bytes[at] = unit;
    }
    this.length = at === text.length ? at : encoder.encodeInto(text, bytes).written;
    this.hash = hashOf(bytes, 0, this.length);
    return this;
  }
}

/** Slots that are at most half full. */
function slotsFor(count: number): number {
  let size = FIRST_SLOTS;
  while (size < 2 * count) size *= 2;
  return size;
}

function insert(slots: Uint32Array, hash: number, number: number): void {
  const mask = slots.length - 1;
  let slot = hash & mask;
  while (slots[slot] !== 0) slot = (slot + 1) & mask;
  slots[slot] = number + 1;
}

/** FNV-1a, 32 bits, with a last mix so that the low bits are good. */
function hashOf(bytes: Uint8Array, start: number, end: number): number {
  let hash = 0x811c9dc5;
  for (let at = start; at < end; at++) hash = Math.imul(hash ^ bytes[at]!, 0x01000193);
  return (hash ^ (hash >>> 15)) >>> 0;
}

/** The same array, or a longer one with the same beginning. */
function fitted<T extends Uint8Array | Uint32Array>(array: T, length: number): T {
  if (length <= array.length) return array;
  const longer = new (array.constructor as new (length: number) => T)(Math.max(length, 2 * array.length));
  longer.set(array);
  return longer;
}
