import type { CodeIntelligence } from '@black-ide/intel';
import type { Report } from '../report/read-report.ts';
import type { Clue, FileEvidence } from './evidence.ts';

/** Lines of a file in which the fault may lie. */
export interface SuspectRange {
  /** From 1, both ends included. */
  startLine: number;
  endLine: number;
  symbol: string | undefined;
  weight: number;
  /** The best reasons, best first. */
  why: string[];
}

/** A longer range says little. */
export const MOST_LINES = 40;
const FEWEST_LINES = 9;
const KIND_WEIGHTS: Readonly<Record<Clue['kind'], number>> = { frame: 3, literal: 2, name: 1.2, words: 1 };
const WORD = /[\p{L}\p{N}]{3,}/gu;

/** The places in a file that most speaks for, best first. */
export function rangesOf({ path, clues }: FileEvidence, report: Report, intel: CodeIntelligence): SuspectRange[] {
  const file = intel.files.idOf(path);
  if (file === undefined) return [];
  const groups = new Map<string, SuspectRange & { lines: number[] }>();
  for (const clue of clues) {
    const symbol = symbolAround(clue, file, intel);
    const [startLine, endLine] = symbol ? [symbol.startLine, symbol.endLine] : [clue.startLine, clue.endLine];
    const key = `${startLine}:${endLine}`;
    const known = groups.get(key) ?? {
      startLine,
      endLine,
      symbol: symbol?.name ?? clue.symbol,
      weight: 0,
      why: [],
      lines: [],
    };
    groups.set(key, known);
    known.weight += KIND_WEIGHTS[clue.kind] * clue.weight;
    if (!known.why.includes(clue.why)) known.why.push(clue.why);
    if (clue.kind === 'frame' || clue.kind === 'literal') known.lines.push(clue.startLine);
  }
  const wanted = wordsOf(report);
  const length = intel.lines(path, 1, Number.MAX_SAFE_INTEGER)?.length ?? 0;
  const ranges = [...groups.values()]
    .sort((x, y) => y.weight - x.weight || x.startLine - y.startLine)
    .map(({ lines, ...range }) => widen(narrow(range, lines, wanted, path, intel), length));
  return ranges.filter((range, at) => !ranges.slice(0, at).some((better) => overlap(range, better)));
}

/** A line or two say little to whoever reads them: some of what stands around comes along. */
function widen(range: SuspectRange, length: number): SuspectRange {
  const missing = FEWEST_LINES - (range.endLine - range.startLine + 1);
  if (missing <= 0) return { ...range, endLine: Math.min(range.endLine, length) };
  const startLine = Math.max(1, range.startLine - Math.ceil(missing / 2));
  return { ...range, startLine, endLine: Math.min(length, startLine + FEWEST_LINES - 1) };
}

/** Whether most of a range is in another. */
function overlap(one: SuspectRange, other: SuspectRange): boolean {
  const shared = Math.min(one.endLine, other.endLine) - Math.max(one.startLine, other.startLine) + 1;
  return shared * 2 > one.endLine - one.startLine + 1;
}

/** The function around a clue; a class that is no longer than a range may be is as good. */
function symbolAround(clue: Clue, file: number, intel: CodeIntelligence) {
  const id = intel.graph.symbolAt(file, clue.startLine);
  if (id === undefined) return undefined;
  const { name, container, startLine, endLine } = intel.graph.symbol(id);
  if (clue.kind === 'words' && (startLine > clue.startLine || endLine < clue.endLine)) return undefined;
  return { name: [...container, name].join('.'), startLine, endLine };
}

/** Of a long range the window that a clue points at, or that has most words of the report. */
function narrow(
  range: SuspectRange,
  lines: readonly number[],
  wanted: ReadonlyMap<string, number>,
  path: string,
  intel: CodeIntelligence,
): SuspectRange {
  const { startLine, endLine } = range;
  if (endLine - startLine < MOST_LINES) return range;
  const texts = intel.lines(path, startLine, endLine) ?? [];
  const scores = texts.map((text) => {
    const found = new Set([...text.matchAll(WORD)].flatMap(([word]) => parts(word)));
    let sum = 0;
    for (const word of found) sum += wanted.get(word) ?? 0;
    return sum;
  });
  for (const line of lines) scores[line - startLine] = (scores[line - startLine] ?? 0) + 100;
  let best = 0;
  let bestSum = -1;
  let sum = 0;
  for (let at = 0; at < scores.length; at += 1) {
    sum += scores[at]!;
    if (at >= MOST_LINES) sum -= scores[at - MOST_LINES]!;
    const start = Math.max(0, at - MOST_LINES + 1);
    if (sum > bestSum && at >= MOST_LINES - 1) {
      best = start;
      bestSum = sum;
    }
  }
  const first = startLine + best;
  return { ...range, startLine: first, endLine: Math.min(endLine, first + MOST_LINES - 1) };
}

function wordsOf({ title, prose, names }: Report): Map<string, number> {
  const words = new Map<string, number>();
  const add = (text: string, weight: number): void => {
    for (const [word] of text.matchAll(WORD))
      for (const part of parts(word)) words.set(part, Math.max(words.get(part) ?? 0, weight));
  };
  add(prose.slice(0, 6_000), 1);
  add(title, 2);
  add(names.join(' '), 3);
  return words;
}

function parts(word: string): string[] {
  return word
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .split(/[\s_]+/)
    .filter((part) => part.length > 2);
}
