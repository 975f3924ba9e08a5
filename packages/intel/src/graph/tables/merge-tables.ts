import { BIND_WIDTH, FILE_WIDTH, FileCol, HOLE, IMP_WIDTH, REF_WIDTH, Ref, SYM_WIDTH, Sym } from './columns.ts';
import { buildCsr, type Csr } from './csr.ts';
import type { GraphTables, SettledTables } from './graph-tables.ts';
import type { RowTable } from './row-table.ts';
import type { UseIndex } from './use-index.ts';

/** Files whose rows are copied between two yields: a millisecond or two. */
const FILES_A_SLICE = 500;

/** Copies the living rows of all tables into new ones without gaps, and finds the indexes anew. Changes nothing. */
export function* mergeTables(
  tables: GraphTables,
  uses: UseIndex,
): Generator<void, { settled: SettledTables; uses: Csr }, void> {
  const files = placeFiles(tables);
  const references = yield* copyRows(tables, files, tables.references, FileCol.FIRST_REFERENCE, FileCol.REFERENCES);
  const lists = yield* moveTargets(tables, uses, files, references);
  const symbols = yield* copyRows(tables, files, tables.symbols, FileCol.FIRST_SYMBOL, FileCol.SYMBOLS);
  const order = yield* copyRows(tables, files, tables.order, FileCol.FIRST_SYMBOL, FileCol.SYMBOLS);
  const imports = yield* copyRows(tables, files, tables.imports, FileCol.FIRST_IMPORT, FileCol.IMPORTS);
  const bindings = yield* copyRows(tables, files, tables.bindings, FileCol.FIRST_BINDING, FileCol.BINDINGS);
  tables.names.settle();
  const named = yield* buildCsr(tables.names.count, symbols.length / SYM_WIDTH, (from, to, each) => {
    for (let row = from; row < to; row++) each(symbols[row * SYM_WIDTH + Sym.NAME]!, row);
  });
  const used = yield* buildCsr(symbols.length / SYM_WIDTH, references.length / REF_WIDTH, (from, to, each) => {
    for (let row = from; row < to; row++) eachTarget(references[row * REF_WIDTH + Ref.TARGET]!, lists, row, each);
  });
  const { names } = tables;
  return { settled: { names, files, symbols, order, references, imports, bindings, lists, named }, uses: used };
}

function eachTarget(target: number, lists: Int32Array, row: number, each: (key: number, value: number) => void): void {
  if (target >= 0) each(target, row);
  else if (target < -1) {
    const first = -2 - target;
    for (let at = first + 1; at <= first + lists[first]!; at++) each(lists[at]!, row);
  }
}

/** The table of files with the places where the rows of each will be. Holes share theirs with the next file. */
function placeFiles(tables: GraphTables): Int32Array {
  let count = tables.fileCount;
  while (count > 0 && !tables.has(count - 1)) count--;
  const files = tables.files.slice(0, count * FILE_WIDTH);
  for (const [first, rows] of PLACES) {
    let next = 0;
    for (let at = 0; at < files.length; at += FILE_WIDTH) {
      files[at + first] = next;
      next += files[at + rows]!;
    }
  }
  return files;
}

const PLACES = [
  [FileCol.FIRST_SYMBOL, FileCol.SYMBOLS],
  [FileCol.FIRST_REFERENCE, FileCol.REFERENCES],
  [FileCol.FIRST_IMPORT, FileCol.IMPORTS],
  [FileCol.FIRST_BINDING, FileCol.BINDINGS],
] as const;

function* copyRows(
  tables: GraphTables,
  files: Int32Array,
  from: RowTable,
  first: number,
  count: number,
): Generator<void, Int32Array, void> {
  const { width } = from;
  let rows = 0;
  for (let at = 0; at < files.length; at += FILE_WIDTH) rows += files[at + count]!;
  const copy = new Int32Array(rows * width);
  for (let file = 0; file * FILE_WIDTH < files.length; file++) {
    if (file % FILES_A_SLICE === FILES_A_SLICE - 1) yield;
    const own = files[file * FILE_WIDTH + count]!;
    if (own > 0) copy.set(from.slice(tables.file(file, first), own), files[file * FILE_WIDTH + first]! * width);
  }
  return copy;
}

/** Puts the new numbers of symbols into copied references. @returns the lists of targets of those that have several. */
function* moveTargets(
  tables: GraphTables,
  uses: UseIndex,
  files: Int32Array,
  references: Int32Array,
): Generator<void, Int32Array, void> {
  const lists: number[] = [];
  const moved = (symbol: number): number => {
    const row = tables.symbols.get(symbol, Sym.FILE) * FILE_WIDTH;
    return symbol - tables.files[row + FileCol.FIRST_SYMBOL]! + files[row + FileCol.FIRST_SYMBOL]!;
  };
  for (let file = 0; file * FILE_WIDTH < files.length; file++) {
    if (file % FILES_A_SLICE === FILES_A_SLICE - 1) yield;
    if (files[file * FILE_WIDTH + FileCol.LANGUAGE] === HOLE) continue;
    const now = files[file * FILE_WIDTH + FileCol.FIRST_REFERENCE]!;
    const old = tables.file(file, FileCol.FIRST_REFERENCE);
    for (let row = 0; row < files[file * FILE_WIDTH + FileCol.REFERENCES]!; row++) {
      const at = (now + row) * REF_WIDTH + Ref.TARGET;
      if (references[at] === -1) continue;
      const targets = uses.targets(old + row);
      if (targets.length === 1) references[at] = moved(targets[0]!);
      else if (targets.length > 1) {
        references[at] = -2 - lists.length;
        lists.push(targets.length, ...targets.map(moved));
      } else references[at] = -1;
    }
  }
  return Int32Array.from(lists);
}

/** Whether rows lie as `mergeTables` leaves them: without gaps, in the order of the files. */
export function arePlaced(files: Int32Array, settled: Omit<SettledTables, 'names' | 'named' | 'lists'>): boolean {
  const lengths = [
    settled.symbols.length / SYM_WIDTH,
    settled.references.length / REF_WIDTH,
    settled.imports.length / IMP_WIDTH,
    settled.bindings.length / BIND_WIDTH,
  ];
  return PLACES.every(([first, rows], index) => {
    let next = 0;
    for (let at = 0; at < files.length; at += FILE_WIDTH) {
      if (files[at + first] !== next || files[at + rows]! < 0) return false;
      next += files[at + rows]!;
    }
    return next === lengths[index];
  });
}
