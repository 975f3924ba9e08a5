import type { EditFailure, Rung, Target } from './edit-ladder.ts';
import type { Span } from './folded-text.ts';
import { type EditRequest, planEdit, type Replacement, replaceAll } from './plan-edit.ts';
import { type TextCodec, UnencodableError } from './text-codec.ts';
import { bufferOf } from './unicode-codec.ts';

/** A text file in memory. */
export interface EditableText {
  bytes: Uint8Array;
  text: string;
  codec: TextCodec;
}

export interface AppliedEdit {
  rung: Rung;
  /** Where the request was found, in the text as it was before this edit. */
  targets: [Target, ...Target[]];
  /** The bytes that changed, in the file as it was before this edit. */
  ranges: Span[];
}

export type EditResult =
  | { ok: true; file: EditableText; edits: AppliedEdit[] }
  | (EditFailure & { /** Index of the request that failed. */ edit: number });

/**
 * Applies edits to a file one after the other, all or none. Bytes outside of the replaced ranges are copied, never decoded
 * and encoded again, so line endings, byte order mark, encoding and blank space elsewhere cannot change.
 */
export function editBytes(file: EditableText, requests: readonly EditRequest[]): EditResult {
  let current = file;
  const edits: AppliedEdit[] = [];
  for (const [edit, request] of requests.entries()) {
    const plan = planEdit(current.text, request);
    if (!plan.ok) return { ...plan, edit };
    const spliced = splice(current, plan.replacements, plan.text);
    if (!spliced.ok) return { ...spliced, edit };
    edits.push({ rung: plan.rung, targets: plan.targets, ranges: spliced.ranges });
    current = { bytes: spliced.bytes, text: plan.text, codec: file.codec };
  }
  return { ok: true, file: current, edits };
}

/** Puts replacements, in order and not overlapping, into a file; all other bytes are copied. */
export function replaceRanges(
  file: EditableText,
  replacements: readonly Replacement[],
): { ok: true; file: EditableText; ranges: Span[] } | EditFailure {
  const text = replaceAll(file.text, replacements);
  const spliced = splice(file, replacements, text);
  if (!spliced.ok) return spliced;
  return { ok: true, file: { bytes: spliced.bytes, text, codec: file.codec }, ranges: spliced.ranges };
}

function splice(
  { bytes, text, codec }: EditableText,
  replacements: readonly Replacement[],
  newText: string,
): { ok: true; bytes: Buffer; ranges: Span[] } | EditFailure {
  const original = bufferOf(bytes);
  const parts: Buffer[] = [];
  const ranges: Span[] = [];
  let [textAt, byteAt, copied] = [0, codec.bomLength, 0];
  try {
    for (const { start, end, text: replacement } of replacements) {
      const from = byteAt + encodedLength(codec, text.slice(textAt, start));
      const to = from + encodedLength(codec, text.slice(start, end));
      parts.push(original.subarray(copied, from), codec.encode(replacement));
      ranges.push({ start: from, end: to });
      [textAt, byteAt, copied] = [end, to, to];
    }
  } catch (error) {
    if (error instanceof UnencodableError) return unencodable(error);
    throw error;
  }
  parts.push(original.subarray(copied));
  const result = Buffer.concat(parts);
  if (codec.encoding !== 'utf-8-bytes' && codec.decode(result) !== newText) return unencodable(undefined);
  return { ok: true, bytes: result, ranges };
}

function encodedLength(codec: TextCodec, piece: string): number {
  switch (codec.encoding) {
    case 'utf-8':
      return Buffer.byteLength(piece);
    case 'utf-16le':
    case 'utf-16be':
      return piece.length * 2;
    default:
      return codec.encode(piece).length;
  }
}

function unencodable(error: UnencodableError | undefined): EditFailure {
  return {
    ok: false,
    code: 'unencodable',
    message: `The new text cannot be written in the file's own encoding${error ? `: ${error.message}` : ''}.`,
    next: 'Use characters that the encoding has, or convert the file to UTF-8 first.',
  };
}
