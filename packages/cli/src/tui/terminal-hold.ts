import type { Output } from '../headless/output.ts';
import type { World } from '../world.ts';
import type { Screen } from './screen.ts';
import type { TerminalInput } from './terminal-input.ts';

export interface TerminalHoldParts {
  world: World;
  out: Output;
  screen: Screen;
  input: TerminalInput;
  /** The terminal is ours again: all has to be drawn anew. */
  back(): void;
}

/** Whose the terminal is: ours, with its keys and signals, or for a while the shell's or another program's. */
export class TerminalHold {
  readonly #parts: TerminalHoldParts;
  #isAway = false;
  #stopListening: (() => void) | undefined;

  constructor(parts: TerminalHoldParts) {
    this.#parts = parts;
  }

  /** Another program has the terminal, and its keys and signals. */
  get isAway(): boolean {
    return this.#isAway;
  }

  /** Keys and signals are ours from here on. */
  take(): void {
    this.#parts.input.start();
    this.#stopListening = this.#parts.world.onJobControl({
      stop: () => void this.suspend(),
      continued: () => this.#continued(),
    });
  }

  /** Gives the terminal back as it was, with what was printed in its scrollback. */
  give(): void {
    this.#stopListening?.();
    this.#parts.screen.leave();
    this.#parts.input.stop();
  }

  /** Gives the terminal away for as long as something else needs it. */
  async whileAway<T>(other: () => Promise<T>): Promise<T> {
    this.give();
    this.#isAway = true;
    try {
      await this.#parts.out.flush();
      return await other();
    } finally {
      this.#isAway = false;
      this.#parts.screen.enter();
      this.take();
      this.#parts.back();
    }
  }

  /** Gives it to the shell, until that has us go on. */
  async suspend(): Promise<void> {
    await this.whileAway(() => this.#parts.world.suspend());
  }

  /** We were stopped without notice, e.g. by SIGSTOP: the shell has set the terminal up for itself and written to it. */
  #continued(): void {
    const { input, screen, back } = this.#parts;
    input.stop();
    input.start();
    screen.retake();
    back();
  }
}
