/** Compressed sparse rows: `values[starts[key] … starts[key + 1]]` are the values of a key. */
export interface Csr {
  starts: Uint32Array;
  values: Uint32Array;
}

export const EMPTY_CSR: Csr = { starts: new Uint32Array(1), values: new Uint32Array(0) };

/** How many values are handled between two yields of `buildCsr`: about a millisecond. */
const SLICE = 100_000;

/**
 * Groups values by their keys with a counting sort: values of a key stay in the order in which they are given.
 * @param visit calls its argument for each pair, from row `from` to before row `to`; it is asked for all rows twice.
 */
export function* buildCsr(
  keys: number,
  rows: number,
  visit: (from: number, to: number, each: (key: number, value: number) => void) => void,
): Generator<void, Csr, void> {
  const starts = new Uint32Array(keys + 1);
  const count = (key: number): void => {
    starts[key + 1]!++;
  };
  for (let from = 0; from < rows; from += SLICE) {
    visit(from, Math.min(from + SLICE, rows), count);
    yield;
  }
  for (let key = 0; key < keys; key++) starts[key + 1]! += starts[key]!;
  const values = new Uint32Array(starts[keys]!);
  const next = starts.slice(0, keys);
  const place = (key: number, value: number): void => {
    values[next[key]!++] = value;
  };
  for (let from = 0; from < rows; from += SLICE) {
    visit(from, Math.min(from + SLICE, rows), place);
    yield;
  }
  return { starts, values };
}

/** Whether the arrays may be those of at most so many keys, and so many values. */
export function isCsr({ starts, values }: Csr, mostKeys: number, count = values.length): boolean {
  const keys = starts.length - 1;
  return keys >= 0 && keys <= mostKeys && starts[0] === 0 && starts[keys] === values.length && values.length === count;
}
