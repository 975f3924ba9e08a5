import type { Painter } from '../text/painter.ts';
import { visibleText } from '../text/visible-text.ts';
import { paintDiffLine } from './diff-lines.ts';
import { inline } from './markdown-line.ts';
import { drawTable, isTableRow } from './table.ts';
import { wrap } from './wrap.ts';

const FENCE = /^ {0,3}(`{3,}|~{3,})\s*([\w+-]*)/;

/**
 * Markdown as it comes in, drawn line by line: a line that is complete is handed out once and never again, so that a
 * terminal's scrollback can keep it. What a terminal would obey, or a reader would not see, is written out.
 */
export class MarkdownStream {
  readonly #paint: Painter;
  readonly #columns: () => number;
  /** The line that is not complete yet. */
  #rest = '';
  #fence: { mark: string; isDiff: boolean } | undefined;
  #table: string[] = [];

  constructor(paint: Painter, columns: () => number) {
    this.#paint = paint;
    this.#columns = columns;
  }

  /** Takes more of the text; answers the lines that are complete with it. */
  push(text: string): string[] {
    const lines = (this.#rest + text).split('\n');
    this.#rest = lines.pop()!;
    return lines.flatMap((line) => this.#line(line));
  }

  /** What is not complete yet, as it would look now. */
  partial(): string[] {
    const table = this.#table.map((row) => this.#paint.dim(row));
    if (this.#rest === '') return table;
    // A fence's own mark, or half of one, is nothing to show.
    if (/^ {0,3}[`~]+\w*$/.test(this.#rest)) return table;
    return [...table, ...this.#drawn(visibleText(this.#rest))];
  }

  /** The text is at its end: the lines that are left. The next text begins anew. */
  end(): string[] {
    const lines = this.#rest === '' ? [] : this.#line(this.#rest);
    this.#rest = '';
    lines.push(...this.#endTable());
    this.#fence = undefined;
    return lines;
  }

  #line(raw: string): string[] {
    const line = visibleText(raw.endsWith('\r') ? raw.slice(0, -1) : raw);
    const fence = FENCE.exec(line);
    if (this.#fence) {
      if (fence && fence[1]!.startsWith(this.#fence.mark) && fence[2] === '') {
        this.#fence = undefined;
        return [];
      }
      return [this.#code(line)];
    }
    if (isTableRow(line)) {
      this.#table.push(line.trim());
      return [];
    }
    const before = this.#endTable();
    if (fence) {
      this.#fence = { mark: fence[1]!, isDiff: fence[2] === 'diff' || fence[2] === 'patch' };
      return before;
    }
    return [...before, ...this.#drawn(line)];
  }

  #endTable(): string[] {
    const rows = this.#table;
    this.#table = [];
    return rows.length > 0 ? drawTable(rows, this.#columns(), this.#paint) : [];
  }

  /** Code is not broken here: what is copied from the terminal must be what was written. */
  #code(line: string): string {
    return `  ${this.#fence?.isDiff ? paintDiffLine(line, this.#paint) : line.replaceAll('\t', '    ')}`;
  }

  #drawn(line: string): string[] {
    const paint = this.#paint;
    const columns = this.#columns();
    if (this.#fence) return [this.#code(line)];
    if (line.trim() === '') return [''];
    const heading = /^ {0,3}#{1,6}\s+(.*?)\s*#*$/.exec(line);
    if (heading) return wrap(paint.bold(inline(heading[1]!, paint)), columns);
    if (/^ {0,3}([-*_])(\s*\1){2,}\s*$/.test(line)) return [paint.dim('─'.repeat(Math.min(columns, 40)))];
    const quote = /^ {0,3}>\s?(.*)$/.exec(line);
    if (quote) return wrap(inline(quote[1]!, paint), columns, paint.dim('│ '));
    const item = /^(\s*)([-*+]|\d{1,9}[.)])\s+(.*)$/.exec(line);
    if (item) {
      const [, indent = '', mark = '', words = ''] = item;
      const shown = indent.replaceAll('\t', '    ') + (/\d/.test(mark) ? mark : '•');
      return wrap(inline(words, paint), columns, `${shown} `, ' '.repeat(shown.length + 1));
    }
    const indent = /^\s*/
      .exec(line)![0]
      .replaceAll('\t', '    ')
      .slice(0, Math.floor(columns / 2));
    return wrap(inline(line.trim(), paint), columns, indent);
  }
}
