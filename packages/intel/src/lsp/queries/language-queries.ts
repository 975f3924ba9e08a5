import { BlackError, isRecord } from '@black-ide/protocol';
import { RpcError } from '../../rpc/json-rpc-connection.ts';
import type { LanguageClient } from '../client/language-client.ts';
import type { DiskTexts } from '../disk-texts.ts';
import type { LanguageServers } from '../language-servers.ts';
import type { ManagedServer } from '../managed-server.ts';
import type { Diagnostic } from '../wire/diagnostic.ts';
import { decodeColumn, encodeColumn, type Position, type Range } from '../wire/positions.ts';
import { readHover } from '../wire/read-hover.ts';
import { type Location, readLocations } from '../wire/read-range.ts';
import { readSymbols, type SymbolItem } from '../wire/read-symbols.ts';
import { uriOfPath } from '../wire/uris.ts';
import { type FileEdit, readWorkspaceEdit } from '../wire/workspace-edit.ts';

/** A place of a file: from 0, in UTF-16 units. */
export interface Place {
  /** Absolute. */
  path: string;
  position: Position;
}

/** Something that a server offers to do. */
export interface CodeAction {
  title: string;
  /** E.g. `quickfix`, `refactor.extract`. */
  kind?: string;
  preferred: boolean;
  /** Undefined: the server would have to do it itself. */
  edits?: FileEdit[];
}

/** A function that calls, or is called, and the places of the calls. */
export interface CallItem {
  symbol: SymbolItem;
  /** In the file of the caller. */
  calls: Range[];
}

/** The diagnostics of some files. */
export interface CheckedFiles {
  found: Map<string, Diagnostic[]>;
  /** Those that no server has told anything of. */
  unknown: string[];
  /** So many more were not asked for. */
  left: number;
}

type LocationMethod = 'definition' | 'typeDefinition' | 'implementation' | 'references';

/** So many files of a workspace are asked for: of a server that has to open each of them, and of another. */
const MAX_OPENED = 40;
const MAX_CLOSED = 2_000;
/** So many actions are looked into. */
const MAX_ACTIONS = 20;

/**
 * Questions to language servers (INT-15). Where several serve a file the first that can answer does. Nothing is changed:
 * renaming and actions answer the edits.
 */
export class LanguageQueries {
  readonly #servers: LanguageServers;
  readonly #disk: DiskTexts;

  constructor(servers: LanguageServers, disk: DiskTexts) {
    this.#servers = servers;
    this.#disk = disk;
  }

  /** Where what stands at a place is defined, used, or implemented. @throws BlackError as `#ask` */
  async locations(what: LocationMethod, place: Place, signal: AbortSignal): Promise<Location[]> {
    return this.#ask(place.path, `textDocument/${what}`, signal, async (client) => {
      const context = what === 'references' ? { context: { includeDeclaration: true } } : {};
      const answer = await client.request(
        `textDocument/${what}`,
        { ...this.#at(client, place), ...context },
        { signal },
      );
      return this.#decoded(client, readLocations(answer));
    });
  }

  /** What is known of what stands at a place, as Markdown; empty where nothing is. */
  async hover(place: Place, signal: AbortSignal): Promise<string> {
    return this.#ask(place.path, 'textDocument/hover', signal, async (client) =>
      readHover(await client.request('textDocument/hover', this.#at(client, place), { signal })),
    );
  }

  async documentSymbols(path: string, signal: AbortSignal): Promise<SymbolItem[]> {
    return this.#ask(path, 'textDocument/documentSymbol', signal, async (client) => {
      const params = { textDocument: { uri: uriOfPath(path) } };
      return readSymbols(await client.request('textDocument/documentSymbol', params, { signal }), path);
    });
  }

  /** @param near a file of the project that is meant */
  async workspaceSymbols(query: string, near: string, signal: AbortSignal): Promise<SymbolItem[]> {
    return this.#ask(near, 'workspace/symbol', signal, async (client) =>
      readSymbols(await client.request('workspace/symbol', { query }, { signal }), near),
    );
  }

  /** The edits that give what stands at a place another name. @throws BlackError `cannot_rename` and as `#ask` */
  async rename(place: Place, newName: string, signal: AbortSignal): Promise<FileEdit[]> {
    return this.#ask(place.path, 'textDocument/rename', signal, async (client) => {
      const params = { ...this.#at(client, place), newName };
      const edits = await this.#edits(client, await client.request('textDocument/rename', params, { signal }));
      if (edits && edits.length > 0) return edits;
      throw new BlackError(
        'cannot_rename',
        'What stands there cannot be renamed.',
        'Name the line and column of a symbol.',
      );
    });
  }

  /** What can be done about a range, e.g. the mending of a diagnostic in it. */
  async codeActions(path: string, range: Range, signal: AbortSignal): Promise<CodeAction[]> {
    return this.#ask(path, 'textDocument/codeAction', signal, async (client) => {
      const encoded = { start: this.#encoded(client, path, range.start), end: this.#encoded(client, path, range.end) };
      const context = { diagnostics: await this.#rawDiagnostics(client, path, range, signal), triggerKind: 1 };
      const params = { textDocument: { uri: uriOfPath(path) }, range: encoded, context };
      const answer = await client.request('textDocument/codeAction', params, { signal });
      const list = Array.isArray(answer) ? answer.filter(isRecord).slice(0, MAX_ACTIONS) : [];
      return await Promise.all(list.map((action) => this.#action(client, action, signal)));
    });
  }

  /** Who calls what stands at a place (`incoming`), or what it calls itself. */
  async calls(direction: 'incoming' | 'outgoing', place: Place, signal: AbortSignal): Promise<CallItem[]> {
    return this.#ask(place.path, 'textDocument/prepareCallHierarchy', signal, async (client) => {
      const params = this.#at(client, place);
      const items = await client.request('textDocument/prepareCallHierarchy', params, { signal });
      const found: CallItem[] = [];
      for (const item of Array.isArray(items) ? items : []) {
        const answer = await client.request(`callHierarchy/${direction}Calls`, { item }, { signal });
        for (const call of Array.isArray(answer) ? answer.filter(isRecord) : []) {
          const [symbol] = readSymbols([direction === 'incoming' ? call.from : call.to], place.path);
          if (!symbol) continue;
          const caller = direction === 'incoming' ? symbol.path : place.path;
          const ranges = Array.isArray(call.fromRanges) ? call.fromRanges : [];
          const calls = ranges.flatMap((range) => readLocations({ uri: uriOfPath(caller), range }));
          found.push({ symbol, calls: calls.map((each) => each.range) });
        }
      }
      return found;
    });
  }

  /** How files stand as they are on the disk, by all of their servers; files that others speak of by the way as well. */
  async diagnostics(paths: readonly string[], signal: AbortSignal): Promise<CheckedFiles> {
    const asked = new Map<ManagedServer, string[]>();
    for (const path of paths) {
      for (const server of await this.#serversOf(path)) asked.set(server, [...(asked.get(server) ?? []), path]);
    }
    const found = new Map<string, Diagnostic[]>();
    const collected = [...asked].map(async ([server, own]) => {
      const files = own.map((path) => ({ path }));
      return await server.collect(files, { written: false }, signal);
    });
    for (const one of await Promise.all(collected)) {
      for (const [path, list] of one) found.set(path, [...(found.get(path) ?? []), ...list]);
    }
    return { found, unknown: paths.filter((path) => !found.has(path)), left: 0 };
  }

  /**
   * How the files of the workspace stand, as far as servers can be asked for so many: all of those that tell of files that
   * are not open, some of the others.
   */
  async workspaceDiagnostics(signal: AbortSignal): Promise<CheckedFiles> {
    const asked = new Map<ManagedServer, string[]>();
    const chosen = new Set<string>();
    let left = 0;
    for await (const path of this.#servers.finder.files(signal)) {
      for (const server of await this.#servers.serversOf(path)) {
        const own = asked.get(server) ?? [];
        asked.set(server, own);
        if (own.length < (server.spec.pullsClosed ? MAX_CLOSED : MAX_OPENED)) own.push(path);
        else left++;
      }
    }
    for (const path of [...asked.values()].flat()) chosen.add(path);
    return { ...(await this.diagnostics([...chosen], signal)), left };
  }

  /**
   * Has the first server of a file that can answer do so; it sees the file as it is on the disk.
   * @throws BlackError `no_server`, `not_supported`, `no_such_file`, and the server's refusal as `server_refused`
   */
  async #ask<T>(
    path: string,
    method: string,
    signal: AbortSignal,
    act: (client: LanguageClient) => Promise<T>,
  ): Promise<T> {
    const servers = await this.#serversOf(path);
    for (const server of servers) {
      const answer = await server.use(async (client) => {
        await client.news.until(() => client.failure !== undefined || client.quiescent !== false, signal);
        if (!client.capabilities.has(method)) return undefined;
        await this.#show(client, path);
        try {
          return { value: await act(client) };
        } catch (cause) {
          if (!(cause instanceof RpcError)) throw cause;
          throw new BlackError('server_refused', `${client.spec.title}: ${cause.message}`, undefined, { cause });
        }
      }, signal);
      if (answer) return answer.value;
    }
    const titles = servers.map(({ title }) => title).join(', ');
    throw new BlackError('not_supported', `${titles} cannot tell that.`, 'Search with grep_search.');
  }

  async #serversOf(path: string): Promise<ManagedServer[]> {
    const servers = await this.#servers.serversOf(path);
    if (servers.length > 0) return servers;
    const { missing } = await this.#servers.search(path);
    const [first] = missing;
    const next = first ? `${first.spec.title} would: ${first.spec.get}` : 'Search with grep_search.';
    throw new BlackError('no_server', `No language server here serves ${path.slice(path.lastIndexOf('/') + 1)}.`, next);
  }

  /** Opens the file, unless somebody has it show other texts at the moment. */
  async #show({ documents }: LanguageClient, path: string): Promise<void> {
    const text = await this.#disk.read(path);
    if (text === null) throw new BlackError('no_such_file', `${path} is not there, or no text.`);
    if (!documents.isHeld(path)) documents.sync(path, text, await this.#disk.stamp(path));
  }

  #at(client: LanguageClient, { path, position }: Place) {
    return { textDocument: { uri: uriOfPath(path) }, position: this.#encoded(client, path, position) };
  }

  #encoded({ capabilities, documents }: LanguageClient, path: string, { line, character }: Position): Position {
    const text = documents.get(path)?.text.split('\n')[line] ?? '';
    return { line, character: encodeColumn(text, character, capabilities.encoding) };
  }

  /** Columns as we count them. */
  async #decoded({ capabilities: { encoding } }: LanguageClient, list: Location[]): Promise<Location[]> {
    if (encoding === 'utf-16') return list;
    return await Promise.all(
      list.map(async ({ path, range }) => {
        const lines = ((await this.#disk.read(path)) ?? '').split('\n');
        const decode = ({ line, character }: Position) => ({
          line,
          character: decodeColumn(lines[line] ?? '', character, encoding),
        });
        return { path, range: { start: decode(range.start), end: decode(range.end) } };
      }),
    );
  }

  /** Edits with columns as we count them. */
  async #edits(client: LanguageClient, value: unknown): Promise<FileEdit[] | undefined> {
    const steps = readWorkspaceEdit(value);
    if (!steps) return undefined;
    return await Promise.all(
      steps.map(async (step) => {
        if (step.kind !== 'edit') return step;
        const places = await this.#decoded(
          client,
          step.edits.map(({ range }) => ({ path: step.path, range })),
        );
        return { ...step, edits: step.edits.map(({ newText }, at) => ({ newText, range: places[at]!.range })) };
      }),
    );
  }

  async #action(client: LanguageClient, action: Record<string, unknown>, signal: AbortSignal): Promise<CodeAction> {
    let { edit } = action;
    if (edit === undefined && action.data !== undefined) {
      const resolved = await client.request('codeAction/resolve', action, { signal }).catch(() => undefined);
      if (isRecord(resolved)) edit = resolved.edit;
    }
    const edits = edit === undefined ? undefined : await this.#edits(client, edit);
    return {
      title: String(action.title),
      ...(typeof action.kind === 'string' ? { kind: action.kind } : {}),
      preferred: action.isPreferred === true,
      ...(edits ? { edits } : {}),
    };
  }

  /** The diagnostics of a range as the server itself has written them: it finds its mendings by what it put in there. */
  async #rawDiagnostics(client: LanguageClient, path: string, range: Range, signal: AbortSignal): Promise<unknown[]> {
    const pulled = client.capabilities.has('textDocument/diagnostic')
      ? await client.request('textDocument/diagnostic', { textDocument: { uri: uriOfPath(path) } }, { signal })
      : undefined;
    const items = isRecord(pulled) && Array.isArray(pulled.items) ? pulled.items : client.published.rawOf(path);
    return items.filter((item) => {
      const [found] = readLocations({ uri: uriOfPath(path), range: isRecord(item) ? item.range : undefined });
      return found && found.range.start.line <= range.end.line && found.range.end.line >= range.start.line;
    });
  }
}
