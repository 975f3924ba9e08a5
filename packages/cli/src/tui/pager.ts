import { stripVTControlCharacters } from 'node:util';
import { fitWidth, widthOf } from '../text/fit-width.ts';
import type { Painter } from '../text/painter.ts';
import { visibleLine } from '../text/visible-text.ts';
import type { Overlay, OverlayStep } from './overlay.ts';
import type { Live } from './screen.ts';

export interface PagerOptions {
  /** It begins at its top instead of its end. */
  atTop?: boolean;
  /** Is another value when `render` would answer other lines. */
  version?(): unknown;
  /** What stands below the rest and changes all the time: asked for whenever it is drawn. */
  tail?(columns: number, paint: Painter): string[];
}

/**
 * Text over the whole screen, to be scrolled through and searched; it begins at its end, where the news is. Text that
 * grows meanwhile is followed at the end, and only there.
 */
export class Pager implements Overlay {
  readonly #render: (columns: number, paint: Painter) => string[];
  readonly #title: string;
  readonly #options: PagerOptions;
  #rendered: readonly string[] = [];
  #lines: readonly string[] = [];
  #columns = 0;
  #version: unknown;
  /** Lines below the last one shown. */
  #below = 0;
  #page = 1;
  /** What is looked for is being typed. */
  #typing = false;
  #wanted = '';
  /** The line that was found last. */
  #found: number | undefined;

  constructor(title: string, render: (columns: number, paint: Painter) => string[], options: PagerOptions = {}) {
    this.#title = title;
    this.#render = render;
    this.#options = options;
    if (options.atTop) this.#below = Number.MAX_SAFE_INTEGER;
  }

  draw(columns: number, rows: number, paint: Painter): Live {
    this.#take(columns, paint);
    this.#page = Math.max(rows - 2, 1);
    this.#below = Math.min(this.#below, Math.max(this.#lines.length - this.#page, 0));
    const end = this.#lines.length - this.#below;
    const start = Math.max(end - this.#page, 0);
    const shown = this.#lines
      .slice(start, end)
      .map((line, at) => (start + at === this.#found ? paint.accent(stripVTControlCharacters(line)) : line));
    const filled = [...shown, ...Array.from({ length: this.#page - shown.length }, () => '')];
    const place = this.#lines.length > this.#page ? ` · ${end}/${this.#lines.length}` : '';
    const search = `/${visibleLine(this.#wanted)}`;
    const last = this.#typing ? fitWidth(search, columns - 1) : paint.dim(fitWidth(this.#hint(columns), columns));
    return {
      lines: [paint.bold(this.#title) + paint.dim(place), ...filled, last],
      ...(this.#typing ? { cursor: { row: this.#page + 1, column: Math.min(widthOf(search), columns - 1) } } : {}),
    };
  }

  key({ name, text }: { name?: string | undefined; text?: string | undefined }): OverlayStep {
    if (this.#typing) return this.#type(name, text);
    if (name === 'escape' || name === 'ctrl+o' || name === 'ctrl+c' || text === 'q') return 'close';
    if (text === '/') {
      this.#typing = true;
      this.#wanted = '';
      this.#found = undefined;
      return 'stay';
    }
    if (text === 'n' || text === 'N') this.#find(text === 'n' ? -1 : 1);
    const steps: Record<string, number> = {
      up: 1,
      down: -1,
      pageUp: this.#page,
      pageDown: -this.#page,
      home: Number.MAX_SAFE_INTEGER,
      end: Number.MIN_SAFE_INTEGER,
    };
    const step = text === ' ' ? -this.#page : Object.hasOwn(steps, name ?? '') ? steps[name!]! : 0;
    this.#below = Math.max(this.#below + step, 0);
    return 'stay';
  }

  /** Takes the lines as they are now; whoever is not at the end stays where they are. */
  #take(columns: number, paint: Painter): void {
    const { version, tail } = this.#options;
    const isSame = columns === this.#columns && version?.() === this.#version;
    if (!isSame) this.#rendered = this.#render(columns, paint);
    const lines = tail ? [...this.#rendered, ...tail(columns, paint)] : this.#rendered;
    const grown = lines.length - this.#lines.length;
    if (this.#below > 0 && columns === this.#columns) this.#below = Math.max(this.#below + grown, 1);
    this.#lines = lines;
    this.#columns = columns;
    this.#version = version?.();
  }

  #hint(columns: number): string {
    if (this.#wanted !== '') {
      const what = this.#found === undefined ? 'Not found' : 'n older · N newer';
      return `${what} · / other words · Esc closes`;
    }
    return columns < 60 ? '/ search · Esc closes' : '↑ ↓ PgUp PgDn Home End · / search · Esc or Ctrl+O closes';
  }

  #type(name: string | undefined, text: string | undefined): OverlayStep {
    if (name === 'escape' || name === 'ctrl+c') {
      this.#typing = false;
      this.#wanted = '';
    } else if (name === 'enter') {
      this.#typing = false;
      this.#find(-1);
    } else if (name === 'backspace') this.#wanted = [...this.#wanted].slice(0, -1).join('');
    else if (text) this.#wanted += text.replace(/\s+/g, ' ');
    return 'stay';
  }

  /** Goes to the next line that holds what is looked for: upwards from the end of the page, where the news is, and round. */
  #find(by: 1 | -1): void {
    const wanted = this.#wanted.toLowerCase();
    const { length } = this.#lines;
    if (wanted === '') return;
    const from = this.#found ?? length - this.#below;
    this.#found = undefined;
    for (let step = 1; step <= length; step++) {
      const at = (((from + by * step) % length) + length) % length;
      if (!stripVTControlCharacters(this.#lines[at]!).toLowerCase().includes(wanted)) continue;
      this.#found = at;
      // In the middle of the page, with what stands around it.
      this.#below = Math.max(length - at - 1 - Math.floor(this.#page / 2), 0);
      return;
    }
  }
}
