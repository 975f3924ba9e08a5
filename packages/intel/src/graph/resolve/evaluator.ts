import type { FileId } from '../../files/file-table.ts';
import type { SymbolId } from '../code-graph-api.ts';
import type { NameId } from '../names/name-table.ts';
import { Bind, FileCol, lineOf, Sym } from '../tables/columns.ts';
import type { Basis } from './basis.ts';
import { type Chain, type ChainReader, Step } from './chains.ts';
import type { ClassMembers } from './class-members.ts';
import type { Homes } from './homes.ts';
import type { ModuleExports } from './module-exports.ts';
import type { Packages } from './packages.ts';
import { ANY_LINE, type Found, nearestBinding, type Place, type Scopes } from './scopes.ts';
import {
  idOf,
  listOf,
  moduleValue,
  OUTSIDE,
  objectOf,
  symbolValue,
  Tag,
  tagOf,
  UNKNOWN,
  type Value,
} from './values.ts';
import { CLASSES, FUNCTIONS, HOLDERS, MODULE, NO_ARITY, Want } from './want.ts';

/** Steps of one question: a bound for circles and for code that is made to be slow. */
const FUEL = 120;

/** A value and how it was come by. */
export interface Evaluated {
  value: Value;
  by: Found['by'];
}

/** Finds out what chains of names stand for, through bindings, declared types, and what calls return. */
export class Evaluator {
  readonly #basis: Basis;
  readonly #packages: Packages;
  readonly #exports: ModuleExports;
  readonly #scopes: Scopes;
  readonly #members: ClassMembers;
  readonly #chains: ChainReader;
  readonly #homes: Homes;
  readonly #this: NameId;
  readonly #super: NameId;
  #fuel = 0;
  /** Bindings that are being evaluated: one that needs itself says nothing. */
  readonly #open: number[] = [];

  constructor(
    basis: Basis,
    packages: Packages,
    exports: ModuleExports,
    scopes: Scopes,
    members: ClassMembers,
    chains: ChainReader,
    homes: Homes,
  ) {
    this.#basis = basis;
    this.#packages = packages;
    this.#exports = exports;
    this.#scopes = scopes;
    this.#members = members;
    this.#chains = chains;
    this.#homes = homes;
    this.#this = basis.tables.names.intern('this');
    this.#super = basis.tables.names.intern('super');
  }

  /** What a chain stands for. */
  receiver(place: Place, chain: Chain): Evaluated {
    this.#fuel = FUEL;
    return this.#chain(place, chain, Want.VALUE);
  }

  /** The member of a value under a name. `from` 1: of what is above the class, for `super`. */
  member(place: Place, value: Value, name: NameId, want: Want, arity: number, from = 0): Value {
    this.#fuel = FUEL;
    return this.#member(place, value, name, want, arity, from);
  }

  isSuper(chain: Chain): boolean {
    return chain.names.length === 1 && chain.names[0] === this.#super;
  }

  #chain(place: Place, chain: Chain, lastWant: Want): Evaluated {
    let { value, by } = this.#head(place, chain.names[0]!, chain.names.length === 1 ? lastWant : Want.VALUE);
    if (chain.steps[0] !== 0) [value, by] = [this.#steps(value, chain.steps[0]!), 'scope'];
    for (let at = 1; at < chain.names.length; at++) {
      if (value === UNKNOWN || value === OUTSIDE) return { value, by };
      const want = at === chain.names.length - 1 ? lastWant : Want.VALUE;
      value = this.#member(place, value, chain.names[at]!, want, NO_ARITY, 0);
      if (chain.steps[at] !== 0) [value, by] = [this.#steps(value, chain.steps[at]!), 'scope'];
    }
    return { value, by };
  }

  #head(place: Place, name: NameId, want: Want): Evaluated {
    if (name === this.#this || name === this.#super) {
      const self = this.#self(place);
      return { value: self < 0 ? UNKNOWN : objectOf(self), by: 'scope' };
    }
    const found = this.#scopes.find(place, name, want, NO_ARITY, this.#members.find);
    if (found.binding >= 0) return { value: this.#bound(place.file, found.binding), by: 'scope' };
    // Where every name must be brought in, one that is not is of the language.
    const isOfLanguage = found.value === UNKNOWN && this.#basis.rules(place.file)?.beyond === 'imports';
    return { value: isOfLanguage ? OUTSIDE : found.value, by: found.by };
  }

  /** The class around a place, or what else holds the methods around it: an object, a prototype. */
  #self({ file, scope }: Place): SymbolId {
    const { tables } = this.#basis;
    let inner = -1;
    for (let row = scope; row >= 0; row = tables.symbols.get(tables.symbolOf(file, row), Sym.CONTAINER)) {
      const symbol = tables.symbolOf(file, row);
      const kind = this.#basis.kindOf(symbol);
      if (this.#homes.isOutside(symbol) && this.#homes.of(symbol) >= 0) return this.#homes.of(symbol);
      if (CLASSES.has(kind) || (HOLDERS.has(kind) && inner >= 0)) return symbol;
      if (kind === MODULE) return -1;
      inner = symbol;
    }
    return -1;
  }

  /** Carries out calls and indexes on a value. */
  #steps(start: Value, steps: number): Value {
    let value = start;
    for (let left = steps; left !== 0; left >>= 2) {
      value = (left & 3) === Step.CALL ? this.#called(value) : this.#element(value);
    }
    return value;
  }

  #called(value: Value): Value {
    if (tagOf(value) !== Tag.SYMBOL) return value === OUTSIDE ? OUTSIDE : UNKNOWN;
    const symbol = idOf(value);
    const kind = this.#basis.kindOf(symbol);
    if (CLASSES.has(kind)) return objectOf(symbol);
    if (FUNCTIONS.has(kind)) return this.#declared(symbol);
    const held = this.#held(symbol);
    return tagOf(held) === Tag.SYMBOL && idOf(held) !== symbol && this.#burn() ? this.#called(held) : UNKNOWN;
  }

  #element(value: Value): Value {
    const list = tagOf(value) === Tag.SYMBOL ? this.#held(idOf(value)) : value;
    if (tagOf(list) === Tag.LIST) return objectOf(idOf(list));
    return list === OUTSIDE ? OUTSIDE : UNKNOWN;
  }

  #member(place: Place, value: Value, name: NameId, want: Want, arity: number, from: number): Value {
    if (!this.#burn()) return UNKNOWN;
    switch (tagOf(value)) {
      case Tag.MODULE: {
        const found = this.#exports.find(idOf(value), name, want);
        return found === UNKNOWN ? OUTSIDE : found;
      }
      case Tag.PACKAGE:
        return this.#packages.inNamed(place.file, idOf(value), name, want, arity);
      case Tag.OBJECT:
        return this.#ofClass(idOf(value), name, want, arity, from);
      case Tag.SYMBOL:
        return this.#ofSymbol(place, idOf(value), name, want, arity);
      case Tag.LIST:
        return OUTSIDE;
      default:
        return value;
    }
  }

  #ofClass(symbol: SymbolId, name: NameId, want: Want, arity: number, from: number): Value {
    const { tables } = this.#basis;
    const found = this.#members.find(symbol, name, want, arity, from);
    if (found >= 0) return symbolValue(found);
    const field = this.#members.field(symbol, name);
    if (field >= 0) return this.#bound(this.#basis.fileOf(this.#ownerOfBinding(symbol, field)), field);
    // An alias of a type has what that has.
    const type = tables.symbols.get(symbol, Sym.TYPE);
    if (type >= 0 && this.#members.lineage(symbol).classes.length === 1) {
      const other = this.#declared(symbol);
      if (tagOf(other) === Tag.OBJECT && idOf(other) !== symbol && this.#burn()) {
        return this.#ofClass(idOf(other), name, want, arity, from);
      }
    }
    return OUTSIDE;
  }

  /** The class of a lineage in whose file a binding lies. */
  #ownerOfBinding(symbol: SymbolId, binding: number): SymbolId {
    const { tables } = this.#basis;
    const owner = this.#members.lineage(symbol).classes.find((each) => {
      const file = this.#basis.fileOf(each);
      const first = tables.file(file, FileCol.FIRST_BINDING);
      return binding >= first && binding < first + tables.file(file, FileCol.BINDINGS);
    });
    return owner ?? symbol;
  }

  #ofSymbol(place: Place, symbol: SymbolId, name: NameId, want: Want, arity: number): Value {
    const kind = this.#basis.kindOf(symbol);
    if (CLASSES.has(kind)) return this.#ofClass(symbol, name, want, arity, 0);
    const own = this.#members.own(symbol, name, want, arity);
    if (own >= 0) return symbolValue(own);
    if (kind === MODULE) return this.#ofModule(place, symbol, name, want, arity);
    if (FUNCTIONS.has(kind)) return OUTSIDE;
    const held = this.#held(symbol);
    if (tagOf(held) === Tag.SYMBOL && idOf(held) === symbol) return UNKNOWN;
    return this.#member(place, held, name, want, arity, 0);
  }

  /** A namespace may go on elsewhere, a module may be a file. */
  #ofModule(place: Place, symbol: SymbolId, name: NameId, want: Want, arity: number): Value {
    const { tables } = this.#basis;
    const full = this.#packages.qualifierOfMembers(symbol);
    const found = this.#packages.qualified(this.#basis.fileOf(symbol), full, name, want, arity);
    if (found >= 0) return symbolValue(found);
    const file = this.#exports.submodule(this.#basis.fileOf(symbol), tables.symbols.get(symbol, Sym.NAME));
    return file < 0 ? OUTSIDE : this.#member(place, moduleValue(file), name, want, arity, 0);
  }

  /** What a variable, field or property holds; the symbol itself where nothing says it. */
  #held(symbol: SymbolId): Value {
    if (!HOLDERS.has(this.#basis.kindOf(symbol)) || !this.#burn()) return symbolValue(symbol);
    if (this.#basis.tables.symbols.get(symbol, Sym.TYPE) >= 0) return this.#declared(symbol);
    const { tables, trace } = this.#basis;
    const file = this.#basis.fileOf(symbol);
    const name = tables.symbols.get(symbol, Sym.NAME);
    const row = tables.symbols.get(symbol, Sym.CONTAINER);
    const line = lineOf(tables.symbols.get(symbol, Sym.NAME_PLACE));
    const field = tables.names.intern(`this.${tables.names.text(name)}`);
    trace.note(name, file);
    trace.note(field, file);
    const plain = tables.firstBinding(file, name);
    const fields = row < 0 ? -1 : tables.firstBinding(file, field);
    const binding = Math.max(
      plain < 0 ? -1 : nearestBinding(tables, file, plain, row, line),
      fields < 0 ? -1 : nearestBinding(tables, file, fields, row, ANY_LINE),
    );
    return binding < 0 ? symbolValue(symbol) : this.#bound(file, binding);
  }

  /** An object of the declared type of a symbol, or of what a function returns. */
  #declared(symbol: SymbolId): Value {
    const { tables } = this.#basis;
    const type = tables.symbols.get(symbol, Sym.TYPE);
    if (type < 0) return UNKNOWN;
    const line = lineOf(tables.symbols.get(symbol, Sym.NAME_PLACE));
    return this.#typed({ file: this.#basis.fileOf(symbol), scope: tables.rowOf(symbol), line }, type);
  }

  /** What the variable of a binding holds. */
  #bound(file: FileId, binding: number): Value {
    const { tables } = this.#basis;
    const type = tables.bindings.get(binding, Bind.TYPE);
    if (type < 0 || this.#open.includes(binding)) return UNKNOWN;
    const scope = tables.bindings.get(binding, Bind.SCOPE);
    const text = this.#chains.type(type);
    // In `node = node.next` the second one is what it was before.
    const line = tables.bindings.get(binding, Bind.LINE) - (text?.form === 'value' ? 1 : 0);
    this.#open.push(binding);
    const value = this.#typed({ file, scope, line }, type);
    this.#open.pop();
    return value;
  }

  #typed(place: Place, type: NameId): Value {
    const text = this.#chains.type(type);
    if (text === undefined || !this.#burn()) return UNKNOWN;
    let { value } = this.#chain(place, text.chain, text.form === 'type' ? Want.TYPE : Want.VALUE);
    if (text.form === 'type') {
      // A type that is not found is not one of the workspace.
      if (tagOf(value) !== Tag.SYMBOL) return OUTSIDE;
      value = objectOf(idOf(value));
    } else if (tagOf(value) === Tag.SYMBOL && HOLDERS.has(this.#basis.kindOf(idOf(value)))) {
      value = this.#held(idOf(value));
    }
    return text.isList && tagOf(value) === Tag.OBJECT ? listOf(idOf(value)) : value;
  }

  #burn(): boolean {
    return --this.#fuel > 0;
  }
}
