import type { LineTable } from './line-table.ts';

const MARKER =
  /@generated\b|\b(?:do not (?:edit|modify)|auto-?generated|automatically generated|generated (?:by|code|file))\b/i;
/** Markers stand at the top. */
const HEAD = 1_000;
/** Generated code is called like other code; only where it is much of it, nobody reads it. */
const MAX_GENERATED = 512 * 1024;
const LONG_LINE = 1_000;
const MIN_MINIFIED = 16 * 1024;
/** Share of a text in lines that are too long to read. */
const MINIFIED_SHARE = 0.6;

/** Why a text is not worth parsing, though it could be; undefined where it is. */
export function unfitSource(text: string, lines: LineTable, maxLength: number): string | undefined {
  if (text.length > maxLength) return `larger than ${Math.round(maxLength / 1024)} KB`;
  if (text.length > MAX_GENERATED && MARKER.test(text.slice(0, HEAD))) return 'generated';
  if (text.length >= MIN_MINIFIED && shareOfLongLines(text, lines) > MINIFIED_SHARE) return 'minified';
  return undefined;
}

function shareOfLongLines(text: string, lines: LineTable): number {
  let long = 0;
  for (let line = 1; line <= lines.count; line += 1) {
    const length = (line < lines.count ? lines.startOf(line + 1) : text.length) - lines.startOf(line);
    if (length > LONG_LINE) long += length;
  }
  return long / text.length;
}
