import type { FileId } from '../../files/file-table.ts';
import type { SymbolId } from '../code-graph-api.ts';

/**
 * What an expression may stand for, in one number: nothing that is known; something that is known to come from outside the
 * workspace; a symbol itself (a class, a function, a variable); an object of a class; a file as module; a list of objects
 * of a class; a package, by its name.
 */
export type Value = number;

export const UNKNOWN: Value = 0;
export const OUTSIDE: Value = 1;

const TAGS = 8;
export const Tag = { NONE: 0, SYMBOL: 2, OBJECT: 3, MODULE: 4, LIST: 5, PACKAGE: 6 } as const;

export function symbolValue(symbol: SymbolId): Value {
  return (symbol + 1) * TAGS + Tag.SYMBOL;
}

export function objectOf(symbol: SymbolId): Value {
  return (symbol + 1) * TAGS + Tag.OBJECT;
}

export function moduleValue(file: FileId): Value {
  return (file + 1) * TAGS + Tag.MODULE;
}

export function listOf(symbol: SymbolId): Value {
  return (symbol + 1) * TAGS + Tag.LIST;
}

export function packageValue(name: number): Value {
  return (name + 1) * TAGS + Tag.PACKAGE;
}

export function tagOf(value: Value): number {
  return value < TAGS ? Tag.NONE : value % TAGS;
}

/** The symbol, file or name in it. */
export function idOf(value: Value): number {
  return Math.floor(value / TAGS) - 1;
}
