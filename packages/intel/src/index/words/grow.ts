/** The array, or a copy at least twice as long when it has fewer than `length` places. */
export function grown<T extends Uint8Array<ArrayBuffer> | Int32Array<ArrayBuffer> | Uint32Array<ArrayBuffer>>(
  array: T,
  length: number,
): T {
  if (length <= array.length) return array;
  const larger = new (array.constructor as new (length: number) => T)(Math.max(length, array.length * 2));
  larger.set(array);
  return larger;
}
