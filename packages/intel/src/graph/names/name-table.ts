import { BlackError } from '@black-ide/protocol';
import type { SectionReader, SectionWriter } from '../../files/sections.ts';
import { NameKey, NamePool } from './name-pool.ts';

/** A name's number; names are numbered from 0 and never renumbered while the table lives. */
export type NameId = number;

/** Every name of the graph once. What was stored stays as it was loaded; new names go into a second pool. */
export class NameTable {
  #stored = new NamePool();
  #grown = new NamePool();
  readonly #key = new NameKey();

  get count(): number {
    return this.#stored.count + this.#grown.count;
  }

  intern(text: string): NameId {
    const key = this.#key.set(text);
    const stored = this.#stored.find(key);
    if (stored >= 0) return stored;
    const grown = this.#grown.find(key);
    return this.#stored.count + (grown >= 0 ? grown : this.#grown.add(key));
  }

  /** -1 for a name that is not known. */
  find(text: string): NameId {
    const key = this.#key.set(text);
    const stored = this.#stored.find(key);
    if (stored >= 0) return stored;
    const grown = this.#grown.find(key);
    return grown >= 0 ? this.#stored.count + grown : -1;
  }

  text(id: NameId): string {
    return id < this.#stored.count ? this.#stored.text(id) : this.#grown.text(id - this.#stored.count);
  }

  /** Joins both pools into one. Numbers stay. */
  settle(): void {
    if (this.#grown.count === 0) return;
    this.#stored = new NamePool(this.#stored.joined(this.#grown));
    this.#grown = new NamePool();
  }

  save(writer: SectionWriter): void {
    const { bytes, ends, slots } = this.#stored.joined(this.#grown);
    writer.array('names.bytes', bytes);
    writer.array('names.ends', ends);
    writer.array('names.slots', slots);
  }

  /** @throws BlackError `index_damaged` when the arrays do not belong together. */
  static load(reader: SectionReader): NameTable {
    const bytes = reader.uint8('names.bytes');
    const ends = reader.uint32('names.ends');
    const slots = reader.uint32('names.slots');
    const isTable = slots.length >= 2 * ends.length && slots.length > 0 && (slots.length & (slots.length - 1)) === 0;
    if (!isTable || (ends.at(-1) ?? 0) !== bytes.length) {
      throw new BlackError('index_damaged', 'The names of the stored graph do not fit together.', 'Build it again.');
    }
    const table = new NameTable();
    table.#stored = new NamePool({ bytes, ends, slots });
    return table;
  }
}
