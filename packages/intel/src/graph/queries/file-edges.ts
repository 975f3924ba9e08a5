import type { FileId } from '../../files/file-table.ts';
import type { SymbolId } from '../code-graph-api.ts';
import { certaintyOfReference, FileCol, Imp, Ref, Sym } from '../tables/columns.ts';
import type { GraphView } from './graph-view.ts';

/** What a use of each certainty counts; of several targets each gets its part. */
const WEIGHTS = [1, 1, 0.7, 0.4];
/** An import says that there is an edge, even where no use of what it brings is known. */
const IMPORT_WEIGHT = 0.1;

/**
 * For each pair of files how much the one uses of the other: for each symbol the square root of how often, so that one
 * symbol in a loop does not outweigh ten.
 */
export function fileEdges(view: GraphView): { from: Int32Array; to: Int32Array; weight: Float32Array } {
  const from: number[] = [];
  const to: number[] = [];
  const weight: number[] = [];
  for (const file of view.files.ids()) {
    if (!view.tables.has(file)) continue;
    for (const [target, sum] of weightsOf(view, file)) {
      from.push(file);
      to.push(target);
      weight.push(sum);
    }
  }
  return { from: Int32Array.from(from), to: Int32Array.from(to), weight: Float32Array.from(weight) };
}

function weightsOf(view: GraphView, file: FileId): Map<FileId, number> {
  const { references, imports, symbols } = view.tables;
  const perSymbol = new Map<SymbolId, number>();
  for (let row = view.tables.file(file, FileCol.FIRST_REFERENCE); row < view.endOfReferences(file); row++) {
    const targets = view.uses.targets(row);
    if (!view.isWritten(row)) continue;
    const share = WEIGHTS[certaintyOfReference(references.get(row, Ref.SHAPE))]! / targets.length;
    for (const target of targets) {
      if (symbols.get(target, Sym.FILE) !== file) perSymbol.set(target, (perSymbol.get(target) ?? 0) + share);
    }
  }
  const sums = new Map<FileId, number>();
  const add = (target: FileId, sum: number): void => {
    sums.set(target, (sums.get(target) ?? 0) + sum);
  };
  for (const [symbol, count] of perSymbol) add(symbols.get(symbol, Sym.FILE), Math.sqrt(count));
  const first = view.tables.file(file, FileCol.FIRST_IMPORT);
  for (let row = first; row < first + view.tables.file(file, FileCol.IMPORTS); row++) {
    const target = imports.get(row, Imp.TARGET);
    if (target >= 0 && target !== file && !sums.has(target)) add(target, IMPORT_WEIGHT);
  }
  return sums;
}

/** See `CodeGraph.usesOf`. */
export function usesOf(view: GraphView, file: FileId): Int32Array {
  const first = view.tables.file(file, FileCol.FIRST_SYMBOL);
  return Int32Array.from({ length: view.tables.file(file, FileCol.SYMBOLS) }, (_, row) => {
    const uses = view.uses.uses(first + row).filter((use) => view.isWritten(use));
    return uses.filter((use) => view.tables.referenceOwners.fileOf(use) !== file).length;
  });
}
