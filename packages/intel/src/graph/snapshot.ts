import { BlackError } from '@black-ide/protocol';
import type { SectionReader, SectionWriter } from '../files/sections.ts';
import { SYMBOL_KINDS } from '../parsing/file-facts.ts';
import { LANGUAGES } from '../parsing/language.ts';
import { NameTable } from './names/name-table.ts';
import type { SettledGraph } from './resolution.ts';
import {
  ALL_REFERENCE_KINDS,
  BIND_WIDTH,
  Bind,
  containerOfReference,
  FILE_WIDTH,
  FileCol,
  HOLE,
  IMP_WIDTH,
  Imp,
  kindOfReference,
  kindOfSymbol,
  REF_WIDTH,
  Ref,
  SYM_WIDTH,
  Sym,
} from './tables/columns.ts';
import { type Csr, isCsr } from './tables/csr.ts';
import type { SettledTables } from './tables/graph-tables.ts';
import { arePlaced } from './tables/merge-tables.ts';

const TABLES = ['files', 'symbols', 'order', 'references', 'imports', 'bindings', 'lists'] as const;

export function saveGraph(writer: SectionWriter, { tables, uses, lookups }: SettledGraph): void {
  tables.names.save(writer);
  for (const name of TABLES) writer.array(name, tables[name]);
  for (const [name, csr] of Object.entries({ named: tables.named, uses, ...lookups })) {
    writer.array(`${name}.starts`, csr.starts);
    writer.array(`${name}.values`, csr.values);
  }
}

/**
 * Every number is looked at once, so that no query can run into one that leads nowhere.
 * @throws BlackError `index_damaged` where the parts do not fit together.
 */
export function loadGraph(reader: SectionReader): SettledGraph {
  const names = NameTable.load(reader);
  const csr = (name: string): Csr => ({
    starts: reader.uint32(`${name}.starts`),
    values: reader.uint32(`${name}.values`),
  });
  const tables: SettledTables = {
    names,
    files: reader.int32('files'),
    symbols: reader.int32('symbols'),
    order: reader.int32('order'),
    references: reader.int32('references'),
    imports: reader.int32('imports'),
    bindings: reader.int32('bindings'),
    lists: reader.int32('lists'),
    named: csr('named'),
  };
  const lookups = { names: csr('names'), files: csr('files'), everywhere: csr('everywhere') };
  const graph = { tables, uses: csr('uses'), lookups };
  if (!isSound(graph)) {
    throw new BlackError('index_damaged', 'The parts of the stored graph do not fit together.', 'Build it again.');
  }
  return graph;
}

function isSound({ tables, uses, lookups }: SettledGraph): boolean {
  const { files, symbols, order, references, imports, bindings, lists, named } = tables;
  const nameCount = tables.names.count;
  const symbolCount = symbols.length / SYM_WIDTH;
  const referenceCount = references.length / REF_WIDTH;
  const fileCount = files.length / FILE_WIDTH;
  return (
    [fileCount, symbolCount, referenceCount, imports.length / IMP_WIDTH, bindings.length / BIND_WIDTH].every(
      Number.isInteger,
    ) &&
    order.length === symbolCount &&
    arePlaced(files, tables) &&
    isCsr(named, nameCount, symbolCount) &&
    isCsr(uses, symbolCount, referenceCount) &&
    isCsr(lookups.names, nameCount, fileCount) &&
    isCsr(lookups.files, fileCount, fileCount) &&
    isCsr(lookups.everywhere, nameCount, fileCount) &&
    areWithin(files, FILE_WIDTH, [
      [FileCol.LANGUAGE, HOLE, LANGUAGES.length],
      [FileCol.PACKAGE, -1, nameCount],
      [FileCol.STEM, 0, nameCount],
      [FileCol.FOLDER, 0, nameCount],
      [FileCol.WHOLE, 0, nameCount + 1],
    ]) &&
    areWithin(symbols, SYM_WIDTH, [
      [Sym.NAME, 0, nameCount],
      [Sym.FILE, 0, fileCount],
      [Sym.TYPE, -1, nameCount],
      [Sym.OWNER, -1, nameCount],
    ]) &&
    areWithin(references, REF_WIDTH, [
      [Ref.NAME, 0, nameCount],
      [Ref.RECEIVER, -1, nameCount],
      [Ref.TARGET, -1 - lists.length, symbolCount],
    ]) &&
    areWithin(imports, IMP_WIDTH, [
      [Imp.SPECIFIER, -1, nameCount],
      [Imp.IMPORTED, -1, nameCount],
      [Imp.LOCAL, -1, nameCount],
      [Imp.TARGET, -1, fileCount],
    ]) &&
    areWithin(bindings, BIND_WIDTH, [
      [Bind.NAME, 0, nameCount],
      [Bind.TYPE, -1, nameCount],
    ]) &&
    areLists(lists, symbolCount) &&
    areContained(files, tables)
  );
}

/** Whether columns hold numbers from a least one to below a bound. */
function areWithin(
  rows: Int32Array,
  width: number,
  columns: [column: number, least: number, bound: number][],
): boolean {
  for (const [column, least, bound] of columns) {
    for (let at = column; at < rows.length; at += width) if (rows[at]! < least || rows[at]! >= bound) return false;
  }
  return true;
}

function areLists(lists: Int32Array, symbolCount: number): boolean {
  let at = 0;
  while (at < lists.length) {
    const end = at + 1 + lists[at]!;
    if (end <= at || end > lists.length) return false;
    for (at++; at < end; at++) if (lists[at]! < 0 || lists[at]! >= symbolCount) return false;
  }
  return true;
}

/** Whether symbols lie in their file and in a container before them, and everything else in a symbol of its file. */
function areContained(files: Int32Array, { symbols, order, references, imports, bindings }: SettledTables): boolean {
  for (let file = 0; file * FILE_WIDTH < files.length; file++) {
    const cell = (column: number): number => files[file * FILE_WIDTH + column]!;
    const count = cell(FileCol.SYMBOLS);
    const first = cell(FileCol.FIRST_SYMBOL);
    for (let row = 0; row < count; row++) {
      const at = (first + row) * SYM_WIDTH;
      const container = symbols[at + Sym.CONTAINER]!;
      const place = order[first + row]!;
      if (kindOfSymbol(symbols[at + Sym.SHAPE]!) >= SYMBOL_KINDS.length) return false;
      if (symbols[at + Sym.FILE] !== file || container < -1 || container >= row) return false;
      if (place < 0 || place >= count) return false;
    }
    for (let row = 0; row < cell(FileCol.REFERENCES); row++) {
      const shape = references[(cell(FileCol.FIRST_REFERENCE) + row) * REF_WIDTH + Ref.SHAPE]!;
      if (containerOfReference(shape) >= count || kindOfReference(shape) >= ALL_REFERENCE_KINDS) return false;
    }
    for (let row = 0; row < cell(FileCol.IMPORTS); row++) {
      const container = imports[(cell(FileCol.FIRST_IMPORT) + row) * IMP_WIDTH + Imp.CONTAINER]!;
      if (container < -1 || container >= count) return false;
    }
    for (let row = 0; row < cell(FileCol.BINDINGS); row++) {
      const scope = bindings[(cell(FileCol.FIRST_BINDING) + row) * BIND_WIDTH + Bind.SCOPE]!;
      if (scope < -1 || scope >= count) return false;
    }
  }
  return true;
}
