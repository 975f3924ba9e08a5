import type { FileId } from '../../files/file-table.ts';
import type { SymbolId } from '../code-graph-api.ts';
import type { ModuleFinder } from '../modules/module-finder.ts';
import type { NameId } from '../names/name-table.ts';
import { arityOfSymbol, EXTENSION, FileCol, kindOfSymbol, Sym } from '../tables/columns.ts';
import type { GraphTables } from '../tables/graph-tables.ts';
import { type LanguageRules, rulesOf } from './language-rules.ts';
import type { Trace } from './trace.ts';
import { fitOf, fitOfArity, type Want } from './want.ts';

/**
 * What all parts of the resolver stand on: the tables, the paths, the trace, and the simplest look-ups. It is good for one
 * state of the tables: whatever is remembered is not valid after the next change.
 *
 * Every answer of the resolver is a function of the tables alone, whatever was asked before: what is remembered was found
 * from scratch, and every bound counts from the question.
 */
export class Basis {
  readonly tables: GraphTables;
  readonly finder: ModuleFinder;
  readonly trace: Trace;
  readonly #named = new Map<NameId, SymbolId[]>();

  constructor(tables: GraphTables, finder: ModuleFinder, trace: Trace) {
    this.tables = tables;
    this.finder = finder;
    this.trace = trace;
  }

  rules(file: FileId): LanguageRules | undefined {
    return rulesOf(this.tables.file(file, FileCol.LANGUAGE));
  }

  fileOf(symbol: SymbolId): FileId {
    return this.tables.symbols.get(symbol, Sym.FILE);
  }

  kindOf(symbol: SymbolId): number {
    return kindOfSymbol(this.tables.symbols.get(symbol, Sym.SHAPE));
  }

  containerOf(symbol: SymbolId): SymbolId {
    return this.tables.symbolOf(this.fileOf(symbol), this.tables.symbols.get(symbol, Sym.CONTAINER));
  }

  /** All symbols of a name. */
  named(name: NameId): readonly SymbolId[] {
    let found = this.#named.get(name);
    if (found === undefined) {
      found = this.tables.symbolsNamed(name);
      this.#named.set(name, found);
    }
    this.trace.noteEverywhere(name);
    return found;
  }

  /** The member of a symbol under a name, not an inherited one; -1 for none. */
  ownMember(symbol: SymbolId, name: NameId, want: Want, arity: number): SymbolId {
    const file = this.fileOf(symbol);
    this.trace.note(name, file);
    return this.pick(file, this.tables.rowOf(symbol), name, want, arity);
  }

  /**
   * Of the symbols of a name in a container (a local row, or -1) the one that fits best: by its kind, then by its
   * parameters, then the first. -1 when there is none.
   */
  pick(file: FileId, container: number, name: NameId, want: Want, arity: number): SymbolId {
    const first = this.tables.firstNamed(file, name);
    return first < 0 ? -1 : this.pickAt(file, first, container, name, want, arity);
  }

  /** `pick`, from where the symbols of the name begin in the order of the file. */
  pickAt(file: FileId, first: number, container: number, name: NameId, want: Want, arity: number): SymbolId {
    let best = -1;
    let bestFit = -1;
    for (let at = first; ; at++) {
      const symbol = this.tables.namedAt(file, at, name);
      if (symbol < 0) return best;
      const own = this.tables.symbols.get(symbol, Sym.CONTAINER);
      if (own > container) return best;
      const fit = own === container ? this.fit(symbol, want, arity) : -1;
      if (fit <= bestFit) continue;
      best = symbol;
      bestFit = fit;
    }
  }

  /** Whether it is declared outside of the type that it is a member of. */
  isOwned(symbol: SymbolId): boolean {
    return this.tables.symbols.get(symbol, Sym.OWNER) >= 0;
  }

  /**
   * How well a symbol fits: kind before arity. Below zero for what no name alone stands for: an extension, for which its
   * type does, and a member that is declared outside of its type.
   */
  fit(symbol: SymbolId, want: Want, arity: number): number {
    return this.kindOf(symbol) === EXTENSION || this.isOwned(symbol) ? -1 : this.fitOfAny(symbol, want, arity);
  }

  /** `fit`, whatever it is a member of. */
  fitOfAny(symbol: SymbolId, want: Want, arity: number): number {
    const shape = this.tables.symbols.get(symbol, Sym.SHAPE);
    return 4 * fitOf(kindOfSymbol(shape), want) + fitOfArity(arityOfSymbol(shape), arity);
  }
}
