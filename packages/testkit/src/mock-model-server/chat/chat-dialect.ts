import type { Json } from '../json.ts';
import type { ScriptBlock } from '../script.ts';
import type { TurnContext } from '../turn-context.ts';

/** In what the servers that speak the Chat wire differ. */
export interface ChatDialect {
  /** Fields of every chunk and of a whole reply, `object` among them. */
  head(object: string, context: TurnContext): Json;
  /** The deltas of a block of thinking, its text cut into `pieces`. */
  thinkingDeltas(block: ThinkingBlock, pieces: string[], index: number): Json[];
  /** Fields of a whole message for all its thinking. */
  thinkingFields(blocks: ThinkingBlock[]): Json;
  usage(context: TurnContext): Json;
  /** Send usage whether it was asked for or not. */
  alwaysUsage?: boolean;
  /** Fields beside `finish_reason`. */
  finishFields?(reason: string | null): Json;
  /** A call comes in one piece. */
  wholeCalls?: boolean;
}

export type ThinkingBlock = Extract<ScriptBlock, { type: 'thinking' | 'redactedThinking' }>;

export function thinkingText(block: ThinkingBlock): string {
  return block.type === 'thinking' ? block.thinking : '';
}

/**
 * OpenAI's own servers, but for thinking: it goes out as `reasoning_content`, as DeepSeek, vLLM and other compatible
 * servers send it.
 */
export const OPENAI_DIALECT: ChatDialect = {
  head: (object, context) => ({
    id: `chatcmpl-${context.id}`,
    object,
    created: context.createdAt,
    model: context.model,
    service_tier: 'default',
    system_fingerprint: 'fp_mock',
  }),
  thinkingDeltas: (block, pieces) =>
    block.type === 'thinking' ? pieces.map((piece) => ({ reasoning_content: piece })) : [],
  thinkingFields: (blocks) => {
    const thoughts = blocks.filter((block) => block.type === 'thinking');
    return thoughts.length > 0 ? { reasoning_content: thoughts.map(thinkingText).join('') } : {};
  },
  usage: ({ usage }) => {
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
  },
};
