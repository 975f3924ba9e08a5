import { type AssistantMessage, type Entry, type TaskEnd, textOf } from '@black-ide/protocol';
import { askModel } from './ask-model.ts';
import { deliverQueued } from './deliver-queued.ts';
import { endOf, type LoopParts, roomOf } from './loop-parts.ts';
import { nudge } from './nudges.ts';
import { type RepeatedFailure, repeatedFailure } from './repeated-failures.ts';
import { budgetEnd } from './run-budget.ts';
import { isCancelled } from './session-port.ts';
import { declined, openCalls, taskState } from './task-state.ts';

/** Undefined: the task stands still with a question open. */
export type LoopOutcome = TaskEnd | undefined;

/**
 * The agent loop (IDE-13): fit the context, stream the model, run its calls, append the results, repeat. It keeps no
 * state of its own: every step is derived from the log, so that it can begin in the middle of a task that was killed.
 */
export async function runAgentLoop(parts: LoopParts, signal: AbortSignal): Promise<LoopOutcome> {
  const { port, mode, runner } = parts;
  const room = roomOf(parts);
  for (;;) {
    const open = openCalls(port.path());
    if (open.length > 0) {
      const outcome = await runner.run(open, mode, port, signal);
      if (outcome.kind === 'waiting') return undefined;
      if (outcome.kind === 'ended') return { outcome: outcome.outcome, message: outcome.message };
    }
    if (signal.aborted) return endOf(signal);
    const stop = await checkpoint(parts, signal);
    if (stop === 'asked') continue;
    if (stop) return stop === 'waiting' ? undefined : stop;
    deliverQueued(port, parts.clock);

    const answer = await askModel(parts, room, signal);
    if ('outcome' in answer) return answer;
    if (answer.content.some((block) => block.type === 'toolCall')) continue;
    if (deliverQueued(port, parts.clock)) continue;
    const amiss = nudge(answer, parts.tools, port);
    if (amiss === 'nudged') continue;
    return amiss ?? finalAnswer(answer);
  }
}

/**
 * What comes up between two turns: an answer that said stop, the money, a call that fails again and again, the ceiling.
 * `asked` means that a question was answered just now and the log has to be read anew.
 */
async function checkpoint(parts: LoopParts, signal: AbortSignal): Promise<TaskEnd | 'waiting' | 'asked' | undefined> {
  const { port, budget } = parts;
  const path = port.path();
  const state = taskState(path);
  if (!state) return undefined;
  if (declined(path)) return stopped(path, state.limit);
  const spent = budget.exceeded();
  if (spent) return budgetEnd(spent);
  const failure = repeatedFailure(path);
  const question = failure
    ? repeatedFailureRequest(failure)
    : state.iterations >= state.limit
      ? loopLimitRequest(state.limit)
      : undefined;
  if (!question) return undefined;
  const response = await port.ask(question, signal);
  return response || isCancelled(signal) ? 'asked' : 'waiting';
}

/** The end after a person, or the policy in their place, said stop. */
function stopped(path: readonly Entry[], limit: number): TaskEnd {
  const failure = repeatedFailure(path);
  return failure
    ? {
        outcome: 'failed',
        message: `Stopped: ${failure.what}: ${failure.error}`,
        code: 'repeated_failure',
      }
    : { outcome: 'limit', message: `Reached the maximum of ${limit} tool iterations.`, code: 'limit' };
}

function finalAnswer(answer: AssistantMessage): TaskEnd {
  const message = textOf(answer.content);
  if (answer.stopReason === 'length') {
    return {
      outcome: 'completed',
      message,
      code: 'cut_short',
      next: 'The answer reached the model’s length limit; say “go on”.',
    };
  }
  return { outcome: 'completed', message };
}

function loopLimitRequest(limit: number) {
  return {
    kind: 'loop_limit' as const,
    title: `Reached the maximum of ${limit} tool iterations.`,
    payload: { limit },
    options: [
      { value: 'continue', label: 'Go on' },
      { value: 'stop', label: 'Stop here' },
    ],
    default: 'stop',
  };
}

function repeatedFailureRequest({ name, what, error }: RepeatedFailure) {
  return {
    kind: 'repeated_failure' as const,
    title: `${what}. Go on?`,
    payload: { name, error },
    options: [
      { value: 'continue', label: 'Go on' },
      { value: 'stop', label: 'Stop here' },
    ],
    default: 'stop',
  };
}
