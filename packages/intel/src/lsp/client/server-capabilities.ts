import { isRecord } from '@black-ide/protocol';
import type { PositionEncoding } from '../wire/positions.ts';

/** The name of a method's entry among the capabilities of the answer to `initialize`. */
const STATIC: Readonly<Record<string, string>> = {
  'textDocument/diagnostic': 'diagnosticProvider',
  'textDocument/definition': 'definitionProvider',
  'textDocument/typeDefinition': 'typeDefinitionProvider',
  'textDocument/implementation': 'implementationProvider',
  'textDocument/references': 'referencesProvider',
  'textDocument/hover': 'hoverProvider',
  'textDocument/documentSymbol': 'documentSymbolProvider',
  'textDocument/rename': 'renameProvider',
  'textDocument/codeAction': 'codeActionProvider',
  'textDocument/prepareCallHierarchy': 'callHierarchyProvider',
  'workspace/symbol': 'workspaceSymbolProvider',
};

/** What a server can do: as it told at its start, and what it has registered since. */
export class ServerCapabilities {
  readonly #static: Record<string, unknown>;
  /** Method and options of each registration, by its id. */
  readonly #registered = new Map<string, { method: string; options: Record<string, unknown> }>();

  /** @param initialized the answer to `initialize` */
  constructor(initialized: unknown) {
    const { capabilities } = isRecord(initialized) ? initialized : {};
    this.#static = isRecord(capabilities) ? capabilities : {};
  }

  get encoding(): PositionEncoding {
    const { positionEncoding } = this.#static;
    return positionEncoding === 'utf-8' || positionEncoding === 'utf-32' ? positionEncoding : 'utf-16';
  }

  has(method: string): boolean {
    const entry = this.#static[STATIC[method] ?? ''];
    return (entry !== undefined && entry !== null && entry !== false) || this.optionsOf(method).length > 0;
  }

  /** What was registered for a method, and told of it at the start. */
  optionsOf(method: string): Record<string, unknown>[] {
    const entry = this.#static[STATIC[method] ?? ''];
    const later = [...this.#registered.values()].filter((each) => each.method === method);
    return [...(isRecord(entry) ? [entry] : []), ...later.map(({ options }) => options)];
  }

  /** Whether it wants to know of saves, and the saved text with them. */
  get save(): { wanted: boolean; withText: boolean } {
    const { textDocumentSync: sync } = this.#static;
    const told = typeof sync === 'number' ? sync !== 0 : isRecord(sync) ? sync.save : undefined;
    const options = [...(isRecord(told) ? [told] : []), ...this.optionsOf('textDocument/didSave')];
    const wanted = told === true || options.length > 0;
    return { wanted, withText: options.some(({ includeText }) => includeText === true) };
  }

  /** Takes the parameters of `client/registerCapability`. */
  register(params: unknown): void {
    for (const { id, method, registerOptions } of registrationsOf(params, 'registrations')) {
      if (typeof id !== 'string' || typeof method !== 'string') continue;
      this.#registered.set(id, { method, options: isRecord(registerOptions) ? registerOptions : {} });
    }
  }

  /** Takes the parameters of `client/unregisterCapability`, whose name the protocol has misspelt. */
  unregister(params: unknown): void {
    for (const { id } of registrationsOf(params, 'unregisterations')) this.#registered.delete(String(id));
  }
}

function registrationsOf(params: unknown, name: string): Record<string, unknown>[] {
  const list = isRecord(params) ? params[name] : undefined;
  return Array.isArray(list) ? list.filter(isRecord) : [];
}
