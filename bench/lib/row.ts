/** One line of the table: what was measured, the ratio or figure, and the limit it is held against. */
export interface Row {
  what: string;
  ours: string;
  reference: string;
  /** Ours over the reference, or the plain figure where there is none. */
  value: number;
  limit: number;
  /** The limit is the least that the value may be. By default it is the most. */
  atLeast?: boolean;
  unit: '×' | 'KB' | 'MB' | 'ms' | '%' | '';
  /** What one must know to read the figure, e.g. how busy the machine was. */
  note?: string;
}

/** A line of the table that can't be measured here. */
export interface Skipped {
  what: string;
  /** What is missing and how to get it. */
  skipped: string;
}

export interface BenchOptions {
  /** Repetitions; CI asks for few. */
  rounds: number;
}

/** Each benchmark measures ours and a reference beside it in the same run. */
export type Bench = (options: BenchOptions) => Promise<(Row | Skipped)[]>;

export function ratioRow(what: string, ours: number, reference: number, limit: number, unit: string): Row {
  const show = (value: number) => `${value < 10 ? value.toFixed(2) : value.toFixed(0)} ${unit}`;
  return { what, ours: show(ours), reference: show(reference), value: ours / reference, limit, unit: '×' };
}

export function printTable(rows: readonly (Row | Skipped)[]): void {
  const cells = rows.map((row) => ('skipped' in row ? [row.what, '', '', '', '', row.skipped] : cellsOf(row)));
  const head = ['what', 'ours', 'reference', 'value', 'limit', ''];
  const widths = head.map((name, column) => Math.max(name.length, ...cells.map((line) => line[column]!.length)));
  for (const line of [head, widths.map((width) => '-'.repeat(width)), ...cells]) {
    console.log(
      line
        .map((cell, column) => cell.padEnd(widths[column]!))
        .join('  ')
        .trimEnd(),
    );
  }
}

function cellsOf(row: Row): string[] {
  const held = row.atLeast ? row.value >= row.limit : row.value <= row.limit;
  return [
    row.what,
    row.ours,
    row.reference,
    `${row.value.toFixed(2)} ${row.unit}`.trim(),
    `${row.atLeast ? '≥' : '≤'} ${row.limit} ${row.unit}`.trim(),
    [held ? 'held' : 'MISSED', row.note].filter(Boolean).join('; '),
  ];
}
