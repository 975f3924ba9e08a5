import type { Painter } from '../text/painter.ts';
import type { Overlay, OverlayStep } from './overlay.ts';
import type { Live } from './screen.ts';

/** Text over the whole screen, to be scrolled through; it begins at its end, where the news is, or at its top. */
export class Pager implements Overlay {
  readonly #render: (columns: number, paint: Painter) => string[];
  readonly #title: string;
  #lines: readonly string[] = [];
  #columns = 0;
  /** Lines below the last one shown. */
  #below = 0;
  #page = 1;

  constructor(
    title: string,
    render: (columns: number, paint: Painter) => string[],
    { atTop = false }: { atTop?: boolean } = {},
  ) {
    this.#title = title;
    this.#render = render;
    if (atTop) this.#below = Number.MAX_SAFE_INTEGER;
  }

  draw(columns: number, rows: number, paint: Painter): Live {
    if (columns !== this.#columns) {
      this.#columns = columns;
      this.#lines = this.#render(columns, paint);
    }
    this.#page = Math.max(rows - 2, 1);
    this.#below = Math.min(this.#below, Math.max(this.#lines.length - this.#page, 0));
    const end = this.#lines.length - this.#below;
    const shown = this.#lines.slice(Math.max(end - this.#page, 0), end);
    const filled = [...shown, ...Array.from({ length: this.#page - shown.length }, () => '')];
    const place = this.#lines.length > this.#page ? ` · ${end}/${this.#lines.length}` : '';
    const hint = columns < 60 ? 'Esc closes' : '↑ ↓ PgUp PgDn Home End · Esc or Ctrl+O closes';
    return { lines: [paint.bold(this.#title) + paint.dim(place), ...filled, paint.dim(hint)] };
  }

  key({ name, text }: { name?: string | undefined; text?: string | undefined }): OverlayStep {
    if (name === 'escape' || name === 'ctrl+o' || name === 'ctrl+c' || text === 'q') return 'close';
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
}
