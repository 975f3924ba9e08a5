import { crc32 } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { SectionArray } from './sections.ts';
import { partReader, partWriter, SnapshotError, SnapshotFile, SnapshotWriter } from './snapshot-file.ts';

const ARRAYS: Record<string, SectionArray> = {
  bytes: Uint8Array.of(1, 2, 3),
  small: Uint16Array.of(1, 65_535),
  whole: Int32Array.of(-1, 2 ** 31 - 1),
  positive: Uint32Array.of(2 ** 32 - 1),
  single: Float32Array.of(0.5, Number.NaN),
  none: new Float32Array(),
};

function bytesOf(writer: SnapshotWriter): Uint8Array<ArrayBuffer> {
  return new Uint8Array(Buffer.concat(writer.parts()));
}

function sample(): Uint8Array<ArrayBuffer> {
  const writer = new SnapshotWriter();
  for (const [name, data] of Object.entries(ARRAYS)) writer.array(name, data);
  writer.value('fact', { a: ['ä', 1] });
  return bytesOf(writer);
}

function contentOf(bytes: Uint8Array<ArrayBuffer>): unknown {
  const file = new SnapshotFile(bytes);
  return [
    file.uint8('bytes'),
    file.uint16('small'),
    file.int32('whole'),
    file.uint32('positive'),
    file.float32('single'),
    file.float32('none'),
    file.value('fact'),
  ];
}

function reasonOf(bytes: Uint8Array<ArrayBuffer>): string | undefined {
  try {
    new SnapshotFile(bytes);
    return undefined;
  } catch (error) {
    if (error instanceof SnapshotError) return error.reason;
    throw error;
  }
}

describe('SnapshotFile', () => {
  it('INT-12 gives back what was written, as views on one buffer', () => {
    const bytes = sample();
    expect(contentOf(bytes)).toEqual([...Object.values(ARRAYS), { a: ['ä', 1] }]);
    const file = new SnapshotFile(bytes);
    for (const array of [file.uint8('bytes'), file.float32('single')]) {
      expect(array.buffer).toBe(bytes.buffer);
      expect(array.byteOffset % 8).toBe(0);
    }
  });

  it('INT-12 lets each part have names of its own', () => {
    const writer = new SnapshotWriter();
    for (const part of ['one', 'other']) {
      partWriter(writer, part).array('name', Uint8Array.of(part.length));
      partWriter(writer, part).value('name', part);
    }
    const file = new SnapshotFile(bytesOf(writer));
    for (const part of ['one', 'other']) {
      expect(partReader(file, part).uint8('name')).toEqual(Uint8Array.of(part.length));
      expect(partReader(file, part).value('name')).toBe(part);
    }
  });

  it('INT-12 says that something is missing, or is of another kind', () => {
    const file = new SnapshotFile(sample());
    for (const read of [
      () => file.uint8('nothing'),
      () => file.uint8('whole'),
      () => file.uint8('constructor'),
      () => file.value('nothing'),
      () => file.value('constructor'),
    ]) {
      expect(read).toThrow(expect.objectContaining({ reason: 'damaged' }));
    }
  });

  it('INT-12 notices wherever it was cut off', () => {
    const bytes = sample();
    for (let length = 0; length < bytes.length; length++) {
      expect(reasonOf(bytes.slice(0, length)), `cut to ${length}`).toBe('damaged');
    }
  });

  it('INT-12 notices each byte that is another', () => {
    const array = fc.uint8Array({ maxLength: 40 });
    const writers = fc.array(fc.tuple(fc.string({ minLength: 1 }), array), { maxLength: 5 }).map((sections) => {
      const writer = new SnapshotWriter();
      for (const [name, data] of sections) {
        writer.array(name, data);
        writer.value(name, data.length);
      }
      return writer;
    });
    fc.assert(
      fc.property(writers, fc.nat(), fc.integer({ min: 1, max: 255 }), (writer, place, flips) => {
        const bytes = bytesOf(writer);
        expect(reasonOf(bytes)).toBeUndefined();
        bytes[place % bytes.length]! ^= flips;
        expect(reasonOf(bytes)).toMatch(/damaged|foreign version/);
      }),
    );
  });

  it('INT-12 notices files of another version and of a machine with another byte order', () => {
    const foreign = sample();
    const numbers = new Uint32Array(foreign.buffer, 0, 6);
    numbers[4] = numbers[4]! + 1;
    numbers[2] = crc32(foreign.subarray(12));
    expect(reasonOf(foreign)).toBe('foreign version');
    const swapped = sample();
    for (let place = 8; place < 24; place += 4) swapped.subarray(place, place + 4).reverse();
    expect(reasonOf(swapped)).toBe('foreign version');
  });
});
