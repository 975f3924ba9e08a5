export { openCodeIntelligence } from './code-intelligence.ts';
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
export { CERTAINTIES } from './graph/code-graph-api.ts';
export { fileChunker } from './index/chunk-file.ts';
export { HybridIndex } from './index/code-index.ts';
export type { CodeIndex, Embedder, SearchHit, SearchOptions } from './index/code-index-api.ts';
export { detectLanguage } from './parsing/detect-language.ts';
export type { FileFacts, ReferenceKind, SymbolKind } from './parsing/file-facts.ts';
export { grammarFile } from './parsing/grammar-files.ts';
export type { Language } from './parsing/language.ts';
export { specOf } from './parsing/languages/specs.ts';
export { ParserPool } from './parsing/pool/parser-pool.ts';
export { SourceParser } from './parsing/source-parser.ts';
export { type AnswerPage, answerPage, type PageRow, type PageSection } from './questions/answer-page.ts';
export { askGraph, type GraphQuestion, IMPACT_DEPTH } from './questions/ask-graph.ts';
export { GRAPH_ACTIONS, type GraphAction, type GraphAnswer, type SymbolFacts } from './questions/graph-answer.ts';
export { graphDot } from './questions/graph-dot.ts';
export { pageText } from './questions/page-text.ts';
export { hitsText, type ShownHit, shownHits } from './questions/search-facts.ts';
export { fileText, linksText, type MapFile, type MapSymbol } from './repo-map/map-text.ts';
export type { ModuleLink } from './repo-map/module-links.ts';
export { type RepoMap, type RepoMapOptions, RepoMapper, repoMap } from './repo-map/repo-map.ts';
export { DapConnection, DapError, type DapOptions } from './rpc/dap-connection.ts';
export { CodeService, type CodeServiceOptions, type ReadyOptions } from './service/code-service.ts';
export type { Capture, Place, StructuralMatch } from './structural/find-matches.ts';
export { lineOf, matchLines, searchNotes } from './structural/match-text.ts';
export { planRewrite, type RewritePlan, type RewrittenFile } from './structural/plan-rewrite.ts';
export {
  type FileMatches,
  type StructuralReport,
  StructuralSearch,
  type StructuralSearchOptions,
} from './structural/structural-search.ts';
