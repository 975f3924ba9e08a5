/** The read-only tools of this lane, and no others (DX-5). */
export const READING_TOOLS = ['search_code', 'read_lines', 'list_directory', 'find_symbols'] as const;
export type ReadingTool = (typeof READING_TOOLS)[number];

/** By this the model says where it believes the fault to be, and goes on to reading closely. */
export const DECLARE = 'declare_suspects';

/** `explore`: all tools. `dive`: reading only. `output`: none, the report is written. */
export type Phase = 'explore' | 'dive' | 'output';

export interface FunnelBudget {
  /** Calls of the first phase. */
  explore: number;
  /** Calls of the second. */
  dive: number;
  /** Calls in all, those that were refused included. */
  total: number;
}

export const DEFAULT_BUDGET: FunnelBudget = { explore: 7, dive: 4, total: 12 };

/** What may become of a call: it is run, it moves the phase on, or it is refused for a reason that the model reads. */
export type Verdict = { kind: 'run' } | { kind: 'declared' } | { kind: 'refused'; why: string };

/**
 * Which tools a diagnosis may call, and how often (DX-7): a free agent looks around forty times and more. Tools are taken
 * away by a budget of calls, or by the model's own word; a call to one that was taken away is refused.
 */
export class Funnel {
  readonly #budget: FunnelBudget;
  #phase: Phase = 'explore';
  #inPhase = 0;
  #calls = 0;
  #refused = 0;

  constructor(budget: FunnelBudget = DEFAULT_BUDGET) {
    this.#budget = budget;
    this.#move();
  }

  get phase(): Phase {
    return this.#phase;
  }

  /** Whether no tool is left. */
  get isOver(): boolean {
    return this.#phase === 'output';
  }

  /** Calls so far, those that were refused included. */
  get calls(): number {
    return this.#calls;
  }

  get refused(): number {
    return this.#refused;
  }

  /** The names of the tools that the next request offers. */
  get offered(): readonly string[] {
    if (this.#phase === 'explore') return [...READING_TOOLS, DECLARE];
    return this.#phase === 'dive' ? ['read_lines'] : [];
  }

  /** Counts a call and says what becomes of it. */
  judge(name: string): Verdict {
    const verdict = this.#verdict(name);
    this.#calls += 1;
    if (verdict.kind === 'refused') this.#refused += 1;
    else if (verdict.kind === 'declared') this.#enter('dive');
    else this.#inPhase += 1;
    this.#move();
    return verdict;
  }

  #verdict(name: string): Verdict {
    const isKnown = name === DECLARE || READING_TOOLS.some((each) => each === name);
    if (!isKnown) return { kind: 'refused', why: `There is no tool \`${name}\` here; this lane only reads.` };
    if (!this.offered.includes(name)) return { kind: 'refused', why: REASONS[this.#phase] };
    return name === DECLARE ? { kind: 'declared' } : { kind: 'run' };
  }

  #move(): void {
    const { explore, dive, total } = this.#budget;
    if (this.#phase === 'explore' && this.#inPhase >= explore) this.#enter('dive');
    if (this.#phase === 'dive' && this.#inPhase >= dive) this.#enter('output');
    if (this.#calls >= total) this.#enter('output');
  }

  #enter(phase: Phase): void {
    if (this.#phase === phase) return;
    this.#phase = phase;
    this.#inPhase = 0;
  }
}

const REASONS: Readonly<Record<Phase, string>> = {
  explore: 'This tool is not offered.',
  dive: 'Exploring has ended: only `read_lines` is left. Read what you suspect, then write the report.',
  output: 'No tool is left. Write the report now, from what you have seen.',
};
