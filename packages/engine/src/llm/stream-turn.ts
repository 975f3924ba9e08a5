import type { LanguageModelV4CallOptions, LanguageModelV4StreamPart, LanguageModelV4Usage } from '@ai-sdk/provider';
import { type AssistantMessage, type ToolCall, type Usage, zeroUsage } from '@black-ide/protocol';
import { classifyFailure, type ModelFailure } from './failure.ts';
import type { ModelInfo, ResolvedModel } from './model.ts';

export interface TurnListener {
  onText(text: string): void;
  onThinking(text: string): void;
}

export type TurnOutcome =
  | { ok: true; message: AssistantMessage }
  /** `partial` holds what had arrived: text and thinking only, never a call that was not complete. */
  | { ok: false; failure: ModelFailure; partial: AssistantMessage };

/**
 * Asks the model once and collects its streamed answer into a message. Never throws. A stream that ends without a
 * finish reason counts as dropped: half an answer must not pass for a whole one.
 */
export async function streamTurn(
  model: ResolvedModel,
  options: LanguageModelV4CallOptions,
  listener: TurnListener,
  now: () => number,
): Promise<TurnOutcome> {
  const turn = new TurnCollector(model, listener, now);
  const signal = options.abortSignal;
  let reader: ReadableStreamDefaultReader<LanguageModelV4StreamPart> | undefined;
  try {
    const { stream } = await model.language.doStream(options);
    reader = stream.getReader();
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      if (value.type === 'error') throw value.error;
      turn.add(value);
    }
    if (signal?.aborted) throw signal.reason;
    if (!turn.finished) throw new Error('it ended without saying why');
    return { ok: true, message: turn.message() };
  } catch (cause) {
    const failure = classifyFailure(cause, model.provider, now(), signal);
    reader?.cancel().catch(() => undefined);
    return { ok: false, failure, partial: turn.partial(failure) };
  }
}

class TurnCollector {
  finished = false;
  readonly #model: ResolvedModel;
  readonly #listener: TurnListener;
  readonly #now: () => number;
  readonly #content: AssistantMessage['content'] = [];
  /** Open blocks by the stream's own ids. */
  readonly #open = new Map<string, AssistantMessage['content'][number]>();
  #usage = zeroUsage();
  #stopReason: AssistantMessage['stopReason'] = 'stop';

  constructor(model: ResolvedModel, listener: TurnListener, now: () => number) {
    this.#model = model;
    this.#listener = listener;
    this.#now = now;
  }

  add(part: LanguageModelV4StreamPart): void {
    switch (part.type) {
      case 'text-start':
        this.#start(part.id, { type: 'text', text: '' });
        break;
      case 'text-delta': {
        const block = this.#open.get(part.id) ?? this.#start(part.id, { type: 'text', text: '' });
        if (block.type === 'text') block.text += part.delta;
        this.#listener.onText(part.delta);
        break;
      }
      case 'reasoning-start':
        this.#sign(this.#start(part.id, { type: 'thinking', thinking: '' }), part.providerMetadata);
        break;
      case 'reasoning-delta': {
        const block = this.#open.get(part.id) ?? this.#start(part.id, { type: 'thinking', thinking: '' });
        if (block.type === 'thinking') block.thinking += part.delta;
        this.#sign(block, part.providerMetadata);
        if (part.delta) this.#listener.onThinking(part.delta);
        break;
      }
      case 'reasoning-end': {
        const block = this.#open.get(part.id);
        if (block) this.#sign(block, part.providerMetadata);
        break;
      }
      case 'tool-call':
        this.#content.push(toolCall(part.toolCallId, part.toolName, part.input));
        break;
      case 'finish':
        if (UNFINISHED.includes(part.finishReason.unified)) throw new Error('it ended without saying why');
        this.finished = true;
        this.#usage = usageOf(part.usage, this.#model.info);
        this.#stopReason = STOP_REASONS[part.finishReason.unified] ?? 'stop';
        break;
    }
  }

  message(): AssistantMessage {
    const calls = this.#content.some((block) => block.type === 'toolCall');
    return this.#build(this.#content, calls && this.#stopReason === 'stop' ? 'toolUse' : this.#stopReason);
  }

  partial(failure: ModelFailure): AssistantMessage {
    const content = this.#content.filter((block) => block.type === 'text' && block.text !== '');
    const aborted = failure.kind === 'aborted';
    const message = this.#build(content, aborted ? 'aborted' : 'error');
    return { ...message, errorMessage: failure.error.message };
  }

  #build(content: AssistantMessage['content'], stopReason: AssistantMessage['stopReason']): AssistantMessage {
    const { api, provider, modelId } = this.#model;
    const kept = content.filter((block) => block.type !== 'text' || block.text !== '');
    return {
      role: 'assistant',
      content: kept,
      api,
      provider,
      model: modelId,
      usage: this.#usage,
      stopReason,
      timestamp: this.#now(),
    };
  }

  #start<Block extends AssistantMessage['content'][number]>(id: string, block: Block): Block {
    this.#open.set(id, block);
    this.#content.push(block);
    return block;
  }

  #sign(block: AssistantMessage['content'][number], metadata: Record<string, unknown> | undefined): void {
    if (block.type !== 'thinking') return;
    const own = metadata?.anthropic as { signature?: string; redactedData?: string } | undefined;
    if (own?.signature) block.thinkingSignature = own.signature;
    if (own?.redactedData) {
      block.thinkingSignature = own.redactedData;
      block.redacted = true;
    }
  }
}

/** How the libraries call a stream that ended before the provider said that it had. */
const UNFINISHED: readonly string[] = ['error', 'interrupted'];

const STOP_REASONS: Record<string, AssistantMessage['stopReason']> = { length: 'length', 'tool-calls': 'toolUse' };

/** A call whose arguments are not a JSON object keeps their text, so that the loop can tell the model what was wrong. */
export interface BrokenToolCall extends ToolCall {
  invalidArguments?: string;
}

function toolCall(id: string, name: string, input: string): BrokenToolCall {
  const call: BrokenToolCall = { type: 'toolCall', id, name, arguments: {} };
  if (input.trim() === '') return call;
  try {
    const parsed: unknown = JSON.parse(input);
    if (typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)) {
      return { ...call, arguments: parsed as Record<string, unknown> };
    }
  } catch {
    // Falls through: the text itself is the answer.
  }
  return { ...call, invalidArguments: input };
}

/** Stands in where no price is known: the tokens are told, the money is not made up. */
const FREE = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };

function usageOf(usage: LanguageModelV4Usage, info: ModelInfo): Usage {
  const cacheRead = usage.inputTokens.cacheRead ?? 0;
  const cacheWrite = usage.inputTokens.cacheWrite ?? 0;
  const input = usage.inputTokens.noCache ?? Math.max(0, (usage.inputTokens.total ?? 0) - cacheRead - cacheWrite);
  const output = usage.outputTokens.total ?? 0;
  const { prices = FREE } = info;
  const cost = {
    input: (input * prices.input) / 1e6,
    output: (output * prices.output) / 1e6,
    cacheRead: (cacheRead * prices.cacheRead) / 1e6,
    cacheWrite: (cacheWrite * prices.cacheWrite) / 1e6,
  };
  return {
    input,
    output,
    cacheRead,
    cacheWrite,
    totalTokens: input + output + cacheRead + cacheWrite,
    cost: { ...cost, total: cost.input + cost.output + cost.cacheRead + cost.cacheWrite },
  };
}
