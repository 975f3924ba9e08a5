import { fitWidth } from '../text/fit-width.ts';
import type { Painter } from '../text/painter.ts';
import { visibleText } from '../text/visible-text.ts';
import { diffOf } from './diff-lines.ts';

const LINES = 8;

interface ChangedLine {
  mark: '+' | '-';
  /** Where it stands after the change; one that is gone: where it stood before. */
  number: number;
  text: string;
}

/** The first lines that a call has changed, with their numbers; none where it tells no diff. */
export function changePreview(details: unknown, columns: number, paint: Painter): string[] {
  const diff = diffOf(details);
  if (diff === undefined) return [];
  const lines = changedLines(diff);
  // One line more than fits is shown instead of being counted.
  const shown = lines.length <= LINES + 1 ? lines : lines.slice(0, LINES);
  const width = Math.max(0, ...shown.map(({ number }) => String(number).length));
  const drawn = shown.map(({ mark, number, text }) => {
    const place = `    ${String(number).padStart(width)} `;
    const painted = mark === '+' ? paint.good : paint.bad;
    return paint.dim(place) + painted(fitWidth(`${mark} ${text}`, Math.max(columns - place.length, 8)));
  });
  const more = lines.length - shown.length;
  return more > 0 ? [...drawn, paint.dim(`    … ${more} more · Ctrl+O shows all`)] : drawn;
}

/** The lines of a unified diff that are new or gone. */
function changedLines(diff: string): ChangedLine[] {
  const found: ChangedLine[] = [];
  const before = { number: 0, left: 0 };
  const after = { number: 0, left: 0 };
  const next = (side: typeof before): number => {
    side.left -= 1;
    return side.number++;
  };
  for (const line of visibleText(diff).split('\n')) {
    // What is outside of a hunk names files, whatever it begins with.
    if (before.left <= 0 && after.left <= 0) {
      const hunk = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/.exec(line);
      if (!hunk) continue;
      const [, from, count = 1, to, newCount = 1] = hunk;
      Object.assign(before, { number: Number(from), left: Number(count) });
      Object.assign(after, { number: Number(to), left: Number(newCount) });
    } else if (line.startsWith('+')) found.push({ mark: '+', number: next(after), text: shownText(line) });
    else if (line.startsWith('-')) found.push({ mark: '-', number: next(before), text: shownText(line) });
    else if (!line.startsWith('\\')) {
      next(before);
      next(after);
    }
  }
  return found;
}

function shownText(line: string): string {
  return line.slice(1).replaceAll('\t', '    ');
}
