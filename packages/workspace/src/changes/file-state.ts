/** A file as it was before, or is after, a change. */
export interface FileState {
  /** SHA-256 of the bytes in hex. */
  version: string;
  size: number;
  /** Permission bits. */
  mode: number;
  /** Of a link: what it leads to. */
  bytes: Uint8Array;
  /** A symbolic link; permission bits mean nothing then. */
  link?: true;
}
