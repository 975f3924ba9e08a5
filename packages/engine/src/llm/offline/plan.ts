/** The tools that a plan may ask for. */
export type ToolName =
  | 'read_file'
  | 'edit_file'
  | 'list_directory'
  | 'grep_search'
  | 'codebase_search'
  | 'code_graph'
  | 'run_command';

export interface Call {
  name: ToolName;
  args: Record<string, unknown>;
}

/**
 * What became of a call: `done` and `failed` have the tool's own text (a refusal is a failure); `lost` is a call with
 * effects that was interrupted and may or may not have happened.
 */
export interface Outcome {
  state: 'done' | 'failed' | 'lost';
  text: string;
}

/**
 * A plan yields the calls of its next turn, is given their outcomes in the same order, and returns its answer. It is
 * run again from its beginning at each turn, so it may depend on nothing but its request and the outcomes.
 */
export type Plan<Answer = string> = Generator<Call[], Answer, Outcome[]>;

/** What the request's tools allow. */
export interface ToolSet {
  has(name: ToolName): boolean;
  /** The largest value that a tool's schema allows for a parameter, at most `wanted`. */
  atMost(name: ToolName, parameter: string, wanted: number): number;
}
