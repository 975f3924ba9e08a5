import { type ChangedLines, diffLines, splitLines } from './line-diff.ts';

/** A stretch that both sides changed, each in its own way. */
export interface MergeConflict {
  /** Line of the base, from 1, where it starts. */
  line: number;
  base: string;
  ours: string;
  theirs: string;
}

export type MergeResult = { ok: true; text: string } | { ok: false; conflicts: MergeConflict[] };

interface Side {
  lines: readonly string[];
  changes: readonly ChangedLines[];
  next: number;
}

/**
 * Merges two texts that come from one base, line by line. Changes of the two sides that overlap or touch are a conflict
 * unless they are the same change: the rule of `git merge-file`. With a conflict nothing is merged.
 */
export function mergeTexts(base: string, ours: string, theirs: string): MergeResult {
  if (ours === theirs || base === theirs) return { ok: true, text: ours };
  if (base === ours) return { ok: true, text: theirs };
  const lines = splitLines(base);
  const [a, b] = [ours, theirs].map((text): Side => {
    const own = splitLines(text);
    return { lines: own, changes: diffLines(lines, own), next: 0 };
  }) as [Side, Side];
  const parts: string[] = [];
  const conflicts: MergeConflict[] = [];
  let at = 0;
  for (;;) {
    const [start, end, mine, yours] = nextCluster(a, b);
    parts.push(lines.slice(at, start).join(''));
    if (mine.length === 0 && yours.length === 0) break;
    const [ourText, theirText] = [within(a, mine, start, end), within(b, yours, start, end)];
    if (yours.length === 0 || ourText === theirText) parts.push(ourText);
    else if (mine.length === 0) parts.push(theirText);
    else {
      conflicts.push({ line: start + 1, base: lines.slice(start, end).join(''), ours: ourText, theirs: theirText });
    }
    at = end;
  }
  return conflicts.length > 0 ? { ok: false, conflicts } : { ok: true, text: parts.join('') };

  /** What a side made of the base's lines `start..end`. */
  function within(side: Side, changes: readonly ChangedLines[], start: number, end: number): string {
    const pieces: string[][] = [];
    let from = start;
    for (const { aStart, aEnd, bStart, bEnd } of changes) {
      pieces.push(lines.slice(from, aStart), side.lines.slice(bStart, bEnd));
      from = aEnd;
    }
    return [...pieces, lines.slice(from, end)].flat().join('');
  }

  /** The next changes of both sides that overlap or touch one another, and the base's lines they cover. */
  function nextCluster(left: Side, right: Side): [number, number, ChangedLines[], ChangedLines[]] {
    const taken: [ChangedLines[], ChangedLines[]] = [[], []];
    const first = [left, right].flatMap((side) => side.changes[side.next]?.aStart ?? []);
    if (first.length === 0) return [lines.length, lines.length, ...taken];
    const start = Math.min(...first);
    let end = start;
    for (let grown = true; grown; ) {
      grown = false;
      for (const [index, side] of [left, right].entries()) {
        const change = side.changes[side.next];
        if (!change || change.aStart > end) continue;
        taken[index]?.push(change);
        side.next += 1;
        end = Math.max(end, change.aEnd);
        grown = true;
      }
    }
    return [start, end, ...taken];
  }
}
