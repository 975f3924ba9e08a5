import type { Diagnostic } from '@black-ide/intel';
import type { HostDiagnostic, HostEvent } from '@black-ide/protocol';
import type { HostDiagnostics } from '../engine-api.ts';

/** The host port for diagnostics over the wire: asks the face by events, and takes its answers as commands. */
export class WireDiagnostics implements HostDiagnostics {
  readonly title = 'The editor';
  readonly #emit: (event: HostEvent) => void;
  readonly #open = new Map<string, (files: ReadonlyMap<string, readonly Diagnostic[]>) => void>();
  readonly #listeners = new Set<() => void>();
  #asked = 0;

  constructor(emit: (event: HostEvent) => void) {
    this.#emit = emit;
  }

  diagnosticsOf(
    paths: readonly string[],
    { written }: { written: boolean },
    signal: AbortSignal,
  ): Promise<ReadonlyMap<string, readonly Diagnostic[]>> {
    const requestId = `host-${++this.#asked}`;
    return new Promise((resolve, reject) => {
      const stop = (): void => {
        this.#open.delete(requestId);
        this.#emit({ type: 'HostAskWithdrawn', requestId });
        reject(signal.reason);
      };
      if (signal.aborted) {
        reject(signal.reason);
        return;
      }
      signal.addEventListener('abort', stop, { once: true });
      this.#open.set(requestId, (files) => {
        signal.removeEventListener('abort', stop);
        resolve(files);
      });
      this.#emit({ type: 'HostAsked', requestId, port: 'diagnostics', paths: [...paths], written });
    });
  }

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** The face has answered; an answer that nobody waits for is overlooked. */
  answered(requestId: string, files: readonly { path: string; diagnostics: readonly HostDiagnostic[] }[]): void {
    const resolve = this.#open.get(requestId);
    this.#open.delete(requestId);
    resolve?.(new Map(files.map(({ path, diagnostics }) => [path, diagnostics.map(asOurs)])));
  }

  /** The face has told that diagnostics have changed. */
  changed(): void {
    for (const listener of this.#listeners) listener();
  }
}

function asOurs({ line, column, severity, message, code, source }: HostDiagnostic): Diagnostic {
  const start = { line: line - 1, character: column - 1 };
  return {
    range: { start, end: start },
    severity,
    message,
    ...(code === undefined ? {} : { code }),
    ...(source === undefined ? {} : { source }),
  };
}
