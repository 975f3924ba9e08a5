import { CERTAINTIES, type Impact, type ImpactedSymbol, type SymbolId } from '../code-graph-api.ts';
import { certaintyOfReference, Ref } from '../tables/columns.ts';
import { bestOf } from './best-of.ts';
import type { GraphView } from './graph-view.ts';
import { overriddenBy } from './overrides.ts';

const DEFAULT_DEPTH = 3;
const DEFAULT_LIMIT = 50;
/** Where the search ends in a graph with hubs: so many references take a few milliseconds. */
const MAX_REFERENCES = 20_000;
/** How much an edge of each certainty counts. */
const WEIGHTS = [1, 0.9, 0.6, 0.3];

interface Reached {
  depth: number;
  /** Index into `CERTAINTIES`. */
  certainty: number;
}

interface Reach {
  symbols: Map<SymbolId, Reached>;
  /** Files whose top-level code was reached. */
  files: Set<number>;
  cut: boolean;
}

/** What may break when a symbol changes: what calls it, what calls that, and so on; see `CodeGraph.impact`. */
export function impactOf(
  view: GraphView,
  id: SymbolId,
  options: { depth?: number; limit?: number; signal?: AbortSignal } = {},
): Impact {
  const { depth = DEFAULT_DEPTH, limit = DEFAULT_LIMIT, signal } = options;
  const { symbols, files, cut } = reach(view, id, depth, signal);
  const found = scored(view, symbols);
  for (const { symbol } of found) files.add(view.file(symbol));
  return {
    symbols: bestOf(
      found,
      limit,
      (one, other) => other.score - one.score || one.depth - other.depth || view.compare(one.symbol, other.symbol),
    ),
    files: files.size,
    tests: found.filter((each) => each.isTest).length,
    cut: cut || found.length > limit,
  };
}

/** Tests that reach a symbol, nearest first. */
export function testsOf(
  view: GraphView,
  id: SymbolId,
  { depth = 5, limit = DEFAULT_LIMIT }: { depth?: number; limit?: number } = {},
): ImpactedSymbol[] {
  return bestOf(
    scored(view, reach(view, id, depth).symbols).filter(({ isTest }) => isTest),
    limit,
    (one, other) => one.depth - other.depth || other.score - one.score || view.compare(one.symbol, other.symbol),
  );
}

/**
 * Breadth first against the direction of calls. A symbol that is reached again on a surer way is followed again, so that
 * its certainty is that of the surest way. Of the symbol itself every use counts, from there on calls and constructions.
 */
function reach(view: GraphView, id: SymbolId, depth: number, signal?: AbortSignal): Reach {
  const found: Reach = { symbols: new Map(), files: new Set(), cut: false };
  let budget = MAX_REFERENCES;
  let frontier = new Map<SymbolId, number>([[id, 0]]);
  for (let step = 1; step <= depth && frontier.size > 0; step++) {
    signal?.throwIfAborted();
    const next = new Map<SymbolId, number>();
    for (const [symbol, certainty] of frontier) {
      for (const use of usesOf(view, symbol, step === 1)) {
        if (--budget < 0) return { ...found, cut: true };
        const sure = Math.max(certainty, certaintyOfReference(view.tables.references.get(use, Ref.SHAPE)));
        const file = view.tables.referenceOwners.fileOf(use);
        if (view.owner(use) < 0) found.files.add(file);
        for (const runner of view.runners(use)) {
          const known = found.symbols.get(runner);
          if (runner === id || (known !== undefined && known.certainty <= sure)) continue;
          found.symbols.set(runner, { depth: known?.depth ?? step, certainty: sure });
          next.set(runner, sure);
        }
      }
    }
    frontier = next;
  }
  return found;
}

function* usesOf(view: GraphView, symbol: SymbolId, isFirst: boolean): Generator<number, void, void> {
  yield* isFirst ? new Set([...view.usesOf(symbol), ...view.calls(symbol)]) : view.calls(symbol);
  // A call of what it overrides may run it.
  for (const base of overriddenBy(view, symbol)) yield* view.calls(base);
}

function scored(view: GraphView, reached: ReadonlyMap<SymbolId, Reached>): ImpactedSymbol[] {
  const found: ImpactedSymbol[] = [];
  for (const [symbol, { depth, certainty }] of reached) {
    const central = Math.log2(2 + view.uses.count(symbol));
    found.push({
      symbol,
      depth,
      certainty: CERTAINTIES[certainty]!,
      isTest: view.isTest(symbol),
      score: (WEIGHTS[certainty]! * central) / depth ** 2,
    });
  }
  return found;
}
