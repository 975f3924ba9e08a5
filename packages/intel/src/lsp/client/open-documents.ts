import { uriOfPath } from '../wire/uris.ts';
import type { ServerCapabilities } from './server-capabilities.ts';

/** A document as the server has it from us. */
export interface OpenDocument {
  version: number;
  text: string;
  /** Of the file when it was last looked at. */
  stamp?: string;
}

export interface OpenDocumentsOptions {
  notify: (method: string, params: unknown) => void;
  capabilities: ServerCapabilities;
  languageOf: (path: string) => string | undefined;
}

/** More open documents are closed, those not used for longest first: some servers check all of them at each change. */
const MAX_OPEN = 60;

/** The documents that one server has open, and their versions. Texts are always sent whole. */
export class OpenDocuments {
  readonly #options: OpenDocumentsOptions;
  /** In the order of their use. */
  readonly #open = new Map<string, OpenDocument>();
  readonly #held = new Set<string>();
  /** Of all documents together: what is told of one that was open before is not taken for news of the one that is now. */
  #version = 0;

  constructor(options: OpenDocumentsOptions) {
    this.#options = options;
  }

  /** Whether somebody has it show texts that are not to be changed meanwhile. */
  isHeld(path: string): boolean {
    return this.#held.has(path);
  }

  /** Keeps what these files show as it is. @returns the function that ends it */
  hold(paths: readonly string[]): () => void {
    for (const path of paths) this.#held.add(path);
    return () => {
      for (const path of paths) this.#held.delete(path);
    };
  }

  get(path: string): OpenDocument | undefined {
    return this.#open.get(path);
  }

  paths(): string[] {
    return [...this.#open.keys()];
  }

  /** Makes the server see this text. @returns whether it saw another one before, or none */
  sync(path: string, text: string, stamp?: string): boolean {
    const known = this.#open.get(path);
    this.#open.delete(path);
    const version = known?.text === text ? known.version : ++this.#version;
    const document = { version, text, ...(stamp === undefined ? {} : { stamp }) };
    this.#open.set(path, document);
    if (known?.text === text) return false;
    const uri = uriOfPath(path);
    if (known) {
      this.#options.notify('textDocument/didChange', { textDocument: { uri, version }, contentChanges: [{ text }] });
    } else {
      const languageId = this.#options.languageOf(path) ?? 'plaintext';
      this.#options.notify('textDocument/didOpen', { textDocument: { uri, languageId, version, text } });
      this.#closeOldest();
    }
    return true;
  }

  /** Tells that the text is on the disk now. */
  save(path: string): void {
    const document = this.#open.get(path);
    const { wanted, withText } = this.#options.capabilities.save;
    if (!document || !wanted) return;
    const text = withText ? { text: document.text } : {};
    this.#options.notify('textDocument/didSave', { textDocument: { uri: uriOfPath(path) }, ...text });
  }

  /** @returns whether it was open */
  close(path: string): boolean {
    if (!this.#open.delete(path)) return false;
    this.#options.notify('textDocument/didClose', { textDocument: { uri: uriOfPath(path) } });
    return true;
  }

  #closeOldest(): void {
    for (const path of this.#open.keys()) {
      if (this.#open.size <= MAX_OPEN) return;
      if (!this.#held.has(path)) this.close(path);
    }
  }
}
