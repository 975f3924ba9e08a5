import type { FileId } from '../../files/file-table.ts';
import { CERTAINTIES, type SymbolId } from '../code-graph-api.ts';
import { certaintyOfReference, FileCol, Imp, Ref, Sym } from '../tables/columns.ts';
import type { GraphView } from './graph-view.ts';

/** What a use of each certainty counts; of several targets each gets its part. */
const WEIGHTS = [1, 1, 0.7, 0.4];
/** An import says that there is an edge, even where no use of what it brings is known. */
const IMPORT_WEIGHT = 0.1;

/** A name of several words, or a long one, means one thing; how much more than others it counts. */
const TELLING = 10;
/** A name that is meant to be private, or that many files define, says little. */
const SAYS_LITTLE = 0.1;
const LONG_NAME = 8;
const COMMON_IN_FILES = 5;

/**
 * For each pair of files how much the one uses of the other: for each symbol the square root of how often, so that one
 * symbol in a loop does not outweigh ten, times what its name is worth. After the repository map of aider (repomap.py), but
 * without its slip of taking the root again for each file that defines the name.
 */
export function fileEdges(view: GraphView): { from: Int32Array; to: Int32Array; weight: Float32Array } {
  const from: number[] = [];
  const to: number[] = [];
  const weight: number[] = [];
  const worths = new Map<number, number>();
  for (const file of view.files.ids()) {
    if (!view.tables.has(file)) continue;
    for (const [target, sum] of weightsOf(view, file, worths)) {
      from.push(file);
      to.push(target);
      weight.push(sum);
    }
  }
  return { from: Int32Array.from(from), to: Int32Array.from(to), weight: Float32Array.from(weight) };
}

function weightsOf(view: GraphView, file: FileId, worths: Map<number, number>): Map<FileId, number> {
  const { references, imports, symbols } = view.tables;
  const perSymbol = new Map<SymbolId, number>();
  for (let row = view.tables.file(file, FileCol.FIRST_REFERENCE); row < view.endOfReferences(file); row++) {
    const targets = view.uses.targets(row);
    const share = WEIGHTS[certaintyOfReference(references.get(row, Ref.SHAPE))]! / targets.length;
    for (const target of targets) {
      if (symbols.get(target, Sym.FILE) !== file) perSymbol.set(target, (perSymbol.get(target) ?? 0) + share);
    }
  }
  const sums = new Map<FileId, number>();
  const add = (target: FileId, sum: number): void => {
    sums.set(target, (sums.get(target) ?? 0) + sum);
  };
  for (const [symbol, count] of perSymbol) {
    const name = symbols.get(symbol, Sym.NAME);
    const worth = worths.get(name) ?? worthOfName(view, name);
    worths.set(name, worth);
    add(symbols.get(symbol, Sym.FILE), worth * Math.sqrt(count));
  }
  const first = view.tables.file(file, FileCol.FIRST_IMPORT);
  for (let row = first; row < first + view.tables.file(file, FileCol.IMPORTS); row++) {
    const target = imports.get(row, Imp.TARGET);
    if (target >= 0 && target !== file && !sums.has(target)) add(target, IMPORT_WEIGHT);
  }
  return sums;
}

function worthOfName(view: GraphView, name: number): number {
  const text = view.tables.names.text(name);
  const isPrivate = text.startsWith('_');
  const isTelling = text.length >= LONG_NAME && /\p{L}[_-]\p{L}|\p{Ll}\p{Lu}|^\p{Lu}\p{Ll}/u.test(text);
  const homes = new Set(view.tables.symbolsNamed(name).map((symbol) => view.file(symbol)));
  return (isTelling ? TELLING : 1) * (isPrivate ? SAYS_LITTLE : 1) * (homes.size > COMMON_IN_FILES ? SAYS_LITTLE : 1);
}

/** See `CodeGraph.usesOf`. */
export function usesOf(view: GraphView, file: FileId): Int32Array {
  const first = view.tables.file(file, FileCol.FIRST_SYMBOL);
  return Int32Array.from({ length: view.tables.file(file, FileCol.SYMBOLS) }, (_, row) => {
    const uses = view.uses.uses(first + row);
    return uses.filter((use) => view.tables.referenceOwners.fileOf(use) !== file && !isAmbiguous(view, use)).length;
  });
}

function isAmbiguous(view: GraphView, use: number): boolean {
  return CERTAINTIES[certaintyOfReference(view.tables.references.get(use, Ref.SHAPE))] === 'ambiguous';
}
