import type { FileId } from '../../files/file-table.ts';
import { ImportFlag } from '../../parsing/file-facts.ts';
import type { SymbolId } from '../code-graph-api.ts';
import type { NameId } from '../names/name-table.ts';
import { Bind, FileCol, Imp, Sym } from '../tables/columns.ts';
import type { GraphTables } from '../tables/graph-tables.ts';
import type { Basis } from './basis.ts';
import { isModuleImport, type ModuleExports } from './module-exports.ts';
import type { Packages } from './packages.ts';
import { moduleValue, OUTSIDE, symbolValue, UNKNOWN, type Value } from './values.ts';
import { CLASSES, MODULE, type Want } from './want.ts';

/** A place in the code from which a name is looked up. */
export interface Place {
  file: FileId;
  /** Local row of the symbol around it; -1 at the top of the file. */
  scope: number;
  line: number;
}

/** What a name stands for at a place. */
export interface Found {
  /** A binding: what its variable holds must be found out. Otherwise `value` says what the name stands for. */
  binding: number;
  value: Value;
  by: 'import' | 'scope' | 'unique-name';
}

/** Finds a member of a class by its name; -1 for none. */
export type FindMember = (symbol: SymbolId, name: NameId, want: Want, arity: number) => SymbolId;

const NOTHING: Found = { binding: -1, value: UNKNOWN, by: 'scope' };
const BY_IMPORT_OUTSIDE: Found = { binding: -1, value: OUTSIDE, by: 'import' };

function bySymbol(symbol: SymbolId, by: Found['by']): Found {
  return { binding: -1, value: symbolValue(symbol), by };
}

/** Looks names up from a place: from the scopes around it outward, then among the imports, then beyond the file. */
export class Scopes {
  readonly #basis: Basis;
  readonly #packages: Packages;
  readonly #exports: ModuleExports;
  readonly #star: NameId;

  constructor(basis: Basis, packages: Packages, exports: ModuleExports) {
    this.#basis = basis;
    this.#packages = packages;
    this.#exports = exports;
    this.#star = basis.tables.names.intern('*');
  }

  /** @param memberOf finds a member of a class around the place */
  find(place: Place, name: NameId, want: Want, arity: number, memberOf: FindMember): Found {
    const { tables, trace } = this.#basis;
    const { file, scope, line } = place;
    const bareMembers = this.#basis.rules(file)?.bareMembers;
    trace.note(name, file);
    // Most names are not defined in the file: then only members can be found on the way to its top.
    const named = tables.firstNamed(file, name);
    const bound = tables.firstBinding(file, name);
    const imported = tables.firstImport(file, name);
    const isKnown = named >= 0 || bound >= 0 || imported >= 0;
    if (bareMembers === 'all' || isKnown) {
      for (let row = scope; row >= 0; row = tables.symbols.get(tables.symbolOf(file, row), Sym.CONTAINER)) {
        const symbol = tables.symbolOf(file, row);
        if (CLASSES.has(this.#basis.kindOf(symbol))) {
          if (bareMembers === 'none' || (bareMembers === 'body' && row !== scope)) continue;
          const member = (bareMembers === 'all' ? memberOf : this.#ownMember)(symbol, name, want, arity);
          if (member >= 0) return bySymbol(member, 'scope');
          continue;
        }
        const own = named < 0 ? -1 : this.#basis.pickAt(file, named, row, name, want, arity);
        if (own >= 0) return bySymbol(own, 'scope');
        const binding = bound < 0 ? -1 : nearestBinding(tables, file, bound, row, line);
        if (binding >= 0) return { binding, value: UNKNOWN, by: 'scope' };
        const brought = imported < 0 ? undefined : this.#imported(file, imported, row, want, arity);
        if (brought !== undefined) return brought;
        // The members of its type are around a function that is declared outside of it.
        const member = bareMembers === 'all' && this.#basis.isOwned(symbol) ? memberOf(symbol, name, want, arity) : -1;
        if (member >= 0) return bySymbol(member, 'scope');
      }
    }
    return isKnown
      ? this.#atTop(place, { named, bound, imported }, name, want, arity)
      : this.#beyond(place, name, want, arity);
  }

  readonly #ownMember: FindMember = (symbol, name, want, arity) => this.#basis.ownMember(symbol, name, want, arity);

  #atTop(
    place: Place,
    { named, bound, imported }: { named: number; bound: number; imported: number },
    name: NameId,
    want: Want,
    arity: number,
  ): Found {
    const { file, line } = place;
    const own = named < 0 ? -1 : this.#basis.pickAt(file, named, -1, name, want, arity);
    if (own >= 0 && this.#basis.fit(own, want, arity) >= LEAST_FIT) return bySymbol(own, 'scope');
    // In languages with both, a type may be imported under the name of a value.
    const brought = imported < 0 ? undefined : this.#imported(file, imported, -1, want, arity);
    if (brought !== undefined) return brought;
    if (own >= 0) return bySymbol(own, 'scope');
    const binding = bound < 0 ? -1 : nearestBinding(this.#basis.tables, file, bound, -1, line);
    if (binding >= 0) return { binding, value: UNKNOWN, by: 'scope' };
    return this.#beyond(place, name, want, arity);
  }

  /** What the imports of a file bring that begin at a row and are under the same name; undefined for none in a scope. */
  #imported(file: FileId, first: number, scope: number, want: Want, arity: number): Found | undefined {
    const { tables } = this.#basis;
    const end = tables.file(file, FileCol.FIRST_IMPORT) + tables.file(file, FileCol.IMPORTS);
    const name = tables.imports.get(first, Imp.LOCAL);
    let found: Found | undefined;
    for (let row = first; row < end && tables.imports.get(row, Imp.LOCAL) === name; row++) {
      const flags = tables.imports.get(row, Imp.FLAGS);
      if (tables.imports.get(row, Imp.CONTAINER) !== scope) continue;
      if ((flags & (ImportFlag.LOCAL_EXPORT | ImportFlag.PACKAGE | ImportFlag.RE_EXPORT)) !== 0) continue;
      const value = this.importValue(file, row, want, arity);
      if (value !== OUTSIDE) return { binding: -1, value, by: 'import' };
      found = BY_IMPORT_OUTSIDE;
    }
    return found;
  }

  /** What an import brings; `OUTSIDE` for what is not in the workspace. */
  importValue(file: FileId, row: number, want: Want, arity: number): Value {
    const { tables } = this.#basis;
    const target = tables.imports.get(row, Imp.TARGET);
    const imported = tables.imports.get(row, Imp.IMPORTED);
    const specifier = tables.imports.get(row, Imp.SPECIFIER);
    const isWhole = imported < 0 || imported === this.#star;
    if (this.#basis.rules(file)?.beyond === 'package' && specifier >= 0) {
      return this.#packages.imported(file, specifier, isWhole ? -1 : imported, want, arity);
    }
    if (target < 0) return OUTSIDE;
    if (isWhole || isModuleImport(tables, row)) return moduleValue(target);
    const found = this.#exports.find(target, imported, want);
    return found === UNKNOWN ? OUTSIDE : found;
  }

  #beyond({ file, scope }: Place, name: NameId, want: Want, arity: number): Found {
    const { tables } = this.#basis;
    const packages = this.#packages;
    const rules = this.#basis.rules(file);
    if (rules?.beyond === 'folder') {
      const found = packages.inFolder(file, name, want, arity);
      if (found >= 0) return bySymbol(found, 'scope');
    }
    if (rules?.beyond === 'package' || rules?.family === 'c') {
      const around = tables.symbolOf(file, scope);
      const found = packages.inPackage(file, around, name, want, arity);
      if (found >= 0 && (rules.beyond === 'package' || this.#isInNamespace(found))) return bySymbol(found, 'scope');
      const whole = packages.inWholeImports(file, name, want, arity);
      if (whole >= 0) return bySymbol(whole, 'import');
    }
    if (rules?.beyond === 'includes') {
      const found = packages.inIncludes(file, name, want, arity);
      if (found >= 0) return bySymbol(found, 'import');
    }
    // Imports of everything that a module has.
    for (const target of this.#wholeTargets(file)) {
      const value = this.#exports.find(target, name, want);
      if (value !== UNKNOWN) return { binding: -1, value, by: 'import' };
    }
    if (rules?.beyond === 'everywhere' || rules?.family === 'c') {
      const found = packages.anywhere(file, name, want, arity);
      if (found >= 0) return bySymbol(found, 'unique-name');
    }
    return NOTHING;
  }

  #isInNamespace(symbol: SymbolId): boolean {
    const container = this.#basis.containerOf(symbol);
    return container >= 0 && this.#basis.kindOf(container) === MODULE;
  }

  *#wholeTargets(file: FileId): Generator<FileId, void, void> {
    const { tables } = this.#basis;
    if (this.#basis.rules(file)?.beyond === 'includes') return;
    const first = tables.file(file, FileCol.FIRST_IMPORT);
    for (let row = first; row < first + tables.file(file, FileCol.IMPORTS); row++) {
      const flags = tables.imports.get(row, Imp.FLAGS);
      const target = tables.imports.get(row, Imp.TARGET);
      const isWhole = (flags & ImportFlag.WILDCARD) !== 0 && (flags & ImportFlag.RE_EXPORT) === 0;
      if (isWhole && target >= 0) yield target;
    }
  }
}

const LEAST_FIT = 4;
/** A line after all others. */
export const ANY_LINE = 0xfffff;

/**
 * Of the bindings of a name that begin at a row the last one in a scope at or before a line, or the first after it; -1 for
 * none in the scope.
 */
export function nearestBinding(tables: GraphTables, file: FileId, first: number, scope: number, line: number): number {
  const end = tables.file(file, FileCol.FIRST_BINDING) + tables.file(file, FileCol.BINDINGS);
  const name = tables.bindings.get(first, Bind.NAME);
  let found = -1;
  for (let row = first; row < end && tables.bindings.get(row, Bind.NAME) === name; row++) {
    const own = tables.bindings.get(row, Bind.SCOPE);
    if (own < scope) continue;
    if (own > scope || (found >= 0 && tables.bindings.get(row, Bind.LINE) > line)) break;
    // A line that says nothing of the type does not take back what one before it said.
    if (found < 0 || tables.bindings.get(row, Bind.TYPE) >= 0 || tables.bindings.get(found, Bind.TYPE) < 0) found = row;
  }
  return found;
}
