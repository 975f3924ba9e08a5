import { isRecord } from '../json.ts';
import { argumentText, blocksOf, type ScriptBlock, stopReasonOf, type Turn } from '../script.ts';
import { splitText } from '../split.ts';
import type { StreamEvent } from '../stream-event.ts';
import type { TurnContext } from '../turn-context.ts';

/**
 * Replies of the OpenAI Chat Completions API: chunk order and fields after its reference and the official SDK's types.
 * Thinking goes out as `reasoning_content`, as DeepSeek, vLLM and other compatible servers send it.
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

function usageOf({ usage }: TurnContext): object {
  const prompt = usage.input + usage.cacheRead + usage.cacheWrite;
  return {
    prompt_tokens: prompt,
    completion_tokens: usage.output,
    total_tokens: prompt + usage.output,
    prompt_tokens_details: {
      cached_tokens: usage.cacheRead,
      audio_tokens: 0,
      ...(usage.cacheWrite > 0 ? { cache_write_tokens: usage.cacheWrite } : {}),
    },
    completion_tokens_details: {
      reasoning_tokens: usage.reasoning,
      audio_tokens: 0,
      accepted_prediction_tokens: 0,
      rejected_prediction_tokens: 0,
    },
  };
}

function head(object: string, context: TurnContext): Record<string, unknown> {
  return {
    id: `chatcmpl-${context.id}`,
    object,
    created: context.createdAt,
    model: context.model,
    service_tier: 'default',
    system_fingerprint: 'fp_mock',
  };
}

/** Deltas of one call: the first names it, the others carry argument text. */
function callDeltas(call: ToolCallBlock, index: number, turn: Turn, context: TurnContext): Delta[] {
  const id = call.id ?? chatCallId(context, index);
  const first = { index, id, type: 'function', function: { name: call.name, arguments: '' } };
  const pieces = splitText(argumentText(call), turn.split ?? 'whole', context.draw);
  return [first, ...pieces.map((text) => ({ index, function: { arguments: text } }))].map((part) => ({
    tool_calls: [part],
  }));
}

function alternate(lists: Delta[][]): Delta[] {
  const longest = Math.max(0, ...lists.map((list) => list.length));
  return Array.from({ length: longest }, (_, at) => lists.flatMap((list) => list.slice(at, at + 1))).flat();
}

function deltasOf(turn: Turn, context: TurnContext): Delta[] {
  const deltas: Delta[] = [];
  const calls: Delta[][] = [];
  for (const block of blocksOf(turn)) {
    if (block.type === 'toolCall') calls.push(callDeltas(block, calls.length, turn, context));
    const field = block.type === 'text' ? 'content' : block.type === 'thinking' ? 'reasoning_content' : undefined;
    const text = block.type === 'text' ? block.text : block.type === 'thinking' ? block.thinking : '';
    if (field === undefined) continue;
    for (const piece of splitText(text, turn.split ?? 'whole', context.draw)) deltas.push({ [field]: piece });
  }
  return [...deltas, ...(turn.interleave === true ? alternate(calls) : calls.flat())];
}

/** The chunks of a streamed reply, `[DONE]` included. */
export function chatEvents(turn: Turn, context: TurnContext): StreamEvent[] {
  const options = context.request.body.stream_options;
  const includeUsage = isRecord(options) && options.include_usage === true;
  const usageField = includeUsage ? { usage: null } : {};
  const chunk = (delta: Delta, finish: string | null): StreamEvent => ({
    data: {
      ...head('chat.completion.chunk', context),
      choices: [{ index: 0, delta, logprobs: null, finish_reason: finish }],
      ...usageField,
    },
  });
  const content = blocksOf(turn).some((block) => block.type === 'text') ? '' : null;
  const events = [
    chunk({ role: 'assistant', content, refusal: null }, null),
    ...deltasOf(turn, context).map((delta) => chunk(delta, null)),
    chunk({}, finishReason(turn)),
  ];
  if (includeUsage) {
    events.push({ data: { ...head('chat.completion.chunk', context), choices: [], usage: usageOf(context) } });
  }
  events.push({ data: '[DONE]' });
  return events;
}

/** The body of a reply that is not streamed. */
export function chatCompletion(turn: Turn, context: TurnContext): object {
  const blocks = blocksOf(turn);
  const texts = blocks.filter((block) => block.type === 'text').map((block) => block.text);
  const thoughts = blocks.filter((block) => block.type === 'thinking').map((block) => block.thinking);
  const calls = callsOf(turn).map((call, index) => ({
    id: call.id ?? chatCallId(context, index),
    type: 'function',
    function: { name: call.name, arguments: argumentText(call) },
  }));
  const message = {
    role: 'assistant',
    content: texts.length > 0 ? texts.join('') : null,
    ...(thoughts.length > 0 ? { reasoning_content: thoughts.join('') } : {}),
    ...(calls.length > 0 ? { tool_calls: calls } : {}),
    refusal: null,
    annotations: [],
  };
  return {
    ...head('chat.completion', context),
    choices: [{ index: 0, message, logprobs: null, finish_reason: finishReason(turn) }],
    usage: usageOf(context),
  };
}
