import { diffLines } from './line-diff.ts';
import { lineBreakOf } from './line-endings.ts';
import { showInvisible } from './show-invisible.ts';

export interface LineDifference {
  /** Line of the file, from 1; for a line that only the request has, the line it would stand before. */
  line: number;
  /** The request's line, invisible characters made visible; null where it has none. */
  yours: string | null;
  /** The file's. */
  file: string | null;
}

/** The lines of a file that are most like a text which it does not contain. */
export interface NearestBlock {
  startLine: number;
  endLine: number;
  /** The file's lines, numbered, at most 30. */
  text: string;
  /** What differs, at most 8. */
  differences: LineDifference[];
}

const MAX_LINES = 30;
const MAX_DIFFERENCES = 8;
const MAX_WIDTH = 240;
/** Lines of the file that are looked at when not a single line is the same. */
const MAX_FUZZY_LINES = 50_000;
const MIN_LIKENESS = 0.5;

/** Finds the block of the file that `old` probably meant; undefined where nothing is alike. `old` has `\n` endings. */
export function nearestBlock(text: string, old: string): NearestBlock | undefined {
  const lineBreak = lineBreakOf(text);
  const file = text
    .split(lineBreak)
    .map((line) => (lineBreak === '\n' && line.endsWith('\r') ? line.slice(0, -1) : line));
  const wanted = old.replace(/^\n+|\n+$/g, '').split('\n');
  const start = bestOffset(file, wanted);
  if (start === undefined) return undefined;
  const from = Math.max(0, start);
  const block = file.slice(from, Math.max(from + 1, start + wanted.length));
  return {
    startLine: from + 1,
    endLine: from + block.length,
    text: numbered(block, from + 1),
    differences: differences(wanted, block, from + 1),
  };
}

/** The offset at which most of the wanted lines, long ones above all, stand in the file but for blanks around them. */
function bestOffset(file: readonly string[], wanted: readonly string[]): number | undefined {
  const places = new Map<string, number[]>();
  for (const [n, line] of wanted.entries()) {
    const key = line.trim();
    if (key !== '') places.set(key, [...(places.get(key) ?? []), n]);
  }
  const votes = new Map<number, number>();
  for (const [n, line] of file.entries()) {
    const key = line.trim();
    for (const place of places.get(key) ?? []) votes.set(n - place, (votes.get(n - place) ?? 0) + key.length);
  }
  let best: [number, number] | undefined;
  for (const [offset, weight] of votes) if (!best || weight > best[1]) best = [offset, weight];
  const longest = wanted.reduce((at, line, n) => (line.trim().length > (wanted[at]?.trim().length ?? 0) ? n : at), 0);
  const needle = wanted[longest]?.trim() ?? '';
  if (best && best[1] >= needle.length / 2) return best[0];
  const similar = mostAlike(file, needle);
  return similar === undefined ? best?.[0] : similar - longest;
}

function mostAlike(file: readonly string[], needle: string): number | undefined {
  const wanted = bigrams(needle.slice(0, MAX_WIDTH));
  if (wanted.size === 0) return undefined;
  let best: [number, number] | undefined;
  for (const [n, line] of file.slice(0, MAX_FUZZY_LINES).entries()) {
    if (line.length * 2 < needle.length) continue;
    const own = bigrams(line.trim().slice(0, MAX_WIDTH));
    let shared = 0;
    for (const pair of own) if (wanted.has(pair)) shared += 1;
    const likeness = (2 * shared) / (own.size + wanted.size);
    if (likeness >= MIN_LIKENESS && (!best || likeness > best[1])) best = [n, likeness];
  }
  return best?.[0];
}

function bigrams(line: string): Set<number> {
  const pairs = new Set<number>();
  for (let at = 0; at + 1 < line.length; at += 1) pairs.add((line.charCodeAt(at) << 16) | line.charCodeAt(at + 1));
  return pairs;
}

function differences(wanted: readonly string[], block: readonly string[], firstLine: number): LineDifference[] {
  const found: LineDifference[] = [];
  for (const { aStart, aEnd, bStart, bEnd } of diffLines(wanted, block)) {
    for (let n = 0; n < Math.max(aEnd - aStart, bEnd - bStart); n += 1) {
      if (found.length === MAX_DIFFERENCES) return found;
      const yours = aStart + n < aEnd ? wanted[aStart + n] : undefined;
      const file = bStart + n < bEnd ? block[bStart + n] : undefined;
      found.push({ line: firstLine + Math.min(bStart + n, bEnd), yours: shown(yours), file: shown(file) });
    }
  }
  return found;
}

function shown(line: string | undefined): string | null {
  return line === undefined ? null : clip(showInvisible(line));
}

function numbered(lines: readonly string[], first: number): string {
  const shownLines = lines.slice(0, MAX_LINES).map((line, n) => `${first + n}| ${clip(line.toWellFormed())}`);
  if (lines.length > MAX_LINES) shownLines.push(`… ${lines.length - MAX_LINES} more lines`);
  return shownLines.join('\n');
}

function clip(line: string): string {
  return line.length <= MAX_WIDTH ? line : `${line.slice(0, MAX_WIDTH).toWellFormed()}…`;
}
