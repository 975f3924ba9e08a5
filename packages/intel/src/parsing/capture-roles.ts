import type { Query } from 'web-tree-sitter';
import { ImportFlag, REFERENCE_KINDS, SYMBOL_KINDS, SymbolFlag } from './file-facts.ts';

/** What the head of a match says it is; see `LanguageSpec`. */
export const Head = {
  SYMBOL: 0,
  REFERENCE: 1,
  COMPONENT: 2,
  IMPORT: 3,
  EXPORT: 4,
  BIND: 5,
  BIND_FIELD: 6,
  LOCAL: 7,
  IGNORE: 8,
  DOC: 9,
  DOC_INSIDE: 10,
  LEADING: 11,
  OUTER: 12,
  MANY: 13,
  UNCOUNTED: 14,
  BIND_MEMBER: 15,
} as const;

/** The parts of a match, by their names in the query. */
export const PARTS = [
  'name',
  'type',
  'value',
  'element',
  'body',
  'parameters',
  'function',
  'owner',
  'receiver',
  'arguments',
  'specifier',
  'imported',
  'alias',
  'guard',
  'list',
  'statement',
] as const;
export type PartName = (typeof PARTS)[number];
export const Part = Object.fromEntries(PARTS.map((name, index) => [name, index])) as Readonly<Record<PartName, number>>;

/** What `@outer` says of the declarations in it. */
export const OuterFlag = { EXPORTED: 1, DEFAULT: 2 } as const;

const IMPORT_FLAGS: Readonly<Record<string, number>> = {
  wildcard: ImportFlag.WILDCARD,
  package: ImportFlag.PACKAGE,
  export: ImportFlag.RE_EXPORT,
};
const OUTER_FLAGS: Readonly<Record<string, number>> = {
  exported: OuterFlag.EXPORTED,
  default: OuterFlag.EXPORTED | OuterFlag.DEFAULT,
};
const PLAIN_HEADS: Readonly<Record<string, number>> = {
  export: Head.EXPORT,
  bind: Head.BIND,
  'bind.field': Head.BIND_FIELD,
  'bind.member': Head.BIND_MEMBER,
  local: Head.LOCAL,
  ignore: Head.IGNORE,
  doc: Head.DOC,
  'doc.inside': Head.DOC_INSIDE,
  leading: Head.LEADING,
  many: Head.MANY,
  uncounted: Head.UNCOUNTED,
  'ref.component': Head.COMPONENT,
};

export type Constants = Readonly<Partial<Record<PartName, string>>>;

const FLAGS: Readonly<Record<string, number>> = {
  test: SymbolFlag.TEST,
  exported: SymbolFlag.EXPORTED,
  abstract: SymbolFlag.ABSTRACT,
  static: SymbolFlag.STATIC,
};

/** What the captures and patterns of a query mean. All arrays are indexed by the number of a capture or a pattern. */
export interface CaptureRoles {
  /** A `Head`, or -1 for a part. */
  heads: Int8Array;
  /** Index of the kind, or bits. */
  values: Int32Array;
  /** A `Part`, or -1 for a head. */
  parts: Int8Array;
  /** Words of which the text of `@guard` must be one. */
  guards: (ReadonlySet<string> | undefined)[];
  /** Words of which it must be none. */
  exceptions: (ReadonlySet<string> | undefined)[];
  /** Parts whose text is the same for all matches of a pattern. */
  constants: (Constants | undefined)[];
  /** `SymbolFlag`s that a pattern gives. */
  flags: Int32Array;
}

/** Reads the captures and `#set!` directives of a query. @throws for a name that the convention does not know. */
export function captureRoles(query: Query): CaptureRoles {
  const { captureNames, setProperties } = query;
  const heads = new Int8Array(captureNames.length).fill(-1);
  const parts = new Int8Array(captureNames.length).fill(-1);
  const values = new Int32Array(captureNames.length);
  for (const [index, name] of captureNames.entries()) {
    const part = Part[name as PartName] ?? -1;
    parts[index] = part;
    if (part < 0) [heads[index], values[index]] = headOf(name);
  }
  // It has holes.
  const properties = Array.from(setProperties, (each) => (each ?? {}) as Readonly<Record<string, string | null>>);
  return {
    heads,
    values,
    parts,
    guards: properties.map(({ guard }) => (guard ? new Set(guard.split(' ')) : undefined)),
    exceptions: properties.map(({ except }) => (except ? new Set(except.split(' ')) : undefined)),
    constants: properties.map(constantsOf),
    flags: Int32Array.from(properties, ({ flag }) => (flag ? bits(FLAGS, [flag], flag) : 0)),
  };
}

function constantsOf({
  guard: _,
  except: ___,
  flag: __,
  ...constants
}: Readonly<Record<string, string | null>>): Constants | undefined {
  for (const part of Object.keys(constants)) {
    if (!(part in Part)) throw new Error(`a query sets an unknown part: ${part}`);
  }
  return Object.keys(constants).length === 0 ? undefined : (constants as Constants);
}

function headOf(name: string): [head: number, value: number] {
  const plain = PLAIN_HEADS[name];
  if (plain !== undefined) return [plain, 0];
  const [head, ...rest] = name.split('.');
  const kind = rest.join('.');
  if (head === 'symbol') return [Head.SYMBOL, indexIn(SYMBOL_KINDS, kind, name)];
  if (head === 'ref') return [Head.REFERENCE, indexIn(REFERENCE_KINDS, kind, name)];
  if (head === 'import') return [Head.IMPORT, bits(IMPORT_FLAGS, rest, name)];
  if (head === 'outer') return [Head.OUTER, bits(OUTER_FLAGS, rest, name)];
  throw new Error(`a query has an unknown capture: @${name}`);
}

function indexIn(kinds: readonly string[], kind: string, name: string): number {
  const index = kinds.indexOf(kind);
  if (index < 0) throw new Error(`a query has a capture of an unknown kind: @${name}`);
  return index;
}

function bits(known: Readonly<Record<string, number>>, words: readonly string[], name: string): number {
  return words.reduce((sum, word) => {
    const bit = known[word];
    if (bit === undefined) throw new Error(`a query has an unknown capture: @${name}`);
    return sum | bit;
  }, 0);
}
