import type { FileId } from '../../files/file-table.ts';
import { CERTAINTIES, type Certainty, type SymbolId } from '../code-graph-api.ts';
import { certaintyOfReference, columnOf, FileCol, lineOf, Ref, Sym } from '../tables/columns.ts';
import type { GraphView } from './graph-view.ts';

/** See `CodeGraph.definition`. The name of a definition is its own. */
export function findDefinition(
  view: GraphView,
  file: FileId,
  line: number,
  column: number,
): { to: SymbolId[]; certainty: Certainty } | undefined {
  const { references, symbols } = view.tables;
  const covers = (place: number, name: number): boolean => {
    const start = columnOf(place);
    return lineOf(place) === line && column >= start && column < start + view.tables.names.text(name).length;
  };
  for (let row = view.firstReferenceFrom(file, line); row < view.endOfReferences(file); row++) {
    const place = references.get(row, Ref.PLACE);
    if (lineOf(place) > line) break;
    if (!covers(place, references.get(row, Ref.NAME)) || !view.isWritten(row)) continue;
    const to = view.uses.targets(row);
    if (to.length > 0) return { to, certainty: CERTAINTIES[certaintyOfReference(references.get(row, Ref.SHAPE))]! };
  }
  const first = view.tables.file(file, FileCol.FIRST_SYMBOL);
  for (let symbol = first; symbol < first + view.tables.file(file, FileCol.SYMBOLS); symbol++) {
    if (covers(symbols.get(symbol, Sym.NAME_PLACE), symbols.get(symbol, Sym.NAME))) {
      return { to: [symbol], certainty: 'scope' };
    }
  }
  return undefined;
}

/** The innermost symbol around a line. */
export function symbolAt(view: GraphView, file: FileId, line: number): SymbolId | undefined {
  const { symbols } = view.tables;
  const first = view.tables.file(file, FileCol.FIRST_SYMBOL);
  let found: SymbolId | undefined;
  for (let symbol = first; symbol < first + view.tables.file(file, FileCol.SYMBOLS); symbol++) {
    if (symbols.get(symbol, Sym.START_LINE) > line) break;
    if (symbols.get(symbol, Sym.END_LINE) >= line) found = symbol;
  }
  return found;
}
