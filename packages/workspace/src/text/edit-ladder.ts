import { FoldedText, type FoldLevel, foldText, type Span } from './folded-text.ts';
import { findIndented, type IndentShift } from './indentation.ts';
import { lineBreakOf, lineCounter } from './line-endings.ts';
import { type NearestBlock, nearestBlock } from './nearest-block.ts';

/** Which comparison found the target, from the strictest to the most forgiving. */
export type Rung = 'exact' | 'line-endings' | 'trailing-space' | 'indentation' | 'look-alikes';

/** A place in the original text, in UTF-16 units, end exclusive. */
export interface Target extends Span {
  /** Lines from 1, the last one inclusive. */
  startLine: number;
  endLine: number;
  /** On the rung `indentation`: by what the block is shifted. */
  shift?: IndentShift;
  /** The request ends with a line ending where the file's last line has none. */
  withoutFinalBreak?: boolean;
}

/** Why no edit can be made: `code` is stable, `message` and `next` are for the model and for people. */
export interface EditFailure {
  ok: false;
  code: 'empty_old' | 'no_change' | 'not_found' | 'ambiguous' | 'malformed' | 'unencodable';
  message: string;
  next: string;
  /** Lines where the text was found, at most 20; with `ambiguous`. */
  places?: number[];
  /** With `not_found`. */
  nearest?: NearestBlock;
}

export type TargetResult = { ok: true; rung: Rung; targets: [Target, ...Target[]] } | EditFailure;

export interface FindOptions {
  /** Find every place instead of insisting on a single one. */
  all?: boolean;
  /** Places that it refuses do not count. */
  accept?: (place: Span) => boolean;
  /** Which of several places, in their order, is meant; undefined: that is not clear. */
  choose?: <T extends Span>(places: readonly T[]) => T | undefined;
}

const MAX_PLACES = 20;
const MAX_COUNT = 1000;
const FOLDS: readonly FoldLevel[] = ['line-endings', 'trailing-space', 'look-alikes'];

/**
 * Finds the text to replace: exactly, else with its line endings, then the blank space at its lines' ends, then one uniform
 * shift of indentation, then look-alike characters overlooked (IDE-52). The first rung that finds anything decides, and
 * unless all places are wanted it must find exactly one. Lines that look the same but for their ending are one text to
 * whoever asked, so `all` finds them together.
 */
export function findTarget(text: string, old: string, options: FindOptions = {}): TargetResult {
  if (old === '') {
    return {
      ok: false,
      code: 'empty_old',
      message: 'The text to replace is empty.',
      next: 'Give the text to replace with enough lines around it; to create or fill a file, write the whole file.',
    };
  }
  if (!isWhole(old)) {
    return {
      ok: false,
      code: 'malformed',
      message: 'The text to replace holds half a character.',
      next: 'Send it again.',
    };
  }
  const all = options.all === true;
  for (const [rung, find] of rungs(all)) {
    const found = find(text, old, all);
    const spans = options.accept ? found.filter(options.accept) : found;
    const chosen = all || spans.length < 2 ? undefined : options.choose?.(spans);
    if (!all && spans.length > 1 && !chosen) return ambiguous(text, spans, rung);
    const [first, ...rest] = withLines(text, chosen ? [chosen] : spans);
    if (first) return { ok: true, rung, targets: [first, ...rest] };
  }
  return notFound(text, old);
}

/** The same text with `\n` only, as models write it. */
export function normalBreaks(text: string, lineBreak: '\n' | '\r'): string {
  return lineBreak === '\r' ? text.replaceAll(/\r\n?/g, '\n') : text.replaceAll('\r\n', '\n');
}

type Found = Omit<Target, 'startLine' | 'endLine'>;
/** Finds every place, or with `all` those that do not overlap. */
type Find = (text: string, old: string, all: boolean) => Found[];

function* rungs(all: boolean): Generator<[Rung, Find]> {
  yield ['exact', all ? exactlyAll : exactly];
  for (const level of FOLDS) {
    if (level === 'look-alikes') yield ['indentation', indented];
    yield [level, (text, old) => folded(text, old, level, all)];
  }
}

function exactly(text: string, old: string, all: boolean): Found[] {
  const found: Found[] = [];
  for (let at = text.indexOf(old); at !== -1 && (all || found.length <= MAX_COUNT); ) {
    const end = at + old.length;
    const whole = !splitsBreak(text, at) && !splitsBreak(text, end);
    if (whole) found.push({ start: at, end });
    at = text.indexOf(old, whole && all ? end : at + 1);
  }
  return found;
}

/** Exact places, but none at all when the same lines stand elsewhere with another ending: the next rung finds them all. */
function exactlyAll(text: string, old: string): Found[] {
  const exact = exactly(text, old, true);
  if (!/[\r\n]/.test(old) || !text.includes('\r')) return exact;
  return exact.length === folded(text, old, 'line-endings', true).length ? exact : [];
}

function folded(text: string, old: string, level: FoldLevel, all: boolean): Found[] {
  if (!isWorthwhile(text, old, level)) return [];
  const lineBreak = lineBreakOf(text);
  const wanted = foldText(normalBreaks(old, lineBreak), level).text;
  if (wanted.trim() === '') return [];
  const haystack = level === 'line-endings' && !text.includes('\r') ? new FoldedText(text, []) : foldText(text, level);
  const endsLine = level !== 'line-endings' && /[^\S\n]$/u.test(old);
  const found: Found[] = [];
  for (const span of haystack.occurrences(wanted)) {
    if (all && span.start < (found.at(-1)?.end ?? 0)) continue;
    if (!endsLine || isLineEnd(text, span.end)) found.push(span);
    if (!all && found.length > MAX_COUNT) break;
  }
  if (found.length > 0 || !wanted.endsWith('\n') || !haystack.text.endsWith(wanted.slice(0, -1))) return found;
  const start = haystack.toStart(haystack.text.length - wanted.length + 1);
  const end = haystack.toEnd(haystack.text.length);
  return start === undefined || end === undefined ? [] : [{ start, end, withoutFinalBreak: true }];
}

/** Whether the level overlooks anything that the ones before it did not. */
function isWorthwhile(text: string, old: string, level: FoldLevel): boolean {
  if (level === 'line-endings') return /[\r\n]/.test(old);
  const overlooked = level === 'trailing-space' ? /[ \t](?:\r|\n|$)/ : /[^\0-\x7f]/;
  return overlooked.test(text) || overlooked.test(old);
}

function indented(text: string, old: string): Found[] {
  return findIndented(text, normalBreaks(old, lineBreakOf(text)));
}

/** Whether the offset lies between the `\r` and the `\n` of one line ending. */
function splitsBreak(text: string, at: number): boolean {
  return text.charAt(at) === '\n' && at > 0 && text.charAt(at - 1) === '\r';
}

function isLineEnd(text: string, at: number): boolean {
  return /^[\p{Z}\t\u00ad\u200b\u2060\ufeff]*(\r|\n|$)/u.test(text.slice(at, at + 400));
}

/** Well-formed but for the lone surrogates that stand for stray bytes. */
function isWhole(text: string): boolean {
  return text.isWellFormed() || /^(?:[^\ud800-\udfff]|[\udc80-\udcff])*$/u.test(text);
}

/** Numbers the lines of places that are in order, in one pass. */
function withLines(text: string, spans: readonly Found[]): Target[] {
  const lineAt = lineCounter(text);
  return spans.map((span) => ({
    ...span,
    startLine: lineAt(span.start),
    endLine: lineAt(Math.max(span.start, span.end - 1)),
  }));
}

function ambiguous(text: string, spans: readonly Found[], rung: Rung): EditFailure {
  const lineAt = lineCounter(text);
  const places = spans.slice(0, MAX_PLACES).map(({ start }) => lineAt(start));
  const more = spans.length > MAX_PLACES ? ' and more' : '';
  const how = rung === 'exact' ? '' : `, overlooking ${describeRung(rung)},`;
  return {
    ok: false,
    code: 'ambiguous',
    message: `The text to replace occurs ${spans.length > MAX_COUNT ? `more than ${MAX_COUNT}` : spans.length} times${how} at lines ${places.join(', ')}${more}.`,
    next: 'Include more of the lines around the one place, or ask for all of them to be replaced.',
    places,
  };
}

/** What a rung overlooks, as a phrase for people. */
export function describeRung(rung: Rung): string {
  switch (rung) {
    case 'exact':
      return 'nothing';
    case 'line-endings':
      return 'line endings';
    case 'trailing-space':
      return "blank space at the lines' ends";
    case 'indentation':
      return 'a uniform shift of the indentation';
    case 'look-alikes':
      return 'look-alike characters (quotes, dashes, spaces)';
  }
}

const NUMBERED = /^\s*\d+\s*[|:\t→]/;

function notFound(text: string, old: string): EditFailure {
  const wanted = normalBreaks(old, lineBreakOf(text));
  const nearest = nearestBlock(text, wanted);
  const isNumbered = wanted.split('\n').every((line) => line.trim() === '' || NUMBERED.test(line));
  const message = ['The text to replace is not in the file.', ...(nearest ? [describeNearest(nearest)] : [])].join(
    '\n',
  );
  const next = isNumbered
    ? 'Leave out the line numbers in front of the lines.'
    : nearest
      ? "Copy the file's lines as they are, or read the file again."
      : 'Read the file again: nothing in it is similar.';
  return { ok: false, code: 'not_found', message, next, ...(nearest ? { nearest } : {}) };
}

function describeNearest({ startLine, endLine, text, differences }: NearestBlock): string {
  const where = startLine === endLine ? `line ${startLine}` : `lines ${startLine}-${endLine}`;
  const lines = differences.map(({ line, yours, file }) => {
    if (yours === null) return `  line ${line}: only the file has  ${file}`;
    if (file === null) return `  line ${line}: only you have  ${yours}`;
    return `  line ${line}: you have  ${yours}\n  ${' '.repeat(`line ${line}`.length)}  the file  ${file}`;
  });
  return [`The nearest block is ${where}:`, text, 'What differs (· blank, → tab, ␍ carriage return):', ...lines].join(
    '\n',
  );
}
