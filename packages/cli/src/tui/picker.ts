import { fitWidth, widthOf } from '../text/fit-width.ts';
import type { Painter } from '../text/painter.ts';
import { visibleLine } from '../text/visible-text.ts';
import type { Overlay, OverlayStep } from './overlay.ts';
import type { Live } from './screen.ts';

export interface PickerRow<T> {
  value: T;
  text: string;
  /** Kept whole at the right where there is room. */
  tail: string;
  /** The text tells rows apart, so it is never cut for the sake of the tail. */
  isName?: boolean;
}

/** A list to choose from, narrowed down by typing. */
export class Picker<T> implements Overlay {
  readonly #title: string;
  readonly #verb: string;
  #rows: readonly PickerRow<T>[];
  readonly #chosen: (value: T | undefined) => void;
  #typed = '';
  #at = 0;
  #top = 0;
  #height = 1;

  /** `verb`: what Enter does; `at`: the value that is chosen to begin with. */
  constructor(
    title: string,
    rows: readonly PickerRow<T>[],
    chosen: (value: T | undefined) => void,
    { verb = 'opens', at }: { verb?: string; at?: T } = {},
  ) {
    this.#title = title;
    this.#rows = rows;
    this.#chosen = chosen;
    this.#verb = verb;
    if (at !== undefined) this.#goTo(at);
  }

  /** More is known now; what is chosen stays chosen. */
  set rows(rows: readonly PickerRow<T>[]) {
    const chosen = this.#found()[this.#at];
    this.#rows = rows;
    if (chosen) this.#goTo(chosen.value);
  }

  draw(columns: number, rows: number, paint: Painter): Live {
    const found = this.#found();
    this.#height = Math.max(rows - 4, 1);
    if (this.#at < this.#top) this.#top = this.#at;
    if (this.#at >= this.#top + this.#height) this.#top = this.#at - this.#height + 1;
    const shown = found.slice(this.#top, this.#top + this.#height).map((row, index) => {
      const isAt = this.#top + index === this.#at;
      const fits = !row.isName || widthOf(row.text) + widthOf(row.tail) + 4 <= columns;
      const tail = fits && widthOf(row.tail) < columns / 2 ? row.tail : '';
      const room = columns - 2 - (tail ? widthOf(tail) + 2 : 0);
      const text = fitWidth(visibleLine(row.text) || '(no words)', room);
      const space = ' '.repeat(Math.max(room - widthOf(text), 0));
      return isAt
        ? paint.bold(`› ${text}${space}`) + (tail ? `  ${tail}` : '')
        : `  ${text}${space}${tail ? `  ${paint.dim(tail)}` : ''}`;
    });
    const nothing = this.#typed ? 'Nothing fits.' : 'There is nothing to choose from.';
    const search = `Search: ${visibleLine(this.#typed)}`;
    const lines = [
      paint.bold(this.#title) + paint.dim(` · ${found.length}`),
      fitWidth(search, columns - 1),
      '',
      ...(shown.length > 0 ? shown : [paint.dim(nothing)]),
    ];
    while (lines.length < rows - 1) lines.push('');
    lines.push(paint.dim(fitWidth(`↑ ↓ choose · Enter ${this.#verb} · Esc closes`, columns)));
    return { lines, cursor: { row: 1, column: Math.min(widthOf(search), columns - 1) } };
  }

  key({ name, text }: { name?: string | undefined; text?: string | undefined }): OverlayStep {
    const found = this.#found();
    switch (name) {
      case 'escape':
      case 'ctrl+c':
        this.#chosen(undefined);
        return 'close';
      case 'enter': {
        const row = found[this.#at];
        if (!row) return 'stay';
        this.#chosen(row.value);
        return 'close';
      }
      case 'up':
        this.#at -= 1;
        break;
      case 'down':
        this.#at += 1;
        break;
      case 'pageUp':
        this.#at -= this.#height;
        break;
      case 'pageDown':
        this.#at += this.#height;
        break;
      case 'backspace':
        this.#search([...this.#typed].slice(0, -1).join(''));
        break;
      case 'ctrl+u':
        this.#search('');
        break;
      default:
        if (text) this.#search(this.#typed + text.replace(/\s+/g, ' '));
    }
    this.#at = Math.max(0, Math.min(this.#at, this.#found().length - 1));
    return 'stay';
  }

  #goTo(value: T): void {
    this.#at = Math.max(
      this.#found().findIndex((row) => row.value === value),
      0,
    );
  }

  #search(typed: string): void {
    this.#typed = typed;
    this.#at = 0;
    this.#top = 0;
  }

  /** The rows that hold all the words that were typed. */
  #found(): readonly PickerRow<T>[] {
    const words = this.#typed.toLowerCase().split(' ').filter(Boolean);
    if (words.length === 0) return this.#rows;
    return this.#rows.filter((row) => {
      const text = `${row.text} ${row.tail}`.toLowerCase();
      return words.every((word) => text.includes(word));
    });
  }
}
