import type { FileTable } from '../files/file-table.ts';
import type { CodeGraph, CodeReference, SymbolId } from '../graph/code-graph-api.ts';

/** Everything that a graph answers, with paths and places instead of numbers: two graphs that know the same say the same. */
export function answersOf(graph: CodeGraph, files: FileTable): unknown {
  const place = (id: SymbolId | undefined): string | undefined => {
    if (id === undefined) return undefined;
    const { path, nameLine, nameColumn, name } = graph.symbol(id);
    return `${path}:${nameLine}:${nameColumn} ${name}`;
  };
  const use = ({ path, line, column, kind, certainty, from, to }: CodeReference): string =>
    `${path}:${line}:${column} ${kind} ${certainty} in ${place(from)} to ${to.map(place)}`;
  const ids = [...files.ids()].sort((one, other) => (files.path(one) < files.path(other) ? -1 : 1));
  const symbols = ids.flatMap((file) => graph.symbolsOf(file));
  return {
    counts: [graph.symbolCount, graph.referenceCount],
    symbols: symbols.map((id) => ({ ...graph.symbol(id), id: undefined, file: undefined })),
    references: symbols.map((id) => [place(id), graph.references(id).map(use)]),
    callers: symbols.map((id) => [place(id), graph.callers(id).map(use)]),
    callees: symbols.map((id) => [place(id), graph.callees(id).map(use)]),
    implementations: symbols.map((id) => [place(id), graph.implementations(id).map(place)]),
    impact: symbols.map((id) => {
      const { symbols: found, ...rest } = graph.impact(id, { depth: 4, limit: 1000 });
      return [place(id), rest, found.map((each) => ({ ...each, symbol: place(each.symbol) }))];
    }),
    tests: symbols.map((id) => graph.testsOf(id).map((each) => ({ ...each, symbol: place(each.symbol) }))),
    ways: symbols.slice(0, 5).map((from) => symbols.map((to) => graph.path(from, to)?.length)),
    found: ['a', 'run', 'A', 'A.run', 'm.ts:a', 'x'].map((query) => [
      graph.find(query).map(place),
      graph.find(query, { match: 'prefix' }).map(place),
      graph.find(query, { match: 'fuzzy', limit: 1000 }).map(place),
    ]),
    dead: graph.deadCode().map(place),
    files: ids.map((file) => {
      const edge = ({ from, to }: { from: number; to: number | undefined }): string =>
        `${files.path(from)} to ${to === undefined ? 'outside' : files.path(to)}`;
      return [
        files.path(file),
        graph.imports(file).map((each) => [each.line, each.specifier, edge(each)]),
        graph.importers(file).map((each) => [each.line, each.specifier, edge(each)]),
        [...graph.usesOf(file)],
      ];
    }),
    edges: edgesOf(graph, files),
  };
}

function edgesOf(graph: CodeGraph, files: FileTable): string[] {
  const { from, to, weight } = graph.fileEdges();
  return Array.from(
    from,
    (file, at) => `${files.path(file)} to ${files.path(to[at]!)} ${weight[at]!.toFixed(4)}`,
  ).sort();
}
