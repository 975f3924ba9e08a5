import { isAscii, isUtf8 } from 'node:buffer';
import { decodeFile, showStrayBytes } from '@black-ide/workspace';

/** The text of a file, and the same as UTF-8; both without a byte order mark. */
export interface DecodedSource {
  text: string;
  /** May be a view on the bytes that were decoded. */
  utf8: Uint8Array;
}

const BOM = [0xef, 0xbb, 0xbf];

/**
 * Undefined for a binary file. What is no sound UTF-8 is decoded as the rest of the program does, stray bytes becoming
 * U+FFFD.
 */
export async function decodeSource(bytes: Buffer): Promise<DecodedSource | undefined> {
  if (!bytes.includes(0)) {
    if (isAscii(bytes)) return { text: bytes.toString('latin1'), utf8: bytes };
    if (isUtf8(bytes)) {
      const utf8 = BOM.every((byte, at) => bytes[at] === byte) ? bytes.subarray(BOM.length) : bytes;
      return { text: utf8.toString('utf8'), utf8 };
    }
  }
  const decoded = await decodeFile(bytes);
  if (decoded.kind === 'binary') return undefined;
  const text = showStrayBytes(decoded.text);
  return { text, utf8: Buffer.from(text, 'utf8') };
}
