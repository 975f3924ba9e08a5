import type { Call, Outcome, Plan, ToolName, ToolSet } from './plan.ts';
import { clip, visible } from './render.ts';
import { type CommandResult, parseCommand } from './results/command-result.ts';
import { type GraphResult, parseGraph } from './results/graph-result.ts';
import { type GrepResult, parseGrep } from './results/grep-result.ts';
import { type ListResult, parseList } from './results/list-result.ts';
import { parseRead, type ReadResult } from './results/read-result.ts';
import { parseSearch, type SearchResult } from './results/search-result.ts';

export interface GrepQuery {
  pattern: string;
  path?: string;
  glob?: string;
  ignore_case?: true;
  literal?: true;
}

export interface ReadQuery {
  path: string;
  offset?: number;
  limit?: number;
}

export interface GraphQuery {
  /** Left out: what it is. */
  action?: 'callers' | 'callees' | 'references' | 'impact' | 'tests' | 'path' | 'dead';
  symbol?: string;
  to?: string;
}

/** A tool's answer, or in `failure` one line that says why there is none. */
export type Answered<Result> = (Result & { failure?: undefined }) | { failure: string };

export function* grepAll(queries: readonly GrepQuery[]): Plan<Answered<GrepResult>[]> {
  return (yield calls('grep_search', queries)).map((outcome) => answered(outcome, parseGrep));
}

export function* grep(query: GrepQuery): Plan<Answered<GrepResult>> {
  return (yield* grepAll([query]))[0]!;
}

export function* readAll(queries: readonly ReadQuery[]): Plan<Answered<ReadResult>[]> {
  return (yield calls('read_file', queries)).map((outcome) => answered(outcome, parseRead));
}

export function* read(query: ReadQuery): Plan<Answered<ReadResult>> {
  return (yield* readAll([query]))[0]!;
}

export function* listAll(paths: readonly (string | undefined)[], depth: number): Plan<Answered<ListResult>[]> {
  const queries = paths.map((path) => ({ ...(path ? { path } : {}), ...(depth > 1 ? { depth } : {}) }));
  const outcomes = yield calls('list_directory', queries);
  return outcomes.map((outcome, at) => answered(outcome, (text) => parseList(text, paths[at])));
}

export function* list(path: string | undefined, depth: number): Plan<Answered<ListResult>> {
  return (yield* listAll([path], depth))[0]!;
}

/** What the code graph says; undefined where there is none, or it could not be asked. */
export function* askGraph(query: GraphQuery, tools: ToolSet): Plan<GraphResult | undefined> {
  if (!tools.has('code_graph')) return undefined;
  const [outcome] = yield calls('code_graph', [query]);
  return outcome!.state === 'done' ? parseGraph(outcome!.text) : undefined;
}

/** What the search index finds; nothing where there is none, or it could not be asked. */
export function* searchIndex(query: string, path: string | undefined, tools: ToolSet): Plan<SearchResult> {
  if (!tools.has('codebase_search')) return { places: [] };
  const [outcome] = yield calls('codebase_search', [{ query, ...(path ? { path } : {}) }]);
  return outcome!.state === 'done' ? parseSearch(outcome!.text) : { places: [] };
}

export function* run(args: { command: string; timeout_seconds?: number; cwd?: string }): Plan<Answered<CommandResult>> {
  const [outcome] = yield calls('run_command', [args]);
  const result = parseCommand(outcome!.text);
  // A time-out is an error of the tool, but what was printed until then still tells something.
  return outcome!.state === 'done' || result.ended ? { ...result, failure: undefined } : { failure: reason(outcome!) };
}

/** Why a call failed, in one line. */
export function reason(outcome: Outcome): string {
  const line = outcome.text.split('\n').find((each) => each.trim() !== '') ?? 'no reason was given';
  return clip(visible(withoutAdvice(line.trim())), 300);
}

const TOOL = /\b(?:read_file|write_file|edit_file|list_directory|grep_search|codebase_search|code_graph|run_command)\b/;

/** Sentences that tell a model which tool to take next are no answer to a person. */
function withoutAdvice(text: string): string {
  const sentences = text.split(/(?<=[.!?])\s+(?=\p{Lu})/u);
  const told = sentences.filter((each) => !TOOL.test(each));
  return (told.length > 0 ? told : sentences).join(' ');
}

function calls(name: ToolName, all: readonly object[]): Call[] {
  return all.map((args) => ({ name, args: { ...args } }));
}

function answered<Result extends object>(outcome: Outcome, parse: (text: string) => Result): Answered<Result> {
  return outcome.state === 'done' ? { ...parse(outcome.text), failure: undefined } : { failure: reason(outcome) };
}
