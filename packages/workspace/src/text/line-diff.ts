import { diffArrays } from 'diff';

/** Two stretches of lines, end exclusive, that differ: `a[aStart..aEnd)` became `b[bStart..bEnd)`. */
export interface ChangedLines {
  aStart: number;
  aEnd: number;
  bStart: number;
  bEnd: number;
}

/**
 * Beyond this many inserted and removed lines a minimal difference is not worth its quadratic time; the whole stretch
 * between the first and the last difference then counts as changed.
 */
const MAX_EDIT_LENGTH = 2000;

/** Splits a text after each `\n`; every line keeps its own ending, so that the joined lines are the text. */
export function splitLines(text: string): string[] {
  const lines: string[] = [];
  let from = 0;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', from)) {
    lines.push(text.slice(from, at + 1));
    from = at + 1;
  }
  if (from < text.length) lines.push(text.slice(from));
  return lines;
}

/** The changed stretches between two lists of lines, in order, never touching one another. */
export function diffLines(a: readonly string[], b: readonly string[]): ChangedLines[] {
  const shorter = Math.min(a.length, b.length);
  let head = 0;
  while (head < shorter && a[head] === b[head]) head += 1;
  let tail = 0;
  while (tail < shorter - head && a[a.length - 1 - tail] === b[b.length - 1 - tail]) tail += 1;
  const [aEnd, bEnd] = [a.length - tail, b.length - tail];
  if (head === aEnd && head === bEnd) return [];
  const whole = [{ aStart: head, aEnd, bStart: head, bEnd }];
  if (head === aEnd || head === bEnd) return whole;
  return diffMiddle(a.slice(head, aEnd), b.slice(head, bEnd), head) ?? whole;
}

function diffMiddle(a: string[], b: string[], offset: number): ChangedLines[] | undefined {
  const parts = diffArrays(a, b, { maxEditLength: MAX_EDIT_LENGTH });
  if (!parts) return undefined;
  const changes: ChangedLines[] = [];
  let [aAt, bAt] = [offset, offset];
  let open: ChangedLines | undefined;
  for (const { added, removed, count } of parts) {
    if (!added && !removed) {
      [aAt, bAt, open] = [aAt + count, bAt + count, undefined];
      continue;
    }
    if (!open) {
      open = { aStart: aAt, aEnd: aAt, bStart: bAt, bEnd: bAt };
      changes.push(open);
    }
    if (removed) aAt += count;
    else bAt += count;
    [open.aEnd, open.bEnd] = [aAt, bAt];
  }
  return changes;
}
