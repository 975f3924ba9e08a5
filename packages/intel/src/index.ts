export type {
  CodeIntelligence,
  CodeIntelligenceOptions,
  IndexReport,
  RefreshProgress,
  RefreshReport,
} from './code-intelligence-api.ts';
export type { FileId, FileTable } from './files/file-table.ts';
export type {
  Certainty,
  CodeGraph,
  CodeReference,
  CodeSymbol,
  FindOptions,
  Impact,
  ImpactedSymbol,
  ImportEdge,
  SymbolId,
} from './graph/code-graph-api.ts';
export type { CodeIndex, Embedder, SearchHit, SearchOptions } from './index/code-index-api.ts';
export type { ReferenceKind, SymbolKind } from './parsing/file-facts.ts';
export type { Language } from './parsing/language.ts';
