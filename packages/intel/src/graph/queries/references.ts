import type { CodeReference, SymbolId } from '../code-graph-api.ts';
import type { GraphView } from './graph-view.ts';

/** See `CodeGraph.references`. */
export function referencesTo(view: GraphView, id: SymbolId): CodeReference[] {
  return testsLast(view, describe(view, view.usesOf(id)));
}

/** See `CodeGraph.callers`. */
export function callersOf(view: GraphView, id: SymbolId): CodeReference[] {
  return testsLast(view, describe(view, view.calls(id)));
}

/** See `CodeGraph.callees`. */
export function calleesOf(view: GraphView, id: SymbolId): CodeReference[] {
  const calls = view.referencesIn(id).filter((reference) => view.isCall(reference));
  return describe(view, calls).filter(({ to }) => to.length > 0);
}

function describe(view: GraphView, references: readonly number[]): CodeReference[] {
  return references.map((reference) => view.reference(reference, view.uses.targets(reference)));
}

/** By file and place, what stands in tests at the end. */
function testsLast(view: GraphView, references: CodeReference[]): CodeReference[] {
  const isTest = ({ from }: CodeReference): boolean => from !== undefined && view.isTest(from);
  return references.sort(
    (one, other) =>
      Number(isTest(one)) - Number(isTest(other)) ||
      (one.path < other.path ? -1 : Number(one.path > other.path)) ||
      one.line - other.line ||
      one.column - other.column,
  );
}
