import type { AdapterId, ExceptionMode } from '@black-ide/intel';
import type { ExportFormat } from '@black-ide/protocol';
import { COMMANDS, type CommandSpec, commandSpec, type OUTPUT_FORMATS, type THINKING_LEVELS } from './command-specs.ts';
import { nearest } from './nearest.ts';
import { type AstInvocation, parseAst } from './parse-ast.ts';
import {
  type CodeSearchInvocation,
  type GraphInvocation,
  type MapInvocation,
  parseCodeSearch,
  parseGraph,
  parseMap,
} from './parse-code.ts';
import { type DiagnoseInvocation, parseDiagnose } from './parse-diagnose.ts';
import { type LspInvocation, parseLsp } from './parse-lsp.ts';
import { quoted, type ReadFlags, readFlags } from './read-flags.ts';
import { UsageError } from './usage-error.ts';

export type OutputFormat = (typeof OUTPUT_FORMATS)[number];

export interface RunInvocation {
  command: 'run';
  /** The positional words, joined; may be empty when standard input brings the prompt. */
  prompt: string;
  output: OutputFormat;
  mode?: string;
  model?: string;
  thinking?: (typeof THINKING_LEVELS)[number];
  /** `latest`, or an id or the beginning of one. */
  session?: string;
  autoApprove: boolean;
  approvePlan: boolean;
  /** Plan first, or not; undefined: as the prompt and the settings say. */
  plan?: boolean;
  /** Means nothing yet and says so. */
  trust: boolean;
  maxIterations?: number;
  /** US dollars. */
  maxCost?: number;
  maxTokens?: number;
  maxTimeMs?: number;
}

/** The terminal UI. */
export interface ChatInvocation {
  command: 'chat';
  /** What is sent at once; may be empty. */
  prompt: string;
  mode?: string;
  model?: string;
  session?: string;
  /** The person chooses the session. */
  pick?: boolean;
  autoApprove: boolean;
  trust: boolean;
  approvePlan: boolean;
  /** Of the first message; see `RunInvocation`. */
  plan?: boolean;
  /** Lines are appended and nothing is ever drawn again. */
  plain: boolean;
  maxIterations?: number;
  maxCost?: number;
}

export interface AnswerInvocation {
  command: 'approve' | 'reject';
  session: string;
  request?: string;
  reason?: string;
  /** A yes that counts from now on, as far as the question offers it. */
  lasting?: 'session' | 'folder';
  output: OutputFormat;
  autoApprove: boolean;
  approvePlan: boolean;
  trust: boolean;
}

export interface TrustInvocation {
  command: 'trust';
  /** As it was typed; the working folder where left out. */
  folder?: string;
  does: 'trust' | 'show' | 'list' | 'revoke';
  json: boolean;
}

export interface UndoInvocation {
  command: 'undo';
  session: string;
  /** The entry id of a user message; neither it nor a file: the newest message that has pending changes. */
  message?: string;
  file?: string;
  redo: boolean;
  list: boolean;
  /** Go on although the files were changed since, by the person or others. */
  merge: boolean;
  json: boolean;
}

export interface SearchInvocation {
  command: 'sessions search';
  query: string;
  all: boolean;
  limit?: number;
  json: boolean;
}

export interface ExportInvocation {
  command: 'sessions export';
  session: string;
  format: ExportFormat;
  /** A file; `-` for standard output; a file of the export's own name where left out. */
  out?: string;
}

export interface DebugInvocation {
  command: 'debug';
  /** The program and its arguments. */
  words: readonly string[];
  /** `FILE:LINE` or names of functions. */
  breakpoints: readonly string[];
  exceptions: ExceptionMode;
  adapter?: AdapterId;
  firstLine: boolean;
  json: boolean;
}

export type Invocation =
  | RunInvocation
  | ChatInvocation
  | AnswerInvocation
  | UndoInvocation
  | { command: 'version' }
  | { command: 'help'; spec: CommandSpec }
  | { command: 'sessions list'; all: boolean; json: boolean }
  | { command: 'sessions show'; session: string; json: boolean }
  | SearchInvocation
  | DiagnoseInvocation
  | ExportInvocation
  | { command: 'sessions rename'; session: string; name: string; json: boolean }
  | { command: 'sessions rm' | 'sessions restore'; sessions: readonly string[]; json: boolean }
  | TrustInvocation
  | { command: 'modes'; json: boolean }
  | { command: 'models'; provider?: string; refresh: boolean; json: boolean }
  | { command: 'auth list'; json: boolean }
  | { command: 'auth set'; provider: string; file: boolean }
  | { command: 'auth remove'; provider: string }
  | { command: 'doctor'; json: boolean }
  | DebugInvocation
  | { command: 'policy explain'; line?: string; cwd?: string; json: boolean }
  | AstInvocation
  | GraphInvocation
  | CodeSearchInvocation
  | MapInvocation
  | { command: 'index'; json: boolean }
  | { command: 'mcp'; folder?: string }
  | LspInvocation
  | { command: 'host' };

/** What a command line asks for. Throws a UsageError when it is wrong. */
export function parseInvocation(argv: readonly string[]): Invocation {
  const first = argv[0];
  const two = commandSpec(argv.slice(0, 2).join(' '));
  if (first && two && two.name !== first) return parseCommand(two, argv.slice(2));
  const one = first ? commandSpec(first) : undefined;
  const [, second] = argv;
  const hasParts = COMMANDS.some(({ name }) => name.startsWith(`${first} `));
  if (hasParts && second !== undefined && !second.startsWith('-')) throw unknownCommand(`${first} ${second}`);
  // Alone it lists, as whoever types a noun expects; its help names the rest.
  const list = hasParts && second !== '--help' && second !== '-h' ? commandSpec(`${first} list`) : undefined;
  if (list) return parseCommand(list, argv.slice(1));
  return one ? parseCommand(one, argv.slice(1)) : parseRun(argv);
}

function parseCommand(spec: CommandSpec, args: readonly string[]): Invocation {
  const read = readFlags(spec, args);
  if (read.flags.has('help')) return { command: 'help', spec };
  const json = read.flags.has('json');
  switch (spec.name) {
    case 'approve':
    case 'reject':
      return answer(spec.name, read);
    case 'undo':
      return undo(read, json);
    case 'sessions list':
      return { command: 'sessions list', all: read.flags.has('all'), json };
    case 'sessions show':
      return { command: 'sessions show', session: read.words[0]!, json };
    case 'sessions search':
      return search(read);
    case 'sessions export': {
      const out = text(read.flags, 'out');
      const format = (text(read.flags, 'format') ?? 'html') as ExportFormat;
      return { command: 'sessions export', session: read.words[0]!, format, ...(out ? { out } : {}) };
    }
    case 'sessions rename': {
      const [session, ...words] = read.words;
      return { command: 'sessions rename', session: session!, name: words.join(' '), json };
    }
    case 'sessions rm':
    case 'sessions restore':
      return { command: spec.name, sessions: read.words, json };
    case 'trust':
      return trust(read);
    case 'modes':
      return { command: 'modes', json };
    case 'models': {
      const provider = text(read.flags, 'provider');
      return { command: 'models', ...(provider ? { provider } : {}), refresh: read.flags.has('refresh'), json };
    }
    case 'auth list':
      return { command: 'auth list', json };
    case 'auth set':
      return { command: 'auth set', provider: read.words[0]!, file: read.flags.has('file') };
    case 'auth remove':
      return { command: 'auth remove', provider: read.words[0]! };
    case 'doctor':
      return { command: 'doctor', json };
    case 'debug':
      return debug(read, json);
    case 'policy explain': {
      const cwd = text(read.flags, 'cwd');
      const line = read.words.length > 0 ? { line: read.words.join(' ') } : {};
      return { command: 'policy explain', ...line, ...(cwd ? { cwd } : {}), json };
    }
    case 'graph':
      return parseGraph(read);
    case 'ast':
      return parseAst(read);
    case 'search':
      return parseCodeSearch(read);
    case 'map':
      return parseMap(read);
    case 'diagnose':
      return parseDiagnose(read);
    case 'index':
      return { command: 'index', json };
    case 'mcp':
      return { command: 'mcp', ...(read.words[0] ? { folder: read.words[0] } : {}) };
    case 'lsp':
      return parseLsp(read);
    case 'host':
      return { command: 'host' };
    case 'help':
      return { command: 'help', spec: helpTopic(read.words.join(' ')) };
    default:
      throw unknownCommand(`${spec.name} ${read.words[0]}`);
  }
}

function debug({ flags, lists, words }: ReadFlags, json: boolean): DebugInvocation {
  const adapter = text(flags, 'adapter') as AdapterId | undefined;
  return {
    command: 'debug',
    words,
    breakpoints: lists.get('break') ?? [],
    exceptions: (text(flags, 'exceptions') as ExceptionMode | undefined) ?? 'uncaught',
    ...(adapter ? { adapter } : {}),
    firstLine: flags.has('first-line'),
    json,
  };
}

function search({ flags, words }: ReadFlags): SearchInvocation {
  const limit = text(flags, 'limit');
  return {
    command: 'sessions search',
    // A word that the shell was given in quotes is a phrase.
    query: words.map((word) => (/\s/.test(word) && !/["]|^re:/i.test(word) ? `"${word}"` : word)).join(' '),
    all: flags.has('all'),
    ...(limit ? { limit: limitOf(limit) } : {}),
    json: flags.has('json'),
  };
}

function trust({ flags, words }: ReadFlags): TrustInvocation {
  const [folder] = words;
  const chosen = (['show', 'list', 'revoke'] as const).filter((name) => flags.has(name));
  if (chosen.length > 1) throw new UsageError(`Give one of --${chosen.join(' and --')}.`);
  const [does = 'trust'] = chosen;
  if (does === 'list' && folder !== undefined) throw new UsageError('--list takes no folder.', 'black trust --list');
  return { command: 'trust', ...(folder ? { folder } : {}), does, json: flags.has('json') };
}

function answer(command: 'approve' | 'reject', { flags, words }: ReadFlags): AnswerInvocation {
  const [session, request] = words;
  const lasting = text(flags, 'for') as AnswerInvocation['lasting'];
  const reason = text(flags, 'feedback') ?? text(flags, 'reason');
  return {
    command,
    session: session!,
    ...(request ? { request } : {}),
    ...(reason ? { reason } : {}),
    ...(lasting ? { lasting } : {}),
    output: outputOf(flags),
    autoApprove: flags.has('auto-approve') || flags.has('yes'),
    trust: flags.has('trust'),
    approvePlan: flags.has('yes'),
  };
}

function undo({ flags, words }: ReadFlags, json: boolean): UndoInvocation {
  const message = text(flags, 'message');
  const file = text(flags, 'file');
  const [redo, list] = [flags.has('redo'), flags.has('list')];
  if ([message, file, redo || undefined, list || undefined].filter((each) => each !== undefined).length > 1) {
    throw new UsageError('--message, --file, --redo and --list each mean something else; give one of them.');
  }
  return {
    command: 'undo',
    session: words[0] ?? 'latest',
    ...(message ? { message } : {}),
    ...(file ? { file } : {}),
    redo,
    list,
    merge: flags.has('merge'),
    json,
  };
}

function parseRun(argv: readonly string[]): Invocation {
  const spec = commandSpec('')!;
  const { flags, words } = readFlags(spec, argv);
  if (flags.has('help')) return { command: 'help', spec };
  if (flags.has('version')) return { command: 'version' };
  if (flags.has('continue') && flags.has('resume')) {
    throw new UsageError('--continue and --resume both name a session; give one of them.');
  }
  if (flags.has('plan') && flags.has('no-plan')) {
    throw new UsageError('--plan and --no-plan say the opposite; give one of them.');
  }
  const plan = flags.has('plan') ? true : flags.has('no-plan') ? false : undefined;
  const mode = text(flags, 'mode');
  const model = text(flags, 'model');
  const thinking = text(flags, 'thinking') as RunInvocation['thinking'];
  const session = flags.has('continue') ? 'latest' : text(flags, 'resume');
  const iterations = text(flags, 'max-iterations');
  const cost = text(flags, 'max-cost');
  const tokens = text(flags, 'max-tokens');
  const time = text(flags, 'max-time');
  const common = {
    prompt: words.join(' '),
    ...(mode ? { mode } : {}),
    ...(model ? { model } : {}),
    ...(thinking ? { thinking } : {}),
    ...(session ? { session } : {}),
    autoApprove: flags.has('auto-approve') || flags.has('yes'),
    trust: flags.has('trust'),
    approvePlan: flags.has('approve-plan') || flags.has('yes'),
    ...(plan === undefined ? {} : { plan }),
    ...(iterations ? { maxIterations: iterationsOf(iterations) } : {}),
    ...(cost ? { maxCost: costOf(cost) } : {}),
    ...(tokens ? { maxTokens: tokensOf(tokens) } : {}),
    ...(time ? { maxTimeMs: timeOf(time) } : {}),
  };
  const pick = flags.get('resume') === true;
  if (!flags.has('print')) return { ...chat(words, flags, common), ...(pick ? { pick } : {}) };
  if (pick) throw new UsageError('--resume needs a value (SESSION).', 'black sessions list shows them.');
  return {
    command: 'run',
    ...common,
    output: outputOf(flags),
    trust: flags.has('trust'),
  };
}

/** Without `-p` the words are the first message of the terminal UI, unless they look like a command's name. */
function chat(
  words: readonly string[],
  flags: ReadonlyMap<string, unknown>,
  common: Omit<ChatInvocation, 'command' | 'plain'>,
): ChatInvocation {
  if (flags.has('output'))
    throw new UsageError('--output does something only together with -p.', 'black -p [options] "…"');
  const [word] = words;
  const meant =
    word !== undefined && words.length <= 2 && !/\s/.test(word) ? suggestCommand(words.join(' ')) : undefined;
  if (meant) throw unknownCommand(words.join(' '));
  return { command: 'chat', ...common, plain: flags.has('plain') };
}

function suggestCommand(typed: string): string | undefined {
  const names = COMMANDS.map((spec) => spec.name).filter((name) => name !== '');
  return nearest(typed, names) ?? nearest(typed.split(' ')[0]!, names);
}

function unknownCommand(typed: string): UsageError {
  const meant = suggestCommand(typed);
  return new UsageError(
    `There is no command ${quoted(typed)}.`,
    meant ? `Did you mean black ${meant}?` : 'See black --help',
  );
}

function helpTopic(topic: string): CommandSpec {
  const spec = commandSpec(topic);
  if (spec) return spec;
  throw unknownCommand(topic);
}

function text(flags: ReadonlyMap<string, string | true>, name: string): string | undefined {
  const value = flags.get(name);
  return typeof value === 'string' ? value : undefined;
}

function outputOf(flags: ReadonlyMap<string, string | true>): OutputFormat {
  return (text(flags, 'output') ?? 'text') as OutputFormat;
}

function limitOf(value: string): number {
  const count = /^\d{1,4}$/.test(value) ? Number(value) : 0;
  if (count >= 1 && count <= 1000) return count;
  throw new UsageError(`--limit is a whole number from 1 to 1000; not ${quoted(value)}.`);
}

function iterationsOf(value: string): number {
  const count = /^\d{1,3}$/.test(value) ? Number(value) : 0;
  if (count >= 1 && count <= 500) return count;
  throw new UsageError(`--max-iterations is a whole number from 1 to 500; not ${quoted(value)}.`);
}

function costOf(value: string): number {
  const cost = /^(\d+(\.\d*)?|\.\d+)$/.test(value) ? Number(value) : 0;
  if (cost > 0 && Number.isFinite(cost)) return cost;
  throw new UsageError(`--max-cost is an amount of US dollars above 0, e.g. 0.50; not ${quoted(value)}.`);
}

function tokensOf(value: string): number {
  const tokens = /^\d{1,12}$/.test(value) ? Number(value) : 0;
  if (tokens > 0) return tokens;
  throw new UsageError(`--max-tokens is a whole number above 0, e.g. 200000; not ${quoted(value)}.`);
}

const SECONDS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600 };

function timeOf(value: string): number {
  const [, amount = '', unit = 's'] = /^(\d{1,9}(?:\.\d{1,3})?)([smh]?)$/.exec(value) ?? [];
  const ms = Math.round(Number(amount) * SECONDS[unit || 's']! * 1000);
  if (amount !== '' && ms >= 1 && ms <= LONGEST_MS) return ms;
  throw new UsageError(`--max-time is a time such as 90s, 15m or 2h, at most 500h; not ${quoted(value)}.`);
}

const LONGEST_MS = 500 * 3600 * 1000;
