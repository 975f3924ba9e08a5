export { openCodeIntelligence } from './code-intelligence.ts';
export type {
  CodeIntelligence,
  CodeIntelligenceOptions,
  DiskChanges,
  IndexReport,
  RefreshProgress,
  RefreshReport,
} from './code-intelligence-api.ts';
export type { AdapterId, AdapterSearch, AdapterSpec } from './debugger/adapters/adapter-spec.ts';
export type { AdapterWorld, DebugRequest, DebugSandbox } from './debugger/adapters/adapter-world.ts';
export { commandLine } from './debugger/adapters/command-words.ts';
export { type AdapterSurvey, canDebug, debuggeeOf, findAdapters } from './debugger/adapters/find-adapters.ts';
export { answerText, deadlineText, stackLines, threadText, variableText } from './debugger/answer-text.ts';
export type { DebugHost } from './debugger/debug-host.ts';
export type { Go } from './debugger/debug-session.ts';
export { type Debuggee, Debugger, type DebuggerOptions, type DebugStart } from './debugger/debugger.ts';
export type { DebugAnswer, DebugState, StopReport } from './debugger/report.ts';
export type { ExceptionMode } from './debugger/session-member.ts';
export type { BreakpointRequest } from './debugger/wanted-breakpoints.ts';
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
export { CERTAINTIES } from './graph/code-graph-api.ts';
export { fileChunker } from './index/chunk-file.ts';
export { HybridIndex } from './index/code-index.ts';
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
export { detectLanguage } from './parsing/detect-language.ts';
export type { FileFacts, ReferenceKind, SymbolKind } from './parsing/file-facts.ts';
export { grammarFile } from './parsing/grammar-files.ts';
export type { Language } from './parsing/language.ts';
export { specOf } from './parsing/languages/specs.ts';
export { ParserPool } from './parsing/pool/parser-pool.ts';
export { SourceParser } from './parsing/source-parser.ts';
export { isTestFile } from './parsing/test-files.ts';
export { type AnswerPage, answerPage, type PageRow, type PageSection } from './questions/answer-page.ts';
export { askGraph, type GraphQuestion, IMPACT_DEPTH } from './questions/ask-graph.ts';
export { filesThatUse } from './questions/files-that-use.ts';
export { GRAPH_ACTIONS, type GraphAction, type GraphAnswer, type SymbolFacts } from './questions/graph-answer.ts';
export { graphDot } from './questions/graph-dot.ts';
export { pageText } from './questions/page-text.ts';
export { hitsText, type ShownHit, shownHits } from './questions/search-facts.ts';
export { fileText, linksText, type MapFile, type MapSymbol } from './repo-map/map-text.ts';
export type { ModuleLink } from './repo-map/module-links.ts';
export { type RepoMap, type RepoMapOptions, RepoMapper, repoMap } from './repo-map/repo-map.ts';
export { DapConnection, DapError, type DapOptions } from './rpc/dap-connection.ts';
export { CodeService, type CodeServiceOptions, type ReadyOptions } from './service/code-service.ts';
export type { Capture, StructuralMatch } from './structural/find-matches.ts';
export { lineOf, matchLines, searchNotes } from './structural/match-text.ts';
export { planRewrite, type RewritePlan, type RewrittenFile } from './structural/plan-rewrite.ts';
export {
  type FileMatches,
  type StructuralReport,
  StructuralSearch,
  type StructuralSearchOptions,
} from './structural/structural-search.ts';
