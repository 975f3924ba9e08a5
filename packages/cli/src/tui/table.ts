import { fitWidth, widthOf } from '../text/fit-width.ts';
import { type Painter, painter } from '../text/painter.ts';
import { inline } from './markdown-line.ts';
import { wrap } from './wrap.ts';

/** Cells are words alone: what is aligned must keep its width. */
const PLAIN = painter({}, false);

export function isTableRow(line: string): boolean {
  return /^\s*\|.*\|\s*$/.test(line);
}

/** A Markdown table with its columns aligned; where it is too wide, each row as its cells one below the other. */
export function drawTable(rows: readonly string[], columns: number, paint: Painter): string[] {
  const cells = rows.map((row) => cellsOf(row).map((cell) => inline(cell, PLAIN)));
  if (rows.length < 2 || !cells[1]!.every((cell) => /^:?-+:?$/.test(cell))) {
    return rows.flatMap((row) => wrap(inline(row, paint), columns));
  }
  const [head = [], marks = [], ...body] = cells;
  const widths = head.map((_, at) => Math.max(...[head, ...body].map((row) => widthOf(row[at] ?? ''))));
  const total = widths.reduce((sum, width) => sum + width + 3, -3);
  if (total > columns) return stacked(head, body, columns, paint);
  const draw = (row: readonly string[], style: (text: string) => string): string =>
    widths
      .map((width, at) => {
        const room = width - widthOf(row[at] ?? '');
        const left = leftOf(marks[at] ?? '', room);
        return ' '.repeat(left) + style(fitWidth(row[at] ?? '', width)) + ' '.repeat(room - left);
      })
      .join(paint.dim(' │ '))
      .trimEnd();
  return [
    draw(head, paint.bold),
    paint.dim(widths.map((width) => '─'.repeat(width)).join('─│─')),
    ...body.map((row) => draw(row, (text) => text)),
  ];
}

/** How much of the room of a cell stands left of its text, by its column's mark, e.g. `--:`. */
function leftOf(mark: string, room: number): number {
  if (!mark.endsWith(':')) return 0;
  return mark.startsWith(':') ? Math.floor(room / 2) : room;
}

function stacked(head: readonly string[], body: readonly string[][], columns: number, paint: Painter): string[] {
  return body.flatMap((row) =>
    row.flatMap((cell, at) => wrap(`${paint.bold(head[at] ?? '')}  ${cell}`, columns, at ? '  ' : '• ', '  ')),
  );
}

function cellsOf(row: string): string[] {
  return row
    .trim()
    .replace(/^\||\|$/g, '')
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim().replaceAll('\\|', '|'));
}
