import type {
  LanguageModelV4CallOptions,
  LanguageModelV4FinishReason,
  LanguageModelV4StreamPart,
  SharedV4ProviderMetadata,
} from '@ai-sdk/provider';
import { type AssistantMessage, type ToolCall, zeroUsage } from '@black-ide/protocol';
import { PROVIDERS } from './constants.ts';
import { classifyFailure, type ModelFailure } from './failure.ts';
import type { ResolvedModel } from './model.ts';
import { billedBy, itemOf, sign, signOnce } from './signatures.ts';
import { usageOf } from './usage.ts';

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
    if (model.hide) failure.error.message = model.hide(failure.error.message);
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
  /** What a model writes as arguments, by call. */
  readonly #inputs = new Map<string, string>();
  /** The provider's own name of the thinking that came last. */
  #item: string | undefined;
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
        this.#sign(this.#start(part.id, { type: 'text', text: '' }), part.providerMetadata);
        break;
      case 'text-delta': {
        const block = this.#open.get(part.id) ?? this.#start(part.id, { type: 'text', text: '' });
        if (block.type === 'text') block.text += part.delta;
        this.#sign(block, part.providerMetadata);
        this.#listener.onText(part.delta);
        break;
      }
      case 'reasoning-start':
        this.#think(part.id, part.providerMetadata);
        break;
      case 'reasoning-delta': {
        const block = this.#open.get(part.id) ?? this.#think(part.id, part.providerMetadata);
        if (block.type === 'thinking') block.thinking += part.delta;
        this.#sign(block, part.providerMetadata);
        if (part.delta) this.#listener.onThinking(part.delta);
        break;
      }
      case 'text-end':
      case 'reasoning-end': {
        const block = this.#open.get(part.id);
        if (block) this.#sign(block, part.providerMetadata);
        break;
      }
      case 'tool-input-delta':
        this.#inputs.set(part.id, (this.#inputs.get(part.id) ?? '') + part.delta);
        break;
      case 'tool-call': {
        const call = toolCall(this.#freeId(part.toolCallId), part.toolName, this.#inputOf(part));
        this.#content.push(call);
        this.#sign(call, part.providerMetadata);
        break;
      }
      case 'finish':
        if (UNFINISHED.includes(part.finishReason.unified) || this.#isSilent(part.finishReason))
          throw new Error('it ended without saying why');
        this.finished = true;
        this.#usage = usageOf(part.usage, this.#model.info.prices, billedBy(part.providerMetadata));
        this.#stopReason = STOP_REASONS[part.finishReason.unified] ?? 'stop';
        break;
    }
  }

  /** Some servers name two calls of one answer alike, or not at all: a yes to one must not count for the other. */
  #freeId(id: string): string {
    const taken = new Set(this.#content.map((block) => (block.type === 'toolCall' ? block.id : undefined)));
    let free = id || 'call';
    for (let n = 2; taken.has(free); n++) free = `${id || 'call'}_${n}`;
    return free;
  }

  message(): AssistantMessage {
    const calls = this.#content.some((block) => block.type === 'toolCall');
    if (this.#model.kind === PROVIDERS.openrouter) signOnce(this.#content);
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

  /** One library puts `{}` in the place of arguments that are no JSON; what the model wrote came before. */
  #inputOf({ toolCallId, input }: { toolCallId: string; input: string }): string {
    return input === '{}' ? (this.#inputs.get(toolCallId)?.trim() ?? input) : input;
  }

  /** The same library calls a stream finished that never said why it ended. */
  #isSilent({ raw }: LanguageModelV4FinishReason): boolean {
    return this.#model.kind === PROVIDERS.openrouter && raw === undefined;
  }

  /** Begins a block of thinking; pieces of one item of the provider's are one block, as one signature is theirs. */
  #think(id: string, metadata: SharedV4ProviderMetadata | undefined): AssistantMessage['content'][number] {
    const item = itemOf(this.#model.kind, metadata);
    const last = this.#content.at(-1);
    if (item !== undefined && item === this.#item && last?.type === 'thinking') {
      if (last.thinking) last.thinking += '\n\n';
      this.#open.set(id, last);
      return last;
    }
    this.#item = item;
    const block = this.#start(id, { type: 'thinking' as const, thinking: '' });
    this.#sign(block, metadata);
    return block;
  }

  #sign(block: AssistantMessage['content'][number], metadata: SharedV4ProviderMetadata | undefined): void {
    sign(block, this.#model.kind, metadata);
  }
}

/** How the libraries call a stream that ended before the provider said that it had. */
const UNFINISHED: readonly string[] = ['error', 'interrupted'];

const STOP_REASONS: Record<string, AssistantMessage['stopReason']> = { length: 'length', 'tool-calls': 'toolUse' };

/** A call whose arguments are not a JSON object keeps their text, so that the loop can tell the model what was wrong. */
export interface BrokenToolCall extends ToolCall {
  invalidArguments?: string;
}

/** Deeper arguments than any tool takes: writing them down again would overflow the stack. */
const MAX_DEPTH = 200;

/** Brackets inside of strings are text, e.g. of a file full of terminal colours. */
function isTooDeep(json: string): boolean {
  let depth = 0;
  let quoted = false;
  for (let at = 0; at < json.length; at += 1) {
    const character = json[at];
    if (character === '"') quoted = !quoted;
    else if (quoted) at += character === '\\' ? 1 : 0;
    else if (character === '[' || character === '{') depth += 1;
    else if (character === ']' || character === '}') depth -= 1;
    if (depth > MAX_DEPTH) return true;
  }
  return false;
}

function toolCall(id: string, name: string, input: string): BrokenToolCall {
  const call: BrokenToolCall = { type: 'toolCall', id, name, arguments: {} };
  if (input.trim() === '') return call;
  if (isTooDeep(input)) return { ...call, invalidArguments: input };
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
