import type { LanguageModelV4Message, LanguageModelV4Prompt } from '@ai-sdk/provider';
import type { AssistantMessage, ImageContent, TextContent, ToolResultMessage, UserMessage } from '@black-ide/protocol';
import { PROVIDERS } from './constants.ts';

/** What a context is made of once summaries and custom messages have become user messages. */
export type LlmMessage = UserMessage | AssistantMessage | ToolResultMessage;

/**
 * Converts a context to the provider interface's prompt. Messages are immutable, so each one is converted once per
 * provider and kept: a long session costs one array per turn, and equal input gives equal bytes.
 */
export class PromptConverter {
  readonly #provider: string;
  readonly #done = new WeakMap<LlmMessage, LanguageModelV4Message[]>();

  constructor(provider: string) {
    this.#provider = provider;
  }

  convert(system: string, messages: readonly LlmMessage[]): LanguageModelV4Prompt {
    const prompt: LanguageModelV4Prompt = [{ role: 'system', content: system }];
    for (const message of messages) {
      let converted = this.#done.get(message);
      if (!converted) {
        converted = this.#convert(message);
        this.#done.set(message, converted);
      }
      prompt.push(...converted);
    }
    return prompt;
  }

  #convert(message: LlmMessage): LanguageModelV4Message[] {
    switch (message.role) {
      case 'user':
        return [{ role: 'user', content: blocks(message.content).map(part) }];
      case 'assistant':
        return this.#assistant(message);
      case 'toolResult':
        return [{ role: 'tool', content: [toolResult(message)] }];
    }
  }

  #assistant(message: AssistantMessage): LanguageModelV4Message[] {
    const content: Extract<LanguageModelV4Message, { role: 'assistant' }>['content'] = [];
    for (const block of message.content) {
      if (block.type === 'text') {
        if (block.text) content.push({ type: 'text', text: block.text });
      } else if (block.type === 'toolCall') {
        content.push({ type: 'tool-call', toolCallId: block.id, toolName: block.name, input: block.arguments });
      } else if (message.provider === this.#provider && block.thinkingSignature) {
        // A signature is worth nothing to another provider, and unsigned thinking is refused by those that sign.
        content.push({
          type: 'reasoning',
          text: block.redacted ? '' : block.thinking,
          providerOptions: {
            [PROVIDERS.anthropic]: block.redacted
              ? { redactedData: block.thinkingSignature }
              : { signature: block.thinkingSignature },
          },
        });
      }
    }
    return content.length > 0 ? [{ role: 'assistant', content }] : [];
  }
}

function blocks(content: UserMessage['content']): (TextContent | ImageContent)[] {
  return typeof content === 'string' ? [{ type: 'text', text: content }] : content;
}

function part(block: TextContent | ImageContent) {
  return block.type === 'text'
    ? ({ type: 'text', text: block.text } as const)
    : ({ type: 'file', mediaType: block.mimeType, data: { type: 'data', data: block.data } } as const);
}

function toolResult(message: ToolResultMessage) {
  const base = { type: 'tool-result', toolCallId: message.toolCallId, toolName: message.toolName } as const;
  if (message.content.some((block) => block.type === 'image')) {
    return { ...base, output: { type: 'content' as const, value: message.content.map(part) } };
  }
  const value = message.content.map((block) => (block.type === 'text' ? block.text : '')).join('\n');
  return { ...base, output: { type: message.isError ? ('error-text' as const) : ('text' as const), value } };
}
