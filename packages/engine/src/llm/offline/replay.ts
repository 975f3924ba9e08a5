import { callKey, type PastCall, type PastOutcome } from './conversation.ts';
import type { Call, Outcome, Plan } from './plan.ts';

/** What the model says next. */
export type Step = { calls: Call[] } | { answer: string };

/** A call whose result was lost this often is given up. */
const MAX_TRIES = 3;

/**
 * Runs a plan from its beginning against the calls that were made already, up to the first that were not: those are the
 * next step. The state of a task is thus nothing but its log, and a killed session goes on where it stood.
 * @param past the calls made for the request so far, in their order.
 */
export function replay(plan: Plan, past: readonly PastCall[]): Step {
  const waiting = new Map<string, PastCall[]>();
  for (const call of past) {
    const known = waiting.get(call.key);
    if (known) known.push(call);
    else waiting.set(call.key, [call]);
  }
  for (let next = plan.next(); ; ) {
    if (next.done) return { answer: next.value };
    const outcomes = next.value.map((call) => takeOutcome(call, waiting.get(callKey(call.name, call.args)) ?? []));
    const missing = next.value.filter((_, at) => outcomes[at] === undefined);
    if (missing.length > 0) return { calls: missing };
    next = plan.next(outcomes.filter((outcome) => outcome !== undefined));
  }
}

/**
 * The outcome of the next past call with the same arguments. One that tells nothing (never run, cut from the context,
 * or interrupted where repeating does no harm) is passed over, so that the call is made again.
 */
function takeOutcome(call: Call, past: PastCall[]): Outcome | undefined {
  for (let tries = 1; past.length > 0; tries++) {
    const outcome = past.shift()!.outcome ?? { state: 'lost', text: 'It was interrupted.' };
    if (tells(outcome, call)) return { state: outcome.state, text: outcome.text };
    if (tries >= MAX_TRIES) return { state: 'failed', text: whyNothing(outcome) };
  }
  return undefined;
}

function tells(outcome: PastOutcome, call: Call): outcome is Outcome {
  if (outcome.state === 'unstarted') return false;
  if (outcome.state === 'dropped') return call.name === 'edit_file';
  return outcome.state !== 'lost' || call.name === 'edit_file';
}

function whyNothing(outcome: PastOutcome): string {
  return outcome.state === 'dropped' ? 'Its result was cut from the context each time.' : outcome.text;
}
