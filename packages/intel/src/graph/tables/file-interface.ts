import type { FileId } from '../../files/file-table.ts';
import { ImportFlag, REFERENCE_KINDS, SYMBOL_KINDS, SymbolFlag } from '../../parsing/file-facts.ts';
import type { SymbolId } from '../code-graph-api.ts';
import type { NameId } from '../names/name-table.ts';
import {
  Bind,
  containerOfReference,
  FileCol,
  flagsOfSymbol,
  Imp,
  kindOfReference,
  kindOfSymbol,
  Ref,
  Sym,
} from './columns.ts';
import type { GraphTables } from './graph-tables.ts';

/**
 * What other files can see of a file, hashed by the names under which they look: two files with the same hash for a name
 * answer every look-up of that name alike. Places do not count. The way out of the question which references must be
 * resolved again after an edit: those of the files that looked up a name whose hash is another one now.
 */
export interface FileInterface {
  /** Symbols and bindings. */
  names: Map<NameId, number>;
  symbols: Map<NameId, SymbolId[]>;
}

const IS_FUNCTION = new Set(
  ['function', 'method', 'constructor'].map((kind) => SYMBOL_KINDS.indexOf(kind as 'method')),
);
const EXTENDS = REFERENCE_KINDS.indexOf('extends');
const IMPLEMENTS = REFERENCE_KINDS.indexOf('implements');

/** The interface of a file without its imports. */
export function interfaceOf(file: FileId, tables: GraphTables): FileInterface {
  const names = new Map<NameId, number>();
  const add = (name: NameId, hash: number): void => {
    names.set(name, mix(names.get(name) ?? 1, hash));
  };
  const { symbols: byName, identities } = addSymbols(file, tables, add);
  addBindings(file, tables, identities, add);
  return { names, symbols: byName };
}

/** The names that two versions of a file do not show alike, and which old symbol is which new one under the others. */
export function compareInterfaces(
  old: FileInterface,
  now: FileInterface,
): { changed: Set<NameId>; moved: Map<SymbolId, SymbolId> } {
  const changed = new Set<NameId>();
  const moved = new Map<SymbolId, SymbolId>();
  for (const [name, hash] of now.names) if (old.names.get(name) !== hash) changed.add(name);
  for (const name of old.names.keys()) if (!now.names.has(name)) changed.add(name);
  for (const [name, symbols] of old.symbols) {
    if (changed.has(name)) continue;
    const others = now.symbols.get(name)!;
    symbols.forEach((symbol, index) => {
      moved.set(symbol, others[index]!);
    });
  }
  return { changed, moved };
}

/** What a file hands on of others, by the name under which it does; `all` is the name for what it hands on whole. */
export function importsOf(file: FileId, tables: GraphTables, all: NameId): Map<NameId, number> {
  const hashes = new Map<NameId, number>();
  const first = tables.file(file, FileCol.FIRST_IMPORT);
  for (let row = first; row < first + tables.file(file, FileCol.IMPORTS); row++) {
    const flags = tables.imports.get(row, Imp.FLAGS);
    const local = tables.imports.get(row, Imp.LOCAL);
    const name = (flags & ImportFlag.WILDCARD) !== 0 || local < 0 ? all : local;
    let hash = mix(hashes.get(name) ?? 1, tables.imports.get(row, Imp.IMPORTED));
    for (const column of [Imp.FLAGS, Imp.CONTAINER, Imp.TARGET, Imp.SPECIFIER]) {
      hash = mix(hash, tables.imports.get(row, column));
    }
    hashes.set(name, hash);
  }
  return hashes;
}

function addSymbols(
  file: FileId,
  tables: GraphTables,
  add: (name: NameId, hash: number) => void,
): { symbols: Map<NameId, SymbolId[]>; identities: Int32Array } {
  const first = tables.file(file, FileCol.FIRST_SYMBOL);
  const count = tables.file(file, FileCol.SYMBOLS);
  const bases = basesOf(file, tables);
  const ordinals = ordinalsOf(file, tables);
  const identities = new Int32Array(count);
  const symbols = new Map<NameId, SymbolId[]>();
  const byDefault = tables.names.intern('default');
  // Of another package or language a file has nothing that it had before.
  const whole = mix(tables.file(file, FileCol.LANGUAGE), tables.file(file, FileCol.PACKAGE));
  for (let row = 0; row < count; row++) {
    const symbol = first + row;
    const name = tables.symbols.get(symbol, Sym.NAME);
    const container = tables.symbols.get(symbol, Sym.CONTAINER);
    const shape = tables.symbols.get(symbol, Sym.SHAPE);
    const around = container < 0 ? whole : identities[container]!;
    identities[row] = mix(mix(mix(around, name), ordinals[row]!), kindOfSymbol(shape));
    const declared = mix(mix(identities[row]!, shape), tables.symbols.get(symbol, Sym.TYPE));
    const hash = mix(mix(declared, tables.symbols.get(symbol, Sym.OWNER)), bases.get(row) ?? 0);
    add(name, hash);
    if ((flagsOfSymbol(shape) & SymbolFlag.DEFAULT) !== 0) add(byDefault, hash);
    const known = symbols.get(name);
    if (known === undefined) symbols.set(name, [symbol]);
    else known.push(symbol);
  }
  return { symbols, identities };
}

/** Bindings of a function are its own affair. */
function addBindings(
  file: FileId,
  tables: GraphTables,
  identities: Int32Array,
  add: (name: NameId, hash: number) => void,
): void {
  const first = tables.file(file, FileCol.FIRST_BINDING);
  const firstSymbol = tables.file(file, FileCol.FIRST_SYMBOL);
  for (let row = first; row < first + tables.file(file, FileCol.BINDINGS); row++) {
    const scope = tables.bindings.get(row, Bind.SCOPE);
    if (scope >= 0 && IS_FUNCTION.has(kindOfSymbol(tables.symbols.get(firstSymbol + scope, Sym.SHAPE)))) continue;
    const hash = mix(scope < 0 ? 0 : identities[scope]!, tables.bindings.get(row, Bind.TYPE));
    add(tables.bindings.get(row, Bind.NAME), hash);
  }
}

/** For each class what it extends and implements, hashed; by local row. */
function basesOf(file: FileId, tables: GraphTables): Map<number, number> {
  const bases = new Map<number, number>();
  const first = tables.file(file, FileCol.FIRST_REFERENCE);
  for (let row = first; row < first + tables.file(file, FileCol.REFERENCES); row++) {
    const shape = tables.references.get(row, Ref.SHAPE);
    const kind = kindOfReference(shape);
    if (kind !== EXTENDS && kind !== IMPLEMENTS) continue;
    const owner = containerOfReference(shape);
    const hash = mix(mix(bases.get(owner) ?? 1, tables.references.get(row, Ref.NAME)), kind);
    bases.set(owner, mix(hash, tables.references.get(row, Ref.RECEIVER)));
  }
  return bases;
}

/** For each symbol how many of its name come before it in its container. */
function ordinalsOf(file: FileId, tables: GraphTables): Int32Array {
  const first = tables.file(file, FileCol.FIRST_SYMBOL);
  const count = tables.file(file, FileCol.SYMBOLS);
  const ordinals = new Int32Array(count);
  let [container, name, ordinal] = [-2, -2, 0];
  for (let at = first; at < first + count; at++) {
    const row = tables.order.get(at, 0);
    const isSame =
      tables.symbols.get(first + row, Sym.CONTAINER) === container &&
      tables.symbols.get(first + row, Sym.NAME) === name;
    ordinal = isSame ? ordinal + 1 : 0;
    container = tables.symbols.get(first + row, Sym.CONTAINER);
    name = tables.symbols.get(first + row, Sym.NAME);
    ordinals[row] = ordinal;
  }
  return ordinals;
}

/** One step of a hash over integers, 32 bits (the mix of MurmurHash3). */
function mix(hash: number, value: number): number {
  let bits = Math.imul(value, 0xcc9e2d51);
  bits = Math.imul((bits << 15) | (bits >>> 17), 0x1b873593);
  const mixed = hash ^ bits;
  return (Math.imul((mixed << 13) | (mixed >>> 19), 5) + 0xe6546b64) | 0;
}
