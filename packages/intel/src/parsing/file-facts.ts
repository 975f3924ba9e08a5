import type { Language } from './language.ts';

/** What a symbol is. The numbers are stored; new kinds go to the end. */
export const SYMBOL_KINDS = [
  'function',
  'method',
  'constructor',
  'class',
  'interface',
  'struct',
  'enum',
  'enum-member',
  'trait',
  'type',
  'module',
  'field',
  'property',
  'constant',
  'variable',
  'macro',
  /** Members for a type that is declared elsewhere under the same name: `impl`, `extension`. */
  'extension',
] as const;
export type SymbolKind = (typeof SYMBOL_KINDS)[number];

/** How a name is used. The numbers are stored; new kinds go to the end. */
export const REFERENCE_KINDS = ['call', 'new', 'type', 'extends', 'implements', 'decorator', 'read', 'write'] as const;
export type ReferenceKind = (typeof REFERENCE_KINDS)[number];

/** Bits of `SymbolColumn.FLAGS`. */
export const SymbolFlag = {
  /** Visible outside of its file, of itself or as a member of a symbol that is. */
  EXPORTED: 1,
  DEFAULT: 2,
  STATIC: 4,
  ASYNC: 8,
  ABSTRACT: 16,
  PRIVATE: 32,
  /** It is a test, or lies in a file of tests. */
  TEST: 64,
  OVERRIDE: 128,
} as const;

/**
 * Columns of `FileFacts.symbols`, one row a symbol, in the order of their starts, a container before its members. Lines
 * count from 1, columns from 0 in UTF-16 units. Only places are kept: signature and doc comment are read from the file
 * when somebody asks.
 */
export const SymbolColumn = {
  /** Index into `names`. */
  NAME: 0,
  /** Index into `SYMBOL_KINDS`. */
  KIND: 1,
  /** Row of the symbol that it lies in; -1 at the top of the file. */
  CONTAINER: 2,
  FLAGS: 3,
  /** First line of the declaration with its decorators, without its doc comment. */
  START_LINE: 4,
  END_LINE: 5,
  NAME_LINE: 6,
  NAME_COLUMN: 7,
  /** First line of the doc comment above it or of the docstring in it; 0 where there is none. */
  DOC_START: 8,
  DOC_END: 9,
  /** Last line of its signature: the one where the body begins, or END_LINE. */
  SIGNATURE_END: 10,
  /** Simple name of the declared type, or of the type that a call returns; -1 where it says none. Index into `names`. */
  TYPE: 11,
  /** How many parameters; -1 where it takes none by its nature. A rest parameter adds 1000 and is not counted itself. */
  ARITY: 12,
  /**
   * The type that it is a member of, when it is declared outside of it (`func (s *Store) Save`, `void Store::save()`) and
   * the type does not stand before it in the file; -1 otherwise. A simple or dotted name: index into `names`.
   */
  OWNER: 13,
} as const;
export const SYMBOL_WIDTH = 14;

/** Columns of `FileFacts.references`, in the order of their places. */
export const ReferenceColumn = {
  /** The last name of the expression (`c` of `a.b.c()`), as it stands there. Index into `names`. */
  NAME: 0,
  /** Index into `REFERENCE_KINDS`. */
  KIND: 1,
  /** Row of the innermost symbol around it; -1 at the top of the file. */
  CONTAINER: 2,
  LINE: 3,
  COLUMN: 4,
  /**
   * What stands before the name (`a.b` of `a.b.c()`), without spaces, when it is a chain of names, of `this` or `super`
   * (so called in all languages), calls without their arguments (`a.b()`) and indexed elements (`a[]`), joined by dots; -1
   * where nothing does. `?` for any other expression. Index into `names`.
   */
  RECEIVER: 5,
  /** How many arguments a call gives; -1 for what is no call. A spread adds 1000 and is not counted itself. */
  ARITY: 6,
} as const;
export const REFERENCE_WIDTH = 7;

/** Bits of `ImportColumn.FLAGS`. */
export const ImportFlag = {
  /** `export … from`: what is imported is handed on under the local name. */
  RE_EXPORT: 1,
  TYPE_ONLY: 2,
  /** An export of something of this file under another name, or of the default: SPECIFIER is -1, IMPORTED the name in the file. */
  LOCAL_EXPORT: 4,
  /** Brings in every name: `from x import *`, `using namespace`, `import a.b.*`, C's `#include`. */
  WILDCARD: 8,
  /** `#include <…>`, `package …` and the like: LOCAL says what. The file's own package or namespace. */
  PACKAGE: 16,
} as const;

/** Columns of `FileFacts.imports`, one row a name that is brought in (one for an import of none). */
export const ImportColumn = {
  /** What is imported, as written, without quotes: `./store`, `a.b.c`, `..pkg`, `stdio.h`. Index into `names`; -1 for a local export. */
  SPECIFIER: 0,
  /** The name at its origin; `*` for the module as a whole, `default`, -1 for none. Index into `names`. */
  IMPORTED: 1,
  /**
   * The name here; -1 for none. `import a.b` of Python is known as `a.b`. Of a local export the name outside: `default`, or
   * `export=` where it is the module itself (`module.exports = x`). Index into `names`.
   */
  LOCAL: 2,
  LINE: 3,
  FLAGS: 4,
  /** Row of the symbol that the import stands in; -1 at the top of the file. */
  CONTAINER: 5,
} as const;
export const IMPORT_WIDTH = 6;

/**
 * Columns of `FileFacts.bindings`: what a line says of the type of a variable, parameter or field. From them the resolver
 * finds out what `a.b()` is called on. Parameters and variables of functions have a row even where nothing is said of
 * their type: they hide what has the same name outside.
 */
export const BindingColumn = {
  /** The variable; `this.x` (whatever `this` is called in the language) for a field. Index into `names`. */
  NAME: 0,
  /** Row of the symbol in which it is known; -1 in the whole file. For a field the class. */
  SCOPE: 1,
  LINE: 2,
  /**
   * Its type: the simple or dotted name of an annotation or of the class that is constructed (`Store`, `a.Store`), an
   * element type after `[]` (`[]Store` for what is iterated or indexed), the chain of a call with `()` after it
   * (`open()`, `this.make()`: whatever that returns), or another chain of which it is a copy, after `=` (`=a.b`; `=a.b[]`:
   * an element of that). -1: nothing is said. Index into `names`.
   */
  TYPE: 3,
} as const;
export const BINDING_WIDTH = 4;

/** What one parse of a file found. All of it is plain data: it crosses threads and goes to the disk. */
export interface FileFacts {
  /** Undefined: a file without a grammar, or one that was not parsed; see `state`. */
  language: Language | undefined;
  /**
   * `parsed`; `partial`: parsed, with syntax errors; `text`: no grammar; `skipped`: too large, minified, generated or too
   * slow to parse: searched as text only; `binary` and `unreadable`: nothing of it is known.
   */
  state: 'parsed' | 'partial' | 'text' | 'skipped' | 'binary' | 'unreadable';
  /** Why, in a few words, when `skipped` or `unreadable`; syntax errors are counted here when `partial`. */
  why?: string;
  /** How many lines the file has. */
  lines: number;
  names: string[];
  symbols: Int32Array;
  references: Int32Array;
  imports: Int32Array;
  bindings: Int32Array;
}
