/** One file as git's index remembers it. Times are milliseconds since the epoch, as `Stats` has them. */
export interface IndexEntry {
  /** The blob's id in hex. */
  oid: string;
  /** As git has it: 0o100644, 0o100755, 0o120000 (link), 0o160000 (submodule), 0o040000 (sparse folder). */
  mode: number;
  /** Both truncated to 32 bits. */
  size: number;
  ino: number;
  mtimeMs: number;
  ctimeMs: number;
  /** The stat data is not to be trusted: assumed unchanged, left out of the working tree, or only intended. */
  loose: boolean;
}

const SIGNATURE = 0x44495243;
const FIXED_BYTES = 40;
const ASSUME_VALID = 0x8000;
const EXTENDED = 0x4000;
const STAGE = 0x3000;
const SKIP_OR_INTENT = 0x6000;
const LINK_EXTENSION = 0x6c696e6b;
/** No system has longer ones; in version 4 each could be a little longer than the one before, without end. */
const MAX_PATH_CHARS = 4_096;

/**
 * Reads git's index, versions 2 to 4 (gitformat-index(5)). Entries of an unfinished merge are left out. Undefined for
 * what is none of these, and for a split index, whose entries lie elsewhere.
 *
 * @param idBytes 20 with SHA-1, 32 with SHA-256
 */
export function parseGitIndex(bytes: Buffer, idBytes = 20): Map<string, IndexEntry> | undefined {
  if (bytes.length < 12 + idBytes || bytes.readUInt32BE(0) !== SIGNATURE) return undefined;
  const version = bytes.readUInt32BE(4);
  if (version < 2 || version > 4) return undefined;
  const entries = new Map<string, IndexEntry>();
  const count = bytes.readUInt32BE(8);
  let at = 12;
  let path = '';
  for (let n = 0; n < count; n += 1) {
    const start = at;
    const flagsAt = start + FIXED_BYTES + idBytes;
    if (flagsAt + 4 > bytes.length) return undefined;
    const flags = bytes.readUInt16BE(flagsAt);
    const isExtended = (flags & EXTENDED) !== 0;
    const more = isExtended ? bytes.readUInt16BE(flagsAt + 2) : 0;
    at = flagsAt + (isExtended ? 4 : 2);
    let dropped = 0;
    if (version === 4) [dropped, at] = readVarint(bytes, at);
    const end = bytes.indexOf(0, at);
    if (end < 0) return undefined;
    const name = bytes.toString('utf8', at, end);
    // Version 4 counts bytes, not characters, from the end of the path before.
    path = version === 4 ? (dropped === 0 ? path + name : cutBytes(path, dropped) + name) : name;
    if (path.length > MAX_PATH_CHARS) return undefined;
    at = version === 4 ? end + 1 : start + ((end - start + 8) & ~7);
    if ((flags & STAGE) !== 0) continue;
    entries.set(path, {
      ctimeMs: bytes.readUInt32BE(start) * 1000 + bytes.readUInt32BE(start + 4) / 1e6,
      mtimeMs: bytes.readUInt32BE(start + 8) * 1000 + bytes.readUInt32BE(start + 12) / 1e6,
      ino: bytes.readUInt32BE(start + 20),
      mode: bytes.readUInt32BE(start + 24),
      size: bytes.readUInt32BE(start + 36),
      oid: bytes.toString('hex', start + FIXED_BYTES, flagsAt),
      loose: (flags & ASSUME_VALID) !== 0 || (more & SKIP_OR_INTENT) !== 0,
    });
  }
  return isSplit(bytes, at, idBytes) ? undefined : entries;
}

function isSplit(bytes: Buffer, from: number, idBytes: number): boolean {
  for (let at = from; at + 8 <= bytes.length - idBytes; at += 8 + bytes.readUInt32BE(at + 4)) {
    if (bytes.readUInt32BE(at) === LINK_EXTENSION) return true;
  }
  return false;
}

function cutBytes(path: string, count: number): string {
  const bytes = Buffer.from(path);
  return bytes.toString('utf8', 0, Math.max(bytes.length - count, 0));
}

/** The variable width of `OFS_DELTA` pack entries. @returns the number and where it ends */
function readVarint(bytes: Buffer, from: number): [number, number] {
  let at = from;
  let byte = bytes[at++] ?? 0;
  let value = byte & 0x7f;
  while ((byte & 0x80) !== 0) {
    byte = bytes[at++] ?? 0;
    value = ((value + 1) << 7) | (byte & 0x7f);
  }
  return [value, at];
}
