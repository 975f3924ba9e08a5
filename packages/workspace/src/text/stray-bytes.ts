import { UnencodableError } from './text-codec.ts';

/**
 * UTF-8 with stray bytes: a file that is UTF-8 but for a few bytes that are not (a Latin-1 line pasted in, a cut
 * sequence). Every stray byte 0x80…0xFF is held as the lone surrogate U+DC80…U+DCFF, which valid UTF-8 can never give, so
 * that the text goes back to the very same bytes. The method is Python's `surrogateescape` (PEP 383).
 */
const ESCAPE_BASE = 0xdc00;

/** What a scan of bytes as UTF-8 found. */
export interface Utf8Census {
  /** Well-formed sequences of two to four bytes. */
  sequences: number;
  /** Bytes that belong to no well-formed sequence. */
  strays: number;
}

/** Counts how far bytes are UTF-8. */
export function utf8Census(bytes: Uint8Array): Utf8Census {
  let sequences = 0;
  let strays = 0;
  for (let at = 0; at < bytes.length; ) {
    const length = sequenceLength(bytes, at);
    if (length === 0) strays += 1;
    else if (length > 1) sequences += 1;
    at += Math.max(length, 1);
  }
  return { sequences, strays };
}

/** Decodes UTF-8, stray bytes as lone surrogates U+DC80…U+DCFF. */
export function decodeStrayBytes(bytes: Buffer): string {
  const parts: string[] = [];
  let from = 0;
  for (let at = 0; at < bytes.length; ) {
    const length = sequenceLength(bytes, at);
    if (length === 0) {
      parts.push(bytes.toString('utf8', from, at), String.fromCharCode(ESCAPE_BASE + (bytes[at] ?? 0)));
      from = at + 1;
    }
    at += Math.max(length, 1);
  }
  parts.push(bytes.toString('utf8', from));
  return parts.join('');
}

/** The inverse of decodeStrayBytes. @throws UnencodableError for a lone surrogate that stands for no byte */
export function encodeStrayBytes(text: string): Buffer {
  if (text.isWellFormed()) return Buffer.from(text, 'utf8');
  const parts: Buffer[] = [];
  let from = 0;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit < 0xd800 || unit > 0xdfff) continue;
    const next = text.charCodeAt(at + 1);
    if (unit < 0xdc00 && next >= 0xdc00 && next <= 0xdfff) {
      at += 1;
      continue;
    }
    if (unit < ESCAPE_BASE + 0x80 || unit > ESCAPE_BASE + 0xff) {
      throw new UnencodableError('utf-8', [text.charAt(at)]);
    }
    parts.push(Buffer.from(text.slice(from, at), 'utf8'), Buffer.from([unit - ESCAPE_BASE]));
    from = at + 1;
  }
  parts.push(Buffer.from(text.slice(from), 'utf8'));
  return Buffer.concat(parts);
}

/** Length of the well-formed UTF-8 sequence at `at` (Unicode 16, table 3-7); 0 where there is none. */
function sequenceLength(bytes: Uint8Array, at: number): number {
  const lead = bytes[at] ?? 0;
  if (lead < 0x80) return 1;
  if (lead < 0xc2 || lead > 0xf4) return 0;
  const second = bytes[at + 1] ?? 0;
  if (lead < 0xe0) return isContinuation(second) ? 2 : 0;
  const low = lead === 0xe0 ? 0xa0 : lead === 0xf0 ? 0x90 : 0x80;
  const high = lead === 0xed ? 0x9f : lead === 0xf4 ? 0x8f : 0xbf;
  if (second < low || second > high || !isContinuation(bytes[at + 2] ?? 0)) return 0;
  if (lead < 0xf0) return 3;
  return isContinuation(bytes[at + 3] ?? 0) ? 4 : 0;
}

function isContinuation(byte: number): boolean {
  return byte >= 0x80 && byte <= 0xbf;
}
