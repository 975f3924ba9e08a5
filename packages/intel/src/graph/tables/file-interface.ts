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
 * What other files can see of a file, hashed by the names under which they look. Places do not count. The way out of the
 * question which references must be resolved again after an edit: those of the files that looked up a name whose hash is
 * another one now.
 */
export interface FileInterface {
  /** Symbols and bindings: what a look-up in this file finds. */
  names: Map<NameId, number>;
  /** Symbols alone: what a look-up among all files finds here. It sees of containers less than one that comes through them. */
  everywhere: Map<NameId, number>;
  symbols: Map<NameId, SymbolId[]>;
}

/** What became of the names of a file. */
export interface InterfaceChange {
  /** Names that mean something else in the file. */
  names: Set<NameId>;
  /** Names that mean something else among all files. */
  everywhere: Set<NameId>;
  /** The symbols that are the same as before for all who did not look up one of those: old number to new. */
  moved: Map<SymbolId, SymbolId>;
}

const IS_FUNCTION = new Set(
  ['function', 'method', 'constructor'].map((kind) => SYMBOL_KINDS.indexOf(kind as 'method')),
);
const EXTENDS = REFERENCE_KINDS.indexOf('extends');
const IMPLEMENTS = REFERENCE_KINDS.indexOf('implements');

/** The interface of a file without its imports. @param fullNames whether its symbols are found by their full names */
export function interfaceOf(file: FileId, tables: GraphTables, fullNames: boolean): FileInterface {
  const found: FileInterface = { names: new Map(), everywhere: new Map(), symbols: new Map() };
  const identities = addSymbols(file, tables, fullNames, found);
  addBindings(file, tables, identities, found);
  return found;
}

export function compareInterfaces(old: FileInterface, now: FileInterface): InterfaceChange {
  const everywhere = differences(old.everywhere, now.everywhere);
  const moved = new Map<SymbolId, SymbolId>();
  for (const [name, symbols] of old.symbols) {
    if (everywhere.has(name)) continue;
    const others = now.symbols.get(name)!;
    symbols.forEach((symbol, index) => {
      moved.set(symbol, others[index]!);
    });
  }
  return { names: differences(old.names, now.names), everywhere, moved };
}

/** The names under which there is something else, or nothing any more. */
export function differences(old: ReadonlyMap<NameId, number>, now: ReadonlyMap<NameId, number>): Set<NameId> {
  const changed = new Set<NameId>();
  for (const [name, hash] of now) if (old.get(name) !== hash) changed.add(name);
  for (const name of old.keys()) if (!now.has(name)) changed.add(name);
  return changed;
}

/** What a file hands on of others, by the name under which it does; `all` is the name for what it hands on whole. */
export function importsOf(file: FileId, tables: GraphTables, all: NameId): Map<NameId, number> {
  const hashes = new Map<NameId, number>();
  const first = tables.file(file, FileCol.FIRST_IMPORT);
  for (let row = first; row < first + tables.file(file, FileCol.IMPORTS); row++) {
    const flags = tables.imports.get(row, Imp.FLAGS);
    const local = tables.imports.get(row, Imp.LOCAL);
    if (tables.imports.get(row, Imp.CONTAINER) >= 0) continue;
    const name = (flags & ImportFlag.WILDCARD) !== 0 || local < 0 ? all : local;
    let hash = mix(hashes.get(name) ?? 1, tables.imports.get(row, Imp.IMPORTED));
    for (const column of [Imp.FLAGS, Imp.TARGET, Imp.SPECIFIER]) {
      hash = mix(hash, tables.imports.get(row, column));
    }
    hashes.set(name, hash);
  }
  return hashes;
}

/** @returns By local row: what a symbol is within its file. */
function addSymbols(file: FileId, tables: GraphTables, fullNames: boolean, found: FileInterface): Int32Array {
  const first = tables.file(file, FileCol.FIRST_SYMBOL);
  const count = tables.file(file, FileCol.SYMBOLS);
  const bases = basesOf(file, tables);
  const ordinals = ordinalsOf(file, tables);
  const identities = new Int32Array(count);
  /** By local row: the kinds of a symbol and its containers. */
  const kinds = new Int32Array(count);
  const byDefault = tables.names.intern('default');
  // Of another package or language a file has nothing that it had before.
  const whole = mix(tables.file(file, FileCol.LANGUAGE), tables.file(file, FileCol.PACKAGE));
  for (let row = 0; row < count; row++) {
    const symbol = first + row;
    const name = tables.symbols.get(symbol, Sym.NAME);
    const container = tables.symbols.get(symbol, Sym.CONTAINER);
    const shape = tables.symbols.get(symbol, Sym.SHAPE);
    const kind = kindOfSymbol(shape);
    const around = container < 0 ? whole : identities[container]!;
    identities[row] = mix(mix(mix(around, name), ordinals[row]!), kind);
    kinds[row] = mix(container < 0 ? whole : kinds[container]!, kind);
    const owner = tables.symbols.get(symbol, Sym.OWNER);
    const declared = mix(mix(identities[row]!, shape), tables.symbols.get(symbol, Sym.TYPE));
    const hash = mix(mix(declared, owner), bases.get(row) ?? 0);
    add(found.names, name, hash);
    if ((flagsOfSymbol(shape) & SymbolFlag.DEFAULT) !== 0) add(found.names, byDefault, hash);
    add(found.everywhere, name, mix(mix(fullNames ? identities[row]! : kinds[row]!, shape), owner));
    const known = found.symbols.get(name);
    if (known === undefined) found.symbols.set(name, [symbol]);
    else known.push(symbol);
  }
  return identities;
}

/** Bindings of a function are its own affair. */
function addBindings(file: FileId, tables: GraphTables, identities: Int32Array, { names }: FileInterface): void {
  const first = tables.file(file, FileCol.FIRST_BINDING);
  const firstSymbol = tables.file(file, FileCol.FIRST_SYMBOL);
  for (let row = first; row < first + tables.file(file, FileCol.BINDINGS); row++) {
    const scope = tables.bindings.get(row, Bind.SCOPE);
    if (scope >= 0 && IS_FUNCTION.has(kindOfSymbol(tables.symbols.get(firstSymbol + scope, Sym.SHAPE)))) continue;
    const hash = mix(scope < 0 ? 0 : identities[scope]!, tables.bindings.get(row, Bind.TYPE));
    add(names, tables.bindings.get(row, Bind.NAME), hash);
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

/** Adds to the hash of a name: in which order things come counts. */
function add(hashes: Map<NameId, number>, name: NameId, hash: number): void {
  hashes.set(name, mix(hashes.get(name) ?? 1, hash));
}

/** One step of a hash over integers, 32 bits (the mix of MurmurHash3). */
function mix(hash: number, value: number): number {
  let bits = Math.imul(value, 0xcc9e2d51);
  bits = Math.imul((bits << 15) | (bits >>> 17), 0x1b873593);
  const mixed = hash ^ bits;
  return (Math.imul((mixed << 13) | (mixed >>> 19), 5) + 0xe6546b64) | 0;
}
