/** The mode of an entry that stands for a commit of another repository (gitformat-index(5)). */
const GITLINK = Buffer.from([0, 0, 0xe0, 0]);
/** What lies before the id of an object in an entry: times, device, inode, mode, owner, size. */
const BEFORE_ID = 40;
const MODE = 24;

/**
 * The paths of submodules in an index file (gitformat-index(5), versions 2 to 4); undefined where it cannot be read.
 * An index without any, however large, is not gone through entry by entry.
 *
 * @param idLength bytes of an object's id: 20, or 32 with SHA-256
 */
export function submodulesIn(index: Buffer, idLength: 20 | 32): string[] | undefined {
  if (!index.includes(GITLINK)) return [];
  if (index.length < 12 || index.toString('latin1', 0, 4) !== 'DIRC') return undefined;
  const version = index.readUInt32BE(4);
  if (version < 2 || version > 4) return undefined;
  const found: string[] = [];
  let path = Buffer.alloc(0);
  let at = 12;
  for (let left = index.readUInt32BE(8); left > 0; left -= 1) {
    const flagsAt = at + BEFORE_ID + idLength;
    if (flagsAt + 4 > index.length) return undefined;
    const extended = version > 2 && (index.readUInt16BE(flagsAt) & 0x4000) !== 0;
    let nameAt = flagsAt + (extended ? 4 : 2);
    let kept = Buffer.alloc(0);
    if (version === 4) {
      const strip = readOffset(index, nameAt);
      if (!strip || strip.value > path.length) return undefined;
      kept = path.subarray(0, path.length - strip.value);
      nameAt = strip.end;
    }
    const end = index.indexOf(0, nameAt);
    if (end < 0) return undefined;
    path = Buffer.concat([kept, index.subarray(nameAt, end)]);
    if (index.subarray(at + MODE, at + MODE + 4).equals(GITLINK)) found.push(path.toString('utf8'));
    // Entries of the older versions are filled up to a multiple of eight bytes.
    at = version === 4 ? end + 1 : at + ((end - at + 8) & ~7);
  }
  return found;
}

/** A number as pack files write offsets: seven bits a byte, the highest bit says that more follow. */
function readOffset(bytes: Buffer, start: number): { value: number; end: number } | undefined {
  let value = 0;
  for (let at = start; at < bytes.length && at < start + 5; at += 1) {
    const byte = bytes[at] as number;
    value = value * 128 + (byte & 0x7f);
    if ((byte & 0x80) === 0) return { value, end: at + 1 };
    value += 1;
  }
  return undefined;
}
