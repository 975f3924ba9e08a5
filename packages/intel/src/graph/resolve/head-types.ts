import type { FileId } from '../../files/file-table.ts';
import type { SymbolId } from '../code-graph-api.ts';
import type { NameId } from '../names/name-table.ts';
import { lineOf, Ref, Sym } from '../tables/columns.ts';
import type { Basis } from './basis.ts';
import type { ChainReader } from './chains.ts';
import type { ModuleExports } from './module-exports.ts';
import type { Packages } from './packages.ts';
import type { FindMember, Place, Scopes } from './scopes.ts';
import { idOf, moduleValue, symbolValue, Tag, tagOf, UNKNOWN, type Value } from './values.ts';
import { CLASSES, MODULE, NO_ARITY, Want } from './want.ts';

/**
 * The classes that heads of classes name. They are found through scopes, imports and own members alone: what is inherited
 * depends on them.
 */
export class HeadTypes {
  readonly #basis: Basis;
  readonly #packages: Packages;
  readonly #exports: ModuleExports;
  readonly #scopes: Scopes;
  readonly #chains: ChainReader;

  constructor(basis: Basis, packages: Packages, exports: ModuleExports, scopes: Scopes, chains: ChainReader) {
    this.#basis = basis;
    this.#packages = packages;
    this.#exports = exports;
    this.#scopes = scopes;
    this.#chains = chains;
  }

  /** The class that a reference in the head of a class stands for; -1 for none of the workspace. */
  type(symbol: SymbolId, reference: number): SymbolId {
    const { tables } = this.#basis;
    const file = this.#basis.fileOf(symbol);
    const line = lineOf(tables.references.get(reference, Ref.PLACE));
    const place = { file, scope: tables.symbols.get(symbol, Sym.CONTAINER), line };
    const name = tables.references.get(reference, Ref.NAME);
    const receiver = tables.references.get(reference, Ref.RECEIVER);
    const chain = receiver < 0 ? undefined : this.#chains.chain(receiver);
    if (receiver >= 0 && (chain === undefined || chain.steps.some((step) => step !== 0))) return -1;
    const found = this.named(place, [...(chain?.names ?? []), name]);
    return found >= 0 && CLASSES.has(this.#basis.kindOf(found)) ? found : -1;
  }

  /** The symbol of a type, or of what else has members, that names joined by dots stand for at a place; -1 for none. */
  named(place: Place, names: readonly NameId[]): SymbolId {
    const want = names.length === 1 ? Want.TYPE : Want.VALUE;
    let { value } = this.#scopes.find(place, names[0]!, want, NO_ARITY, this.#ownMember);
    for (const each of names.slice(1)) value = this.#member(place.file, value, each);
    return tagOf(value) === Tag.SYMBOL ? idOf(value) : -1;
  }

  readonly #ownMember: FindMember = (symbol, name, want, arity) => this.#basis.ownMember(symbol, name, want, arity);

  /** A member that is a class or a module. */
  #member(file: FileId, value: Value, name: NameId): Value {
    const id = idOf(value);
    switch (tagOf(value)) {
      case Tag.MODULE:
        return this.#exports.find(id, name, Want.TYPE);
      case Tag.PACKAGE:
        return this.#packages.inNamed(file, id, name, Want.TYPE, NO_ARITY);
      case Tag.SYMBOL: {
        const own = this.#basis.ownMember(id, name, Want.TYPE, NO_ARITY);
        if (own >= 0) return symbolValue(own);
        return this.#basis.kindOf(id) === MODULE ? this.#ofModule(id, name) : UNKNOWN;
      }
      default:
        return UNKNOWN;
    }
  }

  #ofModule(symbol: SymbolId, name: NameId): Value {
    const file = this.#basis.fileOf(symbol);
    const full = this.#packages.qualifierOfMembers(symbol);
    const found = this.#packages.qualified(file, full, name, Want.TYPE, NO_ARITY);
    if (found >= 0) return symbolValue(found);
    const submodule = this.#exports.submodule(file, this.#basis.tables.symbols.get(symbol, Sym.NAME));
    return submodule < 0 ? UNKNOWN : this.#member(file, moduleValue(submodule), name);
  }
}
