import type { LanguageModelV4CallOptions } from '@ai-sdk/provider';
import { type AssistantMessage, customData, type Entry, type MessageEntry, type TaskEnd } from '@black-ide/protocol';
import { compactionsInARow, failuresInARow, MAX_IN_A_ROW } from '../context/compaction/plan-compaction.ts';
import type { Cut } from '../context/context-manager.ts';
import { contextSize } from '../context/context-size.ts';
import { answerTokens } from '../llm/model.ts';
import { streamTurn, type TurnOutcome } from '../llm/stream-turn.ts';
import type { LlmMessage } from '../llm/to-prompt.ts';
import { callModel } from './call-model.ts';
import { type CompactionOutcome, compact } from './compact.ts';
import { deliverQueued } from './deliver-queued.ts';
import { endOf, type LoopParts, type Room } from './loop-parts.ts';
import { type BudgetStop, budgetEnd } from './run-budget.ts';
import { appendCustom } from './session-port.ts';

/** From this part of the room on the conversation is condensed (SES-17). */
const NEAR = 0.9;
/** Where our own estimate is below this part of it, the provider's count alone condenses once, not again and again. */
const DOUBTFUL = 0.5;
/** After an overflow the next try is at most this part of the one that was refused. */
const AFTER_OVERFLOW = 0.5;

/**
 * One turn of the model: room is made where it is needed, the conversation is fitted, and an overflow that the provider
 * tells us of is answered by a compaction and one more try (IDE-20). The answer is in the log when this returns.
 */
export async function askModel(parts: LoopParts, room: Room, signal: AbortSignal): Promise<AssistantMessage | TaskEnd> {
  const { port } = parts;
  const stop = await compactAsAsked(parts, room, signal);
  if (stop) return stop;
  deliverQueued(port, parts.clock);
  const ready = await makeRoom(parts, room, signal);
  if ('outcome' in ready) return ready;
  let outcome = await call(parts, ready, room, signal);
  if (overflowOf(outcome) !== undefined) {
    const end = await compactAfterOverflow(parts, room, signal);
    if (end) return end;
    outcome = await call(parts, fit(parts, Math.floor(ready.tokens * AFTER_OVERFLOW), room), room, signal);
    const again = overflowOf(outcome);
    if (again !== undefined) return tooLong(again);
  }
  if ('stop' in outcome) return budgetEnd(outcome.stop);
  if (outcome.ok) {
    port.append({ type: 'message', message: outcome.message });
    return outcome.message;
  }
  if (outcome.partial.content.length > 0) port.append({ type: 'message', message: outcome.partial });
  return outcome.failure.kind === 'aborted' ? endOf(signal) : { outcome: 'failed', ...outcome.failure.error };
}

type Called = TurnOutcome | { stop: BudgetStop };

/** What the provider said where the request was too long for its model. */
function overflowOf(outcome: Called): string | undefined {
  const overflown = !('stop' in outcome) && !outcome.ok && outcome.failure.kind === 'overflow';
  return overflown ? outcome.failure.error.message : undefined;
}

/** What is sent: the messages, and an estimate of their tokens. */
interface Fitting {
  messages: LlmMessage[];
  tokens: number;
}

function call(parts: LoopParts, { messages }: Fitting, room: Room, signal: AbortSignal): Promise<Called> {
  const { port, model, clock } = parts;
  const options: LanguageModelV4CallOptions = {
    prompt: parts.converter.convert(parts.system, messages),
    tools: parts.tools,
    abortSignal: signal,
    ...parts.options,
    ...(model.api === 'anthropic-messages' ? { maxOutputTokens: answerTokens(model.info) } : {}),
  };
  const listener = {
    onText: (text: string) => port.emit({ type: 'TextDelta', text }),
    onThinking: (text: string) => port.emit({ type: 'ThinkingDelta', text }),
  };
  const size = sizeOf(parts, messages, room);
  return callModel(parts, size, signal, () => streamTurn(model, options, listener, () => clock.now()));
}

/** The conversation inside a budget; new cuts are logged, so that a resumed session sends the same bytes. */
function fit(parts: LoopParts, budget: number, room: Room): Fitting {
  const { placed, cuts } = parts.conversation();
  const fitted = parts.context.fit(placed, Math.min(budget, room.messages), cuts, room.messages);
  logCuts(parts, fitted.cuts);
  return fitted;
}

function logCuts({ port }: LoopParts, cuts: readonly Cut[]): void {
  if (cuts.length > 0) appendCustom(port, 'cut', { cuts });
}

/** Old results are cut, the conversation is condensed where it comes near the limit, and what is left is fitted. */
async function makeRoom(parts: LoopParts, room: Room, signal: AbortSignal): Promise<Fitting | TaskEnd> {
  const thrifty = economise(parts, room);
  const size = sizeOf(parts, thrifty.messages, room);
  if (size <= (room.messages + room.fixed) * NEAR) return thrifty;
  const end = await compactNearLimit(parts, room, size, thrifty.tokens + room.fixed, signal);
  if (end) return end;
  // What was said while the summary was written steers this turn already.
  deliverQueued(parts.port, parts.clock);
  return fit(parts, room.messages, room);
}

function economise(parts: LoopParts, room: Room): Fitting {
  const { placed, cuts } = parts.conversation();
  const thrifty = parts.context.economise(placed, room.messages, cuts);
  logCuts(parts, thrifty.cuts);
  return thrifty.tokens <= room.messages ? thrifty : fit(parts, room.messages, room);
}

/** What a person asked for while the loop ran. */
async function compactAsAsked(parts: LoopParts, room: Room, signal: AbortSignal): Promise<TaskEnd | undefined> {
  const asked = parts.port.takeCompaction();
  if (!asked) return undefined;
  const outcome = await compact(parts, { reason: 'manual', messageBudget: room.messages, ...asked }, signal);
  if (outcome.kind === 'nothing') tell(parts, 'There is nothing to condense yet.');
  return ended(outcome, parts, signal);
}

/** @param estimate our own idea of the size. */
async function compactNearLimit(
  parts: LoopParts,
  room: Room,
  size: number,
  estimate: number,
  signal: AbortSignal,
): Promise<TaskEnd | undefined> {
  const path = parts.port.path();
  const limit = (room.messages + room.fixed) * NEAR;
  if (estimate < limit * DOUBTFUL && compactedSinceAsked(path)) return undefined;
  // A summary that fails again and again costs as much as one that does not: what `fit` can cut has to do.
  if (failuresInARow(path) >= MAX_IN_A_ROW) return undefined;
  if (compactionsInARow(path) >= MAX_IN_A_ROW) return tooLong('It was condensed twice and is still too long.');
  const scale = Math.max(1, size / Math.max(1, estimate));
  const outcome = await compact(parts, { reason: 'threshold', messageBudget: room.messages, scale }, signal);
  return ended(outcome, parts, signal);
}

async function compactAfterOverflow(parts: LoopParts, room: Room, signal: AbortSignal): Promise<TaskEnd | undefined> {
  if (compactionsInARow(parts.port.path()) >= MAX_IN_A_ROW) {
    return tooLong('It was condensed twice and is still too long.');
  }
  const outcome = await compact(parts, { reason: 'overflow', messageBudget: room.messages }, signal);
  return outcome.kind === 'failed' ? tooLong(outcome.error.message) : ended(outcome, parts, signal);
}

/** The end that a compaction's outcome means; most mean none. */
function ended(outcome: CompactionOutcome, parts: LoopParts, signal: AbortSignal): TaskEnd | undefined {
  switch (outcome.kind) {
    case 'aborted':
      return endOf(signal);
    case 'budget':
      return budgetEnd(outcome.stop);
    case 'failed':
      tell(parts, `The conversation could not be condensed: ${outcome.error.message}`);
      return undefined;
    default:
      return undefined;
  }
}

function tell({ port }: LoopParts, message: string): void {
  port.emit({ type: 'DiagnosticReported', level: 'warning', message });
}

function tooLong(why: string): TaskEnd {
  return {
    outcome: 'failed',
    message: `The conversation is too long for the model: ${why}`,
    code: 'context_overflow',
    next: 'Start a new session and say what it needs to know, or choose a model with a larger context.',
  };
}

function sizeOf(parts: LoopParts, messages: readonly LlmMessage[], { fixed }: Room): number {
  const { contextWindow } = parts.model.info;
  return contextSize(parts.port.path(), messages, fixed, contextWindow, parts.context.meter);
}

/** Whether the conversation was condensed since the person last said something. */
function compactedSinceAsked(path: readonly Entry[]): boolean {
  const last = path.findLast((entry) => entry.type === 'compaction' || isFromPerson(entry) || isTaskStart(entry));
  return last?.type === 'compaction';
}

function isFromPerson(entry: Entry): boolean {
  return entry.type === 'message' && (entry as MessageEntry).message?.role === 'user';
}

function isTaskStart(entry: Entry): boolean {
  return customData(entry, 'task_start') !== undefined;
}
