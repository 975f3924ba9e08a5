import { visibleWidth, wrapTextWithAnsi } from '@earendil-works/pi-tui';

/** A painted text broken into lines of at most so many columns; lines after the first begin with the indent. */
export function wrap(text: string, columns: number, first = '', rest = first): string[] {
  const width = Math.max(columns - Math.max(visibleWidth(first), visibleWidth(rest)), 8);
  const lines = wrapTextWithAnsi(text, width);
  return (lines.length === 0 ? [''] : lines).map((line, index) => (index === 0 ? first : rest) + line);
}
