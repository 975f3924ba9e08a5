/** Text that came over standard input, and what had to be changed in it. */
export interface DecodedInput {
  text: string;
  /** In words for a person; empty when nothing was changed. */
  warnings: string[];
}

/**
 * Bytes of standard input as text: UTF-16 where a byte order mark says so (as PowerShell pipes it), UTF-8 otherwise.
 * NUL characters, which no model wants, become U+FFFD, as invalid bytes do.
 */
export function decodeInput(bytes: Uint8Array): DecodedInput {
  const encoding =
    bytes[0] === 0xff && bytes[1] === 0xfe ? 'utf-16le' : bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : 'utf-8';
  const decoded = new TextDecoder(encoding).decode(bytes);
  const warnings: string[] = [];
  let text = decoded;
  if (decoded.includes('\0')) {
    text = decoded.replaceAll('\0', '\ufffd');
    warnings.push('NUL characters in standard input were replaced.');
  }
  if (decoded.includes('\ufffd'))
    warnings.push(`Some bytes of standard input are not ${encoding} text; they were replaced.`);
  return { text, warnings };
}
