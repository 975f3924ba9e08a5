import { isRecord, type Json, parseJson } from '../json.ts';
import type { ModelRequest } from '../model-request.ts';
import { argumentText, blocksOf, type ScriptBlock, stopReasonOf, type Turn } from '../script.ts';
import type { ServerMemory } from '../server-memory.ts';
import { sealThinking } from '../sign-thinking.ts';
import { splitText } from '../split.ts';
import { frameOf, type StreamEvent } from '../stream-event.ts';
import type { TurnContext } from '../turn-context.ts';
import type { CallAddress, Framing } from '../wire-kit.ts';
import { camelCasedBody } from './google-fields.ts';

/**
 * Replies of Google's Gemini API (`generateContent`): fields after its reference and the official SDK's types. Calls come
 * whole, never in pieces. A reply with thoughts signs its first call, or its last text where there is no call.
 */

const FINISH_REASONS: Record<string, string> = {
  stop: 'STOP',
  toolUse: 'STOP',
  length: 'MAX_TOKENS',
  refusal: 'SAFETY',
};

type ToolCallBlock = Extract<ScriptBlock, { type: 'toolCall' }>;
type Part = Json;

/** Models of this family sign every reply and insist on their signatures. */
export function alwaysSigns(model: string): boolean {
  return model.startsWith('gemini-3');
}

/** How a call is known again, since clients need not keep its id. */
export function callKey(name: string, args: unknown): string {
  return `${name} ${JSON.stringify(args ?? {})}`;
}

function argsOf(call: ToolCallBlock): Json | undefined {
  const args = parseJson(argumentText(call));
  return isRecord(args) ? args : undefined;
}

/** The call whose arguments are no object: the API gives none of it, and says so in the finish reason. */
function malformed(turn: Turn): ToolCallBlock | undefined {
  return blocksOf(turn).find((block) => block.type === 'toolCall' && argsOf(block) === undefined) as
    | ToolCallBlock
    | undefined;
}

function wantsThoughts({ request }: TurnContext): boolean {
  const { generationConfig } = camelCasedBody(request.body);
  const config = isRecord(generationConfig) ? generationConfig.thinkingConfig : undefined;
  return isRecord(config) && config.includeThoughts === true;
}

/** The signature of a reply, or undefined when it has none. */
function signatureOf(turn: Turn, context: TurnContext): string | undefined {
  const thoughts = blocksOf(turn).filter((block) => block.type === 'thinking');
  if (thoughts.length === 0 && !alwaysSigns(context.model)) return undefined;
  return (
    thoughts.find((block) => block.signature !== undefined)?.signature ?? sealThinking(thoughts[0]?.thinking ?? '')
  );
}

/** The parts of a reply, one list a block. */
function partsOf(turn: Turn, context: TurnContext): Part[][] {
  const split = (text: string) => splitText(text, turn.split ?? 'whole', context.draw);
  const thoughtSignature = signatureOf(turn, context);
  const blocks = blocksOf(turn);
  const calls = blocks.filter((block) => block.type === 'toolCall' && argsOf(block) !== undefined);
  const lists = blocks.map((block, index): Part[] => {
    if (block.type === 'text') return split(block.text).map((text) => ({ text }));
    if (block.type === 'thinking') {
      return wantsThoughts(context) ? split(block.thinking).map((text) => ({ text, thought: true })) : [];
    }
    const args = block.type === 'toolCall' ? argsOf(block) : undefined;
    if (block.type !== 'toolCall' || args === undefined) return [];
    const functionCall = { id: block.id ?? `call_${context.id.slice(0, 12)}${index}`, name: block.name, args };
    const signed = block === calls[0] && thoughtSignature !== undefined;
    return [{ functionCall, ...(signed ? { thoughtSignature } : {}) }];
  });
  const parts = lists.filter((list) => list.length > 0);
  if (calls.length === 0 && thoughtSignature !== undefined) parts.push([{ text: '', thoughtSignature }]);
  return parts;
}

function usageOf({ usage }: TurnContext): Json {
  const prompt = usage.input + usage.cacheRead + usage.cacheWrite;
  return {
    promptTokenCount: prompt,
    candidatesTokenCount: Math.max(0, usage.output - usage.reasoning),
    totalTokenCount: prompt + usage.output,
    ...(usage.cacheRead > 0
      ? {
          cachedContentTokenCount: usage.cacheRead,
          cacheTokensDetails: [{ modality: 'TEXT', tokenCount: usage.cacheRead }],
        }
      : {}),
    promptTokensDetails: [{ modality: 'TEXT', tokenCount: prompt }],
    ...(usage.reasoning > 0 ? { thoughtsTokenCount: usage.reasoning } : {}),
  };
}

function finishFields(turn: Turn): Json {
  const broken = malformed(turn);
  if (broken) {
    const finishMessage = `Malformed function call: ${broken.name}(${argumentText(broken)})`;
    return { finishReason: 'MALFORMED_FUNCTION_CALL', finishMessage };
  }
  const reason = stopReasonOf(turn);
  return { finishReason: FINISH_REASONS[reason] ?? reason };
}

function response(parts: Part[], context: TurnContext, candidate: Json): Json {
  return {
    candidates: [{ content: { ...(parts.length > 0 ? { parts } : {}), role: 'model' }, ...candidate, index: 0 }],
    usageMetadata: usageOf(context),
    modelVersion: context.model,
    responseId: context.id,
  };
}

/** The chunks of a streamed reply; each is a response of its own, and the last has the finish reason. */
export function googleEvents(turn: Turn, context: TurnContext): StreamEvent[] {
  const chunks = partsOf(turn, context)
    .flat()
    .map((part) => response([part], context, {}));
  return [...chunks, response([{ text: '' }], context, finishFields(turn))].map((data) => ({ data }));
}

/** The body of a reply that is not streamed. */
export function googleResponse(turn: Turn, context: TurnContext): object {
  const parts = partsOf({ ...turn, split: 'whole' }, context).flat();
  return response(parts, context, finishFields(turn));
}

/** With `alt=sse` events, otherwise one JSON array that grows. */
export function googleFraming(_request: ModelRequest, address: CallAddress): Framing {
  if (address.query.get('alt') === 'sse') {
    return { contentType: 'text/event-stream', frames: (events) => events.map(sseFrame) };
  }
  return {
    contentType: 'application/json; charset=UTF-8',
    frames: (events) =>
      events.map((event, index) => {
        const end = index === events.length - 1 ? '\n]\n' : '';
        return Buffer.from(`${index === 0 ? '[' : ',\r\n'}${JSON.stringify(event.data)}${end}`);
      }),
  };
}

/** Google ends its lines as HTTP does. */
function sseFrame(event: StreamEvent): Buffer {
  return Buffer.from(frameOf(event).toString().replace(/\n\n$/, '\r\n\r\n'));
}

export function rememberGoogle(turn: Turn, context: TurnContext, memory: ServerMemory): void {
  for (const part of partsOf({ ...turn, split: 'whole' }, context).flat()) {
    if (typeof part.thoughtSignature !== 'string') continue;
    memory.scriptedSignatures.add(part.thoughtSignature);
    if (!isRecord(part.functionCall)) continue;
    memory.signedCalls.add(callKey(String(part.functionCall.name), part.functionCall.args));
  }
}
