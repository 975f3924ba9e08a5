import { isUtf8 } from 'node:buffer';
import { detectLegacyCodec, legacyCodec, roundTrips } from './legacy-codec.ts';
import { utf8Census } from './stray-bytes.ts';
import { byteOrderMark, type TextCodec, type TextFormat } from './text-codec.ts';
import { bufferOf, isUnicodeEncoding, unicodeCodec } from './unicode-codec.ts';

/** The text of a file with the codec that gives its bytes back exactly, or why it is none. */
export type DecodedFile =
  | { kind: 'text'; text: string; codec: TextCodec }
  /** `why` is a phrase for a person. */
  | { kind: 'binary'; why: string };

const SAMPLE_BYTES = 8192;
/** Share of control characters from which bytes that are not Unicode count as binary. */
const MAX_CONTROLS = 0.01;
/** Share of characters below U+0100 that makes unmarked UTF-16 recognisable. */
const MIN_LATIN = 0.3;

/**
 * Reads bytes as text. Recognised are UTF-8 (strictly; with stray bytes only where most of it is UTF-8), UTF-16 and UTF-32
 * with a byte order mark, unmarked UTF-16 with Latin text in it, and what chardet knows of older encodings. Whatever does
 * not give back its own bytes is binary, so that an edit can never touch a byte it was not asked to.
 */
export async function decodeFile(bytes: Uint8Array): Promise<DecodedFile> {
  const marked = markedEncoding(bytes);
  if (marked !== undefined) return decodeMarked(bytes, marked);
  if (bytes.includes(0)) return decodeWithNul(bytes);
  if (isUtf8(bytes)) return textOf(unicodeCodec('utf-8', false), bytes);
  if (controlShare(bytes) > MAX_CONTROLS) return { kind: 'binary', why: 'it holds control characters' };
  const { sequences, strays } = utf8Census(bytes);
  if (sequences > strays) return textOf(unicodeCodec('utf-8-bytes', false), bytes);
  const legacy = await detectLegacyCodec(bytes);
  return legacy ? textOf(legacy, bytes) : { kind: 'binary', why: 'its encoding is unknown' };
}

/** The codec of a format that was stored, e.g. beside reverse hunks; undefined for an unknown encoding. */
export async function codecOf(format: TextFormat): Promise<TextCodec | undefined> {
  const { encoding, bom } = format;
  return isUnicodeEncoding(encoding) ? unicodeCodec(encoding, bom) : legacyCodec(encoding, bom);
}

/** Text that may hold stray bytes as lone surrogates, made fit for people, JSON and models: U+FFFD in their place. */
export function showStrayBytes(text: string): string {
  return text.toWellFormed();
}

function textOf(codec: TextCodec, bytes: Uint8Array): DecodedFile {
  return { kind: 'text', text: codec.decode(bytes), codec };
}

function markedEncoding(bytes: Uint8Array): string | undefined {
  const starts = (encoding: string) => byteOrderMark(encoding).every((byte, at) => bytes[at] === byte);
  return ['utf-8', 'utf-32le', 'utf-32be', 'utf-16le', 'utf-16be'].find(starts);
}

async function decodeMarked(bytes: Uint8Array, encoding: string): Promise<DecodedFile> {
  if (encoding === 'utf-8') {
    const body = bytes.subarray(3);
    if (body.includes(0)) return { kind: 'binary', why: 'it holds NUL bytes' };
    return textOf(unicodeCodec(isUtf8(body) ? 'utf-8' : 'utf-8-bytes', true), bytes);
  }
  const codec = await codecOf({ encoding, bom: true });
  if (codec && isUnit(bytes, encoding) && roundTripsMarked(codec, bytes)) return textOf(codec, bytes);
  return { kind: 'binary', why: `it starts like ${encoding} but is not` };
}

function isUnit(bytes: Uint8Array, encoding: string): boolean {
  return bytes.length % (encoding.startsWith('utf-16') ? 2 : 4) === 0;
}

function roundTripsMarked(codec: TextCodec, bytes: Uint8Array): boolean {
  return isUnicodeEncoding(codec.encoding) || roundTrips(codec, bufferOf(bytes));
}

/** NUL bytes mean binary unless they are the empty halves of UTF-16. */
function decodeWithNul(bytes: Uint8Array): DecodedFile {
  const binary: DecodedFile = { kind: 'binary', why: 'it holds NUL bytes' };
  if (bytes.length % 2 !== 0) return binary;
  const sample = bytes.subarray(0, SAMPLE_BYTES);
  const zeros = [0, 0];
  for (const [at, byte] of sample.entries()) if (byte === 0) zeros[at % 2] = (zeros[at % 2] ?? 0) + 1;
  const [even = 0, odd = 0] = zeros;
  const enough = (sample.length / 2) * MIN_LATIN;
  if (odd >= enough && even * 20 <= odd) return plausibleUtf16(unicodeCodec('utf-16le', false), bytes) ?? binary;
  if (even >= enough && odd * 20 <= even) return plausibleUtf16(unicodeCodec('utf-16be', false), bytes) ?? binary;
  return binary;
}

function plausibleUtf16(codec: TextCodec, bytes: Uint8Array): DecodedFile | undefined {
  const text = codec.decode(bytes);
  const head = text.slice(0, SAMPLE_BYTES);
  const odd = [...head].filter((character) => isControl(character.charCodeAt(0)) || !character.isWellFormed()).length;
  return text.includes('\0') || odd > head.length * MAX_CONTROLS ? undefined : { kind: 'text', text, codec };
}

function controlShare(bytes: Uint8Array): number {
  const sample = bytes.subarray(0, SAMPLE_BYTES);
  return sample.reduce((sum, byte) => sum + (isControl(byte) ? 1 : 0), 0) / sample.length;
}

/** Control characters that do not occur in text: all but tab, line feed, vertical tab, form feed, return, escape. */
function isControl(code: number): boolean {
  return code < 0x20 && !(code >= 0x09 && code <= 0x0d) && code !== 0x1b;
}
