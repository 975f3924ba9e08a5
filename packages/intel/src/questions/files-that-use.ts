import type { CodeIntelligence } from '../code-intelligence-api.ts';
import type { FileId } from '../files/file-table.ts';

/**
 * The files that import one, or use what it defines, however they come by it: paths from the root, in no order. A use that
 * may be of something else does not count.
 */
export function filesThatUse({ files, graph }: Pick<CodeIntelligence, 'files' | 'graph'>, path: string): string[] {
  const file = files.idOf(path);
  if (file === undefined) return [];
  const users = new Set<FileId>(graph.importers(file).map(({ from }) => from));
  const uses = graph.usesOf(file);
  for (const [at, symbol] of graph.symbolsOf(file).entries()) {
    if (uses[at] === 0) continue;
    for (const use of graph.references(symbol)) if (use.certainty !== 'ambiguous') users.add(use.file);
  }
  users.delete(file);
  return [...users].map((id) => files.path(id));
}
