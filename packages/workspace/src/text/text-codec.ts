/** How the characters of a text file are stored; enough to find the codec again in another process. */
export interface TextFormat {
  /**
   * WHATWG-like name in lower case: `utf-8`, `utf-16le`, `utf-16be`, `windows-1252`, `shift_jis` …, and `utf-8-bytes`
   * for UTF-8 with stray bytes in it (see stray-bytes.ts).
   */
  encoding: string;
  /** Whether the file starts with a byte order mark. */
  bom: boolean;
}

/**
 * Turns the bytes of a file into text and back. For every file that was recognised as text `encode(decode(bytes))` gives
 * `bytes` again, and encoding is piecewise: `encode(a + b)` is `encode(a)` followed by `encode(b)` unless the border
 * splits a surrogate pair. The byte order mark is never part of the text.
 */
export interface TextCodec extends TextFormat {
  /** Length of the byte order mark in bytes; 0 without. */
  readonly bomLength: number;
  /** The text of a whole file, byte order mark skipped. */
  decode(bytes: Uint8Array): string;
  /** The bytes of a piece of text, without a byte order mark. @throws UnencodableError */
  encode(text: string): Buffer;
}

/** The text holds characters that the encoding has no bytes for. */
export class UnencodableError extends Error {
  /** Up to five of them. */
  readonly characters: readonly string[];
  readonly encoding: string;

  constructor(encoding: string, characters: readonly string[]) {
    super(`${encoding} cannot hold ${characters.map(describeCharacter).join(', ')}`);
    this.name = 'UnencodableError';
    this.encoding = encoding;
    this.characters = characters;
  }
}

/** The bytes of a whole file: byte order mark, where the format has one, and text. @throws UnencodableError */
export function encodeFile(codec: TextCodec, text: string): Buffer {
  const body = codec.encode(text);
  return codec.bomLength === 0 ? body : Buffer.concat([byteOrderMark(codec.encoding), body]);
}

export function sameFormat(a: TextFormat, b: TextFormat): boolean {
  return a.encoding === b.encoding && a.bom === b.bom;
}

/** The byte order mark of a Unicode encoding; empty for any other. */
export function byteOrderMark(encoding: string): Buffer {
  switch (encoding) {
    case 'utf-8':
    case 'utf-8-bytes':
      return Buffer.from([0xef, 0xbb, 0xbf]);
    case 'utf-16le':
      return Buffer.from([0xff, 0xfe]);
    case 'utf-16be':
      return Buffer.from([0xfe, 0xff]);
    case 'utf-32le':
      return Buffer.from([0xff, 0xfe, 0, 0]);
    case 'utf-32be':
      return Buffer.from([0, 0, 0xfe, 0xff]);
    default:
      return Buffer.alloc(0);
  }
}

function describeCharacter(character: string): string {
  const point = character.codePointAt(0) ?? 0;
  return `"${character.toWellFormed()}" (U+${point.toString(16).toUpperCase().padStart(4, '0')})`;
}
