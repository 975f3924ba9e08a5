import type { FileId } from '../../files/file-table.ts';
import { ImportFlag } from '../../parsing/file-facts.ts';
import type { ImportEdge } from '../code-graph-api.ts';
import { FileCol, Imp } from '../tables/columns.ts';
import { IS_IMPLIED } from '../tables/encode-file.ts';
import type { GraphView } from './graph-view.ts';

const NO_EDGE = ImportFlag.PACKAGE | ImportFlag.LOCAL_EXPORT | IS_IMPLIED;

/** What a file imports, each specifier of a line once, in the order of lines. */
export function importsOf(view: GraphView, file: FileId): ImportEdge[] {
  const { imports, names } = view.tables;
  const edges = new Map<string, ImportEdge>();
  const first = view.tables.file(file, FileCol.FIRST_IMPORT);
  for (let row = first; row < first + view.tables.file(file, FileCol.IMPORTS); row++) {
    const specifier = imports.get(row, Imp.SPECIFIER);
    if (specifier < 0 || (imports.get(row, Imp.FLAGS) & NO_EDGE) !== 0) continue;
    const target = imports.get(row, Imp.TARGET);
    const line = imports.get(row, Imp.LINE);
    edges.set(`${line} ${specifier} ${target}`, {
      from: file,
      to: target < 0 ? undefined : target,
      specifier: names.text(specifier),
      line,
    });
  }
  return [...edges.values()].sort((one, other) => one.line - other.line || (one.specifier < other.specifier ? -1 : 1));
}

/** The imports of a file by others, in the order of their paths. */
export function importersOf(view: GraphView, file: FileId): ImportEdge[] {
  const { imports } = view.tables;
  const found: ImportEdge[] = [];
  for (const other of view.files.ids()) {
    if (!view.tables.has(other)) continue;
    const first = view.tables.file(other, FileCol.FIRST_IMPORT);
    for (let row = first; row < first + view.tables.file(other, FileCol.IMPORTS); row++) {
      if (imports.get(row, Imp.TARGET) !== file) continue;
      found.push(...importsOf(view, other).filter(({ to }) => to === file));
      break;
    }
  }
  const path = (edge: ImportEdge): string => view.files.path(edge.from);
  return found.sort((one, other) => (path(one) < path(other) ? -1 : Number(path(one) > path(other))));
}
