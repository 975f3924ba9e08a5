import { REFERENCE_KINDS, SYMBOL_KINDS, type SymbolKind } from '../../parsing/file-facts.ts';
import { arityOf, hasRest } from '../tables/columns.ts';

/** What a name is looked up for. */
export const Want = { TYPE: 0, CALL: 1, NEW: 2, VALUE: 3 } as const;
export type Want = (typeof Want)[keyof typeof Want];

const BY_REFERENCE: Readonly<Record<(typeof REFERENCE_KINDS)[number], Want>> = {
  call: Want.CALL,
  new: Want.NEW,
  type: Want.TYPE,
  extends: Want.TYPE,
  implements: Want.TYPE,
  decorator: Want.CALL,
  read: Want.VALUE,
  write: Want.VALUE,
};
const WANTS = REFERENCE_KINDS.map((kind) => BY_REFERENCE[kind]);

/** @param kind index into `REFERENCE_KINDS` */
export function wantOf(kind: number): Want {
  return WANTS[kind]!;
}

/** How well a symbol of a kind fits, for type, call, construction, value; 0 where it hardly can be meant. */
const FIT: Readonly<Record<SymbolKind, readonly [number, number, number, number]>> = {
  function: [0, 3, 2, 3],
  method: [0, 3, 0, 3],
  constructor: [0, 3, 3, 1],
  class: [3, 2, 3, 2],
  interface: [3, 0, 1, 1],
  struct: [3, 2, 3, 2],
  enum: [3, 1, 1, 2],
  'enum-member': [1, 1, 1, 3],
  trait: [3, 0, 1, 1],
  type: [3, 1, 1, 1],
  module: [1, 0, 0, 2],
  field: [0, 1, 1, 3],
  property: [0, 1, 1, 3],
  constant: [1, 1, 1, 3],
  variable: [1, 1, 1, 3],
  macro: [0, 3, 0, 2],
  extension: [1, 0, 0, 0],
};
const FITS = SYMBOL_KINDS.map((kind) => FIT[kind]);

/** @param kind index into `SYMBOL_KINDS` */
export function fitOf(kind: number, want: Want): number {
  return FITS[kind]![want]!;
}

/** Arity of a look-up that is no call. */
export const NO_ARITY = 127;

/** 2 where as many arguments are given as there are parameters, 1 where they may be right, 0 where they can't. */
export function fitOfArity(parameters: number, args: number): number {
  if (args === NO_ARITY || parameters === NO_ARITY) return 1;
  const [takes, gives] = [arityOf(parameters), arityOf(args)];
  if (takes === gives) return 2;
  // A parameter may have a default.
  return gives < takes || hasRest(parameters) || hasRest(args) ? 1 : 0;
}

function numbersOf(kinds: readonly SymbolKind[]): ReadonlySet<number> {
  return new Set(kinds.map((kind) => SYMBOL_KINDS.indexOf(kind)));
}

export const CLASSES = numbersOf(['class', 'interface', 'struct', 'enum', 'trait', 'type', 'extension']);
export const FUNCTIONS = numbersOf(['function', 'method', 'constructor', 'macro']);
export const HOLDERS = numbersOf(['field', 'property', 'constant', 'variable', 'enum-member']);
export const MODULE = SYMBOL_KINDS.indexOf('module');
