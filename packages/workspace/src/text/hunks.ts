import { type ChangedLines, diffLines, splitLines } from './line-diff.ts';

/**
 * A git-style hunk, exact to the byte of the text. Line numbers count from 1 as in a unified diff: a side without lines
 * names the line before. Lines end at `\n`; `\r` belongs to the line.
 */
export interface Hunk {
  oldStart: number;
  oldLines: number;
  newStart: number;
  newLines: number;
  /** Each with ` `, `-` or `+` in front and its own ending; a last line without one has none. */
  lines: string[];
}

export type HunkResult =
  | {
      ok: true;
      text: string;
      /** For each hunk, by how many lines it had moved. */
      moved: number[];
    }
  | {
      ok: false;
      /** Index of the hunk that does not apply. */
      hunk: number;
      /** Its header, `@@ -3,7 +3,6 @@`. */
      header: string;
      /** Its lines are not there, or at several places none of which is the expected one. */
      reason: 'missing' | 'ambiguous';
    };

const CONTEXT = 3;

/** The hunks that turn `before` into `after`, with three lines of context. */
export function makeHunks(before: string, after: string): Hunk[] {
  if (before === after) return [];
  const { start, beforeEnd, afterEnd } = differingPart(before, after);
  const firstLine = countBreaks(before, start);
  const a = splitLines(before.slice(start, beforeEnd));
  const b = splitLines(after.slice(start, afterEnd));
  return groupChanges(diffLines(a, b), a.length).map((group) => hunkOf(group, a, b, firstLine));
}

/** The hunks that undo the given ones. */
export function reverseHunks(hunks: readonly Hunk[]): Hunk[] {
  return hunks.map(({ oldStart, oldLines, newStart, newLines, lines }) => ({
    oldStart: newStart,
    oldLines: newLines,
    newStart: oldStart,
    newLines: oldLines,
    lines: reverseLines(lines),
  }));
}

/**
 * Applies hunks, all or none. A hunk whose place has moved applies where all of its lines, context included, are found
 * exactly once behind the hunk before it; nothing is ever matched loosely.
 */
export function applyHunks(text: string, hunks: readonly Hunk[]): HunkResult {
  const parts: string[] = [];
  const moved: number[] = [];
  let done = 0;
  let doneLine = 0;
  let drift = 0;
  for (const [index, hunk] of hunks.entries()) {
    const old = sideOf(hunk, '-');
    const firstLine = hunk.oldStart - (hunk.oldLines === 0 ? 0 : 1);
    const expected = skipLines(text, done, firstLine + drift - doneLine);
    const place = findPlace(text, old, done, expected);
    if (typeof place === 'string') return { ok: false, hunk: index, header: hunkHeader(hunk), reason: place };
    const line = doneLine + countBreaks(text.slice(done, place));
    drift = line - firstLine;
    moved.push(drift);
    parts.push(text.slice(done, place), sideOf(hunk, '+'));
    done = place + old.length;
    doneLine = line + hunk.oldLines;
  }
  parts.push(text.slice(done));
  return { ok: true, text: parts.join(''), moved };
}

/** `@@ -3,7 +3,6 @@` */
export function hunkHeader({ oldStart, oldLines, newStart, newLines }: Hunk): string {
  return `@@ -${oldStart},${oldLines} +${newStart},${newLines} @@`;
}

/** How many lines the hunks add and remove. */
export function countLines(hunks: readonly Hunk[]): { added: number; removed: number } {
  const count = (sign: string) =>
    hunks.reduce((sum, { lines }) => sum + lines.filter((l) => l.startsWith(sign)).length, 0);
  return { added: count('+'), removed: count('-') };
}

/** The part between the common head and tail, in whole lines, with lines of context around it. */
function differingPart(before: string, after: string): { start: number; beforeEnd: number; afterEnd: number } {
  const shorter = Math.min(before.length, after.length);
  let head = 0;
  while (head < shorter && before.charCodeAt(head) === after.charCodeAt(head)) head += 1;
  let tail = 0;
  const last = [before.length - 1, after.length - 1] as const;
  while (tail < shorter - head && before.charCodeAt(last[0] - tail) === after.charCodeAt(last[1] - tail)) tail += 1;
  let start = head === 0 ? 0 : before.lastIndexOf('\n', head - 1) + 1;
  for (let n = 0; n < CONTEXT && start > 0; n += 1) start = start === 1 ? 0 : before.lastIndexOf('\n', start - 2) + 1;
  let end = before.length - tail;
  for (let n = 0; n <= CONTEXT && end < before.length; n += 1) {
    const at = before.indexOf('\n', end);
    end = at === -1 ? before.length : at + 1;
  }
  return { start, beforeEnd: end, afterEnd: end + after.length - before.length };
}

function groupChanges(
  changes: readonly ChangedLines[],
  lines: number,
): { changes: ChangedLines[]; from: number; to: number }[] {
  const groups: { changes: ChangedLines[]; from: number; to: number }[] = [];
  for (const change of changes) {
    const from = Math.max(0, change.aStart - CONTEXT);
    const to = Math.min(lines, change.aEnd + CONTEXT);
    const open = groups.at(-1);
    if (open && from <= open.to) {
      open.changes.push(change);
      open.to = to;
    } else groups.push({ changes: [change], from, to });
  }
  return groups;
}

function hunkOf(
  { changes, from, to }: { changes: ChangedLines[]; from: number; to: number },
  a: readonly string[],
  b: readonly string[],
  firstLine: number,
): Hunk {
  const lines: string[] = [];
  let at = from;
  for (const { aStart, aEnd, bStart, bEnd } of changes) {
    for (let n = at; n < aStart; n += 1) lines.push(` ${a[n]}`);
    for (let n = aStart; n < aEnd; n += 1) lines.push(`-${a[n]}`);
    for (let n = bStart; n < bEnd; n += 1) lines.push(`+${b[n]}`);
    at = aEnd;
  }
  for (let n = at; n < to; n += 1) lines.push(` ${a[n]}`);
  const oldLines = to - from;
  const [first, last] = [changes[0], changes.at(-1)];
  if (!first || !last) throw new RangeError('a hunk without changes');
  const bFrom = first.bStart - (first.aStart - from);
  const newLines = last.bEnd + (to - last.aEnd) - bFrom;
  return {
    oldStart: firstLine + from + (oldLines === 0 ? 0 : 1),
    oldLines,
    newStart: firstLine + bFrom + (newLines === 0 ? 0 : 1),
    newLines,
    lines,
  };
}

/** Removed lines before added ones, as the forward direction has it. */
function reverseLines(lines: readonly string[]): string[] {
  const runs: string[][] = [];
  let added: string[] = [];
  let removed: string[] = [];
  for (const line of lines) {
    if (line.startsWith('-')) added.push(`+${line.slice(1)}`);
    else if (line.startsWith('+')) removed.push(`-${line.slice(1)}`);
    else {
      runs.push(removed, added, [line]);
      [added, removed] = [[], []];
    }
  }
  return [...runs, removed, added].flat();
}

function sideOf(hunk: Hunk, sign: '-' | '+'): string {
  return hunk.lines
    .filter((line) => line.startsWith(sign) || line.startsWith(' '))
    .map((line) => line.slice(1))
    .join('');
}

function findPlace(
  text: string,
  old: string,
  from: number,
  expected: number | undefined,
): number | 'missing' | 'ambiguous' {
  if (old === '') return text === '' ? 0 : 'missing';
  if (expected !== undefined && fits(text, old, expected)) return expected;
  const found: number[] = [];
  for (let at = text.indexOf(old, from); at !== -1 && found.length < 2; at = text.indexOf(old, at + 1)) {
    if (fits(text, old, at)) found.push(at);
  }
  const [place, other] = found;
  if (place === undefined) return 'missing';
  return other === undefined ? place : 'ambiguous';
}

/** Whether `old` stands at `at` as whole lines. */
function fits(text: string, old: string, at: number): boolean {
  if (!text.startsWith(old, at) || (at > 0 && text[at - 1] !== '\n')) return false;
  return old.endsWith('\n') || at + old.length === text.length;
}

/** The offset `count` lines behind `from`; undefined when there are not as many. */
function skipLines(text: string, from: number, count: number): number | undefined {
  if (count < 0) return undefined;
  let at = from;
  for (let n = 0; n < count; n += 1) {
    const next = text.indexOf('\n', at);
    if (next === -1) return undefined;
    at = next + 1;
  }
  return at;
}

function countBreaks(text: string, end = text.length): number {
  let count = 0;
  for (let at = text.indexOf('\n'); at !== -1 && at < end; at = text.indexOf('\n', at + 1)) count += 1;
  return count;
}
