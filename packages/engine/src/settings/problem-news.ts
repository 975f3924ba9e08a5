import { type ConfigProblem, problemText } from '@black-ide/protocol';

/** Keeps what a person was told of faulty configuration, so that each fault is told once, and again when it comes back. */
export class ProblemNews {
  #told: ReadonlySet<string> = new Set();

  /** Those of the problems that there are now that were not there when it was asked last, in words. */
  of(problems: readonly ConfigProblem[]): string[] {
    const now = new Set(problems.map(problemText));
    const fresh = [...now].filter((text) => !this.#told.has(text));
    this.#told = now;
    return fresh;
  }
}
