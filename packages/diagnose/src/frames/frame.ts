/** Languages whose stack traces are read (DX-9). */
export type TraceLanguage =
  | 'javascript'
  | 'python'
  | 'java'
  | 'go'
  | 'rust'
  | 'csharp'
  | 'ruby'
  | 'php'
  | 'swift'
  | 'c';

/** A line of a stack trace. */
export interface Frame {
  language: TraceLanguage;
  /** As it is written; undefined where only a function is named. */
  file: string | undefined;
  /** From 1. */
  line: number | undefined;
  /** From 1. */
  column: number | undefined;
  /** `Container.name`, as the language writes it. */
  symbol: string | undefined;
  /** The code that the trace quotes for it. */
  code: string | undefined;
}

/** One trace: what was running, the innermost frame first. */
export interface Trace {
  language: TraceLanguage;
  /** What the error says; undefined where the trace does not tell. */
  message: string | undefined;
  frames: Frame[];
  /** Lines of the text that it takes, from 1, both ends included. */
  startLine: number;
  endLine: number;
}
