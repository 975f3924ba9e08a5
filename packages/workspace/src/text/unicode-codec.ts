import { decodeStrayBytes, encodeStrayBytes } from './stray-bytes.ts';
import { byteOrderMark, type TextCodec, UnencodableError } from './text-codec.ts';

export type UnicodeEncoding = 'utf-8' | 'utf-8-bytes' | 'utf-16le' | 'utf-16be';

interface Transcoder {
  decode(bytes: Buffer): string;
  encode(text: string): Buffer;
}

const TRANSCODERS: Readonly<Record<UnicodeEncoding, Transcoder>> = {
  'utf-8': {
    decode: (bytes) => bytes.toString('utf8'),
    encode: (text) => {
      if (!text.isWellFormed()) throw new UnencodableError('utf-8', loneSurrogates(text));
      return Buffer.from(text, 'utf8');
    },
  },
  'utf-8-bytes': { decode: decodeStrayBytes, encode: encodeStrayBytes },
  'utf-16le': { decode: (bytes) => bytes.toString('utf16le'), encode: (text) => Buffer.from(text, 'utf16le') },
  'utf-16be': {
    decode: (bytes) => Buffer.from(bytes).swap16().toString('utf16le'),
    encode: (text) => Buffer.from(text, 'utf16le').swap16(),
  },
};

/** Whether a format's encoding is one of those that need no library. */
export function isUnicodeEncoding(encoding: string): encoding is UnicodeEncoding {
  return Object.hasOwn(TRANSCODERS, encoding);
}

/** The codec of a Unicode encoding. UTF-16 files may hold lone surrogates, which survive; UTF-8 ones cannot. */
export function unicodeCodec(encoding: UnicodeEncoding, bom: boolean): TextCodec {
  const { decode, encode } = TRANSCODERS[encoding];
  const bomLength = bom ? byteOrderMark(encoding).length : 0;
  return { encoding, bom, bomLength, decode: (bytes) => decode(bufferOf(bytes).subarray(bomLength)), encode };
}

/** The same memory as a Buffer. */
export function bufferOf(bytes: Uint8Array): Buffer {
  return Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function loneSurrogates(text: string): string[] {
  const found: string[] = [];
  for (const character of text) {
    if (!character.isWellFormed()) found.push(character);
    if (found.length === 5) break;
  }
  return found;
}
