/** A text as lines without their endings, which come back as they were: what is not touched keeps its bytes. */
export class Lines {
  /** Each with the `\r` that it may have. */
  readonly #raw: string[];
  readonly #carriageReturn: string;

  constructor(text: string) {
    this.#raw = text.split('\n');
    this.#carriageReturn = text.includes('\r\n') ? '\r' : '';
  }

  get length(): number {
    return this.#raw.length;
  }

  /** A line, from 0, without its ending. */
  at(index: number): string {
    return (this.#raw[index] ?? '').replace(/\r$/, '');
  }

  /** The lines from `start` to before `end`, with `\n` between them. */
  slice(start: number, end: number): string {
    return this.#raw
      .slice(start, end)
      .map((line) => line.replace(/\r$/, ''))
      .join('\n');
  }

  replace(start: number, count: number, lines: readonly string[]): this {
    this.#raw.splice(start, count, ...lines.map((line) => line + this.#carriageReturn));
    return this;
  }

  /** Puts lines before the one at `index`, or behind the last one. */
  insert(index: number, lines: readonly string[]): this {
    return index < this.length ? this.replace(index, 0, lines) : this.append(lines, false);
  }

  /** Puts lines behind the last one; `gap`: with an empty line before them. */
  append(lines: readonly string[], gap: boolean): this {
    const isClosed = this.#raw.at(-1) === '';
    if (isClosed) this.#raw.pop();
    else if (this.#raw.length > 0) this.#raw.push(`${this.#raw.pop()}${this.#carriageReturn}`);
    const isFollowing = this.#raw.length > 0 && this.at(this.#raw.length - 1).trim() !== '';
    this.replace(this.#raw.length, 0, [...(gap && isFollowing ? [''] : []), ...lines]);
    this.#raw.push('');
    return this;
  }

  toString(): string {
    return this.#raw.join('\n');
  }
}
