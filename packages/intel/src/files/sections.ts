/** The arrays that a snapshot holds: as they are in memory, little-endian. */
export type SectionArray = Uint8Array | Int8Array | Uint16Array | Int16Array | Uint32Array | Int32Array | Float32Array;

/**
 * Writes a part of a snapshot: arrays under names, and small facts. Nobody copies the arrays: they must stay as they are
 * until they are on the disk, while questions are answered and files put. So a layer never writes into an array that it
 * has handed over; it makes a new one when it settles.
 */
export interface SectionWriter {
  array(name: string, data: SectionArray): void;
  /** Goes into the JSON header: keep it small. */
  value(name: string, value: unknown): void;
}

/** Reads what a `SectionWriter` wrote. Arrays are views on one buffer: they are not copied, and must not be written to. */
export interface SectionReader {
  /** @throws when the snapshot has no such array, or one of another type. */
  uint8(name: string): Uint8Array;
  uint16(name: string): Uint16Array;
  int32(name: string): Int32Array;
  uint32(name: string): Uint32Array;
  float32(name: string): Float32Array;
  /** @throws when the snapshot has no such value. */
  value(name: string): unknown;
}
