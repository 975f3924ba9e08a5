import type { LanguageModelV4CallOptions } from '@ai-sdk/provider';
import { type AssistantMessage, type Entry, type TaskEnd, textOf } from '@black-ide/protocol';
import type { ContextManager, PlacedMessage } from '../context/context-manager.ts';
import { estimateTokens } from '../context/tokens.ts';
import type { Clock } from '../engine-api.ts';
import { answerTokens, type ResolvedModel } from '../llm/model.ts';
import { streamTurn } from '../llm/stream-turn.ts';
import type { PromptConverter } from '../llm/to-prompt.ts';
import type { Mode } from '../modes/mode.ts';
import { repeatedFailure } from './repeated-failures.ts';
import { withRetries } from './retry.ts';
import { appendCustom, isCancelled, type SessionPort } from './session-port.ts';
import { declined, openCalls, taskState } from './task-state.ts';
import type { ToolRunner } from './tool-runner.ts';

export interface LoopParts {
  port: SessionPort;
  model: ResolvedModel;
  converter: PromptConverter;
  mode: Mode;
  system: string;
  tools: NonNullable<LanguageModelV4CallOptions['tools']>;
  /** What every request of the task says beside its conversation: thinking, caching. */
  options: Pick<LanguageModelV4CallOptions, 'reasoning' | 'providerOptions'>;
  runner: Pick<ToolRunner<never>, 'run' | 'closeAll'>;
  context: ContextManager;
  /** The conversation of the path, and the cuts recorded on it. */
  conversation(): { placed: PlacedMessage[]; cuts: ReadonlyMap<string, string> };
  clock: Clock;
  random: () => number;
  /** US dollars; absent: no ceiling. */
  maxCost?: number;
}

/** Undefined: the task stands still with a question open. */
export type LoopOutcome = TaskEnd | undefined;

/**
 * The agent loop (IDE-13): fit the context, stream the model, run its calls, append the results, repeat. It keeps no
 * state of its own: every step is derived from the log, so that it can begin in the middle of a task that was killed.
 */
export async function runAgentLoop(parts: LoopParts, signal: AbortSignal): Promise<LoopOutcome> {
  const { port, mode, runner } = parts;
  const budget = messageBudget(parts);
  for (;;) {
    const open = openCalls(port.path());
    if (open.length > 0) {
      const outcome = await runner.run(open, mode, port, signal);
      if (outcome.kind === 'waiting') return undefined;
      if (outcome.kind === 'ended') return { outcome: outcome.outcome, message: outcome.message };
    }
    if (signal.aborted) return CANCELLED;
    const stop = await checkpoint(parts, signal);
    if (stop === 'asked') continue;
    if (stop) return stop === 'waiting' ? undefined : stop;
    deliverQueued(port, parts.clock);

    const answer = await askModel(parts, budget, signal);
    if ('outcome' in answer) return answer;
    if (answer.content.some((block) => block.type === 'toolCall')) continue;
    if (deliverQueued(port, parts.clock)) continue;
    return finalAnswer(answer);
  }
}

const CANCELLED: TaskEnd = { outcome: 'cancelled', message: 'Cancelled.', code: 'cancelled' };

/**
 * What comes up between two turns: an answer that said stop, the money, a call that fails again and again, the ceiling.
 * `asked` means that a question was answered just now and the log has to be read anew.
 */
async function checkpoint(parts: LoopParts, signal: AbortSignal): Promise<TaskEnd | 'waiting' | 'asked' | undefined> {
  const { port, maxCost } = parts;
  const path = port.path();
  const state = taskState(path);
  if (!state) return undefined;
  if (declined(path)) return stopped(path, state.limit);
  if (maxCost !== undefined && state.cost >= maxCost) {
    const next = 'Raise --max-cost to go on.';
    return { outcome: 'budget', message: `Reached the budget of $${maxCost}.`, code: 'budget', next };
  }
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
        message: `Stopped: \`${failure.name}\` failed three times in the same way: ${failure.error}`,
        code: 'repeated_failure',
      }
    : { outcome: 'limit', message: `Reached the maximum of ${limit} tool iterations.`, code: 'limit' };
}

async function askModel(parts: LoopParts, budget: number, signal: AbortSignal): Promise<AssistantMessage | TaskEnd> {
  const { port, model, clock } = parts;
  const { placed, cuts } = parts.conversation();
  const fitted = parts.context.fit(placed, budget, cuts);
  if (fitted.cuts.length > 0) appendCustom(port, 'cut', { cuts: fitted.cuts });
  const options: LanguageModelV4CallOptions = {
    prompt: parts.converter.convert(parts.system, fitted.messages),
    tools: parts.tools,
    abortSignal: signal,
    ...parts.options,
    ...(model.api === 'anthropic-messages' ? { maxOutputTokens: answerTokens(model.info) } : {}),
  };
  const listener = {
    onText: (text: string) => port.emit({ type: 'TextDelta', text }),
    onThinking: (text: string) => port.emit({ type: 'ThinkingDelta', text }),
  };
  const outcome = await withRetries(
    () => streamTurn(model, options, listener, () => clock.now()),
    clock,
    signal,
    parts.random,
    ({ attempt, delayMs, reason }) => port.emit({ type: 'RetryScheduled', attempt, delayMs, reason }),
  );
  if (outcome.ok) {
    port.append({ type: 'message', message: outcome.message });
    return outcome.message;
  }
  if (outcome.partial.content.length > 0) port.append({ type: 'message', message: outcome.partial });
  return outcome.failure.kind === 'aborted' ? CANCELLED : { outcome: 'failed', ...outcome.failure.error };
}

/** Tokens left for messages: the window less the answer, the system prompt, the tools, and a margin for the estimate. */
export function messageBudget({ model, system, tools }: Pick<LoopParts, 'model' | 'system' | 'tools'>): number {
  const { contextWindow } = model.info;
  const answer = answerTokens(model.info);
  const fixed = estimateTokens(system) + estimateTokens(JSON.stringify(tools));
  return Math.max(1_000, Math.floor((contextWindow - answer - fixed) * 0.95));
}

/** Appends what was sent meanwhile; it steers the next turn (IDE-21). */
function deliverQueued(port: SessionPort, clock: Clock): boolean {
  const queued = port.takeQueued();
  for (const { text, images } of queued) {
    const content = images?.length ? [{ type: 'text' as const, text }, ...images] : text;
    port.append({ type: 'message', message: { role: 'user', content, timestamp: clock.now() } });
  }
  return queued.length > 0;
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
  return message.trim() === ''
    ? {
        outcome: 'failed',
        message: 'The model answered nothing.',
        code: 'empty_answer',
        next: 'Ask again, or choose another model.',
      }
    : { outcome: 'completed', message };
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

function repeatedFailureRequest({ name, error }: { name: string; error: string }) {
  return {
    kind: 'repeated_failure' as const,
    title: `\`${name}\` failed three times in the same way. Go on?`,
    payload: { name, error },
    options: [
      { value: 'continue', label: 'Go on' },
      { value: 'stop', label: 'Stop here' },
    ],
    default: 'stop',
  };
}
