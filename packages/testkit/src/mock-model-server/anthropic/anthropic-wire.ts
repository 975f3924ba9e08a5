import { isRecord } from '../json.ts';
import { argumentText, blocksOf, type ScriptBlock, stopReasonOf, type Turn } from '../script.ts';
import type { ServerMemory } from '../server-memory.ts';
import { signThinking } from '../sign-thinking.ts';
import { splitText } from '../split.ts';
import type { StreamEvent } from '../stream-event.ts';
import type { TurnContext } from '../turn-context.ts';

/**
 * Replies of the Anthropic Messages API: event order and fields after its streaming reference and the official SDK's
 * types (`message_start`, per block start, deltas and stop, `ping`, `message_delta` with usage, `message_stop`).
 */

const STOP_REASONS: Record<string, string> = {
  stop: 'end_turn',
  length: 'max_tokens',
  toolUse: 'tool_use',
  refusal: 'refusal',
};

/** The call id of every block of a turn, undefined for the others; made up where the script names none. */
function anthropicCallIds(turn: Turn, context: TurnContext): (string | undefined)[] {
  return blocksOf(turn).map((block, index) =>
    block.type === 'toolCall' ? (block.id ?? `toolu_01${context.id.slice(0, 20)}${index}`) : undefined,
  );
}

function event(type: string, fields: object = {}): StreamEvent {
  return { name: type, data: { type, ...fields } };
}

function inputUsage({ usage }: TurnContext): Record<string, unknown> {
  return {
    input_tokens: usage.input,
    cache_creation_input_tokens: usage.cacheWrite,
    cache_read_input_tokens: usage.cacheRead,
  };
}

function messageHead(context: TurnContext): Record<string, unknown> {
  return { id: `msg_01${context.id.slice(0, 22)}`, type: 'message', role: 'assistant', model: context.model };
}

function fullUsage(context: TurnContext, outputTokens: number): Record<string, unknown> {
  return {
    ...inputUsage(context),
    cache_creation: { ephemeral_5m_input_tokens: context.usage.cacheWrite, ephemeral_1h_input_tokens: 0 },
    output_tokens: outputTokens,
    service_tier: 'standard',
  };
}

function stopFields(turn: Turn): Record<string, unknown> {
  const reason = stopReasonOf(turn);
  return { stop_reason: STOP_REASONS[reason] ?? reason, stop_sequence: null };
}

/** A block as it opens, the deltas that fill it. */
function openBlock(
  block: ScriptBlock,
  id: string,
  turn: Turn,
  context: TurnContext,
): { start: object; deltas: object[] } {
  const split = (text: string) => splitText(text, turn.split ?? 'whole', context.draw);
  switch (block.type) {
    case 'text':
      return {
        start: { type: 'text', text: '' },
        deltas: split(block.text).map((text) => ({ type: 'text_delta', text })),
      };
    case 'thinking':
      return {
        start: { type: 'thinking', thinking: '', signature: '' },
        deltas: [
          ...split(block.thinking).map((thinking) => ({ type: 'thinking_delta', thinking })),
          { type: 'signature_delta', signature: block.signature ?? signThinking(block.thinking) },
        ],
      };
    case 'redactedThinking':
      return { start: { type: 'redacted_thinking', data: block.data }, deltas: [] };
    case 'toolCall':
      return {
        start: { type: 'tool_use', id, name: block.name, input: {} },
        deltas: ['', ...split(argumentText(block))].map((json) => ({ type: 'input_json_delta', partial_json: json })),
      };
  }
}

/** The events of a streamed reply. */
export function anthropicEvents(turn: Turn, context: TurnContext): StreamEvent[] {
  const message = { ...messageHead(context), content: [], stop_reason: null, stop_sequence: null };
  const events = [event('message_start', { message: { ...message, usage: fullUsage(context, 1) } })];
  const ids = anthropicCallIds(turn, context);
  blocksOf(turn).forEach((block, index) => {
    const { start, deltas } = openBlock(block, ids[index] ?? '', turn, context);
    events.push(event('content_block_start', { index, content_block: start }));
    if (index === 0) events.push(event('ping'));
    for (const delta of deltas) events.push(event('content_block_delta', { index, delta }));
    events.push(event('content_block_stop', { index }));
  });
  const usage = { ...inputUsage(context), output_tokens: context.usage.output };
  events.push(event('message_delta', { delta: stopFields(turn), usage }), event('message_stop'));
  return events;
}

/** Arguments of a call as the object a non-streamed reply must carry; broken JSON is wrapped as the API's guide does. */
function inputOf(text: string): unknown {
  try {
    const parsed: unknown = JSON.parse(text);
    return isRecord(parsed) ? parsed : { INVALID_JSON: text };
  } catch {
    return { INVALID_JSON: text };
  }
}

function wholeBlock(block: ScriptBlock, id: string): object {
  switch (block.type) {
    case 'text':
      return { type: 'text', text: block.text };
    case 'thinking':
      return { type: 'thinking', thinking: block.thinking, signature: block.signature ?? signThinking(block.thinking) };
    case 'redactedThinking':
      return { type: 'redacted_thinking', data: block.data };
    case 'toolCall':
      return { type: 'tool_use', id, name: block.name, input: inputOf(argumentText(block)) };
  }
}

/** The body of a reply that is not streamed. */
export function anthropicMessage(turn: Turn, context: TurnContext): object {
  const ids = anthropicCallIds(turn, context);
  const content = blocksOf(turn).map((block, index) => wholeBlock(block, ids[index] ?? ''));
  return { ...messageHead(context), content, ...stopFields(turn), usage: fullUsage(context, context.usage.output) };
}

export function rememberAnthropic(turn: Turn, context: TurnContext, memory: ServerMemory): void {
  const ids = anthropicCallIds(turn, context);
  let thought = false;
  for (const [index, block] of blocksOf(turn).entries()) {
    if (block.type === 'thinking' && block.signature !== undefined) memory.scriptedSignatures.add(block.signature);
    if (block.type === 'thinking' || block.type === 'redactedThinking') thought = true;
    const id = ids[index];
    if (thought && id !== undefined) memory.callsAfterThinking.add(id);
  }
}
