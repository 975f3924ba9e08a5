import type { TaskEnd, Usage } from '@black-ide/protocol';

/** Ceilings; an absent one does not hold anything back. */
export interface Limits {
  /** US dollars. */
  cost?: number;
  /** In and out, cached ones too. */
  tokens?: number;
  /** Calls of a model. */
  turns?: number;
  /** Milliseconds of work; waiting for a person does not count. */
  timeMs?: number;
  /** How deep subagents may have subagents; 0 allows none. */
  depth?: number;
}

export interface Spent {
  cost: number;
  tokens: number;
  turns: number;
}

/** Which ceiling was reached, in words. */
export interface BudgetStop {
  limit: keyof Limits;
  message: string;
  next: string;
}

/** What was set aside for a call. Exactly one of the two is called, once; later calls do nothing. */
export interface Reservation {
  /** The call's own numbers take the place of what was set aside. */
  commit(usage: Pick<Usage, 'totalTokens' | 'cost'>): void;
  /** It cost nothing: there was no answer. */
  release(): void;
}

export type Reserved = { ok: true; reservation: Reservation } | { ok: false; stop: BudgetStop };

const NOTHING: Spent = { cost: 0, tokens: 0, turns: 0 };

/**
 * What a run may spend (IDE-24). One object, shared downward: children count for their parents, so that a hundred
 * subagents spend no more than one. Before each call what it will cost at least is set aside, after it the real numbers
 * are booked.
 */
export class RunBudget {
  readonly #limits: Limits;
  readonly #now: () => number;
  readonly #parent: RunBudget | undefined;
  readonly #depth: number;
  readonly #startedAt: number;
  #spent: Spent;
  #reserved: Spent = NOTHING;
  #pausedAt: number | undefined;
  #pausedMs = 0;

  /** @param spent what the log says was spent already. */
  constructor(limits: Limits, now: () => number, spent: Spent = NOTHING, parent?: RunBudget) {
    this.#limits = limits;
    this.#now = now;
    this.#spent = { ...spent };
    this.#parent = parent;
    this.#depth = parent ? parent.#depth + 1 : 0;
    this.#startedAt = now();
  }

  /** What was spent so far, by children too. */
  get spent(): Readonly<Spent> {
    return this.#spent;
  }

  /**
   * A view for a subagent: it may be held tighter, never looser.
   * @returns the stop where it would be deeper than allowed, or nothing is left.
   */
  child(limits: Limits = {}): { ok: true; budget: RunBudget } | { ok: false; stop: BudgetStop } {
    const stop = this.#tooDeep(this.#depth + 1) ?? this.exceeded();
    return stop ? { ok: false, stop } : { ok: true, budget: new RunBudget(limits, this.#now, NOTHING, this) };
  }

  /** Sets aside what a call will cost at least, here and in every parent, or says which ceiling forbids it. */
  reserve(expected: { tokens: number; cost: number }): Reserved {
    const wanted: Spent = { ...expected, turns: 1 };
    const stop = this.#refused(wanted);
    if (stop) return { ok: false, stop };
    this.#book('#reserved', wanted, 1);
    let open = true;
    const settle = (actual: Spent | undefined) => {
      if (!open) return;
      open = false;
      this.#book('#reserved', wanted, -1);
      if (actual) this.#book('#spent', actual, 1);
    };
    return {
      ok: true,
      reservation: {
        commit: ({ totalTokens, cost }) =>
          settle({ tokens: counted(totalTokens), cost: counted(cost?.total), turns: 1 }),
        release: () => settle(undefined),
      },
    };
  }

  /** The ceiling that is reached already, here or in a parent. */
  exceeded(): BudgetStop | undefined {
    const { cost, tokens, turns, timeMs } = this.#limits;
    if (cost !== undefined && this.#spent.cost >= cost) return ofCost(cost);
    if (tokens !== undefined && this.#spent.tokens >= tokens) return ofTokens(tokens);
    if (turns !== undefined && this.#spent.turns >= turns) return ofTurns(turns);
    if (timeMs !== undefined && this.#worked() >= timeMs) return ofTime(timeMs);
    return this.#parent?.exceeded();
  }

  /** Milliseconds of work left; infinite where there is no ceiling. */
  timeLeft(): number {
    const own = this.#limits.timeMs === undefined ? Number.POSITIVE_INFINITY : this.#limits.timeMs - this.#worked();
    return Math.min(own, this.#parent?.timeLeft() ?? Number.POSITIVE_INFINITY);
  }

  /** A person is waited for: their time is not ours. */
  pause(): void {
    this.#pausedAt ??= this.#now();
  }

  resume(): void {
    if (this.#pausedAt !== undefined) this.#pausedMs += this.#now() - this.#pausedAt;
    this.#pausedAt = undefined;
  }

  #worked(): number {
    return (this.#pausedAt ?? this.#now()) - this.#startedAt - this.#pausedMs;
  }

  #refused(wanted: Spent): BudgetStop | undefined {
    const { cost, tokens, turns } = this.#limits;
    const after = sum(sum(this.#spent, this.#reserved), wanted);
    if (cost !== undefined && after.cost > cost) return ofCost(cost);
    if (tokens !== undefined && after.tokens > tokens) return ofTokens(tokens);
    if (turns !== undefined && after.turns > turns) return ofTurns(turns);
    return this.exceeded() ?? (this.#parent ? this.#parent.#refused(wanted) : undefined);
  }

  #tooDeep(depth: number): BudgetStop | undefined {
    const { depth: most } = this.#limits;
    return most !== undefined && depth > most ? ofDepth(most) : this.#parent ? this.#parent.#tooDeep(depth) : undefined;
  }

  #book(account: '#spent' | '#reserved', amount: Spent, sign: 1 | -1): void {
    const signed = { cost: amount.cost * sign, tokens: amount.tokens * sign, turns: amount.turns * sign };
    if (account === '#spent') this.#spent = sum(this.#spent, signed);
    else this.#reserved = sum(this.#reserved, signed);
    if (this.#parent) this.#parent.#book(account, amount, sign);
  }
}

/** A reached ceiling is the end of a task, of a kind of its own. */
export function budgetEnd({ message, next }: BudgetStop): TaskEnd {
  return { outcome: 'budget', message, code: 'budget', next };
}

function sum(a: Spent, b: Spent): Spent {
  return { cost: a.cost + b.cost, tokens: a.tokens + b.tokens, turns: a.turns + b.turns };
}

/** Numbers come from servers: what is none counts as nothing. */
function counted(value: unknown): number {
  return typeof value === 'number' && Number.isFinite(value) && value > 0 ? value : 0;
}

function ofCost(cost: number): BudgetStop {
  return { limit: 'cost', message: `Reached the budget of $${cost}.`, next: 'Raise --max-cost to go on.' };
}

function ofTokens(tokens: number): BudgetStop {
  return { limit: 'tokens', message: `Reached the budget of ${tokens} tokens.`, next: 'Raise --max-tokens to go on.' };
}

function ofTurns(turns: number): BudgetStop {
  return { limit: 'turns', message: `Reached the budget of ${turns} model calls.`, next: 'Allow more calls to go on.' };
}

function ofTime(timeMs: number): BudgetStop {
  const message = `Reached the time limit of ${Number((timeMs / 1000).toFixed(1))} s.`;
  return { limit: 'timeMs', message, next: 'Raise --max-time to go on.' };
}

function ofDepth(depth: number): BudgetStop {
  return {
    limit: 'depth',
    message: `Subagents may be at most ${depth} deep.`,
    next: 'Do the work here instead of handing it on.',
  };
}
