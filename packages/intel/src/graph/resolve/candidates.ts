import type { FileId } from '../../files/file-table.ts';
import type { SymbolId } from '../code-graph-api.ts';
import { folderOf, foldersUp } from '../modules/path-index.ts';
import type { NameId } from '../names/name-table.ts';
import { arityOfSymbol, Sym } from '../tables/columns.ts';
import type { Basis } from './basis.ts';
import { isLanguageMember } from './language-members.ts';
import { CLASSES, fitOf, fitOfArity, HOLDERS, type Want } from './want.ts';

/** A name with more meanings than this means nothing. */
const MOST = 3;
/** Symbols of one name that are looked at. */
const MOST_LOOKED_AT = 200;

/** What a name may mean where nothing says what stands before it: members of the name, if there are hardly any others. */
export class Candidates {
  readonly #basis: Basis;

  constructor(basis: Basis) {
    this.#basis = basis;
  }

  /** Nearest first; none when there are too many to say. */
  members(file: FileId, name: NameId, want: Want, arity: number): SymbolId[] {
    const family = this.#basis.rules(file)?.family;
    if (family === undefined || isLanguageMember(family, this.#basis.tables.names.text(name))) return [];
    const named = this.#basis.named(name);
    if (named.length > MOST_LOOKED_AT) return [];
    const found = named.filter((symbol) => this.#isMeant(symbol, want, arity, family));
    if (found.length > MOST) return [];
    return found.length < 2 ? found : this.#nearestFirst(file, found);
  }

  #isMeant(symbol: SymbolId, want: Want, arity: number, family: string | undefined): boolean {
    if (this.#basis.rules(this.#basis.fileOf(symbol))?.family !== family) return false;
    const container = this.#basis.containerOf(symbol);
    if (container < 0) return false;
    const kind = this.#basis.kindOf(container);
    if (!CLASSES.has(kind) && !HOLDERS.has(kind)) return false;
    if (fitOf(this.#basis.kindOf(symbol), want) < 2) return false;
    return fitOfArity(arityOfSymbol(this.#basis.tables.symbols.get(symbol, Sym.SHAPE)), arity) > 0;
  }

  #nearestFirst(file: FileId, found: SymbolId[]): SymbolId[] {
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
