import type { CodeIntelligence } from '../code-intelligence-api.ts';
import type { SymbolId } from '../graph/code-graph-api.ts';
import type { GraphAnswer } from './graph-answer.ts';
import { bareFacts } from './symbol-facts.ts';

type Place = { path: string; line: number };

/** An answer as a graph in the DOT language: its symbols, and who of them calls or uses whom. */
export function graphDot(intel: Pick<CodeIntelligence, 'files' | 'graph'>, answer: GraphAnswer): string {
  const { files, graph } = intel;
  const symbolAt = ({ path, line }: Place): SymbolId | undefined => {
    const file = files.idOf(path);
    return file === undefined ? undefined : graph.symbolAt(file, line);
  };
  const ids = new Set(placesOf(answer).flatMap((place) => symbolAt(place) ?? []));
  const lines = new Set<string>();
  const main = answer.symbol && symbolAt(answer.symbol);
  for (const id of ids) {
    const { symbol, path, line, isTest } = bareFacts(intel, id);
    const style = id === main ? ', style=bold' : isTest ? ', style=dashed' : '';
    lines.add(`  s${id} [label=${quoted(`${symbol}\n${path}:${line}`)}${style}];`);
  }
  for (const id of ids) {
    for (const { to } of graph.callees(id))
      for (const target of to) if (ids.has(target)) lines.add(edge(`s${id}`, `s${target}`));
  }
  const target = main === undefined ? answer.file?.path : `s${main}`;
  if (answer.file) lines.add(`  ${quoted(answer.file.path)} [shape=folder, style=bold];`);
  for (const use of usesOf(answer)) {
    const id = symbolAt(use);
    if (target !== undefined) lines.add(edge(id === undefined ? use.path : `s${id}`, target));
  }
  return ['digraph code {', '  rankdir=LR;', '  node [shape=box, fontname="monospace"];', ...lines, '}'].join('\n');
}

/** Where the symbols stand that an answer tells of; a use stands for what it is in. */
function placesOf(answer: GraphAnswer): Place[] {
  const { symbol, to, way = [], callees, implementations, impact, tests, dead, candidates, file } = answer;
  return [
    ...(symbol ? [symbol] : []),
    ...(to ? [to] : []),
    ...way,
    ...(callees?.items.flatMap((each) => each.to) ?? []),
    ...[implementations, impact, tests, dead, candidates, file?.symbols].flatMap((list) => list?.items ?? []),
    ...usesOf(answer),
  ];
}

function usesOf({ callers, references, file }: GraphAnswer): Place[] {
  return [...(callers?.items ?? []), ...(references?.items ?? []), ...(file?.importers.items ?? [])];
}

function edge(from: string, to: string): string {
  const name = (node: string) => (/^s\d+$/.test(node) ? node : quoted(node));
  return `  ${name(from)} -> ${name(to)};`;
}

function quoted(text: string): string {
  return `"${text.replace(/[\\"]/g, '\\$&').replaceAll('\n', '\\n')}"`;
}
