/** A file as it was before, or is after, a change. */
export interface FileState {
  /** SHA-256 of the bytes in hex. */
  version: string;
  size: number;
  /** Permission bits. */
  mode: number;
  bytes: Uint8Array;
}
