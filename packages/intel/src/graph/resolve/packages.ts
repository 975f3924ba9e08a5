import type { FileId } from '../../files/file-table.ts';
import { ImportFlag } from '../../parsing/file-facts.ts';
import type { SymbolId } from '../code-graph-api.ts';
import { folderOf } from '../modules/path-index.ts';
import type { NameId } from '../names/name-table.ts';
import { FileCol, Imp, Sym } from '../tables/columns.ts';
import type { Basis } from './basis.ts';
import type { Remembered } from './trace.ts';
import { OUTSIDE, packageValue, symbolValue, type Value } from './values.ts';
import { MODULE, NO_ARITY, Want } from './want.ts';

/** Files that are looked at for what a file includes. */
const MAX_INCLUDED = 5000;
/** A kind that can be meant, whatever its arity. */
const LEAST_FIT = 4;

/** Names that come from beyond a file without being imported by name: packages, namespaces, folders, includes. */
export class Packages {
  readonly #basis: Basis;
  readonly #qualifiers = new Map<SymbolId, string>();
  readonly #packages = new Map<NameId, string>();
  readonly #included = new Map<FileId, Remembered<Set<FileId>>>();

  constructor(basis: Basis) {
    this.#basis = basis;
  }

  /** What stands before a symbol's name when it is written in full: package and containers, with dots. */
  qualifier(symbol: SymbolId): string {
    const owner = this.#basis.tables.symbols.get(symbol, Sym.OWNER);
    // In C++ `void Store::save()` is written with what it lies in, in other languages it lies beside its type.
    if (owner >= 0 && this.#basis.rules(this.#basis.fileOf(symbol))?.family === 'c') {
      return dotted(this.#qualifierAround(symbol), this.#text(owner));
    }
    return this.#qualifierAround(symbol);
  }

  #qualifierAround(symbol: SymbolId): string {
    const container = this.#basis.containerOf(symbol);
    if (container < 0) return this.packageOf(this.#basis.fileOf(symbol));
    let known = this.#qualifiers.get(container);
    if (known === undefined) {
      known = dotted(this.qualifier(container), this.#text(this.#basis.tables.symbols.get(container, Sym.NAME)));
      this.#qualifiers.set(container, known);
    }
    return known;
  }

  /** The qualifier of what lies in a namespace. */
  qualifierOfMembers(symbol: SymbolId): string {
    return dotted(this.qualifier(symbol), this.#text(this.#basis.tables.symbols.get(symbol, Sym.NAME)));
  }

  /** The package or namespace that a file declares, with dots; empty for none. */
  packageOf(file: FileId): string {
    const name = this.#basis.tables.file(file, FileCol.PACKAGE);
    return name < 0 ? '' : this.#text(name);
  }

  /** The symbol of a full name, in the languages of a file; -1 for none. */
  qualified(file: FileId, qualifier: string, name: NameId, want: Want, arity: number): SymbolId {
    if (!this.#basis.rules(file)?.fullNames) return -1;
    return this.#best(file, name, want, arity, (symbol) => this.qualifier(symbol) === qualifier);
  }

  /** What an import of a package, or of a name of it, brings; `OUTSIDE` for what the workspace does not have. */
  imported(file: FileId, specifier: NameId, name: NameId, want: Want, arity: number): Value {
    const { tables } = this.#basis;
    const whole = this.#text(specifier);
    if (name >= 0) {
      const symbol = this.qualified(file, whole, name, want, arity);
      if (symbol >= 0) return symbolValue(symbol);
      const owned = this.#owned(file, whole, name, want, arity);
      if (owned >= 0) return symbolValue(owned);
    }
    const dot = whole.lastIndexOf('.');
    const last = tables.names.intern(whole.slice(dot + 1));
    const owner = this.qualified(file, whole.slice(0, Math.max(0, dot)), last, Want.TYPE, NO_ARITY);
    if (owner < 0) return name < 0 ? packageValue(specifier) : OUTSIDE;
    if (name < 0 || name === last) return symbolValue(owner);
    const member = this.#basis.ownMember(owner, name, want, arity);
    return member < 0 ? OUTSIDE : symbolValue(member);
  }

  /** What a package has under a name: a symbol of it, or a package below it. */
  inNamed(file: FileId, specifier: NameId, name: NameId, want: Want, arity: number): Value {
    const value = this.imported(file, specifier, name, want, arity);
    if (value !== OUTSIDE) return value;
    const { names } = this.#basis.tables;
    return packageValue(names.intern(`${names.text(specifier)}.${names.text(name)}`));
  }

  /** A symbol at the top of another file of the folder; -1 for none, and in languages whose packages are no folders. */
  inFolder(file: FileId, name: NameId, want: Want, arity: number): SymbolId {
    if (this.#basis.rules(file)?.beyond !== 'folder') return -1;
    const { paths } = this.#basis.finder;
    const folder = folderOf(paths.path(file));
    return this.#best(file, name, want, arity, (symbol) => {
      return this.#basis.containerOf(symbol) < 0 && folderOf(paths.path(this.#basis.fileOf(symbol))) === folder;
    });
  }

  /** A symbol of the package that a file declares, or of a namespace around that; -1 for none. */
  inPackage(file: FileId, scope: SymbolId, name: NameId, want: Want, arity: number): SymbolId {
    for (let around = this.#around(file, scope); ; around = around.slice(0, Math.max(0, around.lastIndexOf('.')))) {
      const found = this.qualified(file, around, name, want, arity);
      if (found >= 0 || around === '') return found;
    }
  }

  /** A symbol of a package or namespace that a file imports whole; -1 for none. */
  inWholeImports(file: FileId, name: NameId, want: Want, arity: number): SymbolId {
    const wholes = this.#wholeImports(file);
    if (wholes.size === 0) return -1;
    return this.#best(file, name, want, arity, (symbol) => wholes.has(this.qualifier(symbol)));
  }

  /** A symbol at the top of a file that is included, also by what is included; -1 for none. */
  inIncludes(file: FileId, name: NameId, want: Want, arity: number): SymbolId {
    return this.#best(file, name, want, arity, (symbol) => {
      return this.#isAtTop(symbol) && this.#includes(file).has(this.#basis.fileOf(symbol));
    });
  }

  /** A symbol at the top of any file, when one fits better than all others; -1 for none. */
  anywhere(file: FileId, name: NameId, want: Want, arity: number): SymbolId {
    const { best, count } = this.#bestOf(file, name, want, arity, (symbol) => this.#isAtTop(symbol));
    return count === 1 ? best : -1;
  }

  #best(file: FileId, name: NameId, want: Want, arity: number, isRight: (symbol: SymbolId) => boolean): SymbolId {
    return this.#bestOf(file, name, want, arity, isRight).best;
  }

  /** Of the symbols of a name the one that fits best, of equals the first by its path, and how many fit so well. */
  #bestOf(
    file: FileId,
    name: NameId,
    want: Want,
    arity: number,
    isRight: (symbol: SymbolId) => boolean,
  ): { best: SymbolId; count: number } {
    const family = this.#basis.rules(file)?.family;
    const path = (symbol: SymbolId): string => this.#basis.finder.paths.path(this.#basis.fileOf(symbol));
    let best = -1;
    let bestFit: number = LEAST_FIT;
    let count = 0;
    for (const symbol of this.#basis.named(name)) {
      const fit = this.#basis.fit(symbol, want, arity);
      if (fit < bestFit || this.#basis.rules(this.#basis.fileOf(symbol))?.family !== family || !isRight(symbol))
        continue;
      if (fit > bestFit) count = 0;
      count++;
      // The order of numbers is none that lasts.
      if (count === 1 || path(symbol) < path(best)) best = symbol;
      bestFit = fit;
    }
    return { best, count };
  }

  /** A function of a package that extends a type of any package: it is imported by its own name. */
  #owned(file: FileId, qualifier: string, name: NameId, want: Want, arity: number): SymbolId {
    const { family } = this.#basis.rules(file) ?? {};
    const path = (symbol: SymbolId): string => this.#basis.finder.paths.path(this.#basis.fileOf(symbol));
    let [best, bestFit] = [-1, -1];
    for (const symbol of this.#basis.named(name)) {
      if (!this.#basis.isOwned(symbol) || this.qualifier(symbol) !== qualifier) continue;
      if (this.#basis.rules(this.#basis.fileOf(symbol))?.family !== family) continue;
      const fit = this.#basis.fitOfAny(symbol, want, arity);
      if (fit > bestFit || (fit === bestFit && path(symbol) < path(best))) [best, bestFit] = [symbol, fit];
    }
    return best;
  }

  #isAtTop(symbol: SymbolId): boolean {
    for (let outer = this.#basis.containerOf(symbol); outer >= 0; outer = this.#basis.containerOf(outer)) {
      if (this.#basis.kindOf(outer) !== MODULE) return false;
    }
    return true;
  }

  /** The full name of the innermost namespace around a place. */
  #around(file: FileId, scope: SymbolId): string {
    for (let outer = scope; outer >= 0; outer = this.#basis.containerOf(outer)) {
      if (this.#basis.kindOf(outer) === MODULE) {
        return this.qualifierOfMembers(outer);
      }
    }
    return this.packageOf(file);
  }

  #wholeImports(file: FileId): Set<string> {
    const { tables } = this.#basis;
    const found = new Set<string>();
    const first = tables.file(file, FileCol.FIRST_IMPORT);
    for (let row = first; row < first + tables.file(file, FileCol.IMPORTS); row++) {
      const specifier = tables.imports.get(row, Imp.SPECIFIER);
      if ((tables.imports.get(row, Imp.FLAGS) & ImportFlag.WILDCARD) !== 0 && specifier >= 0) {
        found.add(this.#text(specifier));
      }
    }
    return found;
  }

  #includes(file: FileId): Set<FileId> {
    const { tables, trace } = this.#basis;
    let known = this.#included.get(file);
    if (known === undefined) {
      known = trace.remember(() => {
        const files = new Set([file]);
        // What changes further on changes this name too.
        trace.noteEverywhere(tables.wholeName(file));
        for (const each of files) {
          const first = tables.file(each, FileCol.FIRST_IMPORT);
          for (let row = first; row < first + tables.file(each, FileCol.IMPORTS); row++) {
            const target = tables.imports.get(row, Imp.TARGET);
            const isWhole = (tables.imports.get(row, Imp.FLAGS) & ImportFlag.WILDCARD) !== 0;
            if (isWhole && target >= 0 && files.size < MAX_INCLUDED) files.add(target);
          }
        }
        files.delete(file);
        return files;
      });
      this.#included.set(file, known);
    } else trace.noteAll(known.looks);
    return known.result;
  }

  #text(name: NameId): string {
    let known = this.#packages.get(name);
    if (known === undefined) {
      known = this.#basis.tables.names
        .text(name)
        .replaceAll(/\\|::|\//g, '.')
        .replace(/^\./, '')
        .replace(/\.\*$/, '');
      this.#packages.set(name, known);
    }
    return known;
  }
}

function dotted(qualifier: string, name: string): string {
  return qualifier === '' ? name : `${qualifier}.${name}`;
}
