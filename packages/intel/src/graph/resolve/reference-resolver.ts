import type { FileId } from '../../files/file-table.ts';
import { CERTAINTIES, type Certainty, type SymbolId } from '../code-graph-api.ts';
import type { NameId } from '../names/name-table.ts';
import {
  arityOfReference,
  containerOfReference,
  FileCol,
  kindOfReference,
  lineOf,
  MEMBER_OF,
  Ref,
  Sym,
  withCertainty,
} from '../tables/columns.ts';
import type { Basis } from './basis.ts';
import { Candidates } from './candidates.ts';
import type { ChainReader } from './chains.ts';
import type { ClassMembers } from './class-members.ts';
import type { Evaluator } from './evaluator.ts';
import type { Homes } from './homes.ts';
import type { Place, Scopes } from './scopes.ts';
import { idOf, OUTSIDE, symbolValue, Tag, tagOf, UNKNOWN, type Value } from './values.ts';
import { type Want, wantOf } from './want.ts';

interface Resolved {
  to: readonly SymbolId[];
  certainty: Certainty;
}

const WANTS = 4;
const ARITIES = 129;
const SCOPES = 2 ** 20;
const NOWHERE: Resolved = { to: [], certainty: 'ambiguous' };

/** Finds what references stand for and writes it into their rows. */
export class ReferenceResolver {
  readonly #basis: Basis;
  readonly #scopes: Scopes;
  readonly #members: ClassMembers;
  readonly #evaluator: Evaluator;
  readonly #chains: ChainReader;
  readonly #candidates: Candidates;
  readonly #homes: Homes;
  /** What names without a receiver stand for in the file at hand, by scope, name, want and arity. */
  readonly #bare = new Map<number, Resolved>();

  constructor(
    basis: Basis,
    scopes: Scopes,
    members: ClassMembers,
    evaluator: Evaluator,
    chains: ChainReader,
    homes: Homes,
  ) {
    this.#basis = basis;
    this.#scopes = scopes;
    this.#members = members;
    this.#evaluator = evaluator;
    this.#chains = chains;
    this.#candidates = new Candidates(basis, homes);
    this.#homes = homes;
  }

  /** Resolves references of a file; its rows must be ones that may be written to. */
  resolve(file: FileId, from: number, end: number): void {
    const { tables } = this.#basis;
    const { references, lists } = tables;
    // What is remembered was noted in the trace once: that is of this run over the file.
    if (from === tables.file(file, FileCol.FIRST_REFERENCE)) this.#bare.clear();
    for (let row = from; row < end; row++) {
      const { to: named, certainty } = this.#resolve(file, row);
      const to = this.#definitions(named);
      for (const symbol of to) this.#noteTarget(symbol);
      const list = to.length > 1 ? -2 - lists.add(Int32Array.of(to.length, ...to)) : -1;
      references.set(row, Ref.TARGET, to.length === 1 ? to[0]! : list);
      const shape = references.get(row, Ref.SHAPE);
      references.set(row, Ref.SHAPE, withCertainty(shape, CERTAINTIES.indexOf(certainty)));
    }
  }

  #definitions(symbols: readonly SymbolId[]): readonly SymbolId[] {
    if (symbols.length === 0) return symbols;
    if (symbols.length === 1) return [this.#homes.definition(symbols[0]!)];
    return [...new Set(symbols.map((symbol) => this.#homes.definition(symbol)))];
  }

  #noteTarget(symbol: SymbolId): void {
    const { trace, tables } = this.#basis;
    trace.note(tables.symbols.get(symbol, Sym.NAME), this.#basis.fileOf(symbol));
  }

  #implied(file: FileId, shape: number): Resolved {
    const symbol = this.#basis.tables.symbolOf(file, containerOfReference(shape));
    if (symbol < 0) return NOWHERE;
    const to = kindOfReference(shape) === MEMBER_OF ? this.#homes.of(symbol) : this.#homes.definition(symbol);
    return to < 0 || to === symbol ? NOWHERE : toSymbol(symbolValue(to), 'scope');
  }

  /** The same wherever it stands in its scope: the line only says which of several bindings a variable has. */
  #withoutReceiver(place: Place, name: NameId, want: Want, arity: number): Resolved {
    const key = keyOf(place.scope, name, want, arity);
    let known = this.#bare.get(key);
    if (known === undefined) {
      const found = this.#scopes.find(place, name, want, arity, this.#members.find);
      known = found.binding >= 0 ? NOWHERE : toSymbol(found.value, found.by);
      this.#bare.set(key, known);
    }
    return known;
  }

  #resolve(file: FileId, row: number): Resolved {
    const { tables } = this.#basis;
    const shape = tables.references.get(row, Ref.SHAPE);
    const name = tables.references.get(row, Ref.NAME);
    const receiver = tables.references.get(row, Ref.RECEIVER);
    const line = lineOf(tables.references.get(row, Ref.PLACE));
    if (kindOfReference(shape) >= MEMBER_OF) return this.#implied(file, shape);
    const place: Place = { file, scope: containerOfReference(shape), line };
    const want = wantOf(kindOfReference(shape));
    const arity = arityOfReference(shape);
    if (receiver < 0) return this.#withoutReceiver(place, name, want, arity);
    const chain = this.#chains.chain(receiver);
    const before = chain && this.#evaluator.receiver(place, chain);
    if (before !== undefined && before.value !== UNKNOWN) {
      if (before.value === OUTSIDE) return guessed(this.#candidates.extending(file, name, want, arity));
      const from = this.#evaluator.isSuper(chain!) ? 1 : 0;
      const value = this.#evaluator.member(place, before.value, name, want, arity, from);
      if (value !== UNKNOWN) return toSymbol(value, before.by);
    }
    return guessed(this.#candidates.members(file, name, want, arity));
  }
}

/** Scope, name, want and arity in one number. */
function keyOf(scope: number, name: NameId, want: Want, arity: number): number {
  return ((name * WANTS + want) * ARITIES + arity + 1) * SCOPES + scope + 1;
}

function guessed(to: readonly SymbolId[]): Resolved {
  return { to, certainty: to.length === 1 ? 'unique-name' : 'ambiguous' };
}

function toSymbol(value: Value, certainty: Certainty): Resolved {
  return tagOf(value) === Tag.SYMBOL ? { to: [idOf(value)], certainty } : NOWHERE;
}
