import {
  type AssistantMessage,
  type CompactionDetails,
  type CompactionEntry,
  type CompactionReason,
  type EngineError,
  isRecord,
  type NewEntry,
} from '@black-ide/protocol';
import type { CompactionHooks, CompactionNotice } from '../context/compaction/compaction-hooks.ts';
import { fileListsText } from '../context/compaction/file-lists.ts';
import { mechanicalSummary, shortened } from '../context/compaction/mechanical-summary.ts';
import { type CompactionPlan, planCompaction } from '../context/compaction/plan-compaction.ts';
import { SUMMARY_TOKENS, summaryOf, summaryRequest } from '../context/compaction/summarise.ts';
import { estimateTokens, TokenMeter } from '../context/tokens.ts';
import type { Clock } from '../engine-api.ts';
import { PROVIDERS } from '../llm/constants.ts';
import type { ResolvedModel } from '../llm/model.ts';
import { streamTurn } from '../llm/stream-turn.ts';
import { callModel } from './call-model.ts';
import type { BudgetStop, RunBudget } from './run-budget.ts';
import { appendCustom, type SessionPort } from './session-port.ts';

export interface CompactionParts {
  port: SessionPort;
  model: ResolvedModel;
  budget: RunBudget;
  hooks: CompactionHooks;
  clock: Clock;
  random: () => number;
}

export interface CompactionWish {
  reason: CompactionReason;
  instructions?: string;
  /** Tokens that messages may take. */
  messageBudget: number;
  /** How much larger the provider's count is than our estimate; 1 where nothing is known. */
  scale?: number;
}

export type CompactionOutcome =
  | { kind: 'done'; entry: CompactionEntry; tokensBefore: number; tokensAfter: number }
  /** There is nothing that could be replaced. */
  | { kind: 'nothing' }
  | { kind: 'aborted' }
  | { kind: 'budget'; stop: BudgetStop }
  | { kind: 'failed'; error: EngineError };

/** What is kept word for word, and how much of a small window, or of a conversation that must become shorter, at most. */
const KEEP_TOKENS = 20_000;
const KEEP_OF_WINDOW = 0.2;
const KEEP_OF_CONVERSATION = 0.3;
/** What must be replaced at least near the limit, of the room for messages. */
const WORTH_IT = 0.1;
/** A summary takes at most this part of the room for messages, and of what it replaces. */
const SUMMARY_OF_WINDOW = 0.15;
const SUMMARY_OF_REPLACED = 0.7;

interface Summary {
  text: string;
  by: CompactionDetails['by'];
  details?: unknown;
  /** What it cost, where a model was asked. */
  answer?: AssistantMessage;
}

/**
 * Condenses the conversation of a path (SES-17): plans the cut, asks listeners, has the older part summarised, and
 * appends one entry. Until that entry nothing is changed: a crash on the way leaves the session as it was. What was
 * asked for and did not come about automatically is logged, so that it is not tried without end.
 */
export async function compact(
  parts: CompactionParts,
  wish: CompactionWish,
  signal: AbortSignal,
): Promise<CompactionOutcome> {
  const { port } = parts;
  port.emit({ type: 'CompactingChanged', reason: wish.reason });
  let outcome: CompactionOutcome;
  try {
    outcome = await tryCompact(parts, wish, signal);
  } catch (cause) {
    if (signal.aborted) outcome = { kind: 'aborted' };
    else throw cause;
  } finally {
    port.emit({ type: 'CompactingChanged' });
  }
  if (outcome.kind === 'failed') {
    const { code, message } = outcome.error;
    appendCustom(port, 'compaction_failed', { reason: wish.reason, code, message });
  }
  return outcome;
}

async function tryCompact(
  parts: CompactionParts,
  wish: CompactionWish,
  signal: AbortSignal,
): Promise<CompactionOutcome> {
  const { port, hooks, model } = parts;
  const plan = planFor(port, model, wish);
  if (!plan || isPointless(plan, wish)) return { kind: 'nothing' };
  const { reason, instructions } = wish;
  const notice: CompactionNotice = { sessionId: port.id, reason, plan, ...(instructions ? { instructions } : {}) };
  const answer = await hooks.before(notice, signal);
  if (signal.aborted) return { kind: 'aborted' };
  if (answer && 'cancel' in answer) {
    return failed('compaction_refused', answer.why ?? 'An extension refused to condense the conversation.');
  }
  const most = Math.floor(
    Math.min(SUMMARY_TOKENS, plan.tokensReplaced * SUMMARY_OF_REPLACED, wish.messageBudget * SUMMARY_OF_WINDOW),
  );
  const summary: Summary | CompactionOutcome = answer
    ? { text: answer.summary, by: 'extension', details: answer.details }
    : model.provider === PROVIDERS.offline
      ? { text: mechanicalSummary(plan, most), by: 'mechanical' }
      : await askForSummary(parts, plan, most, notice, signal);
  if ('kind' in summary) return summary;
  return record(parts, wish, plan, bounded(summary, plan, most));
}

/** Near the limit a summary of little would be asked for again at once. */
function isPointless(
  { tokensReplaced }: CompactionPlan,
  { reason, messageBudget, scale = 1 }: CompactionWish,
): boolean {
  return reason === 'threshold' && tokensReplaced * scale < messageBudget * WORTH_IT;
}

function planFor(port: SessionPort, model: ResolvedModel, { reason, messageBudget, scale = 1 }: CompactionWish) {
  const meter = new TokenMeter();
  // The offline model reads its task from the person's own words: they must stay with what followed them.
  const borders = model.provider === PROVIDERS.offline ? 'user' : 'any';
  const room = Math.min(KEEP_TOKENS, messageBudget * KEEP_OF_WINDOW) / scale;
  const plan = planCompaction(port.path(), room, meter, borders);
  if (reason === 'threshold') return plan;
  // Asked for, or over a limit that we did not know of: what the conversation itself is long counts.
  const total = plan?.tokensBefore ?? planCompaction(port.path(), 0, meter, borders)?.tokensBefore ?? 0;
  const keep = Math.min(room, total * KEEP_OF_CONVERSATION);
  return keep < room ? planCompaction(port.path(), keep, meter, borders) : plan;
}

async function askForSummary(
  parts: CompactionParts,
  plan: CompactionPlan,
  maxTokens: number,
  notice: CompactionNotice,
  signal: AbortSignal,
): Promise<Summary | CompactionOutcome> {
  const { model, clock, hooks } = parts;
  const { instructions } = notice;
  const wish = { context: hooks.compacting(notice), maxTokens, ...(instructions ? { instructions } : {}) };
  const request = summaryRequest(plan, model, wish, signal);
  const silent = { onText: () => undefined, onThinking: () => undefined };
  const tokens = estimateTokens(JSON.stringify(request.prompt));
  const called = await callModel(parts, tokens, signal, () => streamTurn(model, request, silent, () => clock.now()));
  if ('stop' in called) return { kind: 'budget', stop: called.stop };
  if (called.ok) return { text: summaryOf(called.message), by: 'model', answer: called.message };
  if (called.failure.kind === 'aborted') return { kind: 'aborted' };
  // Not even the record fits: what can be said without a model is better than standing still.
  if (called.failure.kind === 'overflow') return { text: mechanicalSummary(plan, maxTokens), by: 'mechanical' };
  return { kind: 'failed', error: called.failure.error };
}

/**
 * A summary must be smaller than what it replaces. One that is empty, that was cut off, or that is much too long gives
 * way to a mechanical one.
 */
function bounded(summary: Summary, plan: CompactionPlan, most: number): Summary {
  const { text, by, answer } = summary;
  const appendix = by === 'mechanical' ? '' : appendixOf(plan, most / 3);
  const whole = `${text}\n\n${appendix}`.trim();
  if (text.trim() !== '' && answer?.stopReason !== 'length' && estimateTokens(whole) <= most) {
    return { ...summary, text: whole };
  }
  if (text.trim() !== '' && estimateTokens(text) < most * 2) return { ...summary, text: shortened(whole, most) };
  return { ...summary, text: mechanicalSummary(plan, most), by: 'mechanical' };
}

/** What no summary may leave out: the request that is being worked on, and the files. */
function appendixOf({ request, files }: CompactionPlan, maxTokens: number): string {
  const asked =
    request === undefined ? '' : `The newest request, word for word:\n\n${shortened(request, maxTokens / 2)}`;
  return [asked, shortened(fileListsText(files), maxTokens / 2)].filter((part) => part !== '').join('\n\n');
}

function record(
  { port, hooks, model }: CompactionParts,
  { reason }: CompactionWish,
  plan: CompactionPlan,
  { text, by, details, answer }: Summary,
): CompactionOutcome {
  const after = estimateTokens(text);
  const cost = answer ? { usage: answer.usage, provider: model.provider, model: model.modelId } : {};
  const added: NewEntry = {
    type: 'compaction',
    summary: text,
    firstKeptEntryId: plan.firstKeptEntryId,
    tokensBefore: plan.tokensBefore,
    details: { ...(isRecord(details) ? details : {}), ...plan.files, reason, by } satisfies CompactionDetails,
    ...(by === 'extension' ? { fromExtension: true } : {}),
    ...cost,
  };
  if (text.trim() === '' || after >= plan.tokensReplaced) {
    return failed(
      'summary_too_large',
      'The summary would not be smaller than what it replaces.',
      reason === 'manual'
        ? 'There is little to sum up yet.'
        : 'Start a new session, or choose a model with a larger context.',
    );
  }
  const entry = port.append(added) as CompactionEntry;
  hooks.done(port.id, entry, by === 'extension');
  return {
    kind: 'done',
    entry,
    tokensBefore: plan.tokensBefore,
    tokensAfter: plan.tokensBefore - plan.tokensReplaced + after,
  };
}

function failed(code: string, message: string, next?: string): CompactionOutcome {
  return { kind: 'failed', error: { code, message, ...(next ? { next } : {}) } };
}
