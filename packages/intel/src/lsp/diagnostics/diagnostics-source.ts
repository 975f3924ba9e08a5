import type { BlackError } from '@black-ide/protocol';
import type { Diagnostic } from '../wire/diagnostic.ts';

/** A file whose diagnostics are asked for, and the text that they are to speak of. */
export interface CheckedFile {
  /** Absolute. */
  path: string;
  /** Null: there is no such file. Undefined: as it is on the disk. */
  text?: string | null;
}

export interface CollectOptions {
  /** The texts have just been written to the disk. */
  written: boolean;
}

/** The diagnostics of files, by absolute path. A file whose diagnostics are not known is not in it. */
export type DiagnosticsByFile = ReadonlyMap<string, readonly Diagnostic[]>;

/** What has happened to a file of the disk. */
export interface FileEvent {
  /** Absolute. */
  path: string;
  type: 'created' | 'changed' | 'deleted';
}

/** Where diagnostics come from: a language server of ours, or the editor that hosts us. */
export interface DiagnosticsSource {
  /** Unique among the sources of a workspace. */
  readonly id: string;
  readonly title: string;
  /** It can tell how things stood before a write also when the write is done. */
  readonly answersForOldTexts: boolean;
  /** What keeps it from telling everything, in its words. */
  readonly warning?: string | undefined;
  /**
   * How files stand with these texts, and others that it knows of by the way. Resolves when that is certain, however long
   * it takes.
   * @throws why it can never tell; the signal's reason
   */
  collect(files: readonly CheckedFile[], options: CollectOptions, signal: AbortSignal): Promise<DiagnosticsByFile>;
  /** It has not answered in a reasonable time, and is to begin anew. */
  hangs?(why: BlackError): Promise<void>;
  /** Calls the listener when something becomes known unasked: collect again. @returns the function that ends it */
  onLater(listener: () => void): () => void;
}
