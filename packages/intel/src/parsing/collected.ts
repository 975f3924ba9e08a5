import type { SymbolKind } from './file-facts.ts';
import { IntRows } from './int-rows.ts';
import { NameTable } from './name-table.ts';

/** Columns of `Collected.references`. The name of a declaration is a row, too: with KIND -1, it hides uses at its place. */
export const RawReference = {
  START: 0,
  NAME: 1,
  KIND: 2,
  LINE: 3,
  COLUMN: 4,
  RECEIVER: 5,
  ARITY: 6,
  PATTERN: 7,
  /** Where the arguments begin; -1 without. */
  LIST: 8,
} as const;
/** Columns of `Collected.imports`. */
export const RawImport = {
  ORIGIN: 0,
  SPECIFIER: 1,
  IMPORTED: 2,
  LOCAL: 3,
  LINE: 4,
  FLAGS: 5,
  PLACE: 6,
  PATTERN: 7,
} as const;
/** Columns of `Collected.bindings`. */
export const RawBinding = { START: 0, NAME: 1, LINE: 2, TYPE: 3, IS_FIELD: 4 } as const;
/** Columns of `Collected.comments`, `docstrings`, `leading` and `outers`. */
export const RawSpan = { START: 0, END: 1, FLAGS: 2 } as const;

/** A declaration as it was found, and the place that is found for it later. Offsets are -1 where there is no such part. */
export interface SymbolDraft {
  name: string;
  kind: SymbolKind;
  /** Bits of `SymbolFlag`. */
  flags: number;
  pattern: number;
  start: number;
  end: number;
  nameStart: number;
  nameLine: number;
  nameColumn: number;
  bodyStart: number;
  listStart: number;
  parameters: number;
  functionStart: number;
  /** Where the statement begins that declares a variable. */
  statementStart: number;
  owner: string;
  type: string | undefined;
  /** The type of what it is initialised with, in the form of `BindingColumn.TYPE`. */
  valueType: string | undefined;
  /** Where it begins with decorators and `export`. */
  outerStart: number;
  /** The type that it belongs to, where that is not its container; empty without. */
  memberOf: string;
  /** Row of the symbol around it in the text; -1 at the top. */
  parent: number;
  /** Row of the symbol that it belongs to: `parent`, but the class for `this.x = …` in a method. */
  container: number;
  docStart: number;
  docEnd: number;
}

/** What the matches of one file say, in their order and with offsets instead of containers. */
export interface Collected {
  names: NameTable;
  symbols: SymbolDraft[];
  references: IntRows;
  imports: IntRows;
  bindings: IntRows;
  comments: IntRows;
  docstrings: IntRows;
  leading: IntRows;
  outers: IntRows;
  /** Where the names of imports stand. */
  imported: Set<number>;
  /** Start of arguments or parameters → what is to be added to their number. */
  corrections: Map<number, number>;
}

/** Nothing yet. */
export function nothingCollected(): Collected {
  return {
    names: new NameTable(),
    symbols: [],
    references: new IntRows(9, 256),
    imports: new IntRows(8, 16),
    bindings: new IntRows(5, 64),
    comments: new IntRows(3, 16),
    docstrings: new IntRows(3, 16),
    leading: new IntRows(3, 16),
    outers: new IntRows(3, 16),
    imported: new Set(),
    corrections: new Map(),
  };
}
