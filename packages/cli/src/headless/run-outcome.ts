import {
  type EngineError,
  isRecord,
  openRequests,
  type Request,
  type TaskEnd,
  type TaskOutcome,
  timeline,
  type View,
  type ViewItem,
} from '@black-ide/protocol';
import { EXIT } from '../failure.ts';

/** How a task ended, as a script sees it. */
export interface RunOutcome {
  outcome: TaskOutcome;
  exitCode: number;
  /** The final answer; empty unless the task was completed. */
  result: string;
  /** Why it is not done. */
  error?: EngineError;
  /** What a person should know of an answer all the same, e.g. that it was cut short. */
  note?: string;
  /** The questions that wait for an answer. */
  requests: Request[];
}

const EXIT_CODES: Readonly<Record<TaskOutcome, number>> = {
  completed: EXIT.done,
  failed: EXIT.failed,
  cancelled: EXIT.cancelled,
  needs_approval: EXIT.needsApproval,
  limit: EXIT.limit,
  budget: EXIT.limit,
};

/**
 * What the view says of the task that ran since it held `since` items. What the log does not tell comes as facts:
 * whether this program cancelled the task, and whether the engine gave up.
 */
export function runOutcome(
  view: View,
  since: number,
  facts: { cancelled: boolean; engineError?: EngineError | undefined },
): RunOutcome {
  const fresh = new Set(view.items.slice(since));
  const last = timeline(view).findLast(
    (item) => fresh.has(item) && (item.kind === 'taskEnd' || item.kind === 'taskStart'),
  );
  if (last?.kind === 'taskEnd') return withTrust(ofEnd(last.end, openRequests(view)), untrustedCalls(fresh));
  if (facts.engineError) return failed(facts.engineError);
  if (facts.cancelled) return ofEnd({ outcome: 'cancelled', message: 'The task was cancelled.' }, []);
  const requests = openRequests(view);
  const asked = requests.at(-1);
  if (asked) {
    const outcome = asked.kind === 'loop_limit' ? 'limit' : 'needs_approval';
    return {
      outcome,
      exitCode: EXIT_CODES[outcome],
      result: '',
      error: { code: asked.kind, message: asked.title },
      requests,
    };
  }
  return failed({
    code: 'no_outcome',
    message: 'The task stopped without saying how it ended.',
    next: `black sessions show ${view.sessionId} shows how far it came; black -p -c "go on" goes on.`,
  });
}

/** The tools whose calls were refused because the folder is not trusted. */
function untrustedCalls(items: Iterable<ViewItem>): string[] {
  const refused = [...items].flatMap((item) =>
    item.kind === 'toolResult' && isRecord(item.details) && item.details.untrusted === true ? [item.name] : [],
  );
  return [...new Set(refused)];
}

/** A task that is done but for what trust would have allowed is not done: a script must see that (IDE-67). */
function withTrust(outcome: RunOutcome, refused: readonly string[]): RunOutcome {
  if (refused.length === 0 || outcome.exitCode !== EXIT.done) return outcome;
  const error = {
    code: 'untrusted',
    message: `Refused, because this folder is not trusted: ${refused.join(', ')}.`,
    next: 'Trust it for one run with --trust, or for good: black trust.',
  };
  return { ...outcome, exitCode: EXIT.needsApproval, error };
}

function ofEnd(end: TaskEnd, open: Request[]): RunOutcome {
  const { outcome, message, code, next } = end;
  if (outcome === 'completed') {
    return { outcome, exitCode: EXIT.done, result: message, ...(next ? { note: next } : {}), requests: [] };
  }
  // Who rejects a plan has got what they asked for.
  if (code === 'plan_rejected') return { outcome, exitCode: EXIT.done, result: '', note: message, requests: [] };
  const requests = outcome === 'limit' || outcome === 'needs_approval' ? open : [];
  const error = { code: code ?? outcome, message, ...(next ? { next } : {}) };
  return { outcome, exitCode: EXIT_CODES[outcome] ?? EXIT.failed, result: '', error, requests };
}

/** The outcome of a task that an error kept from running. */
export function failed(error: EngineError): RunOutcome {
  return { outcome: 'failed', exitCode: EXIT.failed, result: '', error, requests: [] };
}
