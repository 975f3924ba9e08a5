import type { AnswerPage, PageRow } from '@black-ide/intel';
import { fitWidth, widthOf } from './fit-width.ts';
import type { Painter } from './painter.ts';
import { visibleLine } from './visible-text.ts';

/** Places that are longer than this do not push the others away. */
const WIDEST_PLACE = 80;
const WIDEST_TEXT = 40;

/** A page of the graph for a person: what it is about, then lists with their places in one column. */
export function pageLines({ head, sections, notes }: AnswerPage, columns: number, paint: Painter): string[] {
  const lines: string[] = [];
  const fit = (text: string, indent = ''): string => fitWidth(indent + visibleLine(text), columns);
  if (head) {
    if (head.signature) lines.push(paint.bold(fit(head.signature)));
    const [place, about] = [visibleLine(head.place), visibleLine(head.about)];
    lines.push(painted(`${place}  ${about}`, columns, () => `${paint.code(place)}  ${paint.dim(about)}`));
    if (head.doc) lines.push(fit(head.doc));
  }
  for (const { title, rows, more } of sections) {
    if (lines.length > 0) lines.push('');
    lines.push(paint.bold(fit(title)));
    lines.push(...rowLines(rows, columns, paint));
    if (more > 0) lines.push(paint.dim(fit(`… and ${more} more; --limit ${rows.length + more} shows all`, '  ')));
  }
  if (lines.length > 0 && notes.length > 0) lines.push('');
  lines.push(...notes.map((note) => fit(note)));
  return lines;
}

/** `  place  what  (notes)`, cut to the width; code goes below where there is some. */
function rowLines(rows: readonly PageRow[], columns: number, paint: Painter): string[] {
  const width = columnOf(
    rows.map(({ place }) => place),
    WIDEST_PLACE,
    columns,
  );
  const textWidth = columnOf(
    rows.filter(({ notes }) => notes.length > 0).map(({ text }) => text),
    WIDEST_TEXT,
    columns,
  );
  return rows.flatMap(({ place, text, notes, code }) => {
    const shown = visibleLine(place);
    const what = visibleLine(text);
    const note = notes.length > 0 ? `(${visibleLine(notes.join(', '))})` : '';
    const [left, middle] = [padded(shown, width), note ? padded(what, textWidth) : what];
    const plain = `  ${left}  ${middle}${note ? `  ${note}` : ''}`.trimEnd();
    const line = painted(plain, columns, () => `  ${paint.code(left)}  ${middle}  ${paint.dim(note)}`.trimEnd());
    const below = code ? [paint.dim(fitWidth(`      ${visibleLine(code)}`, columns))] : [];
    return [line, ...below];
  });
}

/** The coloured line; the plain one, cut, where it does not fit: colours would be cut as well. */
function painted(plain: string, columns: number, coloured: () => string): string {
  return widthOf(plain) > columns ? fitWidth(plain, columns) : coloured();
}

function columnOf(texts: readonly string[], widest: number, columns: number): number {
  const most = Math.min(widest, Math.floor(columns / 2));
  return Math.max(0, ...texts.map((text) => widthOf(visibleLine(text))).filter((width) => width <= most));
}

function padded(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - widthOf(text)));
}
