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
export type { Serve } from './lsp/client/language-client.ts';
export type { NewsKind, NewsLine } from './lsp/diagnostics/diagnostics-ledger.ts';
export type {
  CheckedFile,
  CollectOptions,
  DiagnosticsByFile,
  DiagnosticsSource,
  FileEvent,
} from './lsp/diagnostics/diagnostics-source.ts';
export {
  type DiagnosticsNews,
  type FileAfter,
  type FileBefore,
  type WatchedWrite,
  WriteDiagnostics,
  type WriteDiagnosticsOptions,
} from './lsp/diagnostics/write-diagnostics.ts';
export { type DiskTexts, diskTexts } from './lsp/disk-texts.ts';
export { LanguageServers, type LanguageServersOptions } from './lsp/language-servers.ts';
export type { ServerState, ServerStatus } from './lsp/managed-server.ts';
export {
  type CallItem,
  type CheckedFiles,
  type CodeAction,
  LanguageQueries,
  type Place,
} from './lsp/queries/language-queries.ts';
export { KNOWN_SERVERS } from './lsp/servers/known-servers.ts';
export {
  type FoundServer,
  type MissingServer,
  ServerFinder,
  type ServerFinderOptions,
  type ServerSearch,
} from './lsp/servers/server-finder.ts';
export type { ServerFacts, ServerSpec } from './lsp/servers/server-spec.ts';
export type { Diagnostic, Severity } from './lsp/wire/diagnostic.ts';
export type { Position, Range } from './lsp/wire/positions.ts';
export type { Location } from './lsp/wire/read-range.ts';
export type { SymbolItem } from './lsp/wire/read-symbols.ts';
export { applyEdits, type FileEdit, type TextEdit } from './lsp/wire/workspace-edit.ts';
export type { ReferenceKind, SymbolKind } from './parsing/file-facts.ts';
export type { Language } from './parsing/language.ts';
