import type { CodeIntelligence } from '../code-intelligence-api.ts';
import { signatureOf } from '../describe/signature-of.ts';
import type { FileId } from '../files/file-table.ts';
import type { CodeSymbol, SymbolId } from '../graph/code-graph-api.ts';
import type { SymbolKind } from '../parsing/file-facts.ts';
import type { ModuleLink } from './module-links.ts';

/** A symbol as the map shows it. */
export interface MapSymbol {
  name: string;
  container: string[];
  kind: SymbolKind;
  line: number;
  /** On one line, cut to the width of the map. */
  signature: string;
  /** How many of its containers stand above it in the map. */
  depth: number;
}

export interface MapFile {
  path: string;
  /** By line. */
  symbols: MapSymbol[];
}

/** Longer lines are cut. */
export const MAP_WIDTH = 100;
export const MOST_LINKS = 10;
const MOST_TARGETS = 5;

/** Puts ranked symbols into the text of a map, with the containers that they lie in. Signatures are read when they are needed. */
export class MapText {
  readonly #intel: Pick<CodeIntelligence, 'graph' | 'files' | 'lines'>;
  readonly #signatures = new Map<SymbolId, string>();
  /** Each file is read once. */
  readonly #lines = new Map<string, string[] | undefined>();
  /** The symbols of a file by their full names. */
  readonly #named = new Map<FileId, Map<string, CodeSymbol[]>>();

  constructor(intel: Pick<CodeIntelligence, 'graph' | 'files' | 'lines'>) {
    this.#intel = intel;
  }

  /** The files that the symbols lie in, in the order in which they come first. */
  files(selected: readonly CodeSymbol[]): MapFile[] {
    const byFile = new Map<string, Map<SymbolId, CodeSymbol>>();
    for (const symbol of selected) {
      const inFile = byFile.get(symbol.path) ?? new Map<SymbolId, CodeSymbol>();
      byFile.set(symbol.path, inFile);
      for (const each of [...this.#containers(symbol), symbol]) inFile.set(each.id, each);
    }
    return [...byFile].map(([path, symbols]) => ({
      path,
      symbols: [...symbols.values()]
        .sort((a, b) => a.startLine - b.startLine || a.nameLine - b.nameLine || a.nameColumn - b.nameColumn)
        .map((symbol) => this.#shown(symbol)),
    }));
  }

  /** See `CodeIntelligence.lines`. */
  lines(path: string, startLine: number, endLine: number): string[] | undefined {
    if (!this.#lines.has(path)) this.#lines.set(path, this.#intel.lines(path, 1, Number.POSITIVE_INFINITY));
    return this.#lines.get(path)?.slice(startLine - 1, endLine);
  }

  #shown(symbol: CodeSymbol): MapSymbol {
    const { name, container, kind, nameLine: line } = symbol;
    let signature = this.#signatures.get(symbol.id);
    if (signature === undefined) {
      signature = signatureOf(this, symbol) ?? `${kind} ${name}`;
      this.#signatures.set(symbol.id, signature);
    }
    return { name, container, kind, line, signature, depth: this.#containers(symbol).length };
  }

  #containers({ file, container, nameLine }: CodeSymbol): CodeSymbol[] {
    return container.flatMap((_, at) => {
      const candidates = this.#symbolsOf(file).get(container.slice(0, at + 1).join('.')) ?? [];
      return candidates.find(({ startLine, endLine }) => startLine <= nameLine && nameLine <= endLine) ?? [];
    });
  }

  #symbolsOf(file: FileId): Map<string, CodeSymbol[]> {
    const known = this.#named.get(file);
    if (known) return known;
    const symbols = this.#intel.graph.symbolsOf(file).map((id) => this.#intel.graph.symbol(id));
    const named = Map.groupBy(symbols, ({ container, name }) => [...container, name].join('.'));
    this.#named.set(file, named);
    return named;
  }
}

/** `src/a.ts`, and below it a line for each symbol: its line number and its signature. */
export function fileText({ path, symbols }: MapFile): string {
  const width = Math.max(0, ...symbols.map(({ line }) => String(line).length));
  const rows = symbols.map(({ line, depth, signature }) => {
    const row = `  ${String(line).padStart(width)}: ${'  '.repeat(depth)}${signature}`;
    return cut(row);
  });
  return [cut(path), ...rows].join('\n');
}

/** Which folder uses which, a line a folder, most first, with how many files use how many. */
export function linksText(links: readonly ModuleLink[], most = MOST_LINKS): string {
  const bySource = [...Map.groupBy(links, ({ from }) => from)].slice(0, most);
  const rows = bySource.map(([from, all]) => {
    const targets = all.slice(0, MOST_TARGETS).map(({ to, count }) => `${to} (${count})`);
    return cut(`  ${from} → ${targets.join(', ')}${all.length > MOST_TARGETS ? ', …' : ''}`);
  });
  return rows.length > 0 ? ['Folders that use each other (pairs of files):', ...rows].join('\n') : '';
}

function cut(row: string): string {
  if (row.length <= MAP_WIDTH) return row;
  return `${row.slice(0, MAP_WIDTH - 1).toWellFormed()}…`;
}
