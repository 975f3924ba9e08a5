import { isRecord, type Json, recordsOf } from '../json.ts';
import { argumentText, blocksOf, type ScriptBlock, stopReasonOf, type Turn } from '../script.ts';
import type { ServerMemory } from '../server-memory.ts';
import { sealThinking } from '../sign-thinking.ts';
import { splitText } from '../split.ts';
import type { StreamEvent } from '../stream-event.ts';
import type { TurnContext } from '../turn-context.ts';
import { resolveInput } from './resolve-input.ts';

/**
 * Replies of the OpenAI Responses API: events, order and fields after its streaming reference and the official SDK's
 * types. Thinking is a reasoning item; its text is shown as a summary, and its content sealed, only to who asks.
 */

const INCOMPLETE_REASONS: Record<string, string> = { length: 'max_output_tokens', refusal: 'content_filter' };

type ToolCallBlock = Extract<ScriptBlock, { type: 'toolCall' }>;

/** What a block becomes: the item as it is at last, and the events that fill it between its opening and its end. */
interface Output {
  item: Json;
  opened: Json;
  filling: { type: string; fields: Json }[];
}

function wantsSummary({ request }: TurnContext): boolean {
  const { reasoning } = request.body;
  return isRecord(reasoning) && typeof (reasoning.summary ?? reasoning.generate_summary) === 'string';
}

function wantsSealed({ request }: TurnContext): boolean {
  return Array.isArray(request.body.include) && request.body.include.includes('reasoning.encrypted_content');
}

function isCustomTool(name: string, { request }: TurnContext): boolean {
  return recordsOf(request.body.tools).some((tool) => tool.type === 'custom' && tool.name === name);
}

/** Free text for a custom tool: the text itself, or the `input` of an object. */
function customInput(call: ToolCallBlock): string {
  if (typeof call.args === 'string') return call.args;
  return isRecord(call.args) && typeof call.args.input === 'string' ? call.args.input : argumentText(call);
}

function reasoningOutput(text: string | undefined, sealed: string, id: string, pieces: string[], context: TurnContext) {
  const summary = text !== undefined && wantsSummary(context) ? [{ type: 'summary_text', text }] : [];
  const extra = wantsSealed(context) ? { encrypted_content: sealed } : {};
  const place = { item_id: id, summary_index: 0 };
  const filling = summary.flatMap((part) => [
    {
      type: 'response.reasoning_summary_part.added',
      fields: { ...place, part: { ...part, text: '' } },
    },
    ...pieces.map((delta) => ({ type: 'response.reasoning_summary_text.delta', fields: { ...place, delta } })),
    { type: 'response.reasoning_summary_text.done', fields: { ...place, text: part.text } },
    { type: 'response.reasoning_summary_part.done', fields: { ...place, part } },
  ]);
  const head = { id, type: 'reasoning', ...extra };
  return { item: { ...head, summary }, opened: { ...head, summary: [] }, filling };
}

function messageOutput(text: string, id: string, pieces: string[]): Output {
  const place = { item_id: id, content_index: 0 };
  const part = { type: 'output_text', annotations: [], logprobs: [], text };
  const head = { id, type: 'message', role: 'assistant' };
  return {
    item: { ...head, status: 'completed', content: [part] },
    opened: { ...head, status: 'in_progress', content: [] },
    filling: [
      { type: 'response.content_part.added', fields: { ...place, part: { ...part, text: '' } } },
      ...pieces.map((delta) => ({ type: 'response.output_text.delta', fields: { ...place, delta, logprobs: [] } })),
      { type: 'response.output_text.done', fields: { ...place, text, logprobs: [] } },
      { type: 'response.content_part.done', fields: { ...place, part } },
    ],
  };
}

function callOutput(call: ToolCallBlock, index: number, split: (text: string) => string[], context: TurnContext) {
  const custom = isCustomTool(call.name, context);
  const field = custom ? 'input' : 'arguments';
  const kind = custom ? 'custom_tool_call_input' : 'function_call_arguments';
  const text = custom ? customInput(call) : argumentText(call);
  const id = `${custom ? 'ctc' : 'fc'}_${context.id}${index}`;
  const head = {
    id,
    type: custom ? 'custom_tool_call' : 'function_call',
    call_id: call.id ?? `call_${context.id}${index}`,
    name: call.name,
  };
  return {
    item: { ...head, status: 'completed', [field]: text },
    opened: { ...head, status: 'in_progress', [field]: '' },
    filling: [
      ...split(text).map((delta) => ({ type: `response.${kind}.delta`, fields: { item_id: id, delta } })),
      { type: `response.${kind}.done`, fields: { item_id: id, [field]: text } },
    ],
  };
}

function outputsOf(turn: Turn, context: TurnContext): Output[] {
  const split = (text: string) => splitText(text, turn.split ?? 'whole', context.draw);
  return blocksOf(turn).map((block, index): Output => {
    const id = (kind: string) => `${kind}_${context.id}${index}`;
    if (block.type === 'text') return messageOutput(block.text, id('msg'), split(block.text));
    if (block.type === 'toolCall') return callOutput(block, index, split, context);
    if (block.type === 'redactedThinking') return reasoningOutput(undefined, block.data, id('rs'), [], context);
    const sealed = block.signature ?? sealThinking(block.thinking);
    return reasoningOutput(block.thinking, sealed, id('rs'), split(block.thinking), context);
  });
}

function usageOf({ usage }: TurnContext): Json {
  const input = usage.input + usage.cacheRead + usage.cacheWrite;
  return {
    input_tokens: input,
    input_tokens_details: {
      cached_tokens: usage.cacheRead,
      ...(usage.cacheWrite > 0 ? { cache_write_tokens: usage.cacheWrite } : {}),
    },
    output_tokens: usage.output,
    output_tokens_details: { reasoning_tokens: usage.reasoning },
    total_tokens: input + usage.output,
  };
}

function responseId(context: TurnContext): string {
  return `resp_${context.id}`;
}

/** The response object with the request's settings given back, as the API does. */
function responseObject(context: TurnContext, fields: Json): Json {
  const { body } = context.request;
  const reasoning = isRecord(body.reasoning) ? body.reasoning : {};
  return {
    id: responseId(context),
    object: 'response',
    created_at: context.createdAt,
    status: 'in_progress',
    background: false,
    error: null,
    incomplete_details: null,
    instructions: body.instructions ?? null,
    max_output_tokens: body.max_output_tokens ?? null,
    max_tool_calls: null,
    model: context.model,
    output: [],
    parallel_tool_calls: body.parallel_tool_calls ?? true,
    previous_response_id: body.previous_response_id ?? null,
    prompt_cache_key: body.prompt_cache_key ?? null,
    reasoning: { effort: reasoning.effort ?? null, summary: reasoning.summary ?? null },
    safety_identifier: body.safety_identifier ?? null,
    service_tier: 'default',
    store: body.store ?? true,
    temperature: body.temperature ?? 1,
    text: isRecord(body.text) ? body.text : { format: { type: 'text' }, verbosity: 'medium' },
    tool_choice: body.tool_choice ?? 'auto',
    tools: body.tools ?? [],
    top_logprobs: 0,
    top_p: body.top_p ?? 1,
    truncation: body.truncation ?? 'disabled',
    usage: null,
    user: null,
    metadata: body.metadata ?? {},
    ...fields,
  };
}

function finished(turn: Turn, context: TurnContext, output: Json[]): Json {
  const stop = stopReasonOf(turn);
  const done = { output, usage: usageOf(context) };
  if (stop === 'stop' || stop === 'toolUse') return responseObject(context, { status: 'completed', ...done });
  const reason = INCOMPLETE_REASONS[stop] ?? stop;
  return responseObject(context, { status: 'incomplete', incomplete_details: { reason }, ...done });
}

function named(type: string, sequence: number, fields: Json): StreamEvent {
  return { name: type, data: { type, sequence_number: sequence, ...fields } };
}

/** The events of a streamed reply. */
export function responsesEvents(turn: Turn, context: TurnContext): StreamEvent[] {
  const events: StreamEvent[] = [];
  const add = (type: string, fields: Json) => events.push(named(type, events.length, fields));
  add('response.created', { response: responseObject(context, {}) });
  add('response.in_progress', { response: responseObject(context, {}) });
  const outputs = outputsOf(turn, context);
  for (const [index, { item, opened, filling }] of outputs.entries()) {
    add('response.output_item.added', { output_index: index, item: opened });
    for (const { type, fields } of filling) add(type, { output_index: index, ...fields });
    add('response.output_item.done', { output_index: index, item });
  }
  const items = outputs.map((output) => output.item);
  const response = finished(turn, context, items);
  add(`response.${String(response.status)}`, { response });
  return events;
}

/** The body of a reply that is not streamed. */
export function responsesObject(turn: Turn, context: TurnContext): object {
  const items = outputsOf({ ...turn, split: 'whole' }, context).map((output) => output.item);
  return finished(turn, context, items);
}

/** An `error` event, then `response.failed`: both are sent, and clients look at one or the other. */
export function responsesErrorEvents(body: object | string, context: TurnContext, sent: number): StreamEvent[] {
  const error = isRecord(body) && isRecord(body.error) ? body.error : undefined;
  if (!error) return [{ name: 'error', data: body }];
  const failure = { code: error.code ?? error.type, message: error.message };
  return [
    named('error', sent, { error }),
    named('response.failed', sent + 1, { response: responseObject(context, { status: 'failed', error: failure }) }),
  ];
}

export function rememberResponse(turn: Turn, context: TurnContext, memory: ServerMemory): void {
  for (const block of blocksOf(turn)) {
    if (block.type === 'thinking' && block.signature !== undefined) memory.scriptedSignatures.add(block.signature);
    if (block.type === 'redactedThinking') memory.scriptedSignatures.add(block.data);
  }
  const { body } = context.request;
  if (body.store === false) return;
  const output = outputsOf({ ...turn, split: 'whole' }, context).map((each) => each.item);
  memory.storeResponse(responseId(context), [...resolveInput(body, memory), ...output], output);
}
