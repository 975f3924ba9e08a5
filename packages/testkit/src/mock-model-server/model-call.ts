import type { ServerResponse } from 'node:http';
import type { Clock } from '../clock/clock.ts';
import type { Gates } from './gates.ts';
import type { RecordedRequest } from './recorded-request.ts';
import { ReplyPlayer } from './reply-player.ts';
import type { ScriptError, ScriptModel, Turn } from './script.ts';
import type { ServerMemory } from './server-memory.ts';
import { frameOf, type StreamEvent } from './stream-event.ts';
import { createTurnContext, type TurnContext } from './turn-context.ts';
import type { TurnSelector } from './turn-selector.ts';
import type { CallAddress, Framing, WireKit } from './wire-kit.ts';
import { withoutUsage } from './without-usage.ts';

export interface ModelCallPorts {
  kit: WireKit;
  address: CallAddress;
  models: readonly ScriptModel[];
  selector: TurnSelector;
  gates: Gates;
  clock: Clock;
  /** Aborted when the client leaves or the server closes. */
  signal: AbortSignal;
  /** Called when nothing but the last write of the reply is left. */
  ending: () => void;
  /** Called when an event of the stream has been written. */
  sent: () => void;
  memory: ServerMemory;
}

const DEFAULT_GATE = 'hang';
const SERVER_SENT_EVENTS: Framing = {
  contentType: 'text/event-stream; charset=utf-8',
  frames: (events) => events.map(frameOf),
};

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

  const failure = ports.kit.failure?.(turn);
  if (failure) return sendError(record, response, failure, ports);

  const context = createTurnContext(turn, request, rawBody, ports.clock.now(), ports.models);
  ports.kit.remember?.(turn, context, ports.memory);
  record.status = 200;
  response.statusCode = 200;
  for (const [name, value] of Object.entries(ports.kit.headers(context))) response.setHeader(name, value);
  const player = new ReplyPlayer(response, turn, { ...ports, draw: context.draw });
  const whole = request.stream
    ? await playStream(player, response, turn, context, ports)
    : await playBody(player, response, turn, context, ports);
  if (!whole) record.broken = true;
}

function unreadable(): never {
  throw new Error('a call that passed all checks has a readable body');
}

async function playStream(
  player: ReplyPlayer,
  response: ServerResponse,
  turn: Turn,
  context: TurnContext,
  { kit, address }: ModelCallPorts,
): Promise<boolean> {
  const framing = kit.framing?.(context.request, address) ?? SERVER_SENT_EVENTS;
  response.setHeader('content-type', framing.contentType);
  response.setHeader('cache-control', 'no-cache');
  return await player.playEvents(framing.frames(eventsOf(turn, context, kit)));
}

function eventsOf(turn: Turn, context: TurnContext, kit: WireKit): StreamEvent[] {
  const events = turn.noUsage === true ? kit.events(turn, context).map(quietEvent) : kit.events(turn, context);
  const stopsAt = turn.error?.afterEvents;
  if (turn.error === undefined || stopsAt === undefined) return events;
  const sent = events.slice(0, stopsAt);
  return [...sent, ...kit.errorEvents(errorBody(kit, turn.error), context, sent.length)];
}

async function playBody(
  player: ReplyPlayer,
  response: ServerResponse,
  turn: Turn,
  context: TurnContext,
  { kit }: ModelCallPorts,
): Promise<boolean> {
  const failed = turn.error && kit.failedWhole?.(errorBody(kit, turn.error), turn, context);
  const whole = turn.noUsage === true ? withoutUsage(kit.whole(turn, context)) : kit.whole(turn, context);
  const body = JSON.stringify(failed ?? whole);
  response.setHeader('content-type', 'application/json');
  if (turn.cutAfterBytes === undefined) response.setHeader('content-length', Buffer.byteLength(body));
  return await player.playBody(body);
}

function quietEvent(event: StreamEvent): StreamEvent {
  return typeof event.data === 'string' ? event : { ...event, data: withoutUsage(event.data) };
}

function errorBody(kit: WireKit, error: ScriptError): object | string {
  const body = error.body ?? kit.error(error.status, error.message).body;
  return typeof body === 'object' && body !== null ? body : String(body);
}

function sendError(
  record: RecordedRequest,
  response: ServerResponse,
  error: ScriptError,
  ports: Pick<ModelCallPorts, 'ending' | 'kit'>,
): void {
  const body = error.body ?? ports.kit.error(error.status, error.message).body;
  record.status = error.status;
  response.writeHead(error.status, { 'content-type': 'application/json', ...error.headers });
  ports.ending();
  response.end(typeof body === 'string' ? body : JSON.stringify(body));
}

function sendExhausted(
  record: RecordedRequest,
  response: ServerResponse,
  lastUserText: string,
  ports: Pick<ModelCallPorts, 'ending' | 'kit'>,
): void {
  const text = `The mock script has no turn for this request (last user text: ${JSON.stringify(lastUserText.slice(0, 80))}).`;
  const refusal = ports.kit.error(400, text);
  record.refusal = refusal;
  sendError(record, response, { status: refusal.status, message: text, body: JSON.stringify(refusal.body) }, ports);
}
