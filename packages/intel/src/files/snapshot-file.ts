import { crc32 } from 'node:zlib';
import type { SectionArray, SectionReader, SectionWriter } from './sections.ts';

// A snapshot file, all numbers as the machine that wrote it has them:
//    0  8 bytes  magic
//    8  uint32   CRC-32 of everything behind it
//   12  uint32   byte order mark
//   16  uint32   version of this form
//   20  uint32   length of the header
//   24           header, JSON, filled up with spaces to a multiple of 8
//   …            arrays, each filled up with zeros to a multiple of 8
const MAGIC = new TextEncoder().encode('BLACKIX\n');
const CRC_AT = 8;
const ORDER_AT = 12;
const VERSION_AT = 16;
const LENGTH_AT = 20;
const HEADER_AT = 24;
const ORDER = 0x01020304;
const VERSION = 1;

const KINDS = {
  u8: Uint8Array,
  i8: Int8Array,
  u16: Uint16Array,
  i16: Int16Array,
  u32: Uint32Array,
  i32: Int32Array,
  f32: Float32Array,
} as const;
type Kind = keyof typeof KINDS;
type ArrayOf<K extends Kind> = InstanceType<(typeof KINDS)[K]>;

interface Header {
  /** Kind, place behind the header in bytes, number of elements. */
  arrays: Record<string, [Kind, number, number]>;
  values: Record<string, unknown>;
}

/** Why a snapshot cannot be used. */
export class SnapshotError extends Error {
  readonly reason: 'damaged' | 'foreign version' | 'other workspace';

  constructor(reason: SnapshotError['reason'], detail: string) {
    super(`${reason}: ${detail}`);
    this.reason = reason;
  }
}

/** Collects what goes into a snapshot file. */
export class SnapshotWriter implements SectionWriter {
  readonly #header: Header = { arrays: {}, values: {} };
  readonly #parts: Uint8Array[] = [];
  #length = 0;

  array(name: string, data: SectionArray): void {
    const kind = (Object.keys(KINDS) as Kind[]).find((each) => data instanceof KINDS[each])!;
    this.#header.arrays[name] = [kind, this.#length, data.length];
    const bytes = new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
    const padding = new Uint8Array(paddingOf(bytes.length));
    this.#parts.push(bytes, padding);
    this.#length += bytes.length + padding.length;
  }

  value(name: string, value: unknown): void {
    this.#header.values[name] = value;
  }

  /** The parts of the file, in their order. */
  parts(): Uint8Array[] {
    const json = new TextEncoder().encode(JSON.stringify(this.#header));
    const head = new Uint8Array(HEADER_AT + json.length + paddingOf(json.length)).fill(0x20);
    head.set(MAGIC);
    head.set(json, HEADER_AT);
    const numbers = new Uint32Array(head.buffer, 0, HEADER_AT / 4);
    numbers[ORDER_AT / 4] = ORDER;
    numbers[VERSION_AT / 4] = VERSION;
    numbers[LENGTH_AT / 4] = head.length - HEADER_AT;
    numbers[CRC_AT / 4] = this.#parts.reduce((crc, part) => crc32(part, crc), crc32(head.subarray(ORDER_AT)));
    return [head, ...this.#parts.filter(({ length }) => length > 0)];
  }
}

/** A snapshot file in memory. Its arrays are views on the bytes. */
export class SnapshotFile implements SectionReader {
  readonly #bytes: Uint8Array<ArrayBuffer>;
  readonly #header: Header;
  readonly #dataAt: number;

  /**
   * @param bytes begin at a multiple of 8 in their buffer.
   * @throws SnapshotError `damaged` or `foreign version`: any byte that is missing or another is noticed.
   */
  constructor(bytes: Uint8Array<ArrayBuffer>) {
    if (bytes.length < HEADER_AT || !MAGIC.every((byte, at) => bytes[at] === byte)) {
      throw new SnapshotError('damaged', 'it does not begin as a snapshot does');
    }
    const numbers = new Uint32Array(bytes.buffer, bytes.byteOffset, HEADER_AT / 4);
    if (numbers[ORDER_AT / 4] !== ORDER) throw new SnapshotError('foreign version', 'another byte order');
    if (numbers[VERSION_AT / 4] !== VERSION) throw new SnapshotError('foreign version', 'another form');
    if (numbers[CRC_AT / 4] !== crc32(bytes.subarray(ORDER_AT))) {
      throw new SnapshotError('damaged', 'its checksum is wrong');
    }
    this.#bytes = bytes;
    this.#dataAt = HEADER_AT + numbers[LENGTH_AT / 4]!;
    this.#header = JSON.parse(new TextDecoder().decode(bytes.subarray(HEADER_AT, this.#dataAt)));
  }

  uint8(name: string): Uint8Array {
    return this.#array(name, 'u8');
  }

  uint16(name: string): Uint16Array {
    return this.#array(name, 'u16');
  }

  int32(name: string): Int32Array {
    return this.#array(name, 'i32');
  }

  uint32(name: string): Uint32Array {
    return this.#array(name, 'u32');
  }

  float32(name: string): Float32Array {
    return this.#array(name, 'f32');
  }

  value(name: string): unknown {
    const { values } = this.#header;
    if (!Object.hasOwn(values, name)) throw new SnapshotError('damaged', `it has no value ${name}`);
    return values[name];
  }

  #array<K extends Kind>(name: string, wanted: K): ArrayOf<K> {
    const { arrays } = this.#header;
    const [kind, at, length] = (Object.hasOwn(arrays, name) ? arrays[name] : undefined) ?? [];
    if (kind !== wanted) throw new SnapshotError('damaged', `it has no array ${name} of ${wanted}`);
    const { buffer, byteOffset } = this.#bytes;
    return new KINDS[wanted](buffer, byteOffset + this.#dataAt + at!, length) as ArrayOf<K>;
  }
}

/** The part of a snapshot that is somebody's own. */
export function partWriter(writer: SectionWriter, part: string): SectionWriter {
  return {
    array: (name, data) => writer.array(`${part}.${name}`, data),
    value: (name, value) => writer.value(`${part}.${name}`, value),
  };
}

/** What `partWriter` wrote. */
export function partReader(reader: SectionReader, part: string): SectionReader {
  return {
    uint8: (name) => reader.uint8(`${part}.${name}`),
    uint16: (name) => reader.uint16(`${part}.${name}`),
    int32: (name) => reader.int32(`${part}.${name}`),
    uint32: (name) => reader.uint32(`${part}.${name}`),
    float32: (name) => reader.float32(`${part}.${name}`),
    value: (name) => reader.value(`${part}.${name}`),
  };
}

function paddingOf(length: number): number {
  return -length & 7;
}
