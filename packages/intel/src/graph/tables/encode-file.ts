import {
  BINDING_WIDTH,
  BindingColumn,
  type FileFacts,
  IMPORT_WIDTH,
  ImportColumn,
  ImportFlag,
  REFERENCE_WIDTH,
  ReferenceColumn,
  SYMBOL_WIDTH,
  SymbolColumn,
  SymbolFlag,
} from '../../parsing/file-facts.ts';
import type { NameId, NameTable } from '../names/name-table.ts';
import {
  BIND_WIDTH,
  Bind,
  DECLARES,
  EXTENSION,
  flagsOfSymbol,
  Imp,
  kindOfSymbol,
  languageNumber,
  MEMBER_OF,
  placeOf,
  REF_WIDTH,
  Ref,
  SYM_WIDTH,
  Sym,
  shapeOfReference,
  shapeOfSymbol,
} from './columns.ts';

/** Set on an import that is not written but follows from one. Above the flags of the facts. */
export const IS_IMPLIED = 1 << 17;

/** The rows of one file, with names of the whole graph. */
export interface EncodedFile {
  language: number;
  packageName: NameId;
  symbols: Int32Array;
  /** Local rows of the symbols in the order of name, container, row: they are found by binary search. */
  order: Int32Array;
  references: Int32Array;
  imports: Int32Array;
  bindings: Int32Array;
}

/** Turns the facts of a parse into rows of the graph's tables. */
export function encodeFile(file: number, facts: FileFacts, names: NameTable): EncodedFile {
  const ids = Int32Array.from(facts.names, (name) => names.intern(name));
  const nameOf = (index: number): NameId => (index < 0 ? -1 : ids[index]!);
  const symbols = encodeSymbols(file, facts.symbols, nameOf);
  return {
    language: languageNumber(facts.language),
    packageName: packageOf(facts.imports, nameOf),
    symbols,
    order: memberOrder(symbols),
    references: withImplied(encodeReferences(facts.references, nameOf), symbols, facts, names),
    imports: encodeImports(facts, names, ids),
    bindings: encodeBindings(facts.bindings, nameOf),
  };
}

function encodeSymbols(file: number, from: Int32Array, nameOf: (index: number) => NameId): Int32Array {
  const rows = new Int32Array((from.length / SYMBOL_WIDTH) * SYM_WIDTH);
  for (let at = 0, to = 0; at < from.length; at += SYMBOL_WIDTH, to += SYM_WIDTH) {
    const cell = (column: number): number => from[at + column]!;
    const docStart = cell(SymbolColumn.DOC_START);
    rows[to + Sym.NAME] = nameOf(cell(SymbolColumn.NAME));
    rows[to + Sym.SHAPE] = shapeOfSymbol(cell(SymbolColumn.KIND), cell(SymbolColumn.FLAGS), cell(SymbolColumn.ARITY));
    rows[to + Sym.CONTAINER] = cell(SymbolColumn.CONTAINER);
    rows[to + Sym.FILE] = file;
    rows[to + Sym.START_LINE] = cell(SymbolColumn.START_LINE);
    rows[to + Sym.END_LINE] = cell(SymbolColumn.END_LINE);
    rows[to + Sym.NAME_PLACE] = placeOf(cell(SymbolColumn.NAME_LINE), cell(SymbolColumn.NAME_COLUMN));
    rows[to + Sym.DOC] = docStart === 0 ? 0 : placeOf(docStart, cell(SymbolColumn.DOC_END) - docStart);
    rows[to + Sym.SIGNATURE_END] = cell(SymbolColumn.SIGNATURE_END);
    rows[to + Sym.TYPE] = nameOf(cell(SymbolColumn.TYPE));
    rows[to + Sym.OWNER] = nameOf(cell(SymbolColumn.OWNER));
  }
  return rows;
}

function encodeReferences(from: Int32Array, nameOf: (index: number) => NameId): Int32Array {
  const rows = new Int32Array((from.length / REFERENCE_WIDTH) * REF_WIDTH);
  for (let at = 0, to = 0; at < from.length; at += REFERENCE_WIDTH, to += REF_WIDTH) {
    rows[to + Ref.NAME] = nameOf(from[at + ReferenceColumn.NAME]!);
    rows[to + Ref.PLACE] = placeOf(from[at + ReferenceColumn.LINE]!, from[at + ReferenceColumn.COLUMN]!);
    rows[to + Ref.RECEIVER] = nameOf(from[at + ReferenceColumn.RECEIVER]!);
    rows[to + Ref.SHAPE] = shapeOfReference(
      from[at + ReferenceColumn.KIND]!,
      from[at + ReferenceColumn.ARITY]!,
      from[at + ReferenceColumn.CONTAINER]!,
    );
    rows[to + Ref.TARGET] = -1;
  }
  return rows;
}

/** References with those that follow from declarations, all in the order of their places. */
function withImplied(written: Int32Array, symbols: Int32Array, facts: FileFacts, names: NameTable): Int32Array {
  const hasPrototypes = facts.language === 'c' || facts.language === 'cpp';
  const implied: number[][] = [];
  for (let at = 0; at < symbols.length; at += SYM_WIDTH) {
    const shape = symbols[at + Sym.SHAPE]!;
    const owner = symbols[at + Sym.OWNER]!;
    const add = (kind: number, name: NameId): void => {
      const row: number[] = [];
      row[Ref.NAME] = name;
      row[Ref.PLACE] = symbols[at + Sym.NAME_PLACE]!;
      row[Ref.RECEIVER] = -1;
      row[Ref.SHAPE] = shapeOfReference(kind, -1, at / SYM_WIDTH);
      row[Ref.TARGET] = -1;
      implied.push(row);
    };
    if (kindOfSymbol(shape) === EXTENSION) add(MEMBER_OF, symbols[at + Sym.NAME]!);
    else if (owner >= 0) add(MEMBER_OF, names.intern(lastPart(names.text(owner))));
    if (hasPrototypes && (flagsOfSymbol(shape) & SymbolFlag.ABSTRACT) !== 0) add(DECLARES, symbols[at + Sym.NAME]!);
  }
  if (implied.length === 0) return written;
  const rows = Array.from({ length: written.length / REF_WIDTH }, (_, row) => {
    return [...written.subarray(row * REF_WIDTH, (row + 1) * REF_WIDTH)];
  });
  rows.push(...implied);
  return Int32Array.from(rows.sort((one, other) => (one[Ref.PLACE]! >>> 0) - (other[Ref.PLACE]! >>> 0)).flat());
}

/** `b` of `a.b`. */
export function lastPart(dotted: string): string {
  return dotted.slice(dotted.lastIndexOf('.') + 1);
}

function encodeImports(facts: FileFacts, names: NameTable, ids: Int32Array): Int32Array {
  const nameOf = (index: number): NameId => (index < 0 ? -1 : ids[index]!);
  const rows: number[][] = [];
  for (let at = 0; at < facts.imports.length; at += IMPORT_WIDTH) {
    const cell = (column: number): number => facts.imports[at + column]!;
    const row: number[] = [];
    row[Imp.SPECIFIER] = nameOf(cell(ImportColumn.SPECIFIER));
    row[Imp.IMPORTED] = nameOf(cell(ImportColumn.IMPORTED));
    row[Imp.LOCAL] = nameOf(cell(ImportColumn.LOCAL));
    row[Imp.LINE] = cell(ImportColumn.LINE);
    row[Imp.FLAGS] = cell(ImportColumn.FLAGS);
    row[Imp.CONTAINER] = cell(ImportColumn.CONTAINER);
    row[Imp.TARGET] = -1;
    rows.push(row);
    const implied = impliedImport(row, names);
    if (implied) rows.push(implied);
  }
  // The sort is stable: rows of one name stay in their order.
  return Int32Array.from(rows.sort((one, other) => one[Imp.LOCAL]! - other[Imp.LOCAL]!).flat());
}

/** `import a.b.c` makes `a` known, from which the rest is reached. */
function impliedImport(row: number[], names: NameTable): number[] | undefined {
  const local = row[Imp.LOCAL]!;
  if (local < 0 || local !== row[Imp.SPECIFIER]) return undefined;
  const text = names.text(local);
  const dot = text.indexOf('.');
  if (dot <= 0) return undefined;
  const first = names.intern(text.slice(0, dot));
  const implied = [...row];
  implied[Imp.SPECIFIER] = first;
  implied[Imp.LOCAL] = first;
  implied[Imp.FLAGS] = row[Imp.FLAGS]! | IS_IMPLIED;
  return implied;
}

function encodeBindings(from: Int32Array, nameOf: (index: number) => NameId): Int32Array {
  const count = from.length / BINDING_WIDTH;
  const cell = (row: number, column: number): number => from[row * BINDING_WIDTH + column]!;
  // Name, then scope: together they fit into the 53 bits of a number.
  const keys = Float64Array.from({ length: count }, (_, row) => {
    return nameOf(cell(row, BindingColumn.NAME)) * SCOPES + cell(row, BindingColumn.SCOPE) + 1;
  });
  const order = rowNumbers(count).sort((one, other) => {
    return keys[one]! - keys[other]! || cell(one, BindingColumn.LINE) - cell(other, BindingColumn.LINE) || one - other;
  });
  const rows = new Int32Array(count * BIND_WIDTH);
  for (let to = 0; to < rows.length; to += BIND_WIDTH) {
    const row = order[to / BIND_WIDTH]!;
    rows[to + Bind.NAME] = nameOf(cell(row, BindingColumn.NAME));
    rows[to + Bind.SCOPE] = cell(row, BindingColumn.SCOPE);
    rows[to + Bind.LINE] = cell(row, BindingColumn.LINE);
    rows[to + Bind.TYPE] = nameOf(cell(row, BindingColumn.TYPE));
  }
  return rows;
}

function memberOrder(symbols: Int32Array): Int32Array {
  const count = symbols.length / SYM_WIDTH;
  const keys = Float64Array.from({ length: count }, (_, row) => {
    return symbols[row * SYM_WIDTH + Sym.NAME]! * SCOPES + symbols[row * SYM_WIDTH + Sym.CONTAINER]! + 1;
  });
  return rowNumbers(count).sort((one, other) => keys[one]! - keys[other]! || one - other);
}

const SCOPES = 2 ** 21;

function rowNumbers(count: number): Int32Array {
  return Int32Array.from({ length: count }, (_, row) => row);
}

/** What the first declaration of a package says. */
function packageOf(imports: Int32Array, nameOf: (index: number) => NameId): NameId {
  for (let at = 0; at < imports.length; at += IMPORT_WIDTH) {
    if ((imports[at + ImportColumn.FLAGS]! & ImportFlag.PACKAGE) === 0) continue;
    const local = imports[at + ImportColumn.LOCAL]!;
    return nameOf(local >= 0 ? local : imports[at + ImportColumn.SPECIFIER]!);
  }
  return -1;
}
