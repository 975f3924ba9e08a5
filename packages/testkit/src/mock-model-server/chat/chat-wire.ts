import { isRecord } from '../json.ts';
import { argumentText, blocksOf, type ScriptBlock, stopReasonOf, type Turn } from '../script.ts';
import { splitText } from '../split.ts';
import type { StreamEvent } from '../stream-event.ts';
import type { TurnContext } from '../turn-context.ts';
import { type ChatDialect, OPENAI_DIALECT, thinkingText } from './chat-dialect.ts';

/**
 * Replies of the OpenAI Chat Completions API: chunk order and fields after its reference and the official SDK's types;
 * in another dialect for servers that add to it.
 */

const FINISH_REASONS: Record<string, string> = {
  stop: 'stop',
  length: 'length',
  toolUse: 'tool_calls',
  refusal: 'content_filter',
};

type ToolCallBlock = Extract<ScriptBlock, { type: 'toolCall' }>;
type Delta = Record<string, unknown>;

/** The id of the n-th call of a reply where the script names none. */
function chatCallId(context: TurnContext, index: number): string {
  return `call_${context.id}${index}`;
}

function callsOf(turn: Turn): ToolCallBlock[] {
  return blocksOf(turn).filter((block) => block.type === 'toolCall');
}

function finishReason(turn: Turn): string {
  const reason = stopReasonOf(turn);
  return FINISH_REASONS[reason] ?? reason;
}

/** Deltas of one call: the first names it, the others carry argument text. */
function callDeltas(call: ToolCallBlock, index: number, turn: Turn, context: TurnContext, whole: boolean): Delta[] {
  const id = call.id ?? chatCallId(context, index);
  const first = { index, id, type: 'function', function: { name: call.name, arguments: '' } };
  const text = argumentText(call);
  if (whole) return [{ tool_calls: [{ ...first, function: { name: call.name, arguments: text } }] }];
  const pieces = splitText(text, turn.split ?? 'whole', context.draw);
  return [first, ...pieces.map((piece) => ({ index, function: { arguments: piece } }))].map((part) => ({
    tool_calls: [part],
  }));
}

function alternate(lists: Delta[][]): Delta[] {
  const longest = Math.max(0, ...lists.map((list) => list.length));
  return Array.from({ length: longest }, (_, at) => lists.flatMap((list) => list.slice(at, at + 1))).flat();
}

function deltasOf(turn: Turn, context: TurnContext, dialect: ChatDialect): Delta[] {
  const split = (text: string) => splitText(text, turn.split ?? 'whole', context.draw);
  const deltas: Delta[] = [];
  const calls: Delta[][] = [];
  let thoughts = 0;
  for (const block of blocksOf(turn)) {
    if (block.type === 'toolCall') {
      calls.push(callDeltas(block, calls.length, turn, context, dialect.wholeCalls ?? false));
    } else if (block.type === 'text') {
      for (const piece of split(block.text)) deltas.push({ content: piece });
    } else {
      deltas.push(...dialect.thinkingDeltas(block, split(thinkingText(block)), thoughts++));
    }
  }
  return [...deltas, ...(turn.interleave === true ? alternate(calls) : calls.flat())];
}

/** The chunks of a streamed reply, `[DONE]` included. */
export function chatEvents(turn: Turn, context: TurnContext, dialect: ChatDialect = OPENAI_DIALECT): StreamEvent[] {
  const options = context.request.body.stream_options;
  const includeUsage = dialect.alwaysUsage === true || (isRecord(options) && options.include_usage === true);
  const usageField = includeUsage && dialect.alwaysUsage !== true ? { usage: null } : {};
  const chunk = (delta: Delta, finish: string | null): StreamEvent => ({
    data: {
      ...dialect.head('chat.completion.chunk', context),
      choices: [{ index: 0, delta, logprobs: null, finish_reason: finish, ...dialect.finishFields?.(finish) }],
      ...usageField,
    },
  });
  const content = blocksOf(turn).some((block) => block.type === 'text') ? '' : null;
  const events = [
    chunk({ role: 'assistant', content, refusal: null }, null),
    ...deltasOf(turn, context, dialect).map((delta) => chunk(delta, null)),
    chunk({}, finishReason(turn)),
  ];
  if (includeUsage) {
    const head = dialect.head('chat.completion.chunk', context);
    events.push({ data: { ...head, choices: [], usage: dialect.usage(context) } });
  }
  events.push({ data: '[DONE]' });
  return events;
}

/** The body of a reply that is not streamed. */
export function chatCompletion(turn: Turn, context: TurnContext, dialect: ChatDialect = OPENAI_DIALECT): object {
  const blocks = blocksOf(turn);
  const texts = blocks.filter((block) => block.type === 'text').map((block) => block.text);
  const thoughts = blocks.filter((block) => block.type === 'thinking' || block.type === 'redactedThinking');
  const calls = callsOf(turn).map((call, index) => ({
    id: call.id ?? chatCallId(context, index),
    type: 'function',
    function: { name: call.name, arguments: argumentText(call) },
  }));
  const message = {
    role: 'assistant',
    content: texts.length > 0 ? texts.join('') : null,
    ...dialect.thinkingFields(thoughts),
    ...(calls.length > 0 ? { tool_calls: calls } : {}),
    refusal: null,
    annotations: [],
  };
  const finish = finishReason(turn);
  return {
    ...dialect.head('chat.completion', context),
    choices: [{ index: 0, message, logprobs: null, finish_reason: finish, ...dialect.finishFields?.(finish) }],
    usage: dialect.usage(context),
  };
}
