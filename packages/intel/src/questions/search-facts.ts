import type { CodeIntelligence } from '../code-intelligence-api.ts';
import type { SearchHit } from '../index/code-index-api.ts';

/** A hit as it is shown: with the line that says most of why it was found. */
export interface ShownHit extends Omit<SearchHit, 'file'> {
  /** Undefined where the file cannot be read any more. */
  code?: { line: number; text: string };
}

/** Of a long hit so many lines are looked at. */
const MOST_LINES = 200;
/** Of a minified file a line may be all of it. */
const MOST_LINE = 300;

/** Adds to each hit its line with the most of the words that it was found by; of equals the first. */
export function shownHits(intel: Pick<CodeIntelligence, 'lines'>, hits: readonly SearchHit[]): ShownHit[] {
  return hits.map(({ file: _, ...hit }) => {
    const code = tellingLine(intel, hit);
    return { ...hit, ...(code ? { code } : {}) };
  });
}

function tellingLine(
  intel: Pick<CodeIntelligence, 'lines'>,
  { path, startLine, endLine, why }: Pick<SearchHit, 'path' | 'startLine' | 'endLine' | 'why'>,
): { line: number; text: string } | undefined {
  let best: { line: number; text: string; words: number } | undefined;
  const read = intel.lines(path, startLine, Math.min(endLine, startLine + MOST_LINES - 1)) ?? [];
  for (const [at, line] of read.entries()) {
    const text = line.trim().slice(0, MOST_LINE).toWellFormed();
    if (!/[\p{L}\p{N}]/u.test(text)) continue;
    const lower = text.toLowerCase();
    const words = why.words.filter((word) => lower.includes(word.toLowerCase())).length;
    if (!best || words > best.words) best = { line: startLine + at, text, words };
  }
  return best && { line: best.line, text: best.text };
}

/**
 * Hits as plain text for a model: rank, place, symbol, the words that it was found by, and below them a line of code.
 * @param most characters.
 */
export function hitsText(hits: readonly ShownHit[], most: number): string {
  const shown: string[] = [];
  let size = 0;
  for (const { rank, path, startLine, endLine, symbol, why, code } of hits) {
    const head = `${rank}. ${path}:${startLine}-${endLine}${symbol ? `  ${symbol}` : ''}  (${why.words.join(', ')})`;
    const row = code ? `${head}\n   ${code.line}: ${clip(code.text)}` : head;
    if (size + row.length + 1 > most) break;
    shown.push(row);
    size += row.length + 1;
  }
  const left = hits.length - shown.length;
  return [...shown, ...(left > 0 ? [`… and ${left} more`] : [])].join('\n');
}

const MOST_CODE = 140;

function clip(text: string): string {
  return text.length > MOST_CODE ? `${text.slice(0, MOST_CODE - 1).toWellFormed()}…` : text;
}
