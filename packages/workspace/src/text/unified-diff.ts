import { type Hunk, hunkHeader } from './hunks.ts';

export interface UnifiedDiffOptions {
  /** Null where the file did not exist before. */
  from: string | null;
  /** Null where the file no longer exists. */
  to: string | null;
  /** The text is cut after so many characters, at a line's end, with a note. Default 64 Ki. */
  limit?: number;
}

const DEFAULT_LIMIT = 64 * 1024;

/** A unified diff for people and models; not meant to be applied, so `\r` and stray bytes stand as they are. */
export function unifiedDiff(hunks: readonly Hunk[], { from, to, limit = DEFAULT_LIMIT }: UnifiedDiffOptions): string {
  if (hunks.length === 0) return '';
  const parts = [
    `--- ${from === null ? '/dev/null' : `a/${from}`}\n`,
    `+++ ${to === null ? '/dev/null' : `b/${to}`}\n`,
  ];
  let length = 0;
  const total = hunks.reduce((sum, { lines }) => sum + lines.length + 1, 0);
  let shown = 0;
  for (const hunk of hunks) {
    for (const line of [`${hunkHeader(hunk)}\n`, ...hunk.lines]) {
      const ended = line.endsWith('\n') ? line : `${line}\n\\ No newline at end of file\n`;
      if (length + ended.length > limit)
        return [...parts, `[${total - shown} more lines of the difference]\n`].join('');
      length += ended.length;
      shown += 1;
      parts.push(ended);
    }
  }
  return parts.join('').toWellFormed();
}
