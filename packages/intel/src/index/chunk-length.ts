/**
 * Lengths that are told apart: every one up to 33, then steps of 3 %. A chunk's length is kept as a step, in one byte.
 */
export const LENGTHS: Int32Array = lengths();

function lengths(): Int32Array {
  const table = new Int32Array(256);
  for (let step = 1; step < table.length; step++) {
    table[step] = Math.max(table[step - 1]! + 1, Math.round(table[step - 1]! * 1.03));
  }
  return table;
}

/** The highest step that is not above the length. */
export function lengthStep(length: number): number {
  let low = 0;
  let high = LENGTHS.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (LENGTHS[middle]! <= length) low = middle;
    else high = middle - 1;
  }
  return low;
}
