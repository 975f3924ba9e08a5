import { sandboxMarks, sandboxRemedies } from './sandbox-text.ts';
import { visibleLine } from './visible-text.ts';

/** What is known of a finished tool call. */
export interface ToolFact {
  name: string;
  args: Readonly<Record<string, unknown>>;
  isError: boolean;
  /** The text of its result. */
  text: string;
  /** What its result tells a face; another program's tells nothing. */
  details?: unknown;
}

/** A fact in one line, in the words of the work. */
export interface FactLine {
  tone: 'fact' | 'change' | 'failure';
  text: string;
  /** How it went, e.g. `14 hits`: kept whole where the line must be cut. */
  tail: string;
  /** Why it did not work out: what decides, read to its end where there is room for more than a line. */
  why?: string;
  /** What a person should know beside it, and what they can do: a line each, read to its end. */
  notes?: string[];
}

const GLYPHS = { fact: '▸', change: '✎', failure: '✗' } as const;

const CHANGES: ReadonlySet<string> = new Set(['edit_file', 'write_file', 'apply_patch', 'remember', 'create_artifact']);

/** The line that tells of a finished call; undefined for the calls that end a task, whose message is the answer. */
export function factLine(fact: ToolFact): FactLine | undefined {
  const { name, isError, text } = fact;
  if (name === 'complete_task' || name === 'cancel_task') return undefined;
  if (isError && name === 'run_command' && detailsOf(fact.details).seconds !== undefined) {
    return withNotes(line('failure', doing(fact), ended(fact.details)), fact.details);
  }
  if (isError)
    return { ...line('failure', doing(fact)), why: visibleLine(inPlainWords(text.trim().split('\n', 1)[0]!)) };
  const told = line(CHANGES.has(name) ? 'change' : 'fact', ...done(fact));
  return name === 'run_command' ? withNotes(told, fact.details) : told;
}

/** A refusal without the gate's own terms, which are for the log. */
function inPlainWords(message: string): string {
  return message.replace(/^Refused \(stage [^)]*\): /, 'refused: ');
}

function line(tone: FactLine['tone'], text: string, tail = ''): FactLine {
  return { tone, text: `${GLYPHS[tone]} ${visibleLine(text)}`, tail: visibleLine(tail) };
}

function withNotes(told: FactLine, details: unknown): FactLine {
  const notes = sandboxRemedies(details).map(visibleLine);
  return notes.length > 0 ? { ...told, notes } : told;
}

/** What a call is about, before it is done. */
export function doing({ name, args }: Pick<ToolFact, 'name' | 'args'>): string {
  switch (name) {
    case 'read_file':
      return `Read ${word(args.path)}`;
    case 'write_file':
      return `Write ${word(args.path)}`;
    case 'edit_file':
      return `Edit ${word(args.path)}`;
    case 'list_directory':
      return `List ${word(args.path) || '.'}`;
    case 'grep_search':
      return `Search "${word(args.pattern)}"${args.path ? ` in ${word(args.path)}` : ''}`;
    case 'codebase_search':
      return `Search the code "${word(args.query)}"${args.path ? ` in ${word(args.path)}` : ''}`;
    case 'code_graph':
      return graphQuestion(args);
    case 'ast_grep':
      return `Search the shape ${word(args.pattern)}`;
    case 'ast_edit':
      return `Stage ${word(args.pattern)} → ${word(args.rewrite)}`;
    case 'resolve':
      return args.action === 'discard' ? 'Discard what is staged' : 'Commit what is staged';
    case 'run_command':
      return `$ ${word(args.command)}${args.background === true ? ' &' : ''}${args.cwd ? `   (in ${word(args.cwd)})` : ''}`;
    case 'apply_patch':
      return `Patch ${patchedFiles(word(args.patch))}`;
    case 'update_plan':
      return 'Plan';
    case 'create_artifact':
      return word(args.kind)
        .replace('_', ' ')
        .replace(/^./, (first) => first.toUpperCase());
    case 'ask_user':
      return `Ask: ${word(args.question)}`;
    case 'command_output':
      return args.id === undefined ? 'Background commands' : `Output of ${word(args.id)}`;
    case 'stop_command':
      return `Stop ${word(args.id)}`;
    case 'debug':
      return debugged(args);
    case 'web_search':
      return `Search the web "${word(args.query)}"`;
    case 'web_fetch':
      return `Fetch ${word(args.url)}`;
    case 'lsp':
      return `Ask for ${[word(args.operation).replaceAll('_', ' '), word(args.symbol ?? args.query ?? args.path)].filter(Boolean).join(' of ')}`;
    case 'remember':
      return `Remember ${word(args.kind)} "${word(args.title)}"`;
    default:
      return `${name} ${Object.entries(args)
        .map(([key, value]) => `${key}: ${word(value)}`)
        .join(', ')}`.trim();
  }
}

const GRAPH_WORDS: Readonly<Record<string, string>> = {
  callers: 'Callers of',
  callees: 'Callees of',
  references: 'Uses of',
  impact: 'Impact of',
  tests: 'Tests of',
  dead: 'Dead code in',
};

function graphQuestion({ action, symbol, to }: ToolFact['args']): string {
  if (action === 'path') return `Way from ${word(symbol)} to ${word(to)}`;
  return `${GRAPH_WORDS[word(action)] ?? 'Look up'} ${word(symbol) || '.'}`;
}

/** What was done, and how it went. */
function done(fact: ToolFact): [string, string?] {
  const { name, args } = fact;
  const details = detailsOf(fact.details);
  switch (name) {
    case 'read_file':
      return [`Read ${word(args.path)}`, details.from === undefined ? '' : `${details.from}–${details.to}`];
    case 'list_directory':
      return [`Listed ${word(args.path) || '.'}`, counted(details.entries, 'entry', 'entries')];
    case 'grep_search':
      return [doing(fact).replace('Search', 'Searched'), counted(details.matches, 'hit', 'hits')];
    case 'ast_grep':
      return [doing(fact).replace('Search', 'Searched'), counted(details.matches, 'match', 'matches')];
    case 'ast_edit':
      return [doing(fact).replace('Stage', 'Staged'), counted(details.places, 'place', 'places')];
    case 'resolve':
      return [doing(fact).replace('Discard', 'Discarded').replace('Commit', 'Committed'), changed(details)];
    case 'codebase_search':
      return [doing(fact).replace('Search', 'Searched'), counted(details.hits, 'place', 'places')];
    case 'code_graph':
      return [doing(fact), details.found === undefined ? '' : `· ${details.found}`];
    case 'edit_file':
    case 'write_file':
      return [word(args.path), changed(details)];
    case 'run_command':
      return [doing(fact), ran(fact.details)];
    case 'apply_patch':
    case 'create_artifact':
      return [doing(fact), changed(details)];
    case 'update_plan':
      return ['Plan', details.total === undefined ? '' : `· ${details.done} of ${details.total} steps done`];
    case 'debug':
      return [doing(fact), halted(fact.details)];
    case 'web_search':
      return [doing(fact).replace('Search', 'Searched'), counted(details.hits, 'hit', 'hits')];
    case 'web_fetch':
      return [doing(fact).replace('Fetch', 'Fetched')];
    case 'lsp':
      return [doing(fact).replace('Ask', 'Asked'), counted(details.hits || undefined, 'hit', 'hits')];
    default:
      return [doing(fact)];
  }
}

/** What the debugger is told. */
function debugged({ action, command, expression, name, breakpoints }: Record<string, unknown>): string {
  const about = command ?? (name === undefined ? expression : `${word(name)} = ${word(expression)}`) ?? breakpoints;
  const list = Array.isArray(about) ? about.map(word).join(', ') : word(about);
  return `Debug: ${word(action).replaceAll('_', ' ')} ${list}`.trimEnd();
}

/** Where the debugged program stands. */
function halted(details: unknown): string {
  if (typeof details !== 'object' || details === null) return '';
  const { state, reason, place, line, exitCode } = details as Record<string, unknown>;
  if (state === 'stopped') return `· ${word(reason)}${place ? ` at ${word(place)}:${word(line)}` : ''}`;
  if (state === 'ended') return exitCode === undefined ? '· ended' : `· exit code ${word(exitCode)}`;
  return state === 'running' ? '· running' : '';
}

function changed({ kind, added, removed, problems }: Details): string {
  const broke = problems === undefined ? '' : ` · ${problems} new ${problems === 1 ? 'problem' : 'problems'}`;
  if (kind === 'created') return `· created, ${added} ${added === 1 ? 'line' : 'lines'}${broke}`;
  return added === undefined ? broke.slice(1) : `+${added} −${removed}${broke}`;
}

function ran(details: unknown): string {
  const { exitCode, seconds, unsandboxed } = detailsOf(details);
  const exposed = unsandboxed ? ' · unsandboxed' : '';
  if (seconds === undefined) return exposed.slice(1);
  const how = exitCode === 0 ? '✓' : exitCode === null ? '✗ ended by a signal' : `✗ exit code ${exitCode}`;
  return `${how} · ${seconds.toFixed(1)} s${exposed}${sandboxMarks(details)}`;
}

/** How a command came to an end that was not its own. */
function ended(details: unknown): string {
  const { seconds = 0 } = detailsOf(details);
  const { timedOut, unsandboxed } = details as { timedOut?: unknown; unsandboxed?: unknown };
  const exposed = unsandboxed === true ? ' · unsandboxed' : '';
  return `${timedOut === true ? 'timed out' : 'cancelled'} · ${seconds.toFixed(1)} s${exposed}`;
}

function counted(count: number | undefined, one: string, many: string): string {
  return count === undefined ? '' : `· ${count} ${count === 1 ? one : many}`;
}

/** The details of the built-in tools, as far as a line tells them. */
interface Details {
  kind?: unknown;
  from?: number;
  to?: number;
  entries?: number;
  matches?: number;
  added?: number;
  removed?: number;
  /** Null when a signal ended the command. */
  exitCode?: number | null;
  seconds?: number;
  hits?: number;
  places?: number;
  found?: number;
  /** Diagnostics that were not there before. */
  problems?: number;
  done?: number;
  unsandboxed?: true;
  total?: number;
}

/** Details of any shape, as they come out of a log: only what is a number counts. */
function detailsOf(details: unknown): Details {
  if (typeof details !== 'object' || details === null) return {};
  const known = Object.entries(details).filter(
    ([name, value]) =>
      typeof value === 'number' ||
      name === 'kind' ||
      (name === 'exitCode' && value === null) ||
      (name === 'unsandboxed' && value === true),
  );
  return Object.fromEntries(known);
}

/** The files that a patch names, as it spells them. */
function patchedFiles(patch: string): string {
  const named = patch.matchAll(/^(?:\*\*\* (?:Add|Update|Delete) File: *|\+\+\+ (?:b\/)?)(.+?)(?:\t.*)?\r?$/gm);
  const files = [...named].map(([, path = '']) => path).filter((path) => path !== '/dev/null');
  return files.join(', ');
}

function word(value: unknown): string {
  if (typeof value === 'string') return value;
  return value === undefined ? '' : JSON.stringify(value);
}
