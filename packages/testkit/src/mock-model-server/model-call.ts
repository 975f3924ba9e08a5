import type { ServerResponse } from 'node:http';
import type { Clock } from '../clock/clock.ts';
import { anthropicCallIds, anthropicEvents, anthropicMessage } from './anthropic-wire.ts';
import { chatCompletion, chatEvents } from './chat-wire.ts';
import type { Gates } from './gates.ts';
import type { Wire } from './model-request.ts';
import type { RecordedRequest } from './recorded-request.ts';
import { ReplyPlayer } from './reply-player.ts';
import { blocksOf, type ScriptError, type Turn } from './script.ts';
import type { StreamEvent } from './stream-event.ts';
import { createTurnContext, type TurnContext } from './turn-context.ts';
import type { TurnSelector } from './turn-selector.ts';
import { anthropicInvalid, chatError, usualError } from './wire-errors.ts';

export interface ModelCallPorts {
  selector: TurnSelector;
  gates: Gates;
  clock: Clock;
  /** Aborted when the client leaves or the server closes. */
  signal: AbortSignal;
  /** Called when nothing but the last write of the reply is left. */
  ending: () => void;
  /** Called when an event of the stream has been written. */
  sent: () => void;
  /** What later requests are checked against; added to as replies go out. */
  memory: { callsAfterThinking: Set<string>; scriptedSignatures: Set<string> };
}

const DEFAULT_GATE = 'hang';

/** Answers a call that passed all checks. Rejects when a turn function throws or the signal is aborted. */
export async function answerModelCall(
  record: RecordedRequest,
  response: ServerResponse,
  ports: ModelCallPorts,
): Promise<void> {
  // Taken now: the record may be told to forget its body while the reply waits.
  const { rawBody, request = unreadable() } = record;
  const turn = await ports.selector.select(request);
  if (!turn) return sendExhausted(record, response, request.lastUserText, ports);
  if (turn.hang !== undefined && turn.hang !== false) {
    await ports.gates.wait(turn.hang === true ? DEFAULT_GATE : turn.hang, ports.signal);
  }
  if (turn.error && turn.error.afterEvents === undefined) {
    return sendError(record, response, turn.error, ports);
  }

  const context = createTurnContext(turn, request, rawBody, ports.clock.now());
  remember(turn, request.wire, context, ports.memory);
  record.status = 200;
  response.statusCode = 200;
  for (const [name, value] of Object.entries(replyHeaders(request.wire, context))) response.setHeader(name, value);
  const player = new ReplyPlayer(response, turn, { ...ports, draw: context.draw });
  const whole = request.stream
    ? await playStream(player, response, turn, request.wire, context)
    : await playBody(player, response, turn, request.wire, context);
  if (!whole) record.broken = true;
}

function unreadable(): never {
  throw new Error('a call that passed all checks has a readable body');
}

async function playStream(
  player: ReplyPlayer,
  response: ServerResponse,
  turn: Turn,
  wire: Wire,
  context: TurnContext,
): Promise<boolean> {
  response.setHeader('content-type', 'text/event-stream; charset=utf-8');
  response.setHeader('cache-control', 'no-cache');
  const events = wire === 'chat' ? chatEvents(turn, context) : anthropicEvents(turn, context);
  const stopsAt = turn.error?.afterEvents;
  if (turn.error === undefined || stopsAt === undefined) return await player.playEvents(events);
  return await player.playEvents([...events.slice(0, stopsAt), errorEvent(wire, turn.error)]);
}

async function playBody(
  player: ReplyPlayer,
  response: ServerResponse,
  turn: Turn,
  wire: Wire,
  context: TurnContext,
): Promise<boolean> {
  const body = JSON.stringify(wire === 'chat' ? chatCompletion(turn, context) : anthropicMessage(turn, context));
  response.setHeader('content-type', 'application/json');
  if (turn.cutAfterBytes === undefined) response.setHeader('content-length', Buffer.byteLength(body));
  return await player.playBody(body);
}

function errorEvent(wire: Wire, error: ScriptError): StreamEvent {
  const body = error.body ?? usualError(wire, error.status, error.message).body;
  const data = typeof body === 'object' && body !== null ? body : String(body);
  return wire === 'anthropic' ? { name: 'error', data } : { data };
}

function replyHeaders(wire: Wire, context: TurnContext): Record<string, string> {
  if (wire === 'anthropic') return { 'request-id': `req_011${context.id.slice(0, 20)}` };
  return { 'x-request-id': `req_${context.id}`, 'openai-version': '2020-10-01', 'openai-processing-ms': '1' };
}

function sendError(
  record: RecordedRequest,
  response: ServerResponse,
  error: ScriptError,
  ports: Pick<ModelCallPorts, 'ending'>,
): void {
  const body = error.body ?? usualError(record.wire ?? 'chat', error.status, error.message).body;
  record.status = error.status;
  response.writeHead(error.status, { 'content-type': 'application/json', ...error.headers });
  ports.ending();
  response.end(typeof body === 'string' ? body : JSON.stringify(body));
}

function sendExhausted(
  record: RecordedRequest,
  response: ServerResponse,
  lastUserText: string,
  ports: Pick<ModelCallPorts, 'ending'>,
): void {
  const text = `The mock script has no turn for this request (last user text: ${JSON.stringify(lastUserText.slice(0, 80))}).`;
  const refusal = record.wire === 'chat' ? chatError(400, text, { code: 'script_exhausted' }) : anthropicInvalid(text);
  record.refusal = refusal;
  sendError(record, response, { status: refusal.status, message: text, body: JSON.stringify(refusal.body) }, ports);
}

function remember(turn: Turn, wire: Wire, context: TurnContext, memory: ModelCallPorts['memory']): void {
  if (wire !== 'anthropic') return;
  const ids = anthropicCallIds(turn, context);
  let thought = false;
  for (const [index, block] of blocksOf(turn).entries()) {
    if (block.type === 'thinking' && block.signature !== undefined) memory.scriptedSignatures.add(block.signature);
    if (block.type === 'thinking' || block.type === 'redactedThinking') thought = true;
    const id = ids[index];
    if (thought && id !== undefined) memory.callsAfterThinking.add(id);
  }
}
