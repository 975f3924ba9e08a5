import {
  type AssistantMessage,
  answerContent,
  type BashExecutionMessage,
  type ContextMessage,
  resultContent,
  type ToolCall,
  type ToolResultMessage,
  userContent,
} from '@black-ide/protocol';
import type { LlmMessage } from '../llm/to-prompt.ts';
import type { PlacedMessage } from './context-manager.ts';
import { SESSION_TEXTS } from './session-texts.ts';

/** A message of a built context with the entry it comes from. */
export interface PlacedContextMessage {
  entryId?: string;
  message: ContextMessage;
}

/**
 * Turns a context into user, assistant and tool-result messages (SES-15). Whatever the session is like, what comes out
 * is paired: each call's results follow its message at once and in the order of the calls, a call without a result gets
 * one that says so, a result without a call is left out. Messages that need no change are the very same objects.
 */
export function convertToLlm(messages: readonly ContextMessage[]): LlmMessage[] {
  return convertPlaced(messages.map((message) => ({ message }))).map(({ message }) => message);
}

/** The same for messages that carry their entry's id; what had to be made up has none. */
export function convertPlaced(context: readonly PlacedContextMessage[]): PlacedMessage[] {
  const pairing = new Pairing();
  for (const placed of context) pairing.add(placed);
  return pairing.placed();
}

/** Pairs calls and results of a conversation that grows; what is settled is not converted again. */
export class Pairing {
  readonly #groups: Group[] = [];
  /** The calls that wait for a result; of calls with the same id those of the newest message. */
  readonly #waiting = new Map<string, { slots: Slot[]; group: Group }>();

  add({ entryId, message }: PlacedContextMessage): void {
    const converted = convert(message);
    if (!converted) return;
    const placed: PlacedMessage = { ...(entryId === undefined ? {} : { entryId }), message: converted };
    if (converted.role === 'toolResult') {
      const waiting = this.#waiting.get(converted.toolCallId);
      const slot = waiting?.slots.shift();
      if (!waiting || !slot) return;
      slot.result = placed;
      waiting.group.emitted = undefined;
      return;
    }
    const slots = converted.role === 'assistant' ? callsOf(converted).map((call): Slot => ({ call })) : [];
    const group: Group = { placed, slots, emitted: undefined };
    this.#groups.push(group);
    for (const [id, own] of Map.groupBy(slots, ({ call }) => call.id)) this.#waiting.set(id, { slots: own, group });
  }

  /** All of it, oldest first. */
  placed(): PlacedMessage[] {
    const all: PlacedMessage[] = [];
    for (const group of this.#groups) {
      group.emitted ??= emit(group);
      for (const placed of group.emitted) all.push(placed);
    }
    return all;
  }
}

/** A message and the results that belong right behind it. */
interface Group {
  placed: PlacedMessage;
  slots: Slot[];
  /** What becomes of it, until another result comes in. */
  emitted: PlacedMessage[] | undefined;
}

interface Slot {
  call: ToolCall;
  result?: PlacedMessage;
}

function emit({ placed, slots }: Group): PlacedMessage[] {
  const { message } = placed;
  if (message.role !== 'assistant') return [placed];
  const broken = message.stopReason === 'error' || message.stopReason === 'aborted';
  const said = broken ? whatCounts(message, slots) : message;
  if (said.content.length === 0) return [];
  const answered = broken ? slots.filter((slot) => slot.result) : slots;
  const results = answered.map(({ call, result }) => result ?? { message: noResult(call, message) });
  return [{ ...placed, message: said }, ...results];
}

/**
 * Of an answer that was broken off: its text, and the calls that were carried out all the same. The rest never
 * happened, and half a thought has no signature that its provider would take.
 */
function whatCounts(message: AssistantMessage, slots: readonly Slot[]): AssistantMessage {
  const done = new Set(slots.filter((slot) => slot.result).map(({ call }) => call));
  const content = message.content.filter((block) =>
    block.type === 'toolCall' ? done.has(block) : block.type === 'text' && block.text.trim() !== '',
  );
  return content.length === message.content.length ? message : { ...message, content };
}

function noResult({ id, name }: ToolCall, { timestamp }: AssistantMessage): ToolResultMessage {
  const content = [{ type: 'text' as const, text: SESSION_TEXTS.noResult }];
  return { role: 'toolResult', toolCallId: id, toolName: name, content, isError: true, timestamp };
}

function callsOf(message: AssistantMessage): ToolCall[] {
  return message.content.filter((block) => block.type === 'toolCall');
}

/** Undefined for what is not for the model: empty, excluded, or of a role that is none of ours. */
function convert(message: ContextMessage): LlmMessage | undefined {
  switch (message.role) {
    case 'user':
      return withContent(message, userContent(message.content));
    case 'assistant':
      return withContent(message, answerContent(message.content));
    case 'toolResult': {
      const content = resultContent(message.content);
      return content === message.content ? message : { ...message, content };
    }
    case 'custom':
      return user(userContent(message.content), message.timestamp);
    case 'bashExecution':
      return message.excludeFromContext ? undefined : user(userCommand(message), message.timestamp);
    case 'branchSummary':
      return user(SESSION_TEXTS.branchSummary(message.summary), message.timestamp);
    case 'compactionSummary':
      return user(SESSION_TEXTS.compactionSummary(message.summary), message.timestamp);
    default:
      return undefined;
  }
}

function userCommand(message: BashExecutionMessage): string {
  const { command, output, exitCode, fullOutputPath } = message;
  return SESSION_TEXTS.userCommand({
    command: typeof command === 'string' ? command : '',
    output: typeof output === 'string' ? output : '',
    exitCode: typeof exitCode === 'number' ? exitCode : undefined,
    fullOutputPath: typeof fullOutputPath === 'string' ? fullOutputPath : undefined,
    cancelled: Boolean(message.cancelled),
    truncated: Boolean(message.truncated),
  });
}

function user(content: ReturnType<typeof userContent>, timestamp: number): LlmMessage | undefined {
  return content.length === 0 ? undefined : { role: 'user', content, timestamp };
}

function withContent<T extends LlmMessage>(message: T, content: T['content']): T | undefined {
  if (content.length === 0) return undefined;
  return content === message.content ? message : { ...message, content };
}
