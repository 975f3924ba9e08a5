import type { LanguageModelV4CallOptions } from '@ai-sdk/provider';
import type { TaskEnd } from '@black-ide/protocol';
import type { CompactionHooks } from '../context/compaction/compaction-hooks.ts';
import type { ContextManager, PlacedMessage } from '../context/context-manager.ts';
import { estimateTokens } from '../context/tokens.ts';
import type { Clock } from '../engine-api.ts';
import { answerTokens, type ResolvedModel } from '../llm/model.ts';
import type { PromptConverter } from '../llm/to-prompt.ts';
import type { Mode } from '../modes/mode.ts';
import type { RunBudget } from './run-budget.ts';
import type { SessionPort } from './session-port.ts';
import type { ToolRunner } from './tool-runner.ts';

/** What the agent loop works with. */
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
  budget: RunBudget;
  hooks: CompactionHooks;
}

/** How a model's window is shared out, in tokens. */
export interface Room {
  /** For messages: the window less the answer, the system prompt, the tools, and a margin for the estimate. */
  messages: number;
  /** For what every request carries: the system prompt and the tools. */
  fixed: number;
}

export function roomOf({ model, system, tools }: Pick<LoopParts, 'model' | 'system' | 'tools'>): Room {
  const { contextWindow } = model.info;
  const answer = answerTokens(model.info);
  const fixed = estimateTokens(system) + estimateTokens(JSON.stringify(tools));
  return { messages: Math.max(1_000, Math.floor((contextWindow - answer - fixed) * 0.95)), fixed };
}

/** The end of a run that was stopped from outside: by a person, or because its time was up. */
export function endOf(signal: AbortSignal): TaskEnd {
  const reason = signal.reason as { code?: unknown; message?: unknown } | undefined;
  return reason?.code === 'budget'
    ? { outcome: 'budget', message: String(reason.message), code: 'budget', next: 'Raise --max-time to go on.' }
    : { outcome: 'cancelled', message: 'Cancelled.', code: 'cancelled' };
}
