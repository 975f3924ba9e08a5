import { type AssistantMessage, textOf } from '@black-ide/protocol';
import { estimateTokens } from '../tokens.ts';
import { fileListsText } from './file-lists.ts';
import type { CompactionPlan } from './plan-compaction.ts';
import { clipped } from './serialise.ts';

/** Requests that are told, and the characters of each. */
const REQUESTS = 12;
const REQUEST = 400;
const ANSWER = 1_200;

/**
 * A summary made without a model, in the same sections: what was asked, what was called and what failed, what was
 * answered last, which files were touched. At most so many tokens.
 */
export function mechanicalSummary(plan: CompactionPlan, maxTokens: number): string {
  const text = [
    section('Goal', bullets(requestsOf(plan))),
    section('Progress', bullets(progressOf(plan))),
    section('Critical context', lastAnswer(plan)),
    plan.previousSummary ? section('Before that', shortened(plan.previousSummary, maxTokens * 0.4)) : '',
    fileListsText(plan.files),
  ];
  return shortened(text.filter((part) => part !== '').join('\n\n'), maxTokens);
}

/** At most so many tokens of a text: its beginning and its end, which names the files. */
export function shortened(text: string, maxTokens: number): string {
  const tokens = estimateTokens(text);
  if (tokens <= maxTokens) return text;
  const most = Math.floor((text.length * maxTokens) / tokens) - 60;
  return most > 0 ? clipped(text, most) : '';
}

function requestsOf({ replaced }: CompactionPlan): string[] {
  const requests = replaced
    .filter(({ message }) => message.role === 'user')
    .map(({ message }) => clipped(textOf(message.content).replaceAll(/\s+/g, ' ').trim(), REQUEST))
    .filter((text) => text !== '');
  const left = requests.length - REQUESTS;
  return left > 0 ? [requests[0]!, `… ${left} more …`, ...requests.slice(1 - REQUESTS)] : requests;
}

function progressOf({ replaced }: CompactionPlan): string[] {
  const counts = new Map<string, { calls: number; failed: number }>();
  for (const { message } of replaced) {
    if (message.role !== 'toolResult') continue;
    const known = counts.get(message.toolName) ?? { calls: 0, failed: 0 };
    known.calls += 1;
    if (message.isError) known.failed += 1;
    counts.set(message.toolName, known);
  }
  return [...counts].map(
    ([name, { calls, failed }]) =>
      `${name}: ${calls} ${calls === 1 ? 'call' : 'calls'}${failed ? `, ${failed} failed` : ''}`,
  );
}

function lastAnswer({ replaced }: CompactionPlan): string {
  const answers = replaced
    .filter(({ message }) => message.role === 'assistant')
    .map(({ message }) => textOf((message as AssistantMessage).content).trim())
    .filter((text) => text !== '');
  const last = answers.at(-1);
  return last ? `The last answer was:\n${clipped(last, ANSWER)}` : '';
}

function section(title: string, body: string): string {
  return body === '' ? '' : `## ${title}\n${body}`;
}

function bullets(items: readonly string[]): string {
  return items.map((item) => `- ${item}`).join('\n');
}
