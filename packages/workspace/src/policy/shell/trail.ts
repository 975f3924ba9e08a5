import type { Fact } from './facts.ts';
import { TooComplex } from './too-complex.ts';

/** More steps are not followed, nor deeper calls. */
const MAX_STEPS = 700;
const MAX_DEPTH = 24;

/** What was met on the way through a line, and how far the way may go. */
export class Trail {
  readonly facts: Fact[] = [];
  #steps = 0;
  #depth = 0;

  record(...facts: readonly Fact[]): void {
    this.facts.push(...facts);
  }

  /** Notes something that cannot be shown to be harmless. */
  construct(what: string, source: string): void {
    this.facts.push({ kind: 'construct', what, source });
  }

  /** @throws TooComplex */
  step(): void {
    this.#steps += 1;
    if (this.#steps > MAX_STEPS) throw new TooComplex();
  }

  /** Follows something inside of what is being followed. @throws TooComplex */
  deeper<T>(follow: () => T): T {
    if (this.#depth >= MAX_DEPTH) throw new TooComplex();
    this.#depth += 1;
    try {
      return follow();
    } finally {
      this.#depth -= 1;
    }
  }
}
