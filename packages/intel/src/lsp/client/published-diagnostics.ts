import { isRecord } from '@black-ide/protocol';
import { type Diagnostic, readDiagnostics } from '../wire/diagnostic.ts';
import { pathOfUri } from '../wire/uris.ts';

export interface Published {
  diagnostics: readonly Diagnostic[];
  /** The same as the server has written them. */
  raw: readonly unknown[];
  /** The version of the document that they speak of, where the server tells. */
  version?: number;
  /** Grows with each publication of the server. */
  serial: number;
}

/** So many files are kept. */
const MAX_FILES = 10_000;

/** What a server has published, the newest of each file. */
export class PublishedDiagnostics {
  readonly #files = new Map<string, Published>();
  #serial = 0;

  /** The number of the newest publication; 0 before the first. */
  get serial(): number {
    return this.#serial;
  }

  /** Takes the parameters of `textDocument/publishDiagnostics`. */
  take(params: unknown): void {
    if (!isRecord(params)) return;
    const path = pathOfUri(params.uri);
    if (path === undefined || (this.#files.size >= MAX_FILES && !this.#files.has(path))) return;
    const version = typeof params.version === 'number' ? { version: params.version } : {};
    const raw = Array.isArray(params.diagnostics) ? params.diagnostics : [];
    this.#files.set(path, { diagnostics: readDiagnostics(raw), raw, ...version, serial: ++this.#serial });
  }

  of(path: string): Published | undefined {
    return this.#files.get(path);
  }

  /** All files that something was published of. */
  all(): [path: string, published: Published][] {
    return [...this.#files];
  }

  /** What was published of a file, as the server has written it. */
  rawOf(path: string): readonly unknown[] {
    return this.#files.get(path)?.raw ?? [];
  }

  forget(path: string): void {
    this.#files.delete(path);
  }
}
