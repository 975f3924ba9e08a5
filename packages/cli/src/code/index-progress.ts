import type { RefreshProgress } from '@black-ide/intel';
import type { Io } from '../io.ts';
import { fitWidth } from '../text/fit-width.ts';
import { canPaint, painter } from '../text/painter.ts';

/** Whoever waits no longer than this needs no word about it, in milliseconds. */
const QUIET_MS = 300;
/** A line is drawn at most so often. */
const DRAW_MS = 100;
const CLEAR_LINE = '\r\u001b[K';

/** Tells a person at a terminal how far the indexing is, on one line of stderr that is taken back at the end. */
export class IndexProgress {
  readonly #io: Io;
  readonly #startedAt: number;
  #drawnAt = Number.NEGATIVE_INFINITY;
  #isDrawn = false;

  constructor(io: Io) {
    this.#io = io;
    this.#startedAt = io.world.clock.now();
  }

  take({ done, total }: RefreshProgress): void {
    const { err, world } = this.#io;
    const now = world.clock.now();
    const isTold = canPaint(world.env, err.isTerminal) && now - this.#startedAt >= QUIET_MS && total > 0;
    if (!isTold || now - this.#drawnAt < DRAW_MS) return;
    const words = `Indexing: ${done} of ${total} files, ${Math.floor((100 * done) / total)} %`;
    err.write(CLEAR_LINE + painter(world.env, true).dim(fitWidth(words, err.columns - 1)));
    this.#drawnAt = now;
    this.#isDrawn = true;
  }

  clear(): void {
    if (this.#isDrawn) this.#io.err.write(CLEAR_LINE);
    this.#isDrawn = false;
  }
}
