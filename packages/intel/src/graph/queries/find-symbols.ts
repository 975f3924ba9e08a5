import { SYMBOL_KINDS, SymbolFlag } from '../../parsing/file-facts.ts';
import type { FindOptions, SymbolId } from '../code-graph-api.ts';
import { FileCol, flagsOfSymbol, Sym } from '../tables/columns.ts';
import { bestOf } from './best-of.ts';
import type { GraphView } from './graph-view.ts';
import { subsequenceScore } from './subsequence-score.ts';

const DEFAULT_LIMIT = 20;
/** Symbols that are ranked; of a name that has more the rest is not looked at. */
const MAX_RANKED = 5000;

interface Scored {
  symbol: SymbolId;
  score: number;
}

interface Wanted {
  name: string;
  /** Outermost first; the innermost must be the direct container. */
  containers: string[];
  /** Paths must end with it, whole folders, with or without the ending of the name. */
  pathEnd: string | undefined;
  options: FindOptions;
}

/** `name`, `Container.name` or `path:name`; see `CodeGraph.find`. */
export function findSymbols(view: GraphView, query: string, options: FindOptions = {}): SymbolId[] {
  const wanted = parseQuery(query, options);
  if (wanted.name === '') return [];
  const scores = namesLike(view, wanted.name, options.match ?? 'exact');
  const found: Scored[] = [];
  for (const { name, score } of scores) {
    for (const symbol of view.tables.symbolsNamed(name)) {
      if (matches(view, symbol, wanted)) found.push({ symbol, score: score + weightOf(view, symbol) });
    }
    if (found.length > MAX_RANKED) break;
  }
  return bestThatAreMeant(view, found, options.limit ?? DEFAULT_LIMIT);
}

/** Best first. What stands in for others is looked for among the best alone: a name may have thousands of symbols. */
function bestThatAreMeant(view: GraphView, found: readonly Scored[], limit: number): SymbolId[] {
  const compare = (one: Scored, other: Scored): number =>
    other.score - one.score || view.compare(one.symbol, other.symbol);
  for (let most = limit; ; most *= 2) {
    const best = bestOf(found, most, compare);
    const meant = best.filter(({ symbol }) => !isStandIn(view, symbol, found));
    if (meant.length >= limit || best.length === found.length) {
      return meant.slice(0, limit).map(({ symbol }) => symbol);
    }
  }
}

function parseQuery(query: string, options: FindOptions): Wanted {
  // A colon that is not one of a pair ends the path: `src/store.ts:Store.save`, `std::vector` has none.
  const [, path, rest = query] = /^([^:]+(?:::[^:]+)*):(?!:)(.+)$/.exec(query.trim()) ?? [];
  const parts = rest.trim().split(/::|[.#]/);
  // `.` alone and names that begin with it are no separators.
  const isPlain = parts.some((part) => part === '');
  return {
    name: isPlain ? rest.trim() : parts.at(-1)!,
    containers: isPlain ? [] : parts.slice(0, -1),
    pathEnd: path,
    options,
  };
}

/** An extension is not told of beside its type, nor a prototype beside the definition. */
function isStandIn(view: GraphView, symbol: SymbolId, found: readonly Scored[]): boolean {
  const meant = view.isExtension(symbol) ? view.extended(symbol) : view.definition(symbol);
  return meant !== symbol && found.some((each) => each.symbol === meant);
}

/** Names that symbols have, best first, with a score from 0 to 1000 a step of which outweighs all else. */
function namesLike(
  view: GraphView,
  wanted: string,
  match: 'exact' | 'prefix' | 'fuzzy',
): { name: number; score: number }[] {
  const exact = view.tables.names.find(wanted);
  if (match === 'exact' && exact >= 0 && view.tables.symbolsNamed(exact).length > 0) return [{ name: exact, score: 0 }];
  const lower = wanted.toLowerCase();
  const found: { name: number; text: string; score: number }[] = [];
  for (const name of view.tables.symbolNames()) {
    const text = view.tables.names.text(name);
    const score = scoreOf(text, wanted, lower, match);
    if (score >= 0) found.push({ name, text, score: score * 1000 });
  }
  return found.sort((one, other) => other.score - one.score || (one.text < other.text ? -1 : 1));
}

/** Below zero: no match. Exact before other case before prefix before subsequence. */
function scoreOf(text: string, wanted: string, lower: string, match: 'exact' | 'prefix' | 'fuzzy'): number {
  if (text === wanted) return 400;
  const textLower = text.toLowerCase();
  if (textLower === lower) return 300;
  if (match === 'exact') return -1;
  if (textLower.startsWith(lower)) return 200 - Math.min(99, text.length - lower.length);
  return match === 'prefix' ? -1 : subsequenceScore(text, lower);
}

function matches(view: GraphView, symbol: SymbolId, { containers, pathEnd, options }: Wanted): boolean {
  if (options.kinds && !options.kinds.includes(SYMBOL_KINDS[view.kind(symbol)]!)) return false;
  if (options.path !== undefined || pathEnd !== undefined) {
    const path = view.files.path(view.file(symbol));
    if (options.path !== undefined && !isBelow(path, options.path)) return false;
    if (pathEnd !== undefined && !endsWith(path, pathEnd)) return false;
  }
  if (containers.length === 0) return true;
  const outer = view.containers(symbol);
  for (const name of containers.toReversed()) {
    const own = outer.pop();
    if (own !== name) return own === undefined && isModule(view, symbol, name);
  }
  return true;
}

/** At the top of a file the container may be the file or the package: `store.open` finds `open` in store.ts. */
function isModule(view: GraphView, symbol: SymbolId, name: string): boolean {
  const file = view.file(symbol);
  const packageName = view.tables.file(file, FileCol.PACKAGE);
  const declared = packageName < 0 ? '' : view.tables.names.text(packageName);
  if (declared === name || declared.endsWith(`.${name}`) || declared.endsWith(`\\${name}`)) return true;
  const parts = view.files.path(file).split('/');
  return parts.pop()!.split('.')[0] === name || parts.pop() === name;
}

export function isBelow(path: string, folder: string): boolean {
  const clean = folder.replace(/^\.\//, '').replace(/\/+$/, '');
  return clean === '' || clean === '.' || path === clean || path.startsWith(`${clean}/`);
}

function endsWith(path: string, end: string): boolean {
  const wanted = end.replace(/^\.?\//, '');
  if (path === wanted || path.endsWith(`/${wanted}`)) return true;
  const bare = path.replace(/\.[^./]+$/, '');
  return bare === wanted || bare.endsWith(`/${wanted}`);
}

/** Up to 900: exported, no test, used a lot, not deep in others. Below all others an extension: its type has the name. */
function weightOf(view: GraphView, symbol: SymbolId): number {
  if (view.isExtension(symbol)) return -1;
  const flags = flagsOfSymbol(view.tables.symbols.get(symbol, Sym.SHAPE));
  const exported = (flags & SymbolFlag.EXPORTED) !== 0 ? 200 : 0;
  const isTest = (flags & SymbolFlag.TEST) !== 0 ? 0 : 300;
  return isTest + exported + Math.min(400, 40 * Math.log2(1 + view.uses.count(symbol)));
}
