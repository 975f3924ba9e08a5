import { truncateToWidth, visibleWidth, wrapTextWithAnsi } from '@earendil-works/pi-tui';
import type { Output } from '../headless/output.ts';
import type { OutputStream } from '../world.ts';

export interface Cursor {
  row: number;
  column: number;
}

/** What stands below the conversation and changes: at most as high as the terminal. */
export interface Live {
  lines: readonly string[];
  cursor?: Cursor | undefined;
}

export interface ScreenParts {
  out: Output;
  stream: OutputStream;
  /** Changes a line for what the terminal cannot show. */
  finish(line: string): string;
}

const ESC = '\u001b[';
/** The terminal shows nothing until the frame is whole, where it knows how. */
const FRAME = { begin: `${ESC}?2026h${ESC}?25l`, end: `${ESC}?2026l` };
const SHOW_CURSOR = `${ESC}?25h`;
const CLEAR_LINE = `${ESC}2K`;
/** Line and rest apart: what is cleared from the very first cell on, tmux keeps as if it had been read. */
const CLEAR_BELOW = `${CLEAR_LINE}\u001b7${ESC}1B\r${ESC}J\u001b8`;

/**
 * Draws inline: finished lines go into the terminal's scrollback and are left alone, only the region below them is
 * drawn again, line by line where it differs. Lists take the alternate screen meanwhile.
 */
export class Screen {
  readonly #parts: ScreenParts;
  #printed: string[] = [];
  /** What is on the screen now, and where its cursor stands. */
  #shown: readonly string[] = [];
  #row = 0;
  #column = 0;
  #alternate: readonly string[] | undefined;
  /** What we know of the screen may not hold any more. */
  #stale = false;
  #off = false;

  constructor(parts: ScreenParts) {
    this.#parts = parts;
  }

  get columns(): number {
    return this.#parts.out.columns;
  }

  get rows(): number {
    const { rows } = this.#parts.stream;
    return rows !== undefined && rows > 0 ? rows : 24;
  }

  /** Whether the terminal has not taken yet what was written: a frame more would only queue up. */
  get isBehind(): boolean {
    return this.#parts.stream.writableNeedDrain;
  }

  onceTaken(listener: () => void): void {
    this.#parts.stream.once('drain', listener);
  }

  /** Puts finished lines above the live region, with the next frame. */
  print(lines: readonly string[]): void {
    for (const line of lines) {
      const finished = this.#parts.finish(line);
      const grew = finished.length > line.length && visibleWidth(finished) > this.columns;
      this.#printed.push(...(grew ? wrapTextWithAnsi(finished, this.columns) : [finished]));
    }
  }

  draw(live: Live): void {
    if (this.#off || this.#alternate) return;
    const height = Math.max(this.rows - 1, 1);
    const hidden = Math.max(live.lines.length - height, 0);
    const lines = live.lines.slice(hidden).map((line) => this.#fitted(line));
    const frame =
      this.#toTop() +
      this.#wiped() +
      this.#finished() +
      this.#changed(lines) +
      this.#placed(lines, live.cursor, hidden);
    this.#shown = lines;
    this.#parts.out.write(`${FRAME.begin}${frame}${live.cursor ? SHOW_CURSOR : ''}${FRAME.end}`);
  }

  /** Draws a list over the whole of the alternate screen. */
  drawAlternate(live: Live): void {
    if (this.#off) return;
    const { rows } = this;
    const lines = live.lines.slice(0, rows).map((line) => this.#fitted(line));
    const before = this.#alternate;
    let frame = before ? '' : `${ESC}?1049h${ESC}2J`;
    for (let row = 0; row < rows; row++) {
      const line = lines[row] ?? '';
      if (before && (before[row] ?? '') === line) continue;
      frame += `${ESC}${row + 1};1H${CLEAR_LINE}${line}`;
    }
    if (live.cursor) frame += `${ESC}${live.cursor.row + 1};${live.cursor.column + 1}H`;
    this.#alternate = lines;
    this.#parts.out.write(`${FRAME.begin}${frame}${live.cursor ? SHOW_CURSOR : ''}${FRAME.end}`);
  }

  leaveAlternate(): void {
    if (!this.#alternate) return;
    this.#alternate = undefined;
    this.#parts.out.write(`${ESC}?1049l`);
  }

  /** The terminal has another size. */
  resized(): void {
    this.forget();
  }

  /** Takes the live region away, e.g. because the shell gets the terminal back. */
  leave(): void {
    this.leaveAlternate();
    this.#parts.out.write(this.#toTop() + CLEAR_BELOW + this.#finished() + SHOW_CURSOR);
    this.#shown = [];
    this.#off = true;
  }

  /** The terminal is ours again. */
  enter(): void {
    this.#off = false;
    this.#shown = [];
    this.#row = 0;
    this.#column = 0;
    this.#stale = false;
  }

  /** Another program had the terminal, and we were not told before. */
  retake(): void {
    const isMain = this.#alternate === undefined;
    this.leaveAlternate();
    // What it left is above the cursor; what we left below it goes.
    if (isMain) this.enter();
    this.#stale = true;
  }

  /** Draws everything anew with the next frame, e.g. because another program wrote over it. */
  forget(): void {
    this.#stale = true;
    if (!this.#alternate || this.#off) return;
    this.#alternate = [];
    this.#parts.out.write(`${ESC}2J`);
  }

  #wiped(): string {
    if (!this.#stale) return '';
    this.#stale = false;
    this.#shown = [];
    return CLEAR_BELOW;
  }

  #toTop(): string {
    const rows = this.#stale ? this.#rowsAbove() : this.#row;
    this.#row = 0;
    return rows > 0 ? `\r${ESC}${rows}A` : '\r';
  }

  /** A terminal that got narrower broke our lines: how many rows they take now above the cursor can only be reckoned. */
  #rowsAbove(): number {
    const { columns } = this;
    const above = this.#shown.slice(0, this.#row);
    const rows = above.reduce((sum, line) => sum + Math.max(Math.ceil(visibleWidth(line) / columns), 1), 0);
    return Math.min(rows + Math.floor(this.#column / columns), this.rows - 1);
  }

  #finished(): string {
    const lines = this.#printed;
    if (lines.length === 0) return '';
    this.#printed = [];
    this.#shown = [];
    return `${CLEAR_BELOW}${lines.map((line) => `${line}\r\n`).join('')}`;
  }

  /** Draws the lines that differ; the cursor is at the first of them before, and at the last after. */
  #changed(lines: readonly string[]): string {
    const before = this.#shown;
    let text = '';
    let at = 0;
    for (const [row, line] of lines.entries()) {
      if (row < before.length && before[row] === line) continue;
      const known = Math.max(before.length - 1, 0);
      const down = Math.min(row, known) - Math.min(at, known);
      if (down > 0) text += `${ESC}${down}B`;
      // Below what is there the terminal has to make room.
      text += '\r\n'.repeat(row - Math.max(at, Math.min(row, known)));
      text += `\r${CLEAR_LINE}${line}`;
      at = row;
    }
    if (lines.length < before.length) {
      const down = lines.length - at;
      text += `${down > 0 ? `${ESC}${down}B` : ''}\r${CLEAR_BELOW}`;
      at = lines.length;
    }
    this.#row = at;
    return text;
  }

  #placed(lines: readonly string[], cursor: Cursor | undefined, hidden: number): string {
    const row = Math.min(Math.max((cursor?.row ?? lines.length - 1) - hidden, 0), Math.max(lines.length - 1, 0));
    const move = row - this.#row;
    this.#row = row;
    this.#column = cursor?.column ?? 0;
    const vertical = move === 0 ? '' : move > 0 ? `${ESC}${move}B` : `${ESC}${-move}A`;
    return `${vertical}\r${cursor && cursor.column > 0 ? `${ESC}${cursor.column}C` : ''}`;
  }

  #fitted(line: string): string {
    const finished = this.#parts.finish(line);
    const { columns } = this;
    return visibleWidth(finished) > columns ? truncateToWidth(finished, columns, '') : finished;
  }
}
