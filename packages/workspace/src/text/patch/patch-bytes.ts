import { adaptReplacement } from '../adapt-replacement.ts';
import { type EditableText, replaceRanges } from '../edit-bytes.ts';
import { type EditFailure, findTarget, type Rung, type Target } from '../edit-ladder.ts';
import type { Span } from '../folded-text.ts';
import { endingNear, lineBreakOf, lineCounter } from '../line-endings.ts';
import type { Replacement } from '../plan-edit.ts';
import { type PatchHunk, sideOf } from './patch.ts';

/** Why a hunk does not fit: its number from 1, its header, and the failure with the nearest block. */
export interface HunkFailure {
  hunk: number;
  header: string;
  message: string;
  next: string;
}

export type PatchResult = { ok: true; file: EditableText; rungs: Rung[] } | { ok: false; failures: HunkFailure[] };

/** A hunk's place in the text as it was, and what comes there. */
interface Placed extends Replacement {
  rung: Rung;
}

/**
 * Applies hunks to a file, all or none. Every hunk is looked for in the text as it was, so that what one brings in is
 * never taken for the context of another: first at the very line that a unified diff names, else on the ladder of
 * `findTarget`, as whole lines, at one place only. Bytes outside of the changed lines are copied.
 */
export function patchBytes(file: EditableText, hunks: readonly PatchHunk[]): PatchResult {
  const { text } = file;
  const placed: Placed[] = [];
  const failures: HunkFailure[] = [];
  let from = 0;
  let drift = 0;
  for (const [index, hunk] of hunks.entries()) {
    const found = place(text, hunk, { from, drift, taken: placed });
    if ('code' in found) {
      failures.push({ hunk: index + 1, header: hunk.header, message: found.message, next: found.next });
      continue;
    }
    placed.push(found);
    from = Math.max(from, found.end);
    if (hunk.oldStart !== undefined) drift = lineCounter(text)(found.start) - hunk.oldStart;
  }
  if (failures.length > 0) return { ok: false, failures };
  const inOrder = placed.toSorted((a, b) => a.start - b.start || a.end - b.end);
  const replaced = replaceRanges(file, inOrder);
  if (replaced.ok) return { ok: true, file: replaced.file, rungs: placed.map(({ rung }) => rung) };
  const { message, next } = replaced;
  return { ok: false, failures: [{ hunk: 1, header: hunks[0]?.header ?? '@@', message, next }] };
}

interface Place {
  /** Behind the hunk before. */
  from: number;
  /** By how many lines the hunk before had moved. */
  drift: number;
  taken: readonly Span[];
}

function place(text: string, hunk: PatchHunk, { from, drift, taken }: Place): Placed | EditFailure {
  const [old, now] = [sideOf(hunk, 'old'), sideOf(hunk, 'new')];
  if (old === '') return insertion(text, hunk, now);
  const expected = hunk.oldStart === undefined ? undefined : lineOffset(text, hunk.oldStart + drift);
  if (expected !== undefined && expected >= from && isThere(text, old, expected, hunk)) {
    return { start: expected, end: expected + old.length, text: now, rung: 'exact' };
  }
  const anchor = anchorOffset(text, hunk.anchors, from);
  if (typeof anchor === 'object') return anchor;
  const isFree = ({ start, end }: Span) =>
    isWholeLines(text, start, end) &&
    (!hunk.atEnd || end >= text.length - 1) &&
    taken.every((other) => end <= other.start || start >= other.end);
  const choose = hunk.anchors.length > 0 ? <T>([first]: readonly T[]): T | undefined => first : undefined;
  const behind = findTarget(text, closed(old), {
    accept: (span) => span.start >= anchor && isFree(span),
    ...(choose ? { choose } : {}),
  });
  // A patch whose hunks are not in the file's order still means one place each.
  const found = behind.ok || behind.code !== 'not_found' ? behind : findTarget(text, closed(old), { accept: isFree });
  if (!found.ok) return found;
  const [target] = found.targets;
  return adapted(text, target, hunk, found.rung);
}

function adapted(text: string, target: Target, hunk: PatchHunk, rung: Rung): Placed | EditFailure {
  const [old, now] = [closed(sideOf(hunk, 'old')), closed(sideOf(hunk, 'new'))];
  const { start, end } = target;
  // Of lines that go, no line ending stays behind.
  const replacement = now === '' ? '' : adaptReplacement(text, target, old, now, rung);
  if (replacement !== undefined) {
    return { start, end, text: end === text.length ? withEnd(text, replacement, hunk) : replacement, rung };
  }
  return failure(
    `At line ${target.startLine} the old lines are found only with another indentation, and a new line is indented less than the difference.`,
    "Copy the file's lines with their own indentation.",
  );
}

/** Every line of a text with its ending. */
function closed(side: string): string {
  return side === '' || side.endsWith('\n') ? side : `${side}\n`;
}

/** The end of a file has the line ending that the patch gives it, or takes from it. */
function withEnd(text: string, replacement: string, { openSides }: PatchHunk): string {
  if (openSides.new) return replacement.replace(/(\r\n|\n|\r)$/, '');
  return openSides.old && replacement !== '' && !/[\r\n]$/.test(replacement)
    ? replacement + endingNear(text, text.length)
    : replacement;
}

/** Lines without any old one beside them: they say no place but the end of the file. */
function insertion(text: string, hunk: PatchHunk, now: string): Placed | EditFailure {
  const isEnd = hunk.atEnd || (hunk.anchors.length === 0 && hunk.oldStart === undefined);
  if (text !== '' && !isEnd) {
    return failure(
      'The hunk only adds lines and shows none of the file.',
      'Give lines of the file around the new ones.',
    );
  }
  const ending = endingNear(text, text.length);
  const lines = ending === '\n' ? now : now.replaceAll('\n', ending);
  const gap = text === '' || text.endsWith('\n') || text.endsWith('\r') ? '' : ending;
  return { start: text.length, end: text.length, text: gap + lines, rung: 'exact' };
}

/** Whether the old side stands at the offset, to the character, as whole lines. */
function isThere(text: string, old: string, at: number, { atEnd, openSides }: PatchHunk): boolean {
  const end = at + old.length;
  return (
    text.startsWith(old, at) &&
    isWholeLines(text, at, end) &&
    (end === text.length || !(atEnd || openSides.old || openSides.new))
  );
}

function isWholeLines(text: string, start: number, end: number): boolean {
  const lineBreak = lineBreakOf(text);
  const begins = start === 0 || text.charAt(start - 1) === lineBreak;
  if (!begins) return false;
  if (end === text.length || text.charAt(end - 1) === lineBreak) return true;
  const next = text.charAt(end);
  return next === lineBreak || (next === '\r' && text.charAt(end + 1) === '\n');
}

/** Where a line, from 1, begins; undefined where there is none. */
function lineOffset(text: string, line: number): number | undefined {
  let at = 0;
  for (let n = 1; n < line; n += 1) {
    const end = text.indexOf('\n', at);
    if (end < 0) return undefined;
    at = end + 1;
  }
  return line < 1 ? undefined : at;
}

/** Where the innermost anchor line begins, each looked for behind the one before: as it is, else without blanks at its ends. */
function anchorOffset(text: string, anchors: readonly string[], from: number): number | EditFailure {
  let at = from;
  for (const anchor of anchors) {
    const found = findLine(text, anchor, at) ?? findLine(text, anchor, 0);
    if (found === undefined) {
      return failure(
        `The line \`@@ ${anchor}\` is not in the file.`,
        'Copy a whole line of the file behind @@, or leave it out.',
      );
    }
    at = found;
  }
  return at;
}

function findLine(text: string, wanted: string, from: number): number | undefined {
  let trimmed: number | undefined;
  const lineBreak = lineBreakOf(text);
  for (let at = from; at < text.length; ) {
    const next = text.indexOf(lineBreak, at);
    const line = text.slice(at, next < 0 ? text.length : next).replace(/\r$/, '');
    if (line === wanted) return at;
    if (line.trim() === wanted.trim()) trimmed ??= at;
    if (next < 0) break;
    at = next + 1;
  }
  return trimmed;
}

function failure(message: string, next: string): EditFailure {
  return { ok: false, code: 'not_found', message, next };
}
