import type { LanguageModelV4CallOptions } from '@ai-sdk/provider';
import { type AssistantMessage, textOf } from '@black-ide/protocol';
import { readAsset } from '@black-ide/workspace';
import type { ResolvedModel } from '../../llm/model.ts';
import type { CompactionPlan } from './plan-compaction.ts';
import { clipped, serialise } from './serialise.ts';

/** A summary is never asked to be longer. */
export const SUMMARY_TOKENS = 8_000;

export interface SummaryWish {
  instructions?: string;
  /** Lines that listeners of `session.compacting` add. */
  context: readonly string[];
  /** Tokens that the summary may have. */
  maxTokens: number;
}

/** The request for a summary: the conversation is text inside one message, so that the model does not go on with it. */
export function summaryRequest(
  plan: CompactionPlan,
  model: ResolvedModel,
  wish: SummaryWish,
  signal: AbortSignal,
): LanguageModelV4CallOptions {
  const { contextWindow, maxOutput } = model.info;
  const answer = Math.min(maxOutput, SUMMARY_TOKENS, Math.floor(contextWindow / 4));
  const room = Math.max(500, Math.floor((contextWindow - answer) * 0.7) - 1_000);
  const template = readAsset(new URL('../../../prompts/compaction.md', import.meta.url));
  const system = template.replace('{{words}}', String(Math.max(60, Math.floor(wish.maxTokens * 0.5))));
  return {
    prompt: [
      { role: 'system', content: system.trim() },
      { role: 'user', content: [{ type: 'text', text: record(plan, wish, room) }] },
    ],
    abortSignal: signal,
    ...(model.api === 'anthropic-messages' ? { maxOutputTokens: answer } : {}),
  };
}

function record(plan: CompactionPlan, { instructions, context }: SummaryWish, room: number): string {
  const messages = plan.replaced.map(({ message }) => message);
  const earlier = plan.previousSummary ? clipped(plan.previousSummary, room) : '';
  return [
    earlier && `<previous-summary>\n${earlier}\n</previous-summary>`,
    `<conversation>\n${serialise(messages, Math.floor(room * (earlier ? 0.75 : 1)))}\n</conversation>`,
    ...context,
    instructions && `The person asks of this summary: ${instructions}`,
    'Write the summary now.',
  ]
    .filter((part) => part)
    .join('\n\n');
}

/** The text of an answer; some models wrap it. */
export function summaryOf(answer: AssistantMessage): string {
  const text = textOf(answer.content).trim();
  return /^<summary>([\s\S]*)<\/summary>$/.exec(text)?.[1]?.trim() ?? text;
}
