/** A way of working: its tools, its ceiling, and its words in the system prompt. */
export interface Mode {
  name: string;
  description: string;
  /** A codicon id. */
  icon?: string;
  /** Names of the tools it may use; absent: all. */
  tools?: string[];
  /** Nothing may change: a command runs only where it is provably read-only, whatever is allowed otherwise. */
  readOnly?: boolean;
  /** Model calls of one task before the loop asks whether to go on. */
  maxIterations: number;
  /** `provider/model`, where the mode wants its own. */
  model?: string;
  /** Narrows what it may edit: paths from the workspace, matched anywhere (RE2). */
  fileRegex?: string;
  /** `fileRegex`, ready for use. */
  mayEdit?(path: string): boolean;
  /** A person can choose it; absent: yes. A phase of the pipeline is chosen by the pipeline. */
  selectable?: boolean;
  body: string;
}

/** Where a mode comes from; what stands later wins over what stands before it. */
export const MODE_SOURCES = ['built-in', 'global', 'workspace', 'project'] as const;
export type ModeSource = (typeof MODE_SOURCES)[number];

/** The ceiling of a mode that names none (IDE-13). */
export const DEFAULT_MAX_ITERATIONS = 25;
