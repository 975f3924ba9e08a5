import type { CompactionEntry, CompactionReason } from '@black-ide/protocol';
import type { CompactionPlan } from './plan-compaction.ts';

/** What listeners are told of a compaction that is about to happen. */
export interface CompactionNotice {
  sessionId: string;
  reason: CompactionReason;
  instructions?: string;
  plan: CompactionPlan;
}

/** The points at which the engine's own parts and extensions take a hand in compactions (SES-17). */
export interface CompactionPoints {
  /** May give it up, or supply the summary so that no model is asked. The first answer counts. */
  session_before_compact(
    notice: CompactionNotice,
    signal: AbortSignal,
  ): Promise<BeforeCompact | undefined> | BeforeCompact | undefined;
  /** May add lines that the summary has to take into account; those of all listeners are joined. */
  'session.compacting'(notice: CompactionNotice): { context: string[] } | undefined;
  /** It is in the log. */
  session_compact(done: { sessionId: string; entry: CompactionEntry; fromExtension: boolean }): undefined;
}

export type BeforeCompact = { cancel: true; why?: string } | { summary: string; details?: unknown };

/** Who listens at which point. A listener that throws makes the compaction fail with its words. */
export class CompactionHooks {
  readonly #listeners: { [P in keyof CompactionPoints]: Set<CompactionPoints[P]> } = {
    session_before_compact: new Set(),
    'session.compacting': new Set(),
    session_compact: new Set(),
  };

  /** Answers the call that ends it. */
  on<P extends keyof CompactionPoints>(point: P, listener: CompactionPoints[P]): () => void {
    this.#listeners[point].add(listener);
    return () => this.#listeners[point].delete(listener);
  }

  async before(notice: CompactionNotice, signal: AbortSignal): Promise<BeforeCompact | undefined> {
    for (const listener of this.#listeners.session_before_compact) {
      const answer = await listener(notice, signal);
      if (answer) return answer;
    }
    return undefined;
  }

  compacting(notice: CompactionNotice): string[] {
    return [...this.#listeners['session.compacting']].flatMap((listener) => listener(notice)?.context ?? []);
  }

  done(sessionId: string, entry: CompactionEntry, fromExtension: boolean): void {
    for (const listener of this.#listeners.session_compact) listener({ sessionId, entry, fromExtension });
  }
}
