import { byteOrderMark, type TextCodec, UnencodableError } from './text-codec.ts';
import { bufferOf } from './unicode-codec.ts';

const SAMPLE_BYTES = 64 * 1024;
/** Below this chardet is guessing; measured on source files with a comment or two in the language. */
const CONFIDENT = 40;
/** How much a foreign guess must be ahead of the Western ones, which are by far the most frequent in source code. */
const LEAD = 10;
const WESTERN = new Set(['iso-8859-1', 'windows-1252']);

/**
 * Finds the encoding of text that is not Unicode, by its letters' frequencies (chardet), and proves it: the codec gives
 * back exactly the bytes it was found for. Where the guess is weak the Western encodings win; ISO-8859-1, where nothing
 * else fits, maps every byte to itself. Loads its tables on first use.
 */
export async function detectLegacyCodec(bytes: Uint8Array): Promise<TextCodec | undefined> {
  // A CommonJS package: in a bundle it has its default alone.
  const { default: chardet } = await import('chardet');
  const guesses = chardet
    .analyse(sampleOf(bytes))
    .map(({ name, confidence }) => ({ encoding: name.toLowerCase(), confidence }))
    .filter(({ encoding }) => !/^(utf|iso-2022|ascii)/.test(encoding));
  const western = Math.max(0, ...guesses.filter((one) => WESTERN.has(one.encoding)).map((one) => one.confidence));
  const foreign = guesses
    .filter((one) => !WESTERN.has(one.encoding) && one.confidence >= CONFIDENT && one.confidence >= western + LEAD)
    .map((one) => one.encoding);
  const buffer = bufferOf(bytes);
  const hasC1 = bytes.some((byte) => byte >= 0x80 && byte <= 0x9f);
  const fallback = hasC1 ? ['windows-1252', 'iso-8859-1'] : ['iso-8859-1'];
  for (const encoding of [...foreign, ...fallback]) {
    const codec = await legacyCodec(encoding);
    if (codec && roundTrips(codec, buffer)) return codec;
  }
  return undefined;
}

/** The codec of an encoding known to iconv-lite; undefined for an unknown one. */
export async function legacyCodec(encoding: string, bom = false): Promise<TextCodec | undefined> {
  const { default: iconv } = await import('iconv-lite');
  if (!iconv.encodingExists(encoding)) return undefined;
  const bomLength = bom ? byteOrderMark(encoding).length : 0;
  const decode = (bytes: Uint8Array) => iconv.decode(bufferOf(bytes), encoding, { stripBOM: false });
  const encode = (text: string): Buffer => {
    const bytes = iconv.encode(text, encoding, { addBOM: false });
    if (decode(bytes) !== text)
      throw new UnencodableError(
        encoding,
        unencodable(text, (one) => decode(iconv.encode(one, encoding))),
      );
    return bytes;
  };
  return { encoding, bom, bomLength, decode: (bytes) => decode(bytes.subarray(bomLength)), encode };
}

/** Whether the codec gives back exactly these bytes. */
export function roundTrips(codec: TextCodec, bytes: Buffer): boolean {
  const text = codec.decode(bytes);
  if (text.includes('\ufffd')) return false;
  try {
    return codec.encode(text).equals(bytes.subarray(codec.bomLength));
  } catch (error) {
    if (error instanceof UnencodableError) return false;
    throw error;
  }
}

function unencodable(text: string, there: (character: string) => string): string[] {
  return [...new Set(text)].filter((character) => there(character) !== character).slice(0, 5);
}

/** A piece around the first byte beyond ASCII, from a line's start so that no character is cut. */
function sampleOf(bytes: Uint8Array): Uint8Array {
  const high = bytes.findIndex((byte) => byte >= 0x80);
  const start = high < SAMPLE_BYTES / 2 ? 0 : bytes.lastIndexOf(0x0a, high) + 1;
  return bytes.subarray(start, start + SAMPLE_BYTES);
}
