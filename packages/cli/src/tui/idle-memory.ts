/** How long nothing has to have happened, in milliseconds: whoever types on must not wait for us. */
const QUIET_MS = 3_000;

/** Gives memory back once it is quiet after something large has been done. While nothing happens there is no timer. */
export class IdleMemory {
  readonly #release: () => Promise<void>;
  #timer: NodeJS.Timeout | undefined;

  constructor(release: () => Promise<void>) {
    this.#release = release;
  }

  /** Something that leaves much behind is over: a session was opened, a task has ended. */
  due(): void {
    this.dispose();
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      void this.#release();
    }, QUIET_MS);
  }

  /** The person or the engine is at work. */
  disturbed(): void {
    this.#timer?.refresh();
  }

  dispose(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}
