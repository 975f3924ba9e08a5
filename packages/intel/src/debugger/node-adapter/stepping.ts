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

/** Where V8 halts. */
export interface Halt {
  /** For each frame, the innermost first, whether it is the person's code. */
  users: readonly boolean[];
  /** The line of the innermost frame, in any form. */
  line: string;
  /** V8 halted for something that is no reason to stop, which ends its own step. */
  isInterruption: boolean;
}

/** A step that has begun: where V8 halts is not always where it ends for a person. */
export class PendingStep {
  readonly #kind: Step;
  /** How many frames there were when it began. */
  readonly #depth: number;
  readonly #line: string;
  #halts = 0;
  #wasInterrupted = false;

  constructor(kind: Step, depth: number, line: string) {
    this.#kind = kind;
    this.#depth = kind === 'out' ? depth - 1 : depth;
    this.#line = line;
  }

  /**
   * What follows on a halt: the step has ended; or another one, out of a function or on; or the program runs on, because
   * it has left the person's code.
   */
  next({ users, line, isInterruption }: Halt): Step | 'ended' | 'run' {
    this.#halts += 1;
    this.#wasInterrupted ||= isInterruption;
    if (this.#halts > MOST) return 'ended';
    if (this.#kind !== 'into' && users.length > this.#depth) return 'out';
    if (isInterruption) return this.#kind;
    if (!users[0]) {
      if (!users.includes(true)) return 'run';
      return this.#kind === 'into' && this.#halts <= MOST_INTO ? 'into' : 'out';
    }
    // An interrupted step over a call comes back into the middle of its line.
    const isMidway = this.#wasInterrupted && users.length === this.#depth && line === this.#line;
    return isMidway && this.#kind === 'over' ? 'over' : 'ended';
  }
}
