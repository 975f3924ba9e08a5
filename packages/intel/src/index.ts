export type {
  CodeIntelligence,
  CodeIntelligenceOptions,
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
export type { CodeIndex, Embedder, SearchHit, SearchOptions } from './index/code-index-api.ts';
export type { ReferenceKind, SymbolKind } from './parsing/file-facts.ts';
export type { Language } from './parsing/language.ts';
