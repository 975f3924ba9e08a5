/** So many characters wait at most; of more the newest are kept. */
const LIMIT = 200_000;

/** Output that waits to be read, in bounded memory. */
export class UnreadOutput {
  #text = '';
  #dropped = 0;

  get length(): number {
    return this.#text.length;
  }

  push(text: string): void {
    this.#text += text;
    // Cutting only now and then keeps the cost of each piece small.
    if (this.#text.length > 2 * LIMIT) this.#cut();
  }

  /** The oldest characters that wait, at most so many; how many were dropped before them, and how many still wait. */
  take(maxChars: number): { text: string; dropped: number; left: number } {
    if (this.#text.length > LIMIT) this.#cut();
    const text = this.#text.slice(0, this.#border(maxChars));
    this.#text = this.#text.slice(text.length);
    const dropped = this.#dropped;
    this.#dropped = 0;
    return { text, dropped, left: this.#text.length };
  }

  #cut(): void {
    const from = this.#border(this.#text.length - LIMIT);
    this.#dropped += from;
    this.#text = this.#text.slice(from);
  }

  /** A place at or before this one that tears no character. */
  #border(at: number): number {
    const unit = this.#text.charCodeAt(at - 1);
    return at < this.#text.length && unit >= 0xd800 && unit <= 0xdbff ? at - 1 : at;
  }
}
