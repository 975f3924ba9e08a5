import { type FileFacts, SYMBOL_KINDS, SYMBOL_WIDTH, SymbolColumn, type SymbolKind } from '../parsing/file-facts.ts';

/** A stretch of lines that is one chunk, or is cut further while it is read. */
export interface Stretch {
  startLine: number;
  endLine: number;
  /** Row of the symbol that it shows; -1 for none. */
  row: number;
  /** It may be cut at blank lines when it is long. */
  flexible: boolean;
}

const CONTAINERS: readonly SymbolKind[] = ['class', 'interface', 'struct', 'enum', 'trait', 'module', 'type'];
/** What can be called. */
export const CODE_KINDS: readonly SymbolKind[] = ['function', 'method', 'constructor', 'macro'];
/** A longer function is cut by lines. */
const LONG = 80;
/** Shorter members stay with what is around them. */
const SHORT = 2;

/** Cuts a file at the borders of its symbols (INT-7): all of its lines, in their order, each once. */
export function planChunks(facts: FileFacts): Stretch[] {
  const plan: Stretch[] = [];
  const borders = bordersOf(facts);
  cut(0, borders.length, -1, 1, facts.lines);
  return plan;

  /** Cuts the lines of `row` at those of `borders[from, to)` that lie in them directly. */
  function cut(from: number, to: number, row: number, startLine: number, endLine: number): void {
    let line = startLine;
    for (let i = from; i < to; ) {
      const border = borders[i]!;
      let next = i + 1;
      while (next < to && borders[next]!.startLine <= border.endLine) next++;
      const start = Math.max(line, border.startLine);
      const end = Math.min(endLine, border.endLine);
      const lines = end - start + 1;
      // What shares its lines with the one before is part of it.
      if (lines >= SHORT) {
        if (start > line) plan.push({ startLine: line, endLine: start - 1, row, flexible: true });
        if (next > i + 1 && (border.isContainer || lines > LONG)) cut(i + 1, next, border.row, start, end);
        else plan.push({ startLine: start, endLine: end, row: border.row, flexible: lines > LONG });
        line = end + 1;
      }
      i = next;
    }
    if (line <= endLine) plan.push({ startLine: line, endLine, row, flexible: true });
  }
}

interface Border {
  row: number;
  /** With the doc comment above it. */
  startLine: number;
  endLine: number;
  isContainer: boolean;
}

/** The symbols at which a file is cut, in the order of their lines; those around others before them. */
function bordersOf({ symbols }: FileFacts): Border[] {
  const borders: Border[] = [];
  for (let row = 0; row * SYMBOL_WIDTH < symbols.length; row++) {
    const at = row * SYMBOL_WIDTH;
    const kind = SYMBOL_KINDS[symbols[at + SymbolColumn.KIND]!]!;
    const isContainer = CONTAINERS.includes(kind);
    if (!isContainer && !CODE_KINDS.includes(kind)) continue;
    const declared = symbols[at + SymbolColumn.START_LINE]!;
    const doc = symbols[at + SymbolColumn.DOC_START]!;
    const startLine = doc > 0 ? Math.min(doc, declared) : declared;
    borders.push({ row, startLine, endLine: symbols[at + SymbolColumn.END_LINE]!, isContainer });
  }
  return borders.sort((x, y) => x.startLine - y.startLine || y.endLine - x.endLine);
}
