import type { ChatDialect } from '../chat/chat-dialect.ts';
import { thinkingText } from '../chat/chat-dialect.ts';
import { isRecord, type Json, parseJson } from '../json.ts';
import { argumentText, blocksOf, type ScriptError, stopReasonOf, type Turn } from '../script.ts';
import { splitText } from '../split.ts';
import { lineOf, type StreamEvent } from '../stream-event.ts';
import type { TurnContext } from '../turn-context.ts';
import type { Framing } from '../wire-kit.ts';

/**
 * Replies of Ollama's own API (`/api/chat`): lines and fields after its reference and its JavaScript client's types.
 * Thinking comes unless it was switched off. Calls come whole, parsed by the server.
 */

const DONE_REASONS: Record<string, string> = { stop: 'stop', toolUse: 'stop', length: 'length', refusal: 'stop' };
const NANOSECONDS_PER_TOKEN = 1_000_000;

function head(context: TurnContext): Json {
  return { model: context.model, created_at: new Date(context.createdAt * 1000).toISOString() };
}

function thinks({ request }: TurnContext): boolean {
  return request.body.think !== false;
}

/** The messages that make up a reply, each with a piece of it. */
function piecesOf(turn: Turn, context: TurnContext): Json[] {
  const split = (text: string) => splitText(text, turn.split ?? 'whole', context.draw);
  let calls = 0;
  return blocksOf(turn).flatMap((block, index): Json[] => {
    if (block.type === 'text') return split(block.text).map((content) => ({ content }));
    if (block.type === 'thinking') {
      return thinks(context) ? split(block.thinking).map((thinking) => ({ content: '', thinking })) : [];
    }
    if (block.type !== 'toolCall') return [];
    const id = block.id ?? `call_${context.id.slice(0, 8)}${index}`;
    const fn = { index: calls++, name: block.name, arguments: parseJson(argumentText(block)) };
    return [{ content: '', tool_calls: [{ id, function: fn }] }];
  });
}

function doneFields(turn: Turn, { usage }: TurnContext): Json {
  const reason = stopReasonOf(turn);
  const prompt = usage.input + usage.cacheRead + usage.cacheWrite;
  const load = NANOSECONDS_PER_TOKEN;
  const durations = [prompt * NANOSECONDS_PER_TOKEN, usage.output * NANOSECONDS_PER_TOKEN] as const;
  return {
    done: true,
    done_reason: DONE_REASONS[reason] ?? reason,
    total_duration: load + durations[0] + durations[1],
    load_duration: load,
    prompt_eval_count: prompt,
    prompt_eval_duration: durations[0],
    eval_count: usage.output,
    eval_duration: durations[1],
  };
}

/** The lines of a streamed reply. */
export function ollamaEvents(turn: Turn, context: TurnContext): StreamEvent[] {
  const line = (piece: Json, rest: Json): StreamEvent => ({
    data: { ...head(context), message: { role: 'assistant', ...piece }, ...rest },
  });
  const pieces = piecesOf(turn, context).map((piece) => line(piece, { done: false }));
  return [...pieces, line({ content: '' }, doneFields(turn, context))];
}

/** The body of a reply that is not streamed. */
export function ollamaMessage(turn: Turn, context: TurnContext): object {
  const pieces = piecesOf({ ...turn, split: 'whole' }, context);
  const thinking = pieces.map((piece) => piece.thinking ?? '').join('');
  const calls = pieces.flatMap((piece) => (Array.isArray(piece.tool_calls) ? piece.tool_calls : []));
  const message = {
    role: 'assistant',
    content: pieces.map((piece) => piece.content).join(''),
    ...(thinking === '' ? {} : { thinking }),
    ...(calls.length > 0 ? { tool_calls: calls } : {}),
  };
  return { ...head(context), message, ...doneFields(turn, context) };
}

/** Arguments are parsed by the server: a call whose text is no object fails there. */
export function ollamaFailure(turn: Turn): ScriptError | undefined {
  for (const block of blocksOf(turn)) {
    if (block.type !== 'toolCall' || isRecord(parseJson(argumentText(block)))) continue;
    const message = `error parsing tool call: raw='${argumentText(block)}', err=unexpected end of JSON input`;
    return { status: 500, message };
  }
  return undefined;
}

export const OLLAMA_FRAMING: Framing = {
  contentType: 'application/x-ndjson',
  frames: (events) => events.map(lineOf),
};

/** Ollama's imitation of the Chat wire. */
export const OLLAMA_DIALECT: ChatDialect = {
  head: (object, context) => ({
    id: `chatcmpl-${Number.parseInt(context.id.slice(0, 4), 16) % 1000}`,
    object,
    created: context.createdAt,
    model: context.model,
    system_fingerprint: 'fp_ollama',
  }),
  thinkingDeltas: (block, pieces) =>
    block.type === 'thinking' ? pieces.map((piece) => ({ role: 'assistant', content: '', reasoning: piece })) : [],
  thinkingFields: (blocks) => (blocks.length > 0 ? { reasoning: blocks.map(thinkingText).join('') } : {}),
  usage: ({ usage }) => {
    const prompt = usage.input + usage.cacheRead + usage.cacheWrite;
    return { prompt_tokens: prompt, completion_tokens: usage.output, total_tokens: prompt + usage.output };
  },
  wholeCalls: true,
};
