import { isRecord } from '@black-ide/protocol';
import { type Diagnostic, readDiagnostics } from '../wire/diagnostic.ts';
import { pathOfUri } from '../wire/uris.ts';

export interface Published {
  diagnostics: readonly Diagnostic[];
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

  /** Takes the parameters of `textDocument/publishDiagnostics`. @returns the file */
  take(params: unknown): string | undefined {
    if (!isRecord(params)) return undefined;
    const path = pathOfUri(params.uri);
    if (path === undefined || (this.#files.size >= MAX_FILES && !this.#files.has(path))) return undefined;
    const version = typeof params.version === 'number' ? { version: params.version } : {};
    this.#files.set(path, { diagnostics: readDiagnostics(params.diagnostics), ...version, serial: ++this.#serial });
    return path;
  }

  of(path: string): Published | undefined {
    return this.#files.get(path);
  }

  /** All files that something was published of after a serial number. */
  since(serial: number): [path: string, published: Published][] {
    return [...this.#files].filter(([, published]) => published.serial > serial);
  }

  forget(path: string): void {
    this.#files.delete(path);
  }
}
