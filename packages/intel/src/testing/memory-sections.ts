import type { SectionArray, SectionReader, SectionWriter } from '../files/sections.ts';

/** A snapshot in memory, for tests. */
export class MemorySections implements SectionWriter, SectionReader {
  readonly arrays = new Map<string, SectionArray>();
  readonly values = new Map<string, unknown>();

  array(name: string, data: SectionArray): void {
    this.arrays.set(name, data);
  }

  value(name: string, ...value: unknown[]): unknown {
    if (value.length > 0) this.values.set(name, JSON.parse(JSON.stringify(value[0])));
    else if (!this.values.has(name)) throw new Error(`no value ${name}`);
    return this.values.get(name);
  }

  uint8(name: string): Uint8Array {
    return this.#typed(name, Uint8Array);
  }

  uint16(name: string): Uint16Array {
    return this.#typed(name, Uint16Array);
  }

  int32(name: string): Int32Array {
    return this.#typed(name, Int32Array);
  }

  uint32(name: string): Uint32Array {
    return this.#typed(name, Uint32Array);
  }

  float32(name: string): Float32Array {
    return this.#typed(name, Float32Array);
  }

  #typed<T extends SectionArray>(name: string, type: new () => T): T {
    const found = this.arrays.get(name);
    if (!(found instanceof type)) throw new Error(`no ${type.name} ${name}`);
    return found;
  }
}
