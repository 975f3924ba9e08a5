import type { FileId } from '../../files/file-table.ts';
import type { SymbolId } from '../code-graph-api.ts';
import { folderOf, foldersUp } from '../modules/path-index.ts';
import type { NameId } from '../names/name-table.ts';
import { arityOfSymbol, Sym } from '../tables/columns.ts';
import type { Basis } from './basis.ts';
import type { Homes } from './homes.ts';
import { isLanguageMember } from './language-members.ts';
import { FAMILIES, type LanguageRules } from './language-rules.ts';
import type { Remembered } from './trace.ts';
import { CLASSES, fitOf, fitOfArity, HOLDERS, type Want } from './want.ts';

/** A name with more meanings than this means nothing. */
const MOST = 2;
/** A name that so many symbols have is hardly ever meant. */
export const MOST_OF_A_NAME = 24;

const NONE: readonly SymbolId[] = [];

/** What a name may mean where nothing says what stands before it: members of the name, if there are hardly any others. */
export class Candidates {
  readonly #basis: Basis;
  readonly #homes: Homes;
  /** What was found, by name, family, want and arity. */
  readonly #known = new Map<number, Remembered<readonly SymbolId[]>>();
  readonly #extending = new Map<number, Remembered<readonly SymbolId[]>>();

  constructor(basis: Basis, homes: Homes) {
    this.#basis = basis;
    this.#homes = homes;
  }

  /** Nearest first; none when there are too many to say. */
  members(file: FileId, name: NameId, want: Want, arity: number): readonly SymbolId[] {
    return this.#meantIn(file, name, want, arity, this.#known, (symbol) => this.#isMember(symbol));
  }

  /** The same for a value of a type that is not in the workspace: members by which the workspace extends such types. */
  extending(file: FileId, name: NameId, want: Want, arity: number): readonly SymbolId[] {
    if (!this.#basis.rules(file)?.outsideMembers) return NONE;
    return this.#meantIn(file, name, want, arity, this.#extending, (symbol) => this.#isExtending(symbol));
  }

  #meantIn(
    file: FileId,
    name: NameId,
    want: Want,
    arity: number,
    known: Map<number, Remembered<readonly SymbolId[]>>,
    isRight: (symbol: SymbolId) => boolean,
  ): readonly SymbolId[] {
    const family = this.#basis.rules(file)?.family;
    if (family === undefined) return NONE;
    const key = ((name * FAMILIES.length + FAMILIES.indexOf(family)) * 4 + want) * 128 + arity;
    let found = known.get(key);
    if (found === undefined) {
      found = this.#basis.trace.remember(() => this.#search(name, want, arity, family, isRight));
      known.set(key, found);
    } else this.#basis.trace.noteAll(found.looks);
    return found.result.length < 2 ? found.result : this.#nearestFirst(file, found.result);
  }

  #search(
    name: NameId,
    want: Want,
    arity: number,
    family: LanguageRules['family'],
    isRight: (symbol: SymbolId) => boolean,
  ): readonly SymbolId[] {
    if (isLanguageMember(family, this.#basis.tables.names.text(name))) return NONE;
    const named = this.#basis.named(name);
    if (named.length > MOST_OF_A_NAME) return NONE;
    const meant = named.filter((symbol) => this.#fits(symbol, want, arity, family) && isRight(symbol));
    const found = [...new Set(meant.map((symbol) => this.#homes.definition(symbol)))];
    return found.length > MOST ? NONE : found;
  }

  #fits(symbol: SymbolId, want: Want, arity: number, family: LanguageRules['family']): boolean {
    if (this.#basis.rules(this.#basis.fileOf(symbol))?.family !== family) return false;
    if (fitOf(this.#basis.kindOf(symbol), want) < 2) return false;
    return fitOfArity(arityOfSymbol(this.#basis.tables.symbols.get(symbol, Sym.SHAPE)), arity) > 0;
  }

  #isMember(symbol: SymbolId): boolean {
    if (this.#basis.isOwned(symbol)) return true;
    const container = this.#basis.containerOf(symbol);
    if (container < 0) return false;
    const kind = this.#basis.kindOf(container);
    return CLASSES.has(kind) || HOLDERS.has(kind);
  }

  #isExtending(symbol: SymbolId): boolean {
    const outer = this.#basis.isOwned(symbol) ? symbol : this.#basis.containerOf(symbol);
    return outer >= 0 && this.#homes.isOutside(outer) && this.#homes.of(outer) < 0;
  }

  #nearestFirst(file: FileId, found: readonly SymbolId[]): SymbolId[] {
    const { paths } = this.#basis.finder;
    const around = [...foldersUp(folderOf(paths.path(file)))];
    const placed = found.map((symbol) => {
      const path = paths.path(this.#basis.fileOf(symbol));
      return { symbol, path, distance: around.findIndex((folder) => folder === '' || path.startsWith(`${folder}/`)) };
    });
    placed.sort(
      (one, other) =>
        one.distance - other.distance ||
        (one.path < other.path ? -1 : Number(one.path > other.path)) ||
        one.symbol - other.symbol,
    );
    return placed.map((each) => each.symbol);
  }
}
