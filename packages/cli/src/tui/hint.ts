/** How long a hint stands, and how long the first Ctrl+C waits for the second, in milliseconds. */
const SHOWN_MS = 2_000;

/** Words that stand in the place of the status line for a moment, and whether Ctrl+C would leave now. */
export class Hint {
  readonly #changed: () => void;
  #timer: NodeJS.Timeout | undefined;
  #text = '';
  #leaves = false;

  constructor(changed: () => void) {
    this.#changed = changed;
  }

  /** Empty where nothing is hinted at. */
  get text(): string {
    return this.#text;
  }

  /** The words that are shown say that the next Ctrl+C leaves. */
  get leaves(): boolean {
    return this.#leaves;
  }

  show(text: string, { leaves = false } = {}): void {
    this.clear();
    this.#text = text;
    this.#leaves = leaves;
    this.#timer = setTimeout(() => {
      this.clear();
      this.#changed();
    }, SHOWN_MS);
  }

  clear(): void {
    clearTimeout(this.#timer);
    this.#text = '';
    this.#leaves = false;
  }
}
