import type { LanguageModelV4Message, LanguageModelV4Prompt, LanguageModelV4ToolResultPart } from '@ai-sdk/provider';
import type { AssistantMessage, ImageContent, TextContent, ToolResultMessage, UserMessage } from '@black-ide/protocol';
import type { ResolvedModel } from './model.ts';
import { signatureOptions, thinkingText } from './signatures.ts';
import { toolCallId, toolName } from './tool-call-ids.ts';

/** What a context is made of once summaries and custom messages have become user messages. */
export type LlmMessage = UserMessage | AssistantMessage | ToolResultMessage;

/** The model that a prompt is for. */
export type PromptTarget = Pick<ResolvedModel, 'provider' | 'modelId' | 'kind' | 'api' | 'info'>;

interface Converted {
  messages: LanguageModelV4Message[];
  /** Images of a tool result, for a wire whose tool results hold text only. */
  images: ImageContent[];
}

/** Wires whose tool results can hold images. */
const IMAGES_IN_RESULTS: readonly string[] = ['anthropic', 'openai-responses'];

/**
 * Converts a context to the provider interface's prompt (IDE-27): whatever model said it, the next one accepts it.
 * Messages are immutable, so each one is converted once per model and kept: a long session costs one array per turn, and
 * equal input gives equal bytes.
 */
export class PromptConverter {
  readonly #target: PromptTarget;
  readonly #done = new WeakMap<LlmMessage, Converted>();

  constructor(target: PromptTarget) {
    this.#target = target;
  }

  convert(system: string, messages: readonly LlmMessage[]): LanguageModelV4Prompt {
    const prompt: LanguageModelV4Prompt = [this.#system(system)];
    let images: ImageContent[] = [];
    const showImages = () => {
      if (images.length > 0) prompt.push({ role: 'user', content: images.map((image) => part(image)) });
      images = [];
    };
    for (const message of messages) {
      let converted = this.#done.get(message);
      if (!converted) {
        converted = this.#convert(message);
        this.#done.set(message, converted);
      }
      // The results of one turn stay together; what they show comes right after them.
      if (message.role !== 'toolResult') showImages();
      for (const each of converted.messages) append(prompt, each);
      images.push(...converted.images);
    }
    showImages();
    return prompt;
  }

  /**
   * Tools and system prompt are the same for all sessions of a mode: an own breakpoint lets a session begin with a cache
   * read. The conversation's is set by the API itself, behind its newest block.
   */
  #system(content: string): LanguageModelV4Message {
    if (this.#target.kind !== 'anthropic') return { role: 'system', content };
    return { role: 'system', content, providerOptions: { anthropic: { cacheControl: { type: 'ephemeral' } } } };
  }

  #convert(message: LlmMessage): Converted {
    switch (message.role) {
      case 'user':
        return {
          messages: [{ role: 'user', content: sayable(blocks(message.content)).map((each) => this.#part(each)) }],
          images: [],
        };
      case 'assistant':
        return { messages: this.#assistant(message), images: [] };
      case 'toolResult':
        return this.#toolResult(message);
    }
  }

  #assistant(message: AssistantMessage): LanguageModelV4Message[] {
    const { provider, modelId, kind, api } = this.#target;
    // Signatures are worth nothing to another model, and unsigned thinking is refused by those that sign.
    const own = message.provider === provider && message.model === modelId && message.api === api;
    const content: Extract<LanguageModelV4Message, { role: 'assistant' }>['content'] = [];
    for (const block of message.content) {
      const providerOptions = own ? signatureOptions(block, kind) : undefined;
      const signed = providerOptions ? { providerOptions } : {};
      if (block.type === 'text') {
        // Anthropic refuses blanks alone. What is signed must go back as it came.
        if (!isBlank(block) || (block.text && providerOptions))
          content.push({ type: 'text', text: block.text, ...signed });
      } else if (block.type === 'toolCall') {
        const id = toolCallId(block.id, api);
        content.push({
          type: 'tool-call',
          toolCallId: id,
          toolName: toolName(block.name),
          input: block.arguments,
          ...signed,
        });
      } else if (providerOptions) {
        content.push({ type: 'reasoning', text: thinkingText(block), providerOptions });
      }
    }
    return content.length > 0 ? [{ role: 'assistant', content }] : [];
  }

  #toolResult(message: ToolResultMessage): Converted {
    const { info, kind, api } = this.#target;
    const shown = info.images ? message.content.filter((block) => block.type === 'image') : [];
    const inside = IMAGES_IN_RESULTS.includes(kind);
    const output: LanguageModelV4ToolResultPart['output'] =
      inside && shown.length > 0
        ? { type: 'content', value: sayable(message.content).map((block) => this.#part(block)) }
        : { type: message.isError ? 'error-text' : 'text', value: this.#resultText(message, shown.length > 0) };
    const id = toolCallId(message.toolCallId, api);
    return {
      messages: [
        {
          role: 'tool',
          content: [{ type: 'tool-result', toolCallId: id, toolName: toolName(message.toolName), output }],
        },
      ],
      images: inside ? [] : shown,
    };
  }

  #resultText({ content, isError }: ToolResultMessage, follows: boolean): string {
    const text = content
      .map((block) => {
        if (block.type === 'text') return block.text;
        return follows ? `[image: ${block.mimeType}, shown in the next message]` : this.#left(block);
      })
      .join('\n');
    return isError && text.trim() === '' ? NO_WORDS : text;
  }

  #part(block: TextContent | ImageContent) {
    return block.type === 'text' || this.#target.info.images
      ? part(block)
      : ({ type: 'text', text: this.#left(block) } as const);
  }

  #left({ mimeType }: ImageContent): string {
    return `[image: ${mimeType}, left out: ${this.#target.modelId} takes no images]`;
  }
}

/** The results of one turn are one message: some providers count them against its calls. */
function append(prompt: LanguageModelV4Prompt, message: LanguageModelV4Message): void {
  const last = prompt.at(-1);
  if (last?.role === 'tool' && message.role === 'tool') {
    prompt[prompt.length - 1] = { role: 'tool', content: [...last.content, ...message.content] };
  } else prompt.push(message);
}

function blocks(content: UserMessage['content']): (TextContent | ImageContent)[] {
  return typeof content === 'string' ? [{ type: 'text', text: content }] : content;
}

/** Stands in where there is nothing to say, but a provider wants to be told something. */
const NO_WORDS = '[no words]';

/** Without texts of blanks alone, which Anthropic refuses. */
function sayable(content: readonly (TextContent | ImageContent)[]): (TextContent | ImageContent)[] {
  const kept = content.filter((block) => !isBlank(block));
  return kept.length > 0 ? kept : [{ type: 'text', text: NO_WORDS }];
}

function isBlank(block: TextContent | ImageContent): boolean {
  return block.type === 'text' && block.text.trim() === '';
}

function part(block: TextContent | ImageContent) {
  return block.type === 'text'
    ? ({ type: 'text', text: block.text } as const)
    : ({ type: 'file', mediaType: block.mimeType, data: { type: 'data', data: block.data } } as const);
}
