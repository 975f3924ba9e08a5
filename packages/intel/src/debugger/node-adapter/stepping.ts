/** How a program goes on. */
export type Step = 'over' | 'into' | 'out';

export const STEP_METHODS: Readonly<Record<Step, string>> = {
  over: 'Debugger.stepOver',
  into: 'Debugger.stepInto',
  out: 'Debugger.stepOut',
};

/** So often a step goes on by itself until it is back in the person's code. */
const MOST = 100;
/** So far a step into a function follows a library, which may call the person's code; then it leaves it. */
const MOST_INTO = 30;

/** A step that has begun: where V8 halts is not always where it ends for a person. */
export class PendingStep {
  readonly #kind: Step;
  /** How many frames there were when it began. */
  readonly #depth: number;
  #halts = 0;

  constructor(kind: Step, depth: number) {
    this.#kind = kind;
    this.#depth = depth;
  }

  /**
   * What follows when V8 halts: the step has ended; or another one, out of a function or on; or the program runs on,
   * because it has left the person's code.
   * @param users for each frame, the innermost first, whether it is the person's code
   * @param wasInterrupted V8 halted for something that is no reason to stop, which ends its own step
   */
  next(users: readonly boolean[], wasInterrupted: boolean): Step | 'ended' | 'run' {
    this.#halts += 1;
    if (this.#halts > MOST) return 'ended';
    if (this.#kind !== 'into' && users.length > this.#depth) return 'out';
    if (wasInterrupted) return this.#kind;
    if (users[0]) return 'ended';
    if (!users.includes(true)) return 'run';
    return this.#kind === 'into' && this.#halts <= MOST_INTO ? 'into' : 'out';
  }
}
