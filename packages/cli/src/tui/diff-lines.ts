import type { Painter } from '../text/painter.ts';
import { visibleText } from '../text/visible-text.ts';

/** A unified diff in colour; at most so many lines, the rest counted. */
export function diffLines(diff: string, paint: Painter, limit = Number.POSITIVE_INFINITY): string[] {
  const lines = visibleText(diff.trimEnd()).split('\n');
  const shown = lines.slice(0, limit).map((line) => paintDiffLine(line, paint));
  return lines.length > limit ? [...shown, paint.dim(`… ${lines.length - limit} more lines`)] : shown;
}

export function paintDiffLine(line: string, paint: Painter): string {
  const text = line.replaceAll('\t', '    ');
  if (/^(\+\+\+|---|diff |index )/.test(line)) return paint.dim(text);
  if (line.startsWith('@@')) return paint.code(text);
  if (line.startsWith('+')) return paint.good(text);
  return line.startsWith('-') ? paint.bad(text) : text;
}

/** The diff that a call's details tell. */
export function diffOf(details: unknown): string | undefined {
  if (typeof details !== 'object' || details === null) return undefined;
  const { diff } = details as { diff?: unknown };
  return typeof diff === 'string' && diff !== '' ? diff : undefined;
}
