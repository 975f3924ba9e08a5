import { applyHunks, type Hunk, type HunkResult } from '../../text/hunks.ts';

/** So much of a hunk's context must be as it was in any case: who writes in the very next line has changed the same place. */
const LEAST_CONTEXT = 1;

/**
 * Applies hunks to a text that has changed since. Where somebody wrote near a hunk, but not next to it, less of its
 * context counts; its place must be the only one of its kind then.
 */
export function applyNarrowed(text: string, hunks: readonly Hunk[]): HunkResult {
  const applied = applyHunks(text, hunks);
  if (applied.ok) return applied;
  const narrowed = hunks.map(narrow);
  const isUnique = narrowed.every((hunk) => occursOnce(text, oldSide(hunk)));
  const again = isUnique ? applyHunks(text, narrowed) : applied;
  return again.ok ? again : applied;
}

function narrow(hunk: Hunk): Hunk {
  const first = hunk.lines.findIndex((line) => !line.startsWith(' '));
  const last = hunk.lines.findLastIndex((line) => !line.startsWith(' '));
  const head = Math.max(first - LEAST_CONTEXT, 0);
  const tail = Math.max(hunk.lines.length - 1 - last - LEAST_CONTEXT, 0);
  return {
    oldStart: hunk.oldStart + head,
    oldLines: hunk.oldLines - head - tail,
    newStart: hunk.newStart + head,
    newLines: hunk.newLines - head - tail,
    lines: hunk.lines.slice(head, hunk.lines.length - tail),
  };
}

function oldSide({ lines }: Hunk): string {
  return lines.flatMap((line) => (line.startsWith('+') ? [] : [line.slice(1)])).join('');
}

function occursOnce(text: string, part: string): boolean {
  const at = text.indexOf(part);
  return part !== '' && at >= 0 && text.indexOf(part, at + 1) < 0;
}
