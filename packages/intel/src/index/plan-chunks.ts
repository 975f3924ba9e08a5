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
const CODE: readonly SymbolKind[] = ['function', 'method', 'constructor', 'macro'];
/** A longer function is cut by lines. */
const LONG = 80;
/** Shorter members stay with what is around them. */
const SHORT = 2;

/** Cuts a file at the borders of its symbols (INT-7): all of its lines, in their order, each once. */
export function planChunks(facts: FileFacts): Stretch[] {
  const plan: Stretch[] = [];
  const members = new Map<number, number[]>();
  const { symbols } = facts;
  for (let row = 0; row * SYMBOL_WIDTH < symbols.length; row++) {
    if (!isBorder(symbols, row)) continue;
    const container = symbols[row * SYMBOL_WIDTH + SymbolColumn.CONTAINER]!;
    const list = members.get(container);
    if (list) list.push(row);
    else members.set(container, [row]);
  }
  cut(-1, 1, facts.lines);
  return plan;

  function cut(row: number, startLine: number, endLine: number): void {
    let line = startLine;
    for (const member of members.get(row) ?? []) {
      const at = member * SYMBOL_WIDTH;
      const docStart = symbols[at + SymbolColumn.DOC_START]!;
      const declared = symbols[at + SymbolColumn.START_LINE]!;
      const start = Math.max(line, docStart > 0 ? Math.min(docStart, declared) : declared);
      const end = Math.min(endLine, symbols[at + SymbolColumn.END_LINE]!);
      // What shares its lines with the one before is part of it.
      if (end - start + 1 < SHORT) continue;
      if (start > line) plan.push({ startLine: line, endLine: start - 1, row, flexible: true });
      if (isCutFurther(member, end - start + 1)) cut(member, start, end);
      else plan.push({ startLine: start, endLine: end, row: member, flexible: end - start + 1 > LONG });
      line = end + 1;
    }
    if (line <= endLine) plan.push({ startLine: line, endLine, row, flexible: true });
  }

  function isCutFurther(row: number, lines: number): boolean {
    if (!members.has(row)) return false;
    return lines > LONG || CONTAINERS.includes(kindOf(symbols, row));
  }
}

function isBorder(symbols: Int32Array, row: number): boolean {
  const kind = kindOf(symbols, row);
  return CODE.includes(kind) || CONTAINERS.includes(kind);
}

function kindOf(symbols: Int32Array, row: number): SymbolKind {
  return SYMBOL_KINDS[symbols[row * SYMBOL_WIDTH + SymbolColumn.KIND]!]!;
}
