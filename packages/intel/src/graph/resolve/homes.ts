import { SymbolFlag } from '../../parsing/file-facts.ts';
import type { SymbolId } from '../code-graph-api.ts';
import type { NameId } from '../names/name-table.ts';
import { EXTENSION, flagsOfSymbol, lineOf, Sym } from '../tables/columns.ts';
import { lastPart } from '../tables/encode-file.ts';
import type { Basis } from './basis.ts';
import type { ChainReader } from './chains.ts';
import type { HeadTypes } from './head-types.ts';
import type { Packages } from './packages.ts';
import type { Remembered } from './trace.ts';
import { FUNCTIONS, type Want } from './want.ts';

const NONE: readonly SymbolId[] = [];
const NO_OWNERS: ReadonlyMap<string, SymbolId[]> = new Map();

/**
 * Types whose members are declared in part outside of them: in extensions (`impl`, `extension`), in functions that name
 * the type as their owner (methods of Go, `void Store::save()`), and in prototypes whose bodies are elsewhere.
 */
export class Homes {
  readonly #basis: Basis;
  readonly #heads: HeadTypes;
  readonly #packages: Packages;
  readonly #chains: ChainReader;
  readonly #homes = new Map<SymbolId, Remembered<SymbolId>>();
  readonly #definitions = new Map<SymbolId, Remembered<SymbolId>>();
  /** Symbols that may be members, by their name and the last name of their owner; extensions under their own name. */
  readonly #outside = new Map<NameId, ReadonlyMap<string, SymbolId[]>>();

  constructor(basis: Basis, heads: HeadTypes, packages: Packages, chains: ChainReader) {
    this.#basis = basis;
    this.#heads = heads;
    this.#packages = packages;
    this.#chains = chains;
  }

  /** The type that an extension extends, or that a function names as its owner; -1 for none of the workspace. */
  of(symbol: SymbolId): SymbolId {
    return this.#remembered(this.#homes, symbol, () => this.#search(symbol));
  }

  /** The type itself where a symbol is an extension of a type of the workspace, or a member of one; else the symbol. */
  typeOf(symbol: SymbolId): SymbolId {
    if (!this.isOutside(symbol)) return symbol;
    const home = this.of(symbol);
    return home < 0 ? symbol : home;
  }

  isOutside(symbol: SymbolId): boolean {
    return this.#basis.kindOf(symbol) === EXTENSION || this.#basis.isOwned(symbol);
  }

  /** Extensions of a type, in the order of their paths. */
  extensions(type: SymbolId): readonly SymbolId[] {
    const name = this.#basis.tables.symbols.get(type, Sym.NAME);
    if (!this.#hasOutside(type)) return NONE;
    return this.#candidates(name, name).filter((each) => {
      return this.#basis.kindOf(each) === EXTENSION && this.of(each) === type;
    });
  }

  /** Of the members of a type that are declared outside of it the one that fits best; -1 for none. */
  member(type: SymbolId, name: NameId, want: Want, arity: number): SymbolId {
    if (!this.#hasOutside(type)) return -1;
    let best = -1;
    let bestFit = -1;
    for (const each of this.#candidates(name, this.#basis.tables.symbols.get(type, Sym.NAME))) {
      const outer = this.#basis.isOwned(each) ? each : this.#basis.containerOf(each);
      const fit = outer < 0 ? -1 : this.#basis.fitOfAny(each, want, arity);
      if (fit <= bestFit || !this.isOutside(outer) || this.of(outer) !== type) continue;
      best = each;
      bestFit = fit;
    }
    return best;
  }

  /** The definition with a body of a prototype of C, where there is exactly one; else the symbol itself. */
  definition(symbol: SymbolId): SymbolId {
    if (this.#basis.rules(this.#basis.fileOf(symbol))?.family !== 'c' || this.#hasBody(symbol)) return symbol;
    return this.#remembered(this.#definitions, symbol, () => this.#searchDefinition(symbol));
  }

  #search(symbol: SymbolId): SymbolId {
    const { tables } = this.#basis;
    const file = this.#basis.fileOf(symbol);
    const owner = tables.symbols.get(symbol, Sym.OWNER);
    const name = tables.symbols.get(symbol, Sym.NAME);
    const chain = this.#chains.chain(owner < 0 ? name : owner);
    this.#basis.trace.note(name, file);
    if (chain === undefined || chain.steps.some((step) => step !== 0)) return -1;
    const line = lineOf(tables.symbols.get(symbol, Sym.NAME_PLACE));
    const home = this.#heads.named({ file, scope: tables.symbols.get(symbol, Sym.CONTAINER), line }, chain.names);
    return home === symbol ? -1 : home;
  }

  #searchDefinition(symbol: SymbolId): SymbolId {
    const { tables } = this.#basis;
    const name = tables.symbols.get(symbol, Sym.NAME);
    const shape = tables.symbols.get(symbol, Sym.SHAPE);
    const file = this.#basis.fileOf(symbol);
    this.#basis.trace.note(name, file);
    const kind = this.#basis.kindOf(symbol);
    const isFunction = FUNCTIONS.has(kind);
    const qualifier = this.#packages.qualifier(symbol);
    const type = this.#basis.isOwned(symbol) ? this.of(symbol) : this.#basis.containerOf(symbol);
    const found = this.#basis.named(name).filter((each) => {
      const other = tables.symbols.get(each, Sym.SHAPE);
      const isAlike = this.#basis.kindOf(each) === kind || (isFunction && FUNCTIONS.has(this.#basis.kindOf(each)));
      if (!isAlike || !this.#hasBody(each)) return false;
      if (this.#basis.rules(this.#basis.fileOf(each))?.family !== 'c' || shape >> 16 !== other >> 16) return false;
      const isLocal = type < 0 && (flagsOfSymbol(other) & SymbolFlag.PRIVATE) !== 0;
      if (isLocal && this.#basis.fileOf(each) !== file) return false;
      if (this.#packages.qualifier(each) === qualifier) return true;
      return type >= 0 && this.#basis.isOwned(each) && this.of(each) === type;
    });
    return found.length === 1 ? found[0]! : symbol;
  }

  #hasBody(symbol: SymbolId): boolean {
    return (flagsOfSymbol(this.#basis.tables.symbols.get(symbol, Sym.SHAPE)) & SymbolFlag.ABSTRACT) === 0;
  }

  #hasOutside(type: SymbolId): boolean {
    return this.#basis.rules(this.#basis.fileOf(type))?.outsideMembers ?? false;
  }

  /** @param owner the name of the type. */
  #candidates(name: NameId, owner: NameId): readonly SymbolId[] {
    const named = this.#basis.named(name);
    let byOwner = this.#outside.get(name);
    if (byOwner === undefined) {
      byOwner = this.#byOwner(named);
      this.#outside.set(name, byOwner);
    }
    return byOwner.size === 0 ? NONE : (byOwner.get(this.#basis.tables.names.text(owner)) ?? NONE);
  }

  /** Their order is that of their paths: the one of numbers is none that lasts. */
  #byOwner(named: readonly SymbolId[]): ReadonlyMap<string, SymbolId[]> {
    const { symbols, names } = this.#basis.tables;
    const { paths } = this.#basis.finder;
    let found: Map<string, SymbolId[]> | undefined;
    for (const symbol of named) {
      const owner = symbols.get(symbol, Sym.OWNER);
      const outer = this.#basis.containerOf(symbol);
      const add = (key: string): void => {
        found ??= new Map();
        const known = found.get(key);
        if (known === undefined) found.set(key, [symbol]);
        else known.push(symbol);
      };
      if (this.#basis.kindOf(symbol) === EXTENSION) add(names.text(symbols.get(symbol, Sym.NAME)));
      else if (owner >= 0) add(lastPart(names.text(owner)));
      else if (outer >= 0 && this.#basis.kindOf(outer) === EXTENSION) add(names.text(symbols.get(outer, Sym.NAME)));
    }
    // Most names have no such member.
    if (found === undefined) return NO_OWNERS;
    const path = (symbol: SymbolId): string => paths.path(this.#basis.fileOf(symbol));
    for (const each of found.values()) {
      each.sort((one, other) => {
        if (this.#basis.fileOf(one) === this.#basis.fileOf(other)) return one - other;
        return path(one) < path(other) ? -1 : 1;
      });
    }
    return found;
  }

  #remembered(known: Map<SymbolId, Remembered<SymbolId>>, symbol: SymbolId, find: () => SymbolId): SymbolId {
    const { trace } = this.#basis;
    let found = known.get(symbol);
    if (found === undefined) {
      found = trace.remember(find);
      known.set(symbol, found);
    } else trace.noteAll(found.looks);
    return found.result;
  }
}
