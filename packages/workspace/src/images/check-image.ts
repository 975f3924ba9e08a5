import { crc32, inflateSync } from 'node:zlib';
import type { ImageType } from './sniff-image.ts';

export type CheckedImage = { ok: true; width: number; height: number } | { ok: false; why: string };

/** Providers refuse a whole request for one image that is larger, and would then refuse the session for ever. */
const MAX_SIDE = 8_000;
/** 5 MiB of Base64. */
const MAX_BYTES = Math.floor((5 * 1024 * 1024 * 3) / 4);
const MAX_PIXEL_BYTES = 256 * 1024 * 1024;

/**
 * Walks an image's structure from its beginning to its end, so that a cut or damaged one never becomes part of a
 * conversation. Formats: PNG (W3C), JPEG (ITU T.81), GIF89a, WebP container (RFC 9649).
 */
export function checkImage(bytes: Uint8Array, type: ImageType): CheckedImage {
  if (bytes.length > MAX_BYTES) return bad(`it has ${bytes.length} bytes; models take at most ${MAX_BYTES}`);
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  try {
    const checked = CHECKS[type](view);
    if (!checked.ok) return checked;
    const { width, height } = checked;
    if (width < 1 || height < 1) return bad('it has no pixels');
    if (width > MAX_SIDE || height > MAX_SIDE) {
      return bad(`it is ${width} × ${height}; models take at most ${MAX_SIDE} pixels a side`);
    }
    return checked;
  } catch (error) {
    // A read behind the end, or compressed data that is not.
    if (error instanceof RangeError || (error as { code?: unknown }).code !== undefined)
      return bad('it is cut or damaged');
    throw error;
  }
}

const CHECKS: Readonly<Record<ImageType, (view: Buffer) => CheckedImage>> = {
  'image/png': checkPng,
  'image/jpeg': checkJpeg,
  'image/gif': checkGif,
  'image/webp': checkWebp,
};

function bad(why: string): CheckedImage {
  return { ok: false, why };
}

function checkPng(view: Buffer): CheckedImage {
  const data: Buffer[] = [];
  let size: { width: number; height: number } | undefined;
  for (let at = 8; ; ) {
    const length = view.readUInt32BE(at);
    const type = view.toString('latin1', at + 4, at + 8);
    const end = at + 8 + length;
    if (view.readUInt32BE(end) !== crc32(view.subarray(at + 4, end))) return bad('it is cut or damaged');
    if (type === 'IHDR') size = { width: view.readUInt32BE(at + 8), height: view.readUInt32BE(at + 12) };
    if (type === 'IDAT') data.push(view.subarray(at + 8, end));
    if (type === 'IEND') break;
    at = end + 4;
  }
  if (!size || data.length === 0) return bad('it holds no picture');
  inflateSync(Buffer.concat(data), { maxOutputLength: MAX_PIXEL_BYTES });
  return { ok: true, ...size };
}

function checkJpeg(view: Buffer): CheckedImage {
  let size: { width: number; height: number } | undefined;
  let scans = 0;
  for (let at = 2; ; ) {
    if (view.readUInt8(at) !== 0xff) return bad('it is cut or damaged');
    const marker = view.readUInt8(at + 1);
    if (marker === 0xff) {
      at += 1;
      continue;
    }
    if (marker === 0xd9) break;
    if (marker === 0x01 || (marker >= 0xd0 && marker <= 0xd7)) {
      at += 2;
      continue;
    }
    const length = view.readUInt16BE(at + 2);
    const isFrame = marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
    if (isFrame) size ??= { height: view.readUInt16BE(at + 5), width: view.readUInt16BE(at + 7) };
    at += 2 + length;
    if (marker !== 0xda) continue;
    scans += 1;
    at = endOfScan(view, at);
  }
  return size && scans > 0 ? { ok: true, ...size } : bad('it holds no picture');
}

/** Behind a scan's compressed data: at the next marker that is neither stuffing nor a restart. */
function endOfScan(view: Buffer, from: number): number {
  for (let at = view.indexOf(0xff, from); at >= 0; at = view.indexOf(0xff, at + 1)) {
    const next = view.readUInt8(at + 1);
    if (next !== 0 && next !== 0xff && !(next >= 0xd0 && next <= 0xd7)) return at;
  }
  throw new RangeError('the scan has no end');
}

function checkGif(view: Buffer): CheckedImage {
  const size = { width: view.readUInt16LE(6), height: view.readUInt16LE(8) };
  let frames = 0;
  for (let at = 13 + colours(view.readUInt8(10)); ; ) {
    const block = view.readUInt8(at);
    if (block === 0x3b) break;
    if (block === 0x21) at = endOfBlocks(view, at + 2);
    else if (block === 0x2c) {
      frames += 1;
      at = endOfBlocks(view, at + 11 + colours(view.readUInt8(at + 9)));
    } else return bad('it is cut or damaged');
  }
  return frames > 0 ? { ok: true, ...size } : bad('it holds no picture');
}

/** Bytes of the colour table that a packed field announces. */
function colours(packed: number): number {
  return packed & 0x80 ? 3 * 2 ** ((packed & 7) + 1) : 0;
}

function endOfBlocks(view: Buffer, from: number): number {
  let at = from;
  for (let length = view.readUInt8(at); length > 0; length = view.readUInt8(at)) at += length + 1;
  return at + 1;
}

function checkWebp(view: Buffer): CheckedImage {
  const end = view.readUInt32LE(4) + 8;
  if (end > view.length) return bad('it is cut or damaged');
  let size: { width: number; height: number } | undefined;
  let pictures = 0;
  for (let at = 12; at < end; ) {
    const type = view.toString('latin1', at, at + 4);
    const length = view.readUInt32LE(at + 4);
    const data = view.subarray(at + 8, at + 8 + length);
    if (data.length < length) return bad('it is cut or damaged');
    if (type === 'VP8X') size = { width: data.readUIntLE(4, 3) + 1, height: data.readUIntLE(7, 3) + 1 };
    if (type === 'VP8 ' || type === 'VP8L' || type === 'ANMF') pictures += 1;
    if (type === 'VP8 ') {
      if (data.readUIntBE(3, 3) !== 0x9d012a) return bad('it is cut or damaged');
      size ??= { width: data.readUInt16LE(6) & 0x3fff, height: data.readUInt16LE(8) & 0x3fff };
    }
    if (type === 'VP8L') {
      if (data.readUInt8(0) !== 0x2f) return bad('it is cut or damaged');
      const bits = data.readUInt32LE(1);
      size ??= { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
    }
    at += 8 + length + (length % 2);
  }
  return size && pictures > 0 ? { ok: true, ...size } : bad('it holds no picture');
}
