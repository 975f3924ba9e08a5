import type { FileCodec } from './file-parser.ts';
import type { FileId } from './file-table.ts';
import type { Layer, ParsedFile } from './layer.ts';
import type { SectionReader, SectionWriter } from './sections.ts';

/** Loading gives each changed file to the layers again, at about 0.1 ms a file. */
const MOST_FILES = 64;
const MOST_BYTES = 1024 * 1024;

/**
 * What was read since the layers were stored as a whole: as long as it is little, it is stored beside them and given to
 * them again when they are loaded.
 */
export class ChangesSince {
  readonly #codec: FileCodec;
  readonly #packed = new Map<FileId, Uint8Array>();
  readonly #removed = new Set<FileId>();
  #bytes = 0;
  /** It is too much to be stored this way: the layers are to be stored as a whole. */
  #overflowed = true;

  constructor(codec: FileCodec) {
    this.#codec = codec;
  }

  get overflowed(): boolean {
    return this.#overflowed;
  }

  put(id: FileId, parsed: ParsedFile): void {
    if (this.#overflowed) return;
    this.#forget(id);
    const packed = this.#codec.pack(parsed);
    this.#packed.set(id, packed);
    this.#bytes += packed.length;
    this.#check();
  }

  remove(id: FileId): void {
    if (this.#overflowed) return;
    this.#forget(id);
    this.#removed.add(id);
    this.#check();
  }

  /** The layers are stored as a whole as they are now. */
  reset(): void {
    this.#clear();
    this.#overflowed = false;
  }

  /** The layers could not be stored. */
  overflow(): void {
    this.#clear();
    this.#overflowed = true;
  }

  /** @param gone files that the layers have not been told of yet. */
  save(writer: SectionWriter, gone: Iterable<FileId>): void {
    const packed = [...this.#packed.values()];
    writer.array('removed', Uint32Array.from(new Set([...this.#removed, ...gone])));
    writer.array('ids', Uint32Array.from(this.#packed.keys()));
    writer.array(
      'lengths',
      Uint32Array.from(packed, ({ length }) => length),
    );
    writer.array('files', Buffer.concat(packed));
  }

  /** Brings layers that were loaded as a whole up to date. @throws where the sections make no sense. */
  load(reader: SectionReader, layers: readonly Layer[]): void {
    this.reset();
    for (const id of reader.uint32('removed')) {
      for (const layer of layers) layer.remove(id);
      this.remove(id);
    }
    const lengths = reader.uint32('lengths');
    const files = reader.uint8('files');
    let at = 0;
    for (const [place, id] of reader.uint32('ids').entries()) {
      // A copy, which lies at a place that typed arrays can be laid over.
      const packed = files.slice(at, at + lengths[place]!);
      const parsed = this.#codec.unpack(packed);
      for (const layer of layers) layer.put(id, parsed);
      this.#packed.set(id, packed);
      at += packed.length;
    }
    this.#bytes = at;
    this.#check();
  }

  #forget(id: FileId): void {
    this.#bytes -= this.#packed.get(id)?.length ?? 0;
    this.#packed.delete(id);
    this.#removed.delete(id);
  }

  #clear(): void {
    this.#packed.clear();
    this.#removed.clear();
    this.#bytes = 0;
  }

  #check(): void {
    if (this.#packed.size + this.#removed.size > MOST_FILES || this.#bytes > MOST_BYTES) this.overflow();
  }
}
