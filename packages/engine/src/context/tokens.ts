import type { LlmMessage } from '../llm/to-prompt.ts';

/** An image costs about this many tokens at the sizes that the providers scale to. */
const IMAGE_TOKENS = 1_500;
/** Role, ids and framing of one message. */
const MESSAGE_TOKENS = 8;

/**
 * A careful estimate of a text's tokens: four ASCII characters, or one other character, to a token. The providers'
 * own tokenisers differ by model; what matters is that the estimate errs on the large side for code and for scripts
 * like Bengali.
 */
export function estimateTokens(text: string): number {
  // Most text is ASCII, and the runtime tells that faster than a loop.
  if (Buffer.byteLength(text) === text.length) return Math.ceil(text.length / 4);
  let wide = 0;
  for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) > 127) wide++;
  return Math.ceil((text.length - wide) / 4 + wide);
}

/** Measures messages once each: they are immutable. */
export class TokenMeter {
  readonly #known = new WeakMap<LlmMessage, number>();

  of(message: LlmMessage): number {
    let tokens = this.#known.get(message);
    if (tokens === undefined) {
      tokens = MESSAGE_TOKENS + measure(message);
      this.#known.set(message, tokens);
    }
    return tokens;
  }
}

function measure(message: LlmMessage): number {
  if (typeof message.content === 'string') return estimateTokens(message.content);
  let tokens = 0;
  for (const block of message.content) {
    switch (block.type) {
      case 'text':
        tokens += estimateTokens(block.text);
        break;
      case 'image':
        tokens += IMAGE_TOKENS;
        break;
      case 'thinking':
        tokens += estimateTokens(block.thinking) + estimateTokens(block.thinkingSignature ?? '');
        break;
      case 'toolCall':
        tokens += estimateTokens(block.name) + estimateTokens(JSON.stringify(block.arguments));
        break;
    }
  }
  return tokens;
}
