import {
  type AssistantMessage,
  type CustomMessageEntry,
  type MessageEntry,
  type TaskEnd,
  textOf,
} from '@black-ide/protocol';
import type { SessionPort } from './session-port.ts';

const NUDGE = 'nudge';

/** An answer that is none: in words for the model, for the person, and for the end the second time. */
interface Amiss {
  say: string;
  tell: string;
  end: TaskEnd;
}

const EMPTY: Amiss = {
  say: 'Your answer held neither text nor a tool call. Go on with the task: call a tool, or answer in words.',
  tell: 'The model answered nothing; it is asked once more.',
  end: {
    outcome: 'failed',
    message: 'The model answered nothing, twice.',
    code: 'empty_answer',
    next: 'Ask again, or choose another model.',
  },
};

const CALL_AS_TEXT: Amiss = {
  say: 'Your answer holds a tool call written as text; it was not run. Call the tool itself, or answer in words.',
  tell: 'The model wrote a tool call as text; it is asked once more.',
  end: {
    outcome: 'failed',
    message: 'The model wrote its tool calls as text, twice; nothing was run.',
    code: 'call_as_text',
    next: 'Choose a model, or a server, that can call tools.',
  },
};

/**
 * Deals with a final answer that is empty, only thought, or a tool call written as text: the model is told once; the
 * second time in a row the task ends. Undefined where the answer is one.
 */
export function nudge(
  answer: AssistantMessage,
  tools: readonly { name: string }[],
  port: Pick<SessionPort, 'path' | 'append' | 'emit'>,
): 'nudged' | TaskEnd | undefined {
  const text = textOf(answer.content).trim();
  const amiss = text === '' ? EMPTY : isCallAsText(text, tools) ? CALL_AS_TEXT : undefined;
  if (!amiss) return undefined;
  if (wasNudged(port)) return amiss.end;
  port.append({ type: 'custom_message', customType: NUDGE, content: amiss.say, display: false });
  port.emit({ type: 'DiagnosticReported', level: 'warning', message: amiss.tell });
  return 'nudged';
}

/** Whether the newest answer followed a nudge at once. */
function wasNudged(port: Pick<SessionPort, 'path'>): boolean {
  const path = port.path();
  const answer = path.findLastIndex((entry) => roleOf(entry) === 'assistant');
  const before = path.slice(0, answer).findLast((entry) => entry.type === 'custom_message' || entry.type === 'message');
  return before?.type === 'custom_message' && (before as CustomMessageEntry).customType === NUDGE;
}

function roleOf(entry: { type: string }): unknown {
  return entry.type === 'message' ? (entry as MessageEntry).message?.role : undefined;
}

/** The forms in which models write calls when their server does not know them: an element, or JSON and nothing else. */
function isCallAsText(text: string, tools: readonly { name: string }[]): boolean {
  const names = new Set(tools.map(({ name }) => name));
  const element = /<(?:tool_call|function_calls?|tool_use|invoke|function)\b[^>]*>/i.exec(text);
  if (element && !insideCode(text, element.index)) {
    const rest = text.slice(element.index, element.index + 2_000);
    return [...names].some((name) => new RegExp(`\\b${name}\\b`).test(rest));
  }
  const bare = /^```(?:json|tool_code|tool_call)?\s*([\s\S]*?)```$/.exec(text)?.[1] ?? text;
  if (!bare.trim().startsWith('{') || bare.length > 100_000) return false;
  try {
    const call = JSON.parse(bare) as { name?: unknown; tool?: unknown; arguments?: unknown; parameters?: unknown };
    const name = call.name ?? call.tool;
    return typeof name === 'string' && names.has(name) && (call.arguments ?? call.parameters) !== undefined;
  } catch {
    // No JSON: words.
    return false;
  }
}

/** An answer about such elements shows them as code. */
function insideCode(text: string, index: number): boolean {
  const before = text.slice(0, index);
  return (before.match(/`/g)?.length ?? 0) % 2 === 1;
}
