import type { CallItem, FileEdit, LanguageQueries, Location, Place, SymbolItem } from '@black-ide/intel';
import { BlackError } from '@black-ide/protocol';
import * as z from 'zod';
import { diagnosticLine } from '../context/diagnostics-text.ts';
import { statusText } from '../languages/status-text.ts';
import { defineTool, type ToolContext, type ToolResult, textResult } from './define-tool.ts';
import type { SessionServices } from './workspace-services.ts';

const OPERATIONS = [
  ...['diagnostics', 'definition', 'type_definition', 'implementation', 'references', 'hover'],
  ...['symbols', 'workspace_symbols', 'rename', 'code_actions', 'callers', 'callees', 'status'],
] as const;

/** So many lines of an answer are shown. */
const MAX_LINES = 100;
const MAX_LINE_CHARS = 200;
/** A server that has not answered by then is reading a huge project, or hangs. */
const MAX_SECONDS = 60;

const parameters = z.object({
  operation: z.enum(OPERATIONS),
  path: z.string().optional().describe('file; without it diagnostics are those of the workspace'),
  line: z.int().min(1).optional(),
  symbol: z.string().optional().describe('the name in that line, or anywhere in the file, that is meant'),
  column: z.int().min(1).optional().describe('instead of symbol'),
  query: z.string().optional().describe('for workspace_symbols'),
  new_name: z.string().optional().describe('for rename'),
});

type Arguments = z.infer<typeof parameters>;

export const lsp = defineTool({
  name: 'lsp',
  description:
    'Asks language servers about code: diagnostics, definition, references, hover, symbols, rename (as a diff), callers and more. Nothing is written.',
  access: 'read',
  rare: true,
  parameters,
  paths: ({ path }) => (path === undefined ? [] : [path]),
  run: async (args, { services, signal }: ToolContext<SessionServices>) => {
    const limit = AbortSignal.any([signal, AbortSignal.timeout(MAX_SECONDS * 1000)]);
    try {
      return await new LspCall(args, services, limit).run();
    } catch (cause) {
      if (!limit.aborted || signal.aborted) throw cause;
      throw new BlackError('too_slow', `No language server has answered in ${MAX_SECONDS} s.`, 'Try again later.');
    }
  },
});

/** One call of the tool. */
class LspCall {
  readonly #args: Arguments;
  readonly #services: SessionServices;
  readonly #signal: AbortSignal;

  constructor(args: Arguments, services: SessionServices, signal: AbortSignal) {
    this.#args = args;
    this.#services = services;
    this.#signal = signal;
  }

  async run(): Promise<ToolResult> {
    const { languages } = this.#services;
    await languages.refresh();
    const { queries, servers } = await languages.load();
    const signal = this.#signal;
    switch (this.#args.operation) {
      case 'status':
        return textResult(statusText(servers.status(), await servers.finder.survey(), languages.root));
      case 'diagnostics':
        return await this.#diagnostics(queries);
      case 'symbols':
        return this.#listed(symbolLines(await queries.documentSymbols(this.#file(), signal)), 'symbol');
      case 'workspace_symbols':
        return this.#symbols(await queries.workspaceSymbols(this.#given('query'), await this.#anyFile(), signal));
      case 'hover':
        return textResult((await queries.hover(await this.#place(), signal)) || 'Nothing is known of that.');
      case 'rename': {
        const edits = await queries.rename(await this.#place(), this.#given('new_name'), signal);
        return textResult(await this.#diff(edits));
      }
      case 'code_actions':
        return await this.#actions(queries);
      case 'callers':
        return this.#calls(await queries.calls('incoming', await this.#place(), signal));
      case 'callees':
        return this.#calls(await queries.calls('outgoing', await this.#place(), signal));
      case 'type_definition':
        return await this.#locations(await queries.locations('typeDefinition', await this.#place(), signal));
      default:
        return await this.#locations(await queries.locations(this.#args.operation, await this.#place(), signal));
    }
  }

  async #diagnostics(queries: LanguageQueries): Promise<ToolResult> {
    const { root } = this.#services;
    const path = this.#args.path === undefined ? undefined : this.#file();
    const { found, unknown, left } = path
      ? await queries.diagnostics([path], this.#signal)
      : await queries.workspaceDiagnostics(this.#signal);
    const shown = path ? [[path, found.get(path) ?? []] as const] : [...found];
    const all = shown
      .flatMap(([file, list]) => list.map((diagnostic) => ({ file, diagnostic })))
      .filter(({ diagnostic }) => diagnostic.severity < 4)
      .sort((a, b) => a.diagnostic.severity - b.diagnostic.severity);
    const notes = [
      ...(path && unknown.length > 0 ? ['No server has told anything of this file.'] : []),
      ...(left > 0 ? [`${left} more files were not asked for: name one, or a run of the compiler tells all.`] : []),
    ];
    const lines = all.map(({ file, diagnostic }) => diagnosticLine(file, diagnostic, root));
    return this.#listed(lines, 'problem', notes);
  }

  async #actions(queries: LanguageQueries): Promise<ToolResult> {
    const { path, position } = await this.#place(true);
    const line = { start: { ...position, character: 0 }, end: { line: position.line + 1, character: 0 } };
    const actions = await queries.codeActions(path, line, this.#signal);
    const texts = actions.map(async ({ title, kind, edits }) => {
      const head = kind ? `## ${title} (${kind})` : `## ${title}`;
      return edits && edits.length > 0 ? `${head}\n${await this.#diff(edits)}` : head;
    });
    return textResult((await Promise.all(texts)).join('\n\n') || 'Nothing is offered there.');
  }

  async #diff(edits: readonly FileEdit[]): Promise<string> {
    // With it comes all that reads code, which most runs do without.
    const { editsText } = await import('../languages/edits-text.ts');
    return await editsText(edits, this.#services);
  }

  async #locations(list: readonly Location[]): Promise<ToolResult> {
    const texts = new Map<string, string[]>();
    const lines: string[] = [];
    for (const { path, range } of list.slice(0, MAX_LINES)) {
      if (!texts.has(path)) texts.set(path, await this.#lines(path));
      const text = (texts.get(path)![range.start.line] ?? '').trim().slice(0, MAX_LINE_CHARS).toWellFormed();
      lines.push(`${this.#shown(path)}:${range.start.line + 1}:${range.start.character + 1}: ${text}`);
    }
    return this.#listed(lines, 'place', [], list.length);
  }

  #symbols(list: readonly SymbolItem[]): ToolResult {
    const lines = list.map(({ name, kind, path, nameRange, container }) => {
      const where = `${this.#shown(path)}:${nameRange.start.line + 1}`;
      return `${where} ${kind} ${container ? `${container}.` : ''}${name}`;
    });
    return this.#listed(lines, 'symbol');
  }

  #calls(list: readonly CallItem[]): ToolResult {
    const lines = list.map(({ symbol: { name, kind, path, nameRange }, calls }) => {
      const at = calls.map(({ start }) => start.line + 1).join(', ');
      return `${this.#shown(path)}:${nameRange.start.line + 1} ${kind} ${name}${at ? ` (calls in line ${at})` : ''}`;
    });
    return this.#listed(lines, 'call');
  }

  #listed(lines: readonly string[], what: string, notes: readonly string[] = [], total = lines.length): ToolResult {
    const count = `[${total === 0 ? `no ${what}s` : `${total} ${what}${total === 1 ? '' : 's'}`}]`;
    const cut = total > MAX_LINES ? [`[${MAX_LINES} of them shown]`] : [];
    const text = [...lines.slice(0, MAX_LINES), count, ...cut, ...notes].join('\n');
    return textResult(text, { kind: 'lsp', hits: total });
  }

  /** The place that is meant: by column, or by a name in the line, or by a name in the file. */
  async #place(isLine = false): Promise<Place> {
    const { line, column, symbol } = this.#args;
    const path = this.#file();
    const lines = await this.#lines(path);
    if (line !== undefined && (column !== undefined || isLine)) {
      return { path, position: { line: line - 1, character: (column ?? 1) - 1 } };
    }
    if (symbol === undefined) throw missing('Name the line and the symbol in it, or the column.');
    const wanted = new RegExp(`(?<![\\w$])${symbol.replaceAll(/[^\w]/g, '\\$&')}(?![\\w$])`, 'u');
    const at = line === undefined ? lines.findIndex((text) => wanted.test(text)) : line - 1;
    const character = lines[at]?.search(wanted) ?? -1;
    if (character >= 0) return { path, position: { line: at, character } };
    throw missing(
      `\`${symbol}\` does not stand in ${line === undefined ? this.#args.path : `line ${line}`}. Read it again.`,
    );
  }

  #file(): string {
    return this.#services.resolve(this.#given('path'), 'read').real;
  }

  /** The file that says which project is meant, or any that a server serves. */
  async #anyFile(): Promise<string> {
    if (this.#args.path !== undefined) return this.#file();
    const found = await this.#services.languages.anyFile(this.#signal);
    if (found !== undefined) return found;
    throw new BlackError('no_server', 'No language server here serves any file.', 'Search with grep_search.');
  }

  #given(name: 'path' | 'query' | 'new_name'): string {
    const value = this.#args[name];
    if (value !== undefined && value !== '') return value;
    throw missing(`The operation ${this.#args.operation} needs ${name}.`);
  }

  /** The lines of a file of the workspace; none of one outside, which the tools do not read. */
  async #lines(path: string): Promise<string[]> {
    const { documents } = this.#services;
    const isInside = path.startsWith(`${this.#services.root}/`);
    const read = isInside ? await documents.read(this.#services.resolve(path, 'read').real, this.#signal) : undefined;
    return read?.ok ? (read.document.text ?? '').split(/\r?\n/) : [];
  }

  #shown(path: string): string {
    const { root } = this.#services;
    return path.startsWith(`${root}/`) ? path.slice(root.length + 1) : path;
  }
}

function symbolLines(list: readonly SymbolItem[]): string[] {
  return list.map(({ name, kind, range, depth }) => {
    return `${'  '.repeat(depth)}${range.start.line + 1}–${range.end.line + 1} ${kind} ${name}`;
  });
}

function missing(message: string): BlackError {
  return new BlackError('bad_arguments', message);
}
