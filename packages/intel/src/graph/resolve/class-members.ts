import type { FileId } from '../../files/file-table.ts';
import { REFERENCE_KINDS } from '../../parsing/file-facts.ts';
import type { SymbolId } from '../code-graph-api.ts';
import type { NameId } from '../names/name-table.ts';
import { Bind, containerOfReference, FileCol, kindOfReference, lineOf, Ref, Sym } from '../tables/columns.ts';
import type { Basis } from './basis.ts';
import type { HeadTypes } from './head-types.ts';
import type { Homes } from './homes.ts';
import { ANY_LINE, nearestBinding } from './scopes.ts';
import type { Remembered } from './trace.ts';
import type { Want } from './want.ts';

const EXTENDS = REFERENCE_KINDS.indexOf('extends');
const IMPLEMENTS = REFERENCE_KINDS.indexOf('implements');
/** Classes above one that are looked at. */
const MAX_LINEAGE = 60;

/** A class and those above it, nearest first. */
export interface Lineage {
  classes: SymbolId[];
  /** Some base is not in the workspace: members may come from there. */
  hasOutside: boolean;
}

/** Members of classes, their own and inherited ones. */
export class ClassMembers {
  readonly #basis: Basis;
  readonly #heads: HeadTypes;
  readonly #homes: Homes;
  readonly #lineages = new Map<SymbolId, Remembered<Lineage>>();
  readonly #bases = new Map<SymbolId, Remembered<Lineage>>();

  constructor(basis: Basis, heads: HeadTypes, homes: Homes) {
    this.#basis = basis;
    this.#heads = heads;
    this.#homes = homes;
  }

  /** A member, own or inherited; -1 for none. @param from 1 leaves the class itself out, for `super` */
  readonly find = (symbol: SymbolId, name: NameId, want: Want, arity: number, from = 0): SymbolId => {
    const { classes } = this.lineage(symbol);
    for (let at = from; at < classes.length; at++) {
      const found = this.own(classes[at]!, name, want, arity);
      if (found >= 0) return found;
    }
    return -1;
  };

  /** A member that is not inherited, declared in the class or outside of it; -1 for none. */
  own(symbol: SymbolId, name: NameId, want: Want, arity: number): SymbolId {
    const own = this.#basis.ownMember(symbol, name, want, arity);
    const other = this.#homes.member(symbol, name, want, arity);
    if (own < 0 || other < 0) return Math.max(own, other);
    return this.#basis.fitOfAny(other, want, arity) > this.#basis.fit(own, want, arity) ? other : own;
  }

  /** The first binding of a field that is no symbol, in the class or above it; the row in the table, -1 for none. */
  field(symbol: SymbolId, name: NameId): number {
    const { tables, trace } = this.#basis;
    const field = tables.names.intern(`this.${tables.names.text(name)}`);
    for (const each of this.lineage(symbol).classes) {
      const file = this.#basis.fileOf(each);
      trace.note(field, file);
      const first = tables.firstBinding(file, field);
      const row = first < 0 ? -1 : nearestBinding(tables, file, first, tables.rowOf(each), ANY_LINE);
      if (row >= 0 && tables.bindings.get(row, Bind.TYPE) >= 0) return row;
    }
    return -1;
  }

  /** Of an extension, and of a member that is declared outside of its type, the lineage of the type. */
  lineage(from: SymbolId): Lineage {
    const symbol = this.#homes.typeOf(from);
    return this.#remembered(this.#lineages, symbol, () => {
      const classes = new Set([symbol]);
      let hasOutside = false;
      for (const each of classes) {
        const bases = this.bases(each);
        hasOutside ||= bases.hasOutside;
        for (const base of bases.classes) if (classes.size < MAX_LINEAGE) classes.add(base);
      }
      return { classes: [...classes], hasOutside };
    });
  }

  /** What the heads of a class and of its extensions name. */
  bases(symbol: SymbolId): Lineage {
    return this.#remembered(this.#bases, symbol, () => {
      const bases: Lineage = { classes: [], hasOutside: false };
      this.#basis.trace.note(this.#basis.tables.symbols.get(symbol, Sym.NAME), this.#basis.fileOf(symbol));
      for (const head of [symbol, ...this.#homes.extensions(symbol)]) {
        for (const reference of this.#headsOf(head)) {
          const base = this.#heads.type(head, reference);
          if (base >= 0) bases.classes.push(base);
          else bases.hasOutside = true;
        }
      }
      return bases;
    });
  }

  /** References in the head of a class that name its bases. */
  *#headsOf(symbol: SymbolId): Generator<number, void, void> {
    const { tables } = this.#basis;
    const file = this.#basis.fileOf(symbol);
    const row = tables.rowOf(symbol);
    const end = tables.file(file, FileCol.FIRST_REFERENCE) + tables.file(file, FileCol.REFERENCES);
    const last = tables.symbols.get(symbol, Sym.END_LINE);
    for (let at = this.#firstFrom(file, tables.symbols.get(symbol, Sym.START_LINE), end); at < end; at++) {
      if (lineOf(tables.references.get(at, Ref.PLACE)) > last) return;
      const shape = tables.references.get(at, Ref.SHAPE);
      const kind = kindOfReference(shape);
      if ((kind === EXTENDS || kind === IMPLEMENTS) && containerOfReference(shape) === row) yield at;
    }
  }

  #firstFrom(file: FileId, line: number, end: number): number {
    const { references } = this.#basis.tables;
    let low = this.#basis.tables.file(file, FileCol.FIRST_REFERENCE);
    let high = end;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (lineOf(references.get(middle, Ref.PLACE)) < line) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #remembered<T>(known: Map<SymbolId, Remembered<T>>, symbol: SymbolId, find: () => T): T {
    const { trace } = this.#basis;
    let found = known.get(symbol);
    if (found === undefined) {
      found = trace.remember(find);
      known.set(symbol, found);
    } else trace.noteAll(found.looks);
    return found.result;
  }
}
