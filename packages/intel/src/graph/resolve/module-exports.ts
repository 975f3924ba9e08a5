import type { FileId } from '../../files/file-table.ts';
import { ImportFlag, SymbolFlag } from '../../parsing/file-facts.ts';
import type { SymbolId } from '../code-graph-api.ts';
import { findPythonSubmodule } from '../modules/python-modules.ts';
import type { NameId } from '../names/name-table.ts';
import { FileCol, flagsOfSymbol, Imp, Sym } from '../tables/columns.ts';
import type { GraphTables } from '../tables/graph-tables.ts';
import type { Basis } from './basis.ts';
import type { Packages } from './packages.ts';
import type { Remembered } from './trace.ts';
import { moduleValue, symbolValue, UNKNOWN, type Value } from './values.ts';
import { NO_ARITY, Want } from './want.ts';

/** Set on an import whose target is the module that it names, not the one that it names it in. Above the facts' flags. */
export const IS_MODULE = 1 << 16;

const EXPORTS = ImportFlag.LOCAL_EXPORT | ImportFlag.RE_EXPORT;
/** Hand-ons from module to module are followed this far. */
const MAX_DEPTH = 24;
/** Modules that are looked at for one name. */
const MAX_FILES = 400;

/** What an import of a name from a file brings. */
export class ModuleExports {
  readonly #basis: Basis;
  readonly #packages: Packages;
  /** By what is wanted, then by name and file. */
  readonly #known = Array.from(Object.keys(Want), () => new Map<number, Remembered<Value>>());
  readonly #default: NameId;
  readonly #star: NameId;

  constructor(basis: Basis, packages: Packages) {
    this.#basis = basis;
    this.#packages = packages;
    this.#default = basis.tables.names.intern('default');
    this.#star = basis.tables.names.intern('*');
  }

  find(file: FileId, name: NameId, want: Want): Value {
    const { trace } = this.#basis;
    const known = this.#known[want]!;
    const key = name * 0x1_0000_0000 + file;
    const found = known.get(key);
    if (found !== undefined) {
      trace.noteAll(found.looks);
      return found.result;
    }
    const remembered = trace.remember(() => this.#search(file, name, want, new Set(), 0));
    known.set(key, remembered);
    return remembered.result;
  }

  #search(file: FileId, name: NameId, want: Want, seen: Set<number>, depth: number): Value {
    const { tables, trace } = this.#basis;
    const key = name * 0x1_0000_0000 + file;
    if (depth > MAX_DEPTH || seen.size > MAX_FILES || seen.has(key)) return UNKNOWN;
    seen.add(key);
    trace.note(name, file);
    if (name === this.#star) return moduleValue(file);
    const handedOn = this.#handedOn(file, name, want, seen, depth, true);
    if (handedOn !== UNKNOWN) return handedOn;
    const own = this.#own(file, name, want);
    if (own >= 0) return symbolValue(own);
    const rules = this.#basis.rules(file);
    if (rules?.handsOnImports) {
      const imported = this.#handedOn(file, name, want, seen, depth, false);
      if (imported !== UNKNOWN) return imported;
    }
    // A module of the old kind has no default: it is what such an import brings.
    if (name === this.#default) return moduleValue(file);
    trace.noteEverywhere(tables.wholeName(file));
    for (const target of this.#wholes(file)) {
      const found = this.#search(target, name, want, seen, depth + 1);
      if (found !== UNKNOWN) return found;
    }
    const submodule = this.submodule(file, name);
    return submodule < 0 ? UNKNOWN : moduleValue(submodule);
  }

  /** The file of a module that lies in a package or module; -1 for none. */
  submodule(file: FileId, name: NameId): FileId {
    const { finder, tables } = this.#basis;
    return findPythonSubmodule(finder, finder.paths.path(file), tables.names.text(name)) ?? -1;
  }

  #own(file: FileId, name: NameId, want: Want): SymbolId {
    if (name === this.#default) return this.#ownDefault(file);
    const own = this.#basis.pick(file, -1, name, want, NO_ARITY);
    if (own >= 0) return own;
    const owned = this.#ownedByTable(file, name, want);
    return owned >= 0 ? owned : this.#packages.inFolder(file, name, want, NO_ARITY);
  }

  /** A module of Lua is the table that its file returns: `function M.open()`. */
  #ownedByTable(file: FileId, name: NameId, want: Want): SymbolId {
    if (this.#basis.rules(file)?.family !== 'lua') return -1;
    const { tables } = this.#basis;
    let [best, bestFit] = [-1, -1];
    const first = tables.firstNamed(file, name);
    for (let at = first; first >= 0; at++) {
      const symbol = tables.namedAt(file, at, name);
      if (symbol < 0) break;
      const fit = this.#basis.isOwned(symbol) ? this.#basis.fitOfAny(symbol, want, NO_ARITY) : -1;
      if (fit > bestFit) [best, bestFit] = [symbol, fit];
    }
    return best;
  }

  #ownDefault(file: FileId): SymbolId {
    const { tables } = this.#basis;
    const first = tables.file(file, FileCol.FIRST_SYMBOL);
    for (let symbol = first; symbol < first + tables.file(file, FileCol.SYMBOLS); symbol++) {
      if ((flagsOfSymbol(tables.symbols.get(symbol, Sym.SHAPE)) & SymbolFlag.DEFAULT) !== 0) return symbol;
    }
    return -1;
  }

  /** What exports under a name bring, or else imports. */
  #handedOn(file: FileId, name: NameId, want: Want, seen: Set<number>, depth: number, isExport: boolean): Value {
    const { tables } = this.#basis;
    if (depth > MAX_DEPTH) return UNKNOWN;
    const end = tables.file(file, FileCol.FIRST_IMPORT) + tables.file(file, FileCol.IMPORTS);
    const first = tables.firstImport(file, name);
    for (let row = first; row >= 0 && row < end && tables.imports.get(row, Imp.LOCAL) === name; row++) {
      const flags = tables.imports.get(row, Imp.FLAGS);
      if (((flags & EXPORTS) !== 0) !== isExport || tables.imports.get(row, Imp.CONTAINER) >= 0) continue;
      if ((flags & ImportFlag.PACKAGE) !== 0) continue;
      const found = this.#follow(file, row, want, seen, depth);
      if (found !== UNKNOWN) return found;
    }
    return UNKNOWN;
  }

  #follow(file: FileId, row: number, want: Want, seen: Set<number>, depth: number): Value {
    const { tables } = this.#basis;
    const imported = tables.imports.get(row, Imp.IMPORTED);
    if ((tables.imports.get(row, Imp.FLAGS) & ImportFlag.LOCAL_EXPORT) !== 0) {
      this.#basis.trace.note(imported, file);
      const own = this.#basis.pick(file, -1, imported, want, NO_ARITY);
      return own >= 0 ? symbolValue(own) : this.#handedOn(file, imported, want, seen, depth + 1, false);
    }
    const target = tables.imports.get(row, Imp.TARGET);
    if (target < 0) return UNKNOWN;
    return imported < 0 || imported === this.#star || isModuleImport(tables, row)
      ? moduleValue(target)
      : this.#search(target, imported, want, seen, depth + 1);
  }

  /** Files that a file hands on whole. */
  *#wholes(file: FileId): Generator<FileId, void, void> {
    const { tables } = this.#basis;
    const isHandedOn = this.#basis.rules(file)?.handsOnImports ?? false;
    const first = tables.file(file, FileCol.FIRST_IMPORT);
    const wanted = ImportFlag.WILDCARD | (isHandedOn ? 0 : ImportFlag.RE_EXPORT);
    for (let row = first; row < first + tables.file(file, FileCol.IMPORTS); row++) {
      const target = tables.imports.get(row, Imp.TARGET);
      if (target >= 0 && (tables.imports.get(row, Imp.FLAGS) & wanted) === wanted) yield target;
    }
  }
}

/** Whether an import brings a module although it names something in it: a module of a package. */
export function isModuleImport(tables: GraphTables, row: number): boolean {
  return (tables.imports.get(row, Imp.FLAGS) & IS_MODULE) !== 0;
}
