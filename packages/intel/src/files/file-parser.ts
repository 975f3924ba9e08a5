import type { ParsedFile } from './layer.ts';

/** Reads and parses files, on other threads. */
export interface FileParser {
  /**
   * @param paths absolute.
   * @returns results as they come, in any order, one for each path; `index` is the place of the path. A file that cannot be
   *   read or parsed has a result, too (see `FileFacts.state`).
   * @throws the signal's reason; an error where it cannot go on.
   */
  parse(paths: readonly string[], signal?: AbortSignal): AsyncIterable<{ index: number; parsed: ParsedFile }>;
  dispose(): Promise<void>;
}

/** Makes one array of what a parse found, to be stored. */
export interface FileCodec {
  pack(parsed: ParsedFile): Uint8Array;
  /** @throws where it makes no sense. */
  unpack(bytes: Uint8Array): ParsedFile;
}
