import type { IncomingHttpHeaders } from 'node:http';
import type { ModelRequest, Wire } from './model-request.ts';
import type { WireError } from './wire-errors.ts';

/** What the server keeps of every request, model call or not, in the order of arrival. Filled in as the reply goes on. */
export interface RecordedRequest {
  /** Counts all requests from 0. */
  index: number;
  method: string;
  /** Path with the query, as sent. */
  path: string;
  headers: IncomingHttpHeaders;
  rawBody: Buffer;
  /** The parsed body; undefined when it is not JSON, there is none, or it is forgotten (`keepBodies`). */
  body: unknown;
  /** Set for calls to a model endpoint. */
  wire?: Wire;
  /** Set for model calls with a readable body, refused ones too. */
  request?: ModelRequest;
  /** When the request's head arrived, in milliseconds of the server's clock. */
  arrivedAt: number;
  /** Since the end of the newest reply to a model call that had ended by then: the client's own time for a turn. */
  gapMs?: number;
  /** Why the server refused the request, in the wire's words. */
  refusal?: WireError;
  status?: number;
  /** When the last byte of the reply was handed to the system, or the connection ended. */
  endedAt?: number;
  /** The reply did not go out whole: the client left, or the script cut it. */
  broken?: boolean;
}
