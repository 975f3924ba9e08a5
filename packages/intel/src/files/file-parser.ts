import type { ParsedFile } from './layer.ts';

/** What is wanted of a parser. */
export interface ParseRequest {
  /** Called with each file as soon as it is done, in any order, each once. */
  onFile(parsed: ParsedFile & { path: string }): void;
  signal?: AbortSignal | undefined;
}

/** Reads and parses files, on other threads. */
export interface FileParser {
  /**
   * @param files paths from the root; `keep`: it is likely to be parsed again soon, because it is being edited. What cannot
   *   be read or parsed has a result, too (see `FileFacts.state`).
   * @throws the signal's reason; what `onFile` throws; an error where it cannot go on.
   */
  parse(files: readonly { path: string; keep?: boolean }[], request: ParseRequest): Promise<void>;
  dispose(): Promise<void>;
}

/** Makes one array of what a parse found, to be stored. */
export interface FileCodec {
  pack(parsed: ParsedFile): Uint8Array;
  /** @throws where it makes no sense. */
  unpack(bytes: Uint8Array): ParsedFile;
}
