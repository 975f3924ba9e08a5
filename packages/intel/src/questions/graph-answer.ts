import type { Certainty } from '../graph/code-graph-api.ts';
import type { ReferenceKind, SymbolKind } from '../parsing/file-facts.ts';
import type { Language } from '../parsing/language.ts';

/** What can be asked of the graph; see `GraphQuestion`. */
export const GRAPH_ACTIONS = [
  'explain',
  'callers',
  'callees',
  'references',
  'impact',
  'tests',
  'path',
  'dead',
] as const;
export type GraphAction = (typeof GRAPH_ACTIONS)[number];

/** A symbol in plain data, as an answer tells of it. */
export interface SymbolFacts {
  /** `Container.name`. */
  symbol: string;
  kind: SymbolKind;
  /** From the root, with `/`. */
  path: string;
  /** Where its name stands. */
  line: number;
  startLine: number;
  endLine: number;
  exported: boolean;
  isTest: boolean;
  /** Its declaration on one line. */
  signature?: string;
  /** The first sentence of its doc comment. */
  doc?: string;
}

/** A place that uses the symbol. */
export interface UseFacts {
  path: string;
  line: number;
  kind: ReferenceKind;
  certainty: Certainty;
  /** `Container.name` of what it stands in; absent at the top of a file. */
  in?: string;
  isTest: boolean;
  /** How often it is used there; the place is the first of them. */
  times: number;
  /** The line itself. */
  code?: string;
}

/** Something that the symbol calls. */
export interface CalleeFacts {
  /** Where it is called. */
  line: number;
  kind: ReferenceKind;
  certainty: Certainty;
  /** What is called; several where it is ambiguous. */
  to: Pick<SymbolFacts, 'symbol' | 'kind' | 'path' | 'line'>[];
}

/** A symbol that is reached over others. */
export interface ReachedFacts extends SymbolFacts {
  /** 1: at first hand. */
  depth: number;
  /** The least sure edge on the way. */
  certainty: Certainty;
}

export interface ImportFacts {
  /** The file that imports, or is imported; the specifier where it lies outside the workspace. */
  path: string;
  line: number;
}

/** The beginning of a list, and how long it is. */
export interface Listed<T> {
  total: number;
  /** More than `total` says were found, or could be. */
  atLeast?: true;
  items: T[];
}

/** A file as an answer tells of it. */
export interface FileAnswer {
  path: string;
  language?: Language;
  symbols: Listed<SymbolFacts>;
  imports: Listed<ImportFacts>;
  importers: Listed<ImportFacts>;
}

/** What the graph says; plain data. Each action fills what it asks for. */
export interface GraphAnswer {
  action: GraphAction;
  /** As it was asked. */
  asked: string;
  /** `unknown`: nothing has that name; see `nearest`. `ambiguous`: several have; see `candidates`. */
  status: 'ok' | 'unknown' | 'ambiguous';
  /** Whether every file had been looked at when it was answered. */
  complete: boolean;
  symbol?: SymbolFacts;
  file?: FileAnswer;
  callers?: Listed<UseFacts>;
  callees?: Listed<CalleeFacts>;
  references?: Listed<UseFacts>;
  implementations?: Listed<SymbolFacts>;
  /** What may break, best first. */
  impact?: Listed<ReachedFacts> & { depth: number; files: number; tests: number };
  tests?: Listed<ReachedFacts>;
  /** The end of the way that is asked for, and the way; `way` is absent where there is none. */
  to?: SymbolFacts;
  way?: SymbolFacts[];
  dead?: Listed<SymbolFacts>;
  candidates?: Listed<SymbolFacts>;
  nearest?: SymbolFacts[];
}
