import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4Content,
  LanguageModelV4FinishReason,
  LanguageModelV4StreamPart,
  LanguageModelV4Usage,
  SharedV4Warning,
} from '@ai-sdk/provider';
import { nextStep } from './next-step.ts';
import type { ToolSet } from './plan.ts';

export interface OfflineModelOptions {
  /** Hands out ids for tool calls, each unlike all before; random by default. */
  newCallId?: () => string;
}

/** A streamed piece of text is about this long and ends at a line where it can. */
const PIECE = 400;

/**
 * The model that answers when there is none: it searches, outlines, replaces text and runs tests by the same tools and
 * the same loop as any other, and keeps nothing between calls. It uses no network and no tokens.
 */
export function createOfflineModel(options: OfflineModelOptions = {}): LanguageModelV4 {
  const newCallId = options.newCallId ?? (() => `call_${globalThis.crypto.randomUUID()}`);
  return {
    specificationVersion: 'v4',
    provider: 'offline',
    modelId: 'offline',
    supportedUrls: {},
    async doGenerate(call) {
      const answer = answerTo(call, newCallId);
      return { ...answer, usage: NO_USAGE };
    },
    async doStream(call) {
      return { stream: streamOf(answerTo(call, newCallId), call.abortSignal) };
    },
  };
}

interface Answer {
  content: LanguageModelV4Content[];
  finishReason: LanguageModelV4FinishReason;
  warnings: SharedV4Warning[];
}

const NO_USAGE: LanguageModelV4Usage = {
  inputTokens: { total: 0, noCache: 0, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 0, text: 0, reasoning: 0 },
};

function answerTo(call: LanguageModelV4CallOptions, newCallId: () => string): Answer {
  call.abortSignal?.throwIfAborted();
  const step = nextStep(call.prompt, toolSet(call));
  const warnings = warningsFor(call);
  if ('answer' in step) {
    return { content: [{ type: 'text', text: step.answer }], finishReason: { unified: 'stop', raw: 'stop' }, warnings };
  }
  const content = step.calls.map(({ name, args }) => ({
    type: 'tool-call' as const,
    toolCallId: newCallId(),
    toolName: name,
    input: JSON.stringify(args),
  }));
  return { content, finishReason: { unified: 'tool-calls', raw: 'tool-calls' }, warnings };
}

function toolSet({ tools, toolChoice }: LanguageModelV4CallOptions): ToolSet {
  const usable = new Map<string, unknown>();
  if (toolChoice?.type !== 'none') {
    for (const tool of tools ?? []) if (tool.type === 'function') usable.set(tool.name, tool.inputSchema.properties);
  }
  return {
    has: (name) => usable.has(name),
    atMost(name, parameter, wanted) {
      const properties = usable.get(name) as Record<string, { maximum?: unknown } | undefined> | undefined;
      const maximum = properties?.[parameter]?.maximum;
      return typeof maximum === 'number' ? Math.min(maximum, wanted) : wanted;
    },
  };
}

function warningsFor({ responseFormat }: LanguageModelV4CallOptions): SharedV4Warning[] {
  if (responseFormat?.type !== 'json') return [];
  return [{ type: 'unsupported', feature: 'responseFormat', details: 'The offline provider answers in plain text.' }];
}

function streamOf(answer: Answer, signal: AbortSignal | undefined): ReadableStream<LanguageModelV4StreamPart> {
  const parts = partsOf(answer);
  return new ReadableStream<LanguageModelV4StreamPart>({
    pull(controller) {
      if (signal?.aborted) return controller.error(signal.reason);
      const next = parts.next();
      if (next.done) controller.close();
      else controller.enqueue(next.value);
    },
  });
}

function* partsOf({ content, finishReason, warnings }: Answer): Generator<LanguageModelV4StreamPart, void> {
  yield { type: 'stream-start', warnings };
  for (const part of content) {
    if (part.type === 'text') {
      const id = 'text';
      yield { type: 'text-start', id };
      for (const delta of pieces(part.text)) yield { type: 'text-delta', id, delta };
      yield { type: 'text-end', id };
    } else if (part.type === 'tool-call') {
      const id = part.toolCallId;
      yield { type: 'tool-input-start', id, toolName: part.toolName };
      yield { type: 'tool-input-delta', id, delta: part.input };
      yield { type: 'tool-input-end', id };
      yield part;
    }
  }
  yield { type: 'finish', usage: NO_USAGE, finishReason };
}

/** Pieces that together are the text; none ends inside a character. */
function* pieces(text: string): Generator<string, void> {
  let rest = text;
  while (rest.length > PIECE) {
    const line = rest.lastIndexOf('\n', PIECE - 1) + 1;
    let end = line > 0 ? line : PIECE;
    if (/[\ud800-\udbff]/.test(rest[end - 1]!)) end += 1;
    yield rest.slice(0, end);
    rest = rest.slice(end);
  }
  if (rest !== '') yield rest;
}
