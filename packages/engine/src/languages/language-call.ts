import type { CallItem, FileEdit, LanguageQueries, Location, Place, SymbolItem } from '@black-ide/intel';
import { BlackError, type LanguageItem, type LanguageOperation } from '@black-ide/protocol';
import { diagnosticLine } from '../context/diagnostics-text.ts';
import type { EditReach } from './edits-text.ts';
import { statusText } from './status-text.ts';
import type { WorkspaceLanguages } from './workspace-languages.ts';

/** A question to language servers, as a model or a person puts it: places from 1. */
export interface LanguageQuestion {
  operation: LanguageOperation;
  path?: string | undefined;
  line?: number | undefined;
  column?: number | undefined;
  symbol?: string | undefined;
  query?: string | undefined;
  newName?: string | undefined;
}

/** What a question needs of the workspace. */
export interface LanguageReach extends EditReach {
  languages: WorkspaceLanguages;
}

export interface LanguageAnswer {
  text: string;
  /** How many there are; `items` may be fewer. */
  total: number;
  items: LanguageItem[];
}

/** So many lines of an answer are shown. */
const MAX_LINES = 100;
const MAX_LINE_CHARS = 200;
const HINT = 4;

/** Answers one question (INT-15). @throws BlackError what keeps it from being answered */
export async function askLanguages(
  question: LanguageQuestion,
  reach: LanguageReach,
  signal: AbortSignal,
): Promise<LanguageAnswer> {
  return await new LanguageCall(question, reach, signal).run();
}

class LanguageCall {
  readonly #question: LanguageQuestion;
  readonly #reach: LanguageReach;
  readonly #signal: AbortSignal;

  constructor(question: LanguageQuestion, reach: LanguageReach, signal: AbortSignal) {
    this.#question = question;
    this.#reach = reach;
    this.#signal = signal;
  }

  async run(): Promise<LanguageAnswer> {
    const { languages, root } = this.#reach;
    await languages.refresh();
    const { queries, servers } = await languages.load();
    const { operation } = this.#question;
    const signal = this.#signal;
    switch (operation) {
      case 'status':
        return told(statusText(servers.status(), await servers.finder.survey(), root));
      case 'diagnostics':
        return await this.#diagnostics(queries);
      case 'symbols':
        return this.#outline(await queries.documentSymbols(this.#file(), signal));
      case 'workspace_symbols':
        return this.#symbols(await queries.workspaceSymbols(this.#given('query'), await this.#anyFile(), signal));
      case 'hover':
        return told((await queries.hover(await this.#place(), signal)) || 'Nothing is known of that.');
      case 'rename':
        return told(await this.#diff(await queries.rename(await this.#place(), this.#given('newName'), signal)));
      case 'code_actions':
        return await this.#actions(queries);
      case 'callers':
        return this.#calls(await queries.calls('incoming', await this.#place(), signal));
      case 'callees':
        return this.#calls(await queries.calls('outgoing', await this.#place(), signal));
      case 'type_definition':
        return await this.#locations(await queries.locations('typeDefinition', await this.#place(), signal));
      default:
        return await this.#locations(await queries.locations(operation, await this.#place(), signal));
    }
  }

  async #diagnostics(queries: LanguageQueries): Promise<LanguageAnswer> {
    const path = this.#question.path === undefined ? undefined : this.#file();
    const { found, unknown, left } = path
      ? await queries.diagnostics([path], this.#signal)
      : await queries.workspaceDiagnostics(this.#signal);
    const files = path ? [[path, found.get(path) ?? []] as const] : [...found];
    const all = files
      .flatMap(([file, list]) => list.map((diagnostic) => ({ file, diagnostic })))
      .filter(({ diagnostic }) => diagnostic.severity < HINT)
      .sort((a, b) => a.diagnostic.severity - b.diagnostic.severity);
    const items = all.map(({ file, diagnostic: { range, severity, message } }) => ({
      ...this.#item(file, range.start, message),
      severity,
    }));
    const lines = all.map(({ file, diagnostic }) => diagnosticLine(file, diagnostic, this.#reach.root));
    return listed(items, 'problem', lines, [
      ...(path && unknown.length > 0 ? ['No server has told anything of this file.'] : []),
      ...(left > 0 ? [`${left} more files were not asked for: name one; a run of the compiler tells all.`] : []),
    ]);
  }

  async #actions(queries: LanguageQueries): Promise<LanguageAnswer> {
    const { path, position } = await this.#place(true);
    const line = { start: { ...position, character: 0 }, end: { line: position.line + 1, character: 0 } };
    const actions = await queries.codeActions(path, line, this.#signal);
    const texts = actions.map(async ({ title, kind, edits }) => {
      const head = kind ? `## ${title} (${kind})` : `## ${title}`;
      return edits && edits.length > 0 ? `${head}\n${await this.#diff(edits)}` : head;
    });
    return told((await Promise.all(texts)).join('\n\n') || 'Nothing is offered there.');
  }

  async #locations(list: readonly Location[]): Promise<LanguageAnswer> {
    const texts = new Map<string, string[]>();
    const items: LanguageItem[] = [];
    for (const { path, range } of list.slice(0, MAX_LINES)) {
      if (!texts.has(path)) texts.set(path, await this.#lines(path));
      const text = (texts.get(path)![range.start.line] ?? '').trim().slice(0, MAX_LINE_CHARS).toWellFormed();
      items.push(this.#item(path, range.start, text));
    }
    const lines = items.map(({ path, line, column, text }) => `${path}:${line}:${column}: ${text}`);
    return listed(items, 'place', lines, [], list.length);
  }

  #outline(list: readonly SymbolItem[]): LanguageAnswer {
    const lines = list.map(({ name, kind, range, depth }) => {
      return `${'  '.repeat(depth)}${range.start.line + 1}–${range.end.line + 1} ${kind} ${name}`;
    });
    return listed(
      list.map((symbol) => this.#symbol(symbol)),
      'symbol',
      lines,
    );
  }

  #symbols(list: readonly SymbolItem[]): LanguageAnswer {
    const items = list.map((symbol) => this.#symbol(symbol));
    return listed(
      items,
      'symbol',
      items.map(({ path, line, kind, text }) => `${path}:${line} ${kind} ${text}`),
    );
  }

  #calls(list: readonly CallItem[]): LanguageAnswer {
    const items = list.map(({ symbol }) => this.#symbol(symbol));
    const lines = items.map(({ path, line, kind, text }, at) => {
      const places = list[at]!.calls.map(({ start }) => start.line + 1).join(', ');
      return `${path}:${line} ${kind} ${text}${places ? ` (calls in line ${places})` : ''}`;
    });
    return listed(items, 'call', lines);
  }

  async #diff(edits: readonly FileEdit[]): Promise<string> {
    // With it comes all that reads code, which most runs do without.
    const { editsText } = await import('./edits-text.ts');
    return await editsText(edits, this.#reach);
  }

  /** The place that is meant: by column, or by a name in the line, or by a name in the file. */
  async #place(isLine = false): Promise<Place> {
    const { line, column, symbol, path: given } = this.#question;
    const path = this.#file();
    if (line !== undefined && (column !== undefined || isLine)) {
      return { path, position: { line: line - 1, character: (column ?? 1) - 1 } };
    }
    if (symbol === undefined) throw missing('Name the line and the symbol in it, or the column.');
    const lines = await this.#lines(path);
    const wanted = new RegExp(`(?<![\\w$])${symbol.replaceAll(/[^\w]/g, '\\$&')}(?![\\w$])`, 'u');
    const at = line === undefined ? lines.findIndex((text) => wanted.test(text)) : line - 1;
    const character = lines[at]?.search(wanted) ?? -1;
    if (character >= 0) return { path, position: { line: at, character } };
    throw missing(`\`${symbol}\` does not stand in ${line === undefined ? given : `line ${line}`}. Read it again.`);
  }

  #file(): string {
    return this.#reach.resolve(this.#given('path'), 'read').real;
  }

  /** The file that says which project is meant, or any that a server serves. */
  async #anyFile(): Promise<string> {
    if (this.#question.path !== undefined) return this.#file();
    const found = await this.#reach.languages.anyFile(this.#signal);
    if (found !== undefined) return found;
    throw new BlackError('no_server', 'No language server here serves any file.', 'Search with grep_search.');
  }

  #given(name: 'path' | 'query' | 'newName'): string {
    const value = this.#question[name];
    if (value !== undefined && value !== '') return value;
    const called = name === 'newName' ? 'new_name' : name;
    throw missing(`The operation ${this.#question.operation} needs ${called}.`);
  }

  /** The lines of a file of the workspace; none of one outside, which nobody here may read. */
  async #lines(path: string): Promise<string[]> {
    const { documents, resolve, root } = this.#reach;
    if (!path.startsWith(`${root}/`)) return [];
    const read = await documents.read(resolve(path, 'read').real, this.#signal);
    return read.ok ? (read.document.text ?? '').split(/\r?\n/) : [];
  }

  #symbol({ name, kind, path, nameRange, container }: SymbolItem): LanguageItem & { kind: string } {
    return { ...this.#item(path, nameRange.start, container ? `${container}.${name}` : name), kind };
  }

  #item(path: string, { line, character }: { line: number; character: number }, text: string): LanguageItem {
    const { root } = this.#reach;
    const shown = path.startsWith(`${root}/`) ? path.slice(root.length + 1) : path;
    return { path: shown, line: line + 1, column: character + 1, text };
  }
}

function told(text: string): LanguageAnswer {
  return { text, total: 0, items: [] };
}

function listed(
  items: LanguageItem[],
  what: string,
  lines: readonly string[],
  notes: readonly string[] = [],
  total = lines.length,
): LanguageAnswer {
  const count = `[${total === 0 ? `no ${what}s` : `${total} ${what}${total === 1 ? '' : 's'}`}]`;
  const cut = total > MAX_LINES ? [`[${MAX_LINES} of them shown]`] : [];
  return { text: [...lines.slice(0, MAX_LINES), count, ...cut, ...notes].join('\n'), total, items };
}

function missing(message: string): BlackError {
  return new BlackError('bad_arguments', message);
}
