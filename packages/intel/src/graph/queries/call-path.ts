import type { SymbolId } from '../code-graph-api.ts';
import type { GraphView } from './graph-view.ts';

/** Both searches together look at no more symbols than this. */
const MAX_SYMBOLS = 50_000;

/**
 * The shortest way from one symbol to another by calls, both ends included; undefined where there is none. Breadth first
 * from both ends at once, always from the smaller border.
 */
export function callPath(view: GraphView, from: SymbolId, to: SymbolId): SymbolId[] | undefined {
  if (from === to) return [from];
  const ahead = new Map<SymbolId, SymbolId | undefined>([[from, undefined]]);
  const behind = new Map<SymbolId, SymbolId | undefined>([[to, undefined]]);
  let front = [from];
  let back = [to];
  while (front.length > 0 && back.length > 0 && ahead.size + behind.size < MAX_SYMBOLS) {
    const isForward = front.length <= back.length;
    const [seen, other] = isForward ? [ahead, behind] : [behind, ahead];
    const next: SymbolId[] = [];
    for (const symbol of isForward ? front : back) {
      for (const each of isForward ? calledFrom(view, symbol) : callersOf(view, symbol)) {
        if (seen.has(each)) continue;
        seen.set(each, symbol);
        if (other.has(each)) return join(ahead, behind, each);
        next.push(each);
      }
    }
    if (isForward) front = next;
    else back = next;
  }
  return undefined;
}

function calledFrom(view: GraphView, symbol: SymbolId): Set<SymbolId> {
  const found = new Set<SymbolId>();
  for (const reference of view.referencesIn(symbol)) {
    if (!view.isCall(reference) || !view.isRunBy(reference, symbol)) continue;
    for (const target of view.uses.targets(reference)) found.add(target);
  }
  return found;
}

function callersOf(view: GraphView, symbol: SymbolId): Set<SymbolId> {
  const found = new Set<SymbolId>();
  for (const use of view.calls(symbol)) for (const runner of view.runners(use)) found.add(runner);
  return found;
}

function join(
  ahead: ReadonlyMap<SymbolId, SymbolId | undefined>,
  behind: ReadonlyMap<SymbolId, SymbolId | undefined>,
  middle: SymbolId,
): SymbolId[] {
  const way = [middle];
  for (let before = ahead.get(middle); before !== undefined; before = ahead.get(before)) way.unshift(before);
  for (let after = behind.get(middle); after !== undefined; after = behind.get(after)) way.push(after);
  return way;
}
