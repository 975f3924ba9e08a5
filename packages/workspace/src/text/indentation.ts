import type { Span } from './folded-text.ts';
import { lineBreakOf } from './line-endings.ts';

/**
 * The one rule by which the indentation of every line was misjudged: the file has `prefix` in front of all of them, or the
 * request has, or the one indents by tabs where the other has `width` spaces for each.
 */
export type IndentShift = { kind: 'add' | 'remove'; prefix: string } | { kind: 'to-tabs' | 'to-spaces'; width: number };

export interface IndentedBlock extends Span {
  shift: IndentShift;
}

const TAB_WIDTHS = [4, 2, 8, 3];

/**
 * Finds the whole lines that are those of `old` but for one uniform shift of their indentation; blank space at the lines'
 * ends and within blank lines is overlooked. `old` has `\n` endings.
 */
export function findIndented(text: string, old: string): IndentedBlock[] {
  const wanted = old.split('\n');
  const closed = wanted.length > 1 && wanted.at(-1) === '';
  if (closed) wanted.pop();
  const anchor = longestLine(wanted);
  const needle = wanted[anchor]?.trim() ?? '';
  if (needle === '') return [];
  const lineBreak = lineBreakOf(text);
  const found: IndentedBlock[] = [];
  for (let at = text.indexOf(needle); at !== -1; at = text.indexOf(needle, at + needle.length)) {
    const from = lineStart(text, at, anchor, lineBreak);
    const lines = from === undefined ? undefined : readLines(text, from, wanted.length, lineBreak);
    if (from === undefined || !lines) continue;
    const shift = uniformShift(wanted, lines.contents);
    if (shift && (!closed || lines.broken)) found.push({ start: from, end: closed ? lines.next : lines.end, shift });
  }
  return found;
}

/** Shifts a line as the block was; undefined where the line cannot be shifted so. */
export function shiftLine(line: string, shift: IndentShift): string | undefined {
  if (line.trim() === '') return line;
  switch (shift.kind) {
    case 'add':
      return shift.prefix + line;
    case 'remove':
      return line.startsWith(shift.prefix) ? line.slice(shift.prefix.length) : undefined;
    case 'to-tabs': {
      const spaces = /^ */.exec(line)?.[0].length ?? 0;
      return '\t'.repeat(Math.floor(spaces / shift.width)) + line.slice(spaces - (spaces % shift.width));
    }
    case 'to-spaces': {
      const tabs = /^\t*/.exec(line)?.[0].length ?? 0;
      return ' '.repeat(tabs * shift.width) + line.slice(tabs);
    }
  }
}

function uniformShift(wanted: readonly string[], actual: readonly string[]): IndentShift | undefined {
  const pairs = wanted.map((line, n) => [line.trimEnd(), actual[n]?.trimEnd() ?? ''] as const);
  if (pairs.some(([line, there]) => line.trimStart() !== there.trimStart())) return undefined;
  const solid = pairs.filter(([line]) => line !== '');
  return candidates(solid).find((shift) => solid.every(([line, there]) => shiftLine(line, shift) === there));
}

function candidates(pairs: readonly (readonly [string, string])[]): IndentShift[] {
  const [first] = pairs;
  if (!first) return [];
  const [mine, there] = first.map((line) => line.slice(0, line.length - line.trimStart().length)) as [string, string];
  const shifts: IndentShift[] = [];
  if (there.endsWith(mine)) shifts.push({ kind: 'add', prefix: there.slice(0, there.length - mine.length) });
  if (mine.endsWith(there)) shifts.push({ kind: 'remove', prefix: mine.slice(0, mine.length - there.length) });
  const widths = (kind: 'to-tabs' | 'to-spaces') => TAB_WIDTHS.map((width) => ({ kind, width }));
  if (pairs.some(([, line]) => line.startsWith('\t'))) shifts.push(...widths('to-tabs'));
  if (pairs.some(([line]) => line.startsWith('\t'))) shifts.push(...widths('to-spaces'));
  return shifts;
}

function longestLine(lines: readonly string[]): number {
  const lengths = lines.map((line) => line.trim().length);
  return lengths.indexOf(Math.max(...lengths));
}

/** Start of the line that is `above` lines over the one at `at`. */
function lineStart(text: string, at: number, above: number, lineBreak: string): number | undefined {
  let start = at === 0 ? 0 : text.lastIndexOf(lineBreak, at - 1) + 1;
  for (let n = 0; n < above; n += 1) {
    if (start === 0) return undefined;
    start = start === 1 ? 0 : text.lastIndexOf(lineBreak, start - 2) + 1;
  }
  return start;
}

interface Lines {
  contents: string[];
  /** Behind the last line's content and blank end, before its ending. */
  end: number;
  /** Behind the last line's ending. */
  next: number;
  /** Whether the last line has an ending. */
  broken: boolean;
}

function readLines(text: string, from: number, count: number, lineBreak: string): Lines | undefined {
  const contents: string[] = [];
  let next = from;
  let end = from;
  let broken = true;
  for (let n = 0; n < count; n += 1) {
    if (!broken || (n > 0 && next === text.length)) return undefined;
    const at = text.indexOf(lineBreak, next);
    broken = at !== -1;
    const limit = broken ? at : text.length;
    end = broken && lineBreak === '\n' && limit > next && text.charAt(limit - 1) === '\r' ? limit - 1 : limit;
    contents.push(text.slice(next, end));
    next = broken ? at + 1 : limit;
  }
  return { contents, end, next, broken };
}
