import type { FileId } from '../files/file-table.ts';
import type { ReferenceKind, SymbolKind } from '../parsing/file-facts.ts';

/** A symbol's number: valid until the next change of the graph. */
export type SymbolId = number;

/** How sure an edge is (INT-3). */
export const CERTAINTIES = ['import', 'scope', 'unique-name', 'ambiguous'] as const;
export type Certainty = (typeof CERTAINTIES)[number];

export interface CodeSymbol {
  id: SymbolId;
  name: string;
  kind: SymbolKind;
  /** Names of the containers, outermost first: `['Store', 'save']` is a function in a method. */
  container: string[];
  file: FileId;
  /** From the root, with `/`. */
  path: string;
  startLine: number;
  endLine: number;
  nameLine: number;
  nameColumn: number;
  exported: boolean;
  isTest: boolean;
  /** Lines of its doc comment. */
  doc: { startLine: number; endLine: number } | undefined;
  signatureEndLine: number;
}

/** A place where a symbol is used. */
export interface CodeReference {
  file: FileId;
  path: string;
  line: number;
  column: number;
  kind: ReferenceKind;
  certainty: Certainty;
  /** The symbol whose code uses it; undefined at the top of a file. */
  from: SymbolId | undefined;
  /** What is used; several with `ambiguous`. */
  to: SymbolId[];
}

export interface ImportEdge {
  from: FileId;
  /** Undefined: outside the workspace. */
  to: FileId | undefined;
  specifier: string;
  line: number;
}

export interface ImpactedSymbol {
  symbol: SymbolId;
  /** 1: calls it itself. */
  depth: number;
  /** The least sure edge on the surest way to it. */
  certainty: Certainty;
  isTest: boolean;
  /** Higher comes first. */
  score: number;
}

export interface Impact {
  /** Best first. */
  symbols: ImpactedSymbol[];
  files: number;
  tests: number;
  /** More was found than is listed. */
  cut: boolean;
}

export interface FindOptions {
  match?: 'exact' | 'prefix' | 'fuzzy';
  kinds?: readonly SymbolKind[];
  /** Only in this file or below this folder. */
  path?: string;
  limit?: number;
}

/** The questions that the graph answers (INT-2). All are answered from memory. */
export interface CodeGraph {
  readonly symbolCount: number;
  readonly referenceCount: number;
  symbol(id: SymbolId): CodeSymbol;
  /** `name`, `Container.name` or `path:name`. Exported and central symbols first. */
  find(query: string, options?: FindOptions): SymbolId[];
  symbolsOf(file: FileId): SymbolId[];
  /** The innermost symbol around a line. */
  symbolAt(file: FileId, line: number): SymbolId | undefined;
  /** Every use of a symbol, tests last. */
  references(id: SymbolId): CodeReference[];
  /** The uses that call or construct it. */
  callers(id: SymbolId): CodeReference[];
  /** What the code of a symbol calls or constructs, in its order. */
  callees(id: SymbolId): CodeReference[];
  /** Where the name at a place is defined. */
  definition(file: FileId, line: number, column: number): { to: SymbolId[]; certainty: Certainty } | undefined;
  /** Classes that extend or implement it; for a method those that override it. */
  implementations(id: SymbolId): SymbolId[];
  imports(file: FileId): ImportEdge[];
  importers(file: FileId): ImportEdge[];
  /** What may break when it changes: callers of callers to `depth`. */
  impact(id: SymbolId, options?: { depth?: number; limit?: number; signal?: AbortSignal }): Impact;
  /** The shortest way by calls, both ends included; undefined where there is none. */
  path(from: SymbolId, to: SymbolId): SymbolId[] | undefined;
  /** Tests that reach it, nearest first. */
  testsOf(id: SymbolId, options?: { depth?: number; limit?: number }): ImpactedSymbol[];
  /** Functions, methods and classes that nothing here uses and nothing outside can. */
  deadCode(options?: { path?: string; limit?: number }): SymbolId[];
  /** Every edge between files: who uses how much of whom. For the repository map. */
  fileEdges(): { from: Int32Array; to: Int32Array; weight: Float32Array };
  /** How often each symbol of a file is used from other files, ambiguous uses apart, in the order of `symbolsOf`. */
  usesOf(file: FileId): Int32Array;
}
