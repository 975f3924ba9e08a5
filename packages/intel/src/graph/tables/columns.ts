import { REFERENCE_KINDS, SYMBOL_KINDS } from '../../parsing/file-facts.ts';
import { LANGUAGES, type Language } from '../../parsing/language.ts';

// The tables of the graph are rows of 32-bit integers. Names are numbers of the name table; a symbol is named within its
// file by its local row, as in the facts of a parse, and in the whole graph by its symbol number.

/** Columns of the table of symbols. */
export const Sym = {
  NAME: 0,
  /** Kind, flags and arity, see `shapeOfSymbol`. */
  SHAPE: 1,
  /** Local row of the container; -1 at the top of the file. */
  CONTAINER: 2,
  FILE: 3,
  START_LINE: 4,
  END_LINE: 5,
  /** Line and column, see `placeOf`. */
  NAME_PLACE: 6,
  /** First line and number of lines, packed like a place; 0 for none. */
  DOC: 7,
  SIGNATURE_END: 8,
  /** Name of its type; -1 for none. */
  TYPE: 9,
  /** Name of the type that it is a member of, where it is declared outside of it; -1 otherwise. */
  OWNER: 10,
} as const;
export const SYM_WIDTH = 11;

/** Columns of the table of references. */
export const Ref = {
  NAME: 0,
  PLACE: 1,
  /** Name of the receiver; -1 for none. */
  RECEIVER: 2,
  /** Kind, certainty, arity and container, see `shapeOfReference`. */
  SHAPE: 3,
  /** What it resolves to: a symbol's number; -1 for nothing; -2 - n for the list at n of the lists of targets. */
  TARGET: 4,
} as const;
export const REF_WIDTH = 5;

/**
 * Kinds of references that are not written as such but follow from a declaration, which is their container. `MEMBER_OF`: what
 * is declared outside of its type leads to the type, and so does an extension. `DECLARES`: a prototype leads to the
 * definition with a body.
 */
export const MEMBER_OF = REFERENCE_KINDS.length;
export const DECLARES = MEMBER_OF + 1;

export const EXTENSION = SYMBOL_KINDS.indexOf('extension');

/** Columns of the table of imports; rows of a file are in the order of LOCAL, those without it first. */
export const Imp = {
  SPECIFIER: 0,
  IMPORTED: 1,
  LOCAL: 2,
  LINE: 3,
  FLAGS: 4,
  /** Local row of the symbol that it stands in; -1 at the top of the file. */
  CONTAINER: 5,
  /** The file that is imported; -1 for none of the workspace. */
  TARGET: 6,
} as const;
export const IMP_WIDTH = 7;

/** Columns of the table of bindings; rows of a file are in the order of NAME, SCOPE, LINE. */
export const Bind = { NAME: 0, SCOPE: 1, LINE: 2, TYPE: 3 } as const;
export const BIND_WIDTH = 4;

/** Columns of the table of files: where the rows of a file lie in the other tables. */
export const FileCol = {
  FIRST_SYMBOL: 0,
  SYMBOLS: 1,
  FIRST_REFERENCE: 2,
  REFERENCES: 3,
  FIRST_IMPORT: 4,
  IMPORTS: 5,
  FIRST_BINDING: 6,
  BINDINGS: 7,
  /** Index into `LANGUAGES`; -1 for a file without one, -2 for a hole. */
  LANGUAGE: 8,
  /** Name of the package or namespace that the file declares; -1 for none. */
  PACKAGE: 9,
  /** Names of the file without its ending, and of its folder. */
  STEM: 10,
  FOLDER: 11,
  /** A name that stands for all that it hands on, plus 1; 0 for none. See `GraphTables.wholeName`. */
  WHOLE: 12,
} as const;
export const FILE_WIDTH = 13;

const NO_LANGUAGE = -1;
export const HOLE = -2;

export function languageNumber(language: Language | undefined): number {
  return language === undefined ? NO_LANGUAGE : LANGUAGES.indexOf(language);
}

const MAX_COLUMN = 0xfff;
const MAX_LINE = 0xfffff;

/** Line (20 bits) and column (12 bits) in one number; later ones are cut to the last that fits. Compare with `>>> 0`. */
export function placeOf(line: number, column: number): number {
  return (Math.min(line, MAX_LINE) << 12) | Math.min(column, MAX_COLUMN);
}

export function lineOf(place: number): number {
  return place >>> 12;
}

export function columnOf(place: number): number {
  return place & MAX_COLUMN;
}

const REST = 1000;
const ARITY_LIMIT = 60;
const ARITY_REST = 64;
const ARITY_NONE = 127;

/** Arity of the facts in 7 bits: up to 60, with a mark for a rest or spread. */
function packArity(arity: number): number {
  if (arity < 0) return ARITY_NONE;
  const rest = arity >= REST ? ARITY_REST : 0;
  return rest | Math.min(arity % REST, ARITY_LIMIT);
}

/** How many parameters or arguments; -1 where that has no meaning. With a rest or spread it is the least. */
export function arityOf(packed: number): number {
  return packed === ARITY_NONE ? -1 : packed & (ARITY_REST - 1);
}

export function hasRest(packed: number): boolean {
  return packed !== ARITY_NONE && (packed & ARITY_REST) !== 0;
}

/** Kind (8 bits), flags (8 bits), arity (7 bits). */
export function shapeOfSymbol(kind: number, flags: number, arity: number): number {
  return kind | ((flags & 0xff) << 8) | (packArity(arity) << 16);
}

export function kindOfSymbol(shape: number): number {
  return shape & 0xff;
}

export function flagsOfSymbol(shape: number): number {
  return (shape >> 8) & 0xff;
}

export function arityOfSymbol(shape: number): number {
  return (shape >> 16) & 0x7f;
}

const MAX_OWNER = 0x7ffff - 1;

/** Kind (4 bits), certainty (2 bits), arity (7 bits), local row of the container plus 1 (19 bits). */
export function shapeOfReference(kind: number, arity: number, container: number): number {
  const owner = container > MAX_OWNER ? 0 : container + 1;
  return kind | (packArity(arity) << 6) | (owner << 13);
}

export function kindOfReference(shape: number): number {
  return shape & 0xf;
}

export function certaintyOfReference(shape: number): number {
  return (shape >> 4) & 3;
}

export function withCertainty(shape: number, certainty: number): number {
  return (shape & ~0x30) | (certainty << 4);
}

export function arityOfReference(shape: number): number {
  return (shape >> 6) & 0x7f;
}

/** Local row of the symbol around it; -1 at the top of the file. */
export function containerOfReference(shape: number): number {
  return (shape >>> 13) - 1;
}
