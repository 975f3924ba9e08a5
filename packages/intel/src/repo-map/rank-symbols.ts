import type { CodeIntelligence } from '../code-intelligence-api.ts';
import type { FileId } from '../files/file-table.ts';
import type { CodeSymbol } from '../graph/code-graph-api.ts';
import type { SymbolKind } from '../parsing/file-facts.ts';
import type { MapTask } from './map-task.ts';

export interface RankedSymbol {
  symbol: CodeSymbol;
  rank: number;
}

/** What a symbol counts beside how often it is used; what is not listed counts 1. */
const KIND_WORTH: Partial<Record<SymbolKind, number>> = {
  field: 0.2,
  property: 0.2,
  'enum-member': 0.1,
  variable: 0.3,
  constant: 0.5,
  type: 0.5,
  constructor: 0.3,
};
/** What is used by nobody still says what a file is for, e.g. the entry of a program. */
const UNUSED = 0.3;
const PRIVATE = 0.1;
const IN_TESTS = 0.1;
/** What lies in a function is its own affair. */
const HIDING: ReadonlySet<SymbolKind> = new Set(['function', 'method', 'constructor']);

/** So many symbols that others use say enough of a file. */
const ENOUGH = 5;
/** How many times more than others the files count that a task has most to do with. */
const OF_TASK = 10;

/**
 * Spreads the rank of each file over its symbols, by how often each is used from other files and what it has to do with
 * the task. Answers the `most` best, best first; ties by path and line. Only the best `most` files are looked at: what lies
 * in others is hardly ever among the best, and to look at all of them is what a map of a large tree would cost.
 */
export function rankSymbols(
  { graph, files }: Pick<CodeIntelligence, 'graph' | 'files'>,
  ofFiles: Float64Array,
  { symbols: wanted, files: meant }: Pick<MapTask, 'symbols' | 'files'>,
  most: number,
): RankedSymbol[] {
  const closest = Math.max(0, ...meant.values());
  // What the task is about stands above what it only leads to.
  const ranks = ofFiles.map((rank, file) => rank * (1 + ((OF_TASK - 1) * (meant.get(file) ?? 0)) / (closest || 1)));
  const order = [...files.ids()].filter((file) => ranks[file]! > 0);
  order.sort((a, b) => ranks[b]! - ranks[a]! || (files.path(a) < files.path(b) ? -1 : 1));
  return order.slice(0, most).flatMap(symbolsIn).sort(byRank).slice(0, most);

  function symbolsIn(file: FileId): RankedSymbol[] {
    const uses = graph.usesOf(file);
    const all = graph.symbolsOf(file);
    const used = all.flatMap((id, at) => (uses[at]! > 0 || wanted.has(id) ? [{ id, uses: uses[at]! }] : []));
    // Most symbols of a large file are used in it alone: they need no look where others are used from outside.
    const looked = used.length >= ENOUGH ? used : all.map((id, at) => ({ id, uses: uses[at]! }));
    const worths = looked.map(({ id, uses: count }) => {
      const symbol = graph.symbol(id);
      return { symbol, worth: worthOf(symbol, count) * (wanted.get(id) ?? 1) };
    });
    const hidden = new Set(
      worths.filter(({ symbol }) => HIDING.has(symbol.kind)).map(({ symbol }) => fullName(symbol)),
    );
    const shown = worths.filter(({ symbol }) => !isInside(symbol.container, hidden));
    shown.sort((a, b) => b.worth - a.worth || a.symbol.startLine - b.symbol.startLine);
    const most = shown[0]?.worth ?? 1;
    // The first symbol of a file stands for it; each further one says less. Its share is of the first, not of them all: a
    // file that offers much must not stand behind one that offers a single thing.
    return shown.map(({ symbol, worth }, at) => ({ symbol, rank: (ranks[file]! * worth) / most / (at + 1) }));
  }
}

/** How much a symbol says of its file, by what it is and how often other files use it. */
export function worthOf({ name, kind, exported, isTest }: CodeSymbol, uses: number): number {
  const used = Math.sqrt(uses) + (exported ? UNUSED : UNUSED / 2);
  return used * (KIND_WORTH[kind] ?? 1) * (name.startsWith('_') ? PRIVATE : 1) * (isTest ? IN_TESTS : 1);
}

function isInside(container: readonly string[], names: ReadonlySet<string>): boolean {
  return container.some((_, at) => names.has(container.slice(0, at + 1).join('.')));
}

function fullName({ container, name }: CodeSymbol): string {
  return [...container, name].join('.');
}

function byRank(a: RankedSymbol, b: RankedSymbol): number {
  if (a.rank !== b.rank) return b.rank - a.rank;
  if (a.symbol.path !== b.symbol.path) return a.symbol.path < b.symbol.path ? -1 : 1;
  return a.symbol.startLine - b.symbol.startLine || a.symbol.nameColumn - b.symbol.nameColumn;
}
