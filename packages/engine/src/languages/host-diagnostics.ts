import type { CheckedFile, CollectOptions, DiagnosticsByFile, DiagnosticsSource } from '@black-ide/intel';
import type { HostDiagnostics } from '../engine-api.ts';

/** The editor that hosts us, as a source of diagnostics. It checks what is on the disk. */
export class HostSource implements DiagnosticsSource {
  readonly id = 'host';
  readonly title: string;
  readonly answersForOldTexts = false;
  readonly #host: HostDiagnostics;

  constructor(host: HostDiagnostics) {
    this.#host = host;
    this.title = host.title;
  }

  async collect(
    files: readonly CheckedFile[],
    { written }: CollectOptions,
    signal: AbortSignal,
  ): Promise<DiagnosticsByFile> {
    const paths = files.filter(({ text }) => text !== null).map(({ path }) => path);
    return await this.#host.diagnosticsOf(paths, { written }, signal);
  }

  onLater(listener: () => void): () => void {
    return this.#host.onChange(listener);
  }
}
