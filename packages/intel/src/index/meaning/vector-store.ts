import type { SectionReader, SectionWriter } from '../../files/sections.ts';

const FORMAT = 1;
const HIGHEST = 127;

/** A chunk's fingerprint as one number: the 53 bits that are exact. */
export function vectorKey(low: number, high: number): number {
  return (high & 0x1fffff) * 2 ** 32 + (low >>> 0);
}

/**
 * Vectors of chunks by their fingerprints, of one embedder, with a byte for each dimension (INT-9). A chunk that
 * moved, or comes back with another branch, finds its vector again.
 */
export class VectorStore {
  #embedder = '';
  /** Dimensions; 0 while there is no vector. */
  #width = 0;
  #keys: number[] = [];
  #places = new Map<number, number>();
  #values = new Int8Array();
  /** 1 over the length of each vector of bytes. */
  #scales: number[] = [];

  get count(): number {
    return this.#keys.length;
  }

  /** Which embedder they are of; empty while nobody knows. */
  get embedder(): string {
    return this.#embedder;
  }

  has(key: number): boolean {
    return this.#places.has(key);
  }

  /** Throws all vectors away that are of another embedder. */
  keepOnly(embedder: string): void {
    if (this.#embedder === embedder) return;
    this.#embedder = embedder;
    this.#width = 0;
    this.#keys = [];
    this.#places = new Map();
    this.#values = new Int8Array();
    this.#scales = [];
  }

  /** @returns false where it is no vector, or has another width than the others: then it is not kept. */
  add(key: number, vector: Float32Array): boolean {
    const unit = unitVector(vector);
    if (!unit || (this.#width !== 0 && unit.length !== this.#width)) return false;
    this.#width = unit.length;
    let place = this.#places.get(key);
    if (place === undefined) {
      place = this.#keys.push(key) - 1;
      this.#places.set(key, place);
    }
    const end = (place + 1) * this.#width;
    if (end > this.#values.length) {
      const larger = new Int8Array(Math.max(end, this.#values.length * 2));
      larger.set(this.#values);
      this.#values = larger;
    }
    this.#scales[place] = 1 / quantise(unit, this.#values.subarray(end - this.#width, end));
    return true;
  }

  /**
   * Cosine of the angle between a vector and that of a chunk; undefined for a chunk without a vector.
   * @param unit see `unitVector`.
   */
  likeness(key: number, unit: Float32Array): number | undefined {
    const place = this.#places.get(key);
    if (place === undefined || unit.length !== this.#width) return undefined;
    const values = this.#values;
    const first = place * this.#width;
    let product = 0;
    for (let i = 0; i < unit.length; i++) product += unit[i]! * values[first + i]!;
    return product * this.#scales[place]!;
  }

  /** @param isWanted whether a key is still one of a chunk: other vectors are left out. */
  save(writer: SectionWriter, isWanted: (key: number) => boolean): void {
    const kept = this.#keys.map((key, place) => ({ key, place })).filter(({ key }) => isWanted(key));
    const keys = new Uint32Array(kept.length * 2);
    const values = new Int8Array(kept.length * this.#width);
    kept.forEach(({ key, place }, i) => {
      keys.set([key % 2 ** 32, Math.floor(key / 2 ** 32)], i * 2);
      values.set(this.#values.subarray(place * this.#width, (place + 1) * this.#width), i * this.#width);
    });
    writer.value('format', FORMAT);
    writer.value('embedder', this.#embedder);
    writer.array('keys', keys);
    // Signed bytes have no section of their own.
    writer.array('values', new Uint8Array(values.buffer));
  }

  /** Takes the place of all vectors. @throws when the sections make no sense; then nothing has changed. */
  load(reader: SectionReader): void {
    const embedder = reader.value('embedder');
    if (reader.value('format') !== FORMAT || typeof embedder !== 'string') {
      throw new Error('The vectors are of a foreign version.');
    }
    const keys = reader.uint32('keys');
    const values = reader.uint8('values');
    const count = keys.length / 2;
    const width = count === 0 ? 0 : values.length / count;
    if (!Number.isInteger(count) || !Number.isInteger(width)) throw new Error('The vectors do not fit their keys.');
    this.#embedder = embedder;
    this.#width = width;
    this.#values = new Int8Array(values);
    this.#keys = Array.from({ length: count }, (_, i) => keys[i * 2 + 1]! * 2 ** 32 + keys[i * 2]!);
    this.#places = new Map(this.#keys.map((key, place) => [key, place]));
    this.#scales = this.#keys.map((_, place) => 1 / norm(this.#values.subarray(place * width, (place + 1) * width)));
  }
}

/** The vector in the length 1; undefined for one of no length or direction. */
export function unitVector(vector: Float32Array): Float32Array | undefined {
  const length = norm(vector);
  return length > 0 && Number.isFinite(length) ? vector.map((value) => value / length) : undefined;
}

/** Writes a vector as bytes, and answers how long that is. */
function quantise(vector: Float32Array, into: Int8Array): number {
  let highest = 0;
  for (const value of vector) highest = Math.max(highest, Math.abs(value));
  for (let i = 0; i < vector.length; i++) into[i] = Math.round((vector[i]! / highest) * HIGHEST);
  return norm(into);
}

function norm(vector: Float32Array | Int8Array): number {
  let square = 0;
  for (const value of vector) square += value * value;
  return Math.sqrt(square);
}
