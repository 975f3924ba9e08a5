const FRAME_MS = 16;
/** How often it is looked whether time has to be told, while something runs. */
const TICK_MS = 300;

export interface FramesParts {
  draw(): void;
  /** The terminal has not taken yet what was written. */
  isBehind(): boolean;
  /** Calls the listener once when it has. */
  onceTaken(listener: () => void): void;
}

/** When to draw: soon after something changed, not more often than anybody could see, and else never. */
export class Frames {
  readonly #parts: FramesParts;
  #next: NodeJS.Timeout | undefined;
  #ticker: NodeJS.Timeout | undefined;
  #drawnAt = 0;

  constructor(parts: FramesParts) {
    this.#parts = parts;
  }

  /** Something that is drawn is different. */
  readonly changed = (): void => {
    if (this.#next) return;
    const wait = Math.max(FRAME_MS - (performance.now() - this.#drawnAt), 0);
    this.#next = setTimeout(() => {
      this.#next = undefined;
      // A terminal that is behind is shown the newest state when it has caught up, not every state before.
      if (this.#parts.isBehind()) this.#parts.onceTaken(this.changed);
      else this.#parts.draw();
    }, wait);
  };

  /** A frame is being drawn. */
  began(): void {
    this.#drawnAt = performance.now();
  }

  /** Time is told while something runs; else no timer is left. */
  set tellsTime(running: boolean) {
    if (running) {
      this.#ticker ??= setInterval(this.changed, TICK_MS);
      return;
    }
    clearInterval(this.#ticker);
    this.#ticker = undefined;
  }

  dispose(): void {
    clearTimeout(this.#next);
    clearInterval(this.#ticker);
  }
}
