import type { LanguageModelV4Prompt, LanguageModelV4ToolResultPart } from '@ai-sdk/provider';
import type { Outcome } from './plan.ts';

/** A call that the prompt holds. */
export interface PastCall {
  /** Tool and arguments; equal calls have equal keys. */
  key: string;
  /** Undefined where the prompt has no result for it. */
  outcome?: PastOutcome;
}

/** As `Outcome`; `unstarted` and `dropped` results tell nothing: the call never ran, or its text was cut from the context. */
export interface PastOutcome {
  state: Outcome['state'] | 'unstarted' | 'dropped';
  text: string;
}

/** One message of the person and everything that followed it. */
export interface Exchange {
  said: string;
  calls: PastCall[];
  /** Answers of the model that held tool calls. */
  turns: number;
  /** Texts of the model. */
  answers: string[];
}

/** Put in place of a tool result that the context had no room for. */
const DROPPED = '[Truncated by ContextManager to save budget]';

/** How the texts begin that stand for a condensed conversation or for a branch that was left. */
const SUMMARIES = ['The conversation up to here was condensed', 'Before this, another branch of this conversation'];

/** Splits a prompt into exchanges, oldest first. Notes that the program itself puts in as user messages begin none. */
export function readConversation(prompt: LanguageModelV4Prompt): Exchange[] {
  const exchanges: Exchange[] = [];
  const open = new Map<string, PastCall>();
  for (const message of prompt) {
    if (message.role === 'user') {
      const said = textOf(message.content);
      if (said.trim() !== '' && !isSummary(said) && !(isNote(said) && exchanges.length > 0)) {
        exchanges.push({ said, calls: [], turns: 0, answers: [] });
      }
      continue;
    }
    const exchange = exchanges.at(-1);
    if (!exchange || message.role === 'system') continue;
    if (message.role === 'assistant') {
      const text = textOf(message.content);
      if (text.trim() !== '') exchange.answers.push(text);
      let called = false;
      for (const part of message.content) {
        if (part.type !== 'tool-call') continue;
        const call: PastCall = { key: callKey(part.toolName, part.input) };
        open.set(part.toolCallId, call);
        exchange.calls.push(call);
        called = true;
      }
      if (called) exchange.turns += 1;
    }
    for (const part of message.content) {
      if (part.type !== 'tool-result') continue;
      const call = open.get(part.toolCallId);
      if (call) call.outcome = outcomeOf(part.output);
    }
  }
  return exchanges;
}

/** Equal for equal calls, in whatever order the arguments' keys stand. */
export function callKey(name: string, args: unknown): string {
  return `${name} ${JSON.stringify(sorted(typeof args === 'string' ? parsed(args) : args))}`;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(([, each]) => each !== undefined);
  return entries.sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, each]) => [key, sorted(each)]);
}

function textOf(content: readonly ({ type: 'text'; text: string } | { type: string; text?: unknown })[]): string {
  return content
    .map((part) => (part.type === 'text' ? String(part.text) : ''))
    .filter((text) => text !== '')
    .join('\n');
}

/** Stands for what was condensed or left: nothing that a person asks. */
function isSummary(text: string): boolean {
  return SUMMARIES.some((beginning) => text.startsWith(beginning));
}

/** A message that is nothing but one `<element>`, as the program writes its own notes; people write around their markup. */
function isNote(text: string): boolean {
  return (
    SUMMARIES.some((beginning) => text.startsWith(beginning)) ||
    /^\s*<([a-z]+(?:[-_][a-z]+)+)\b[^>]*>[\s\S]*<\/\1>\s*$/.test(text)
  );
}

function outcomeOf(output: LanguageModelV4ToolResultPart['output']): PastOutcome {
  switch (output.type) {
    case 'text':
      return ended(output.value);
    case 'json':
      return ended(JSON.stringify(output.value));
    case 'content':
      return ended(textOf(output.value));
    case 'execution-denied':
      return { state: 'failed', text: output.reason ?? 'It was refused.' };
    case 'error-text':
      return failed(output.value);
    case 'error-json':
      return failed(JSON.stringify(output.value));
  }
}

function ended(text: string): PastOutcome {
  return text.trim() === DROPPED ? { state: 'dropped', text } : { state: 'done', text };
}

/** The engine marks calls that a crash or a cancel cut off; their marks are short, or end the output. */
function failed(text: string): PastOutcome {
  if (text.trim() === DROPPED) return { state: 'dropped', text };
  if (/\[cancelled after [^\]]*\]\s*$/.test(text)) return { state: 'lost', text };
  if (text.length > 400) return { state: 'failed', text };
  if (/^not run\b/i.test(text)) return { state: 'unstarted', text };
  if (/^(?:interrupted|cancell?ed|aborted)\b/i.test(text)) return { state: 'lost', text };
  return { state: 'failed', text };
}
