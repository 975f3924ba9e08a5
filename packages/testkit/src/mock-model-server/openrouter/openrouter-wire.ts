import { type ChatDialect, OPENAI_DIALECT, type ThinkingBlock, thinkingText } from '../chat/chat-dialect.ts';
import { chatCompletion, chatEvents } from '../chat/chat-wire.ts';
import { validateChat } from '../chat/validate-chat.ts';
import { isRecord, type Json, recordsOf } from '../json.ts';
import { blocksOf, type ScriptModel, type Turn } from '../script.ts';
import type { ServerMemory } from '../server-memory.ts';
import { signThinking } from '../sign-thinking.ts';
import type { StreamEvent } from '../stream-event.ts';
import type { TurnContext } from '../turn-context.ts';
import type { WireError } from '../wire-errors.ts';
import type { CheckOptions } from '../wire-kit.ts';
import { asOpenrouterError, openrouterError } from './openrouter-errors.ts';

/**
 * What OpenRouter adds to the Chat wire, after its reference and the types of its own AI SDK provider: thinking as
 * `reasoning` with `reasoning_details`, the cost in dollars with the usage, the provider's name, and errors of the
 * provider within replies of status 200.
 */

const PROVIDER = 'Mock';
const FORMAT = 'anthropic-claude-v1';
const PER_MILLION = 1_000_000;
export const DEFAULT_PRICE: NonNullable<ScriptModel['price']> = {
  input: 1,
  output: 2,
  cacheRead: 0.1,
  cacheWrite: 1.25,
};

function costOf({ usage, scripted }: TurnContext): { prompt: number; completion: number } {
  const price = scripted?.price ?? DEFAULT_PRICE;
  const { input, output, cacheRead = input, cacheWrite = input } = price;
  const prompt = usage.input * input + usage.cacheRead * cacheRead + usage.cacheWrite * cacheWrite;
  return { prompt: prompt / PER_MILLION, completion: (usage.output * output) / PER_MILLION };
}

function detail(block: ThinkingBlock, index: number): Json {
  if (block.type === 'redactedThinking') {
    return { type: 'reasoning.encrypted', data: block.data, format: FORMAT, index };
  }
  const signature = block.signature ?? signThinking(block.thinking);
  return { type: 'reasoning.text', text: block.thinking, signature, format: FORMAT, index };
}

const DIALECT: ChatDialect = {
  head: (object, context) => ({
    id: `gen-${context.createdAt}-${context.id.slice(0, 20)}`,
    provider: PROVIDER,
    model: context.model,
    object,
    created: context.createdAt,
  }),
  thinkingDeltas: (block, pieces, index) => {
    const whole = detail(block, index);
    if (block.type === 'redactedThinking') return [{ role: 'assistant', content: '', reasoning_details: [whole] }];
    const { text: _text, ...last } = whole;
    const texts = pieces.map((text) => ({ type: 'reasoning.text', text, format: FORMAT, index }));
    return [
      ...texts.map((part) => ({ role: 'assistant', content: '', reasoning: part.text, reasoning_details: [part] })),
      { role: 'assistant', content: '', reasoning_details: [last] },
    ];
  },
  thinkingFields: (blocks) =>
    blocks.length === 0
      ? { reasoning: null }
      : { reasoning: blocks.map(thinkingText).join(''), reasoning_details: blocks.map(detail) },
  usage: (context) => {
    const { prompt, completion } = costOf(context);
    const usage = OPENAI_DIALECT.usage(context);
    return {
      ...usage,
      cost: prompt + completion,
      is_byok: false,
      cost_details: {
        upstream_inference_cost: null,
        upstream_inference_prompt_cost: prompt,
        upstream_inference_completions_cost: completion,
      },
    };
  },
  alwaysUsage: true,
  finishFields: (reason) => ({ native_finish_reason: reason }),
};

export function openrouterEvents(turn: Turn, context: TurnContext): StreamEvent[] {
  return chatEvents(turn, context, DIALECT);
}

export function openrouterCompletion(turn: Turn, context: TurnContext): object {
  return chatCompletion(turn, context, DIALECT);
}

/** The provider failed after the reply began: a last chunk that carries the error and ends the choice with it. */
export function openrouterErrorEvents(body: object | string, context: TurnContext): StreamEvent[] {
  if (typeof body === 'string') return [{ data: body }];
  const choice = {
    index: 0,
    delta: { role: 'assistant', content: '' },
    finish_reason: 'error',
    native_finish_reason: 'error',
  };
  const head = DIALECT.head('chat.completion.chunk', context);
  return [{ data: { ...head, choices: [choice], ...body } }, { data: '[DONE]' }];
}

const MORE_PARAMETERS: Record<string, string> = {
  cache_control: 'an object',
  debug: 'an object',
  image_config: 'an object',
  include_reasoning: 'a boolean',
  min_p: 'a decimal',
  models: 'an array',
  plugins: 'an array of objects',
  provider: 'an object',
  reasoning: 'an object',
  repetition_penalty: 'a decimal',
  route: 'a string',
  session_id: 'a string',
  structured_outputs: 'a boolean',
  top_a: 'a decimal',
  top_k: 'an integer',
  trace: 'an object',
  transforms: 'an array',
  usage: 'an object',
};

function hasImage(body: Json): boolean {
  return recordsOf(body.messages).some((message) =>
    recordsOf(message.content).some((part) => part.type === 'image_url'),
  );
}

function checkAbilities(body: Json, models: readonly ScriptModel[]): WireError | undefined {
  const model = models.find((candidate) => candidate.id === body.model);
  if (model?.tools === false && recordsOf(body.tools).length > 0) {
    const where = 'To learn more about provider routing, visit: https://openrouter.ai/docs/provider-routing';
    return openrouterError(404, `No endpoints found that support tool use. ${where}`);
  }
  if (model?.images === false && hasImage(body)) {
    return openrouterError(404, 'No endpoints found that support image input');
  }
  return undefined;
}

/** Details that were signed come back as they were sent. */
function checkDetails(body: Json, memory: ServerMemory): WireError | undefined {
  for (const message of recordsOf(body.messages)) {
    for (const { type, text, signature } of recordsOf(message.reasoning_details)) {
      if (type !== 'reasoning.text' || typeof signature !== 'string') continue;
      if (signature === signThinking(String(text)) || memory.scriptedSignatures.has(signature)) continue;
      const raw = '{"type":"error","error":{"message":"Invalid `signature` in `thinking` block"}}';
      return openrouterError(400, 'Provider returned error', { raw, provider_name: PROVIDER });
    }
  }
  return undefined;
}

/** The refusal a body deserves, or undefined when the API would take it. */
export function validateOpenrouter(body: Json, options: CheckOptions): WireError | undefined {
  const { allowUnknownFields, allowForeignSignatures, memory, models } = options;
  const wrong = validateChat(body, { allowUnknownFields, moreParameters: MORE_PARAMETERS });
  if (wrong) return asOpenrouterError(wrong);
  const { reasoning } = body;
  if (isRecord(reasoning) && reasoning.effort !== undefined && reasoning.max_tokens !== undefined) {
    return openrouterError(400, 'Only one of "reasoning.effort" and "reasoning.max_tokens" can be specified');
  }
  return checkAbilities(body, models) ?? (allowForeignSignatures ? undefined : checkDetails(body, memory));
}

export function rememberOpenrouter(turn: Turn, _context: TurnContext, memory: ServerMemory): void {
  for (const block of blocksOf(turn)) {
    if (block.type === 'thinking' && block.signature !== undefined) memory.scriptedSignatures.add(block.signature);
  }
}
