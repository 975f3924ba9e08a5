import {
  type FileFacts,
  SYMBOL_KINDS,
  SYMBOL_WIDTH,
  SymbolColumn,
  SymbolFlag,
  type SymbolKind,
} from '../parsing/file-facts.ts';
import { ChunkFlag } from './chunk-facts.ts';

/** A stretch of lines that is one chunk, or is cut further while it is read. */
export interface Stretch {
  startLine: number;
  endLine: number;
  /** It may be cut at blank lines when it is long. */
  flexible: boolean;
  /** `Container.name` of the symbol that it shows; empty for none. */
  symbol: string;
  /** Bits of `ChunkFlag`. */
  flags: number;
  /** Lines of the symbol's doc comment, wherever it is; 0 for none. */
  docStart: number;
  docEnd: number;
}

const CONTAINERS: readonly SymbolKind[] = ['class', 'interface', 'struct', 'enum', 'trait', 'module', 'type'];
const CODE: readonly SymbolKind[] = ['function', 'method', 'constructor', 'macro'];
/** A longer function is cut by lines. */
const LONG = 80;
/** Shorter members stay with what is around them. */
const SHORT = 2;
/** Containers that a name is given with, and that are cut at their members, at most. */
const DEEPEST = 16;

/** Cuts a file at the borders of its symbols (INT-7): all of its lines, in their order, each once. */
export function planChunks(facts: FileFacts): Stretch[] {
  const plan: Stretch[] = [];
  const borders = bordersOf(facts);
  cut(0, borders.length, shownBy(facts, -1), 1, facts.lines, 0);
  return plan;

  /** Cuts the lines of something at those of `borders[from, to)` that lie in them directly. */
  function cut(from: number, to: number, shown: Shown, startLine: number, endLine: number, depth: number): void {
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
        if (start > line) plan.push({ startLine: line, endLine: start - 1, flexible: true, ...shown });
        const inner = shownBy(facts, border.row);
        const isCut = next > i + 1 && (border.isContainer || lines > LONG) && depth < DEEPEST;
        if (isCut) cut(i + 1, next, inner, start, end, depth + 1);
        else plan.push({ startLine: start, endLine: end, flexible: lines > LONG, ...inner });
        line = end + 1;
      }
      i = next;
    }
    if (line <= endLine) plan.push({ startLine: line, endLine, flexible: true, ...shown });
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
    if (!isContainer && !CODE.includes(kind)) continue;
    const declared = symbols[at + SymbolColumn.START_LINE]!;
    const doc = symbols[at + SymbolColumn.DOC_START]!;
    const startLine = doc > 0 ? Math.min(doc, declared) : declared;
    borders.push({ row, startLine, endLine: symbols[at + SymbolColumn.END_LINE]!, isContainer });
  }
  return borders.sort((x, y) => x.startLine - y.startLine || y.endLine - x.endLine);
}

type Shown = Pick<Stretch, 'symbol' | 'flags' | 'docStart' | 'docEnd'>;

/** @param row of a symbol; -1 for lines of none. */
function shownBy(facts: FileFacts, row: number): Shown {
  const { symbols } = facts;
  // What is no symbol lies in a file of tests if the file's first symbol does.
  const at = Math.max(row, 0) * SYMBOL_WIDTH;
  const isTest = at < symbols.length && (symbols[at + SymbolColumn.FLAGS]! & SymbolFlag.TEST) !== 0;
  const test = isTest ? ChunkFlag.TEST : 0;
  if (row < 0) return { symbol: '', flags: test, docStart: 0, docEnd: 0 };
  const isCode = CODE.includes(SYMBOL_KINDS[symbols[at + SymbolColumn.KIND]!]!);
  return {
    symbol: fullName(facts, row),
    flags: test | (isCode ? ChunkFlag.CODE : 0),
    docStart: symbols[at + SymbolColumn.DOC_START]!,
    docEnd: symbols[at + SymbolColumn.DOC_END]!,
  };
}

function fullName({ names, symbols }: FileFacts, row: number): string {
  const parts: string[] = [];
  for (let at = row; at >= 0 && parts.length < DEEPEST; at = symbols[at * SYMBOL_WIDTH + SymbolColumn.CONTAINER]!) {
    parts.unshift(names[symbols[at * SYMBOL_WIDTH + SymbolColumn.NAME]!]!);
  }
  const name = parts.join('.');
  return name.includes('\n') ? name.replaceAll('\n', ' ') : name;
}
