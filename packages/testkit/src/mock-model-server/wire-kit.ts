import type { IncomingHttpHeaders } from 'node:http';
import type { Json } from './json.ts';
import type { ModelRequest, RequestReading } from './model-request.ts';
import type { ScriptError, ScriptModel, Turn } from './script.ts';
import type { ServerMemory } from './server-memory.ts';
import type { StreamEvent } from './stream-event.ts';
import type { TurnContext } from './turn-context.ts';
import type { WireError } from './wire-errors.ts';

/** Where a request was sent. */
export interface CallAddress {
  pathname: string;
  query: URLSearchParams;
}

export interface CheckOptions {
  allowUnknownFields: boolean;
  allowConsecutiveRoles: boolean;
  allowForeignSignatures: boolean;
  models: readonly ScriptModel[];
  memory: ServerMemory;
}

/** All that the server has to know of a wire. */
export interface WireKit {
  /** Never throws; what is missing comes out empty. */
  read(body: Json, address: CallAddress, memory: ServerMemory): RequestReading;
  /** The refusal for a missing or wrong key. Without a `wanted` key any non-empty one passes. */
  checkKey(headers: IncomingHttpHeaders, query: URLSearchParams, wanted: string | undefined): WireError | undefined;
  /** Headers that a call must have beside its key. */
  checkHeaders?(headers: IncomingHttpHeaders): WireError | undefined;
  /** The refusal a body deserves, or undefined when the API would take it. */
  validate(body: Json, options: CheckOptions, address: CallAddress): WireError | undefined;
  /** A refusal in the wire's usual words; `message` replaces them. */
  error(status: number, message?: string): WireError;
  /** The refusal of a body that is not JSON. */
  notJson: WireError;
  /** The events of a streamed reply. */
  events(turn: Turn, context: TurnContext): StreamEvent[];
  /** The body of a reply that is not streamed. */
  whole(turn: Turn, context: TurnContext): object;
  /** An error in mid-stream. `body` is what `error` gave, or what the script wants instead. */
  errorEvents(body: object | string, context: TurnContext, sent: number): StreamEvent[];
  /** The status-200 body of a reply that is not streamed and fails half way, where the wire has such a thing. */
  failedWhole?(body: object | string, turn: Turn, context: TurnContext): object;
  /** Why a server of this kind could not give such a reply; it says so instead. */
  failure?(turn: Turn): ScriptError | undefined;
  headers(context: TurnContext): Record<string, string>;
  /** Type of a stream and how its events become bytes. Server-sent events unless said otherwise. */
  framing?(request: ModelRequest, address: CallAddress): Framing;
  /** Called as a reply goes out. */
  remember?(turn: Turn, context: TurnContext, memory: ServerMemory): void;
}

export interface Framing {
  contentType: string;
  frames(events: StreamEvent[]): Buffer[];
}
