/**
 * The wire between an engine and its face: NDJSON, one JSON value a line. A face sends `{id, command}`; the engine
 * answers `{id, result}` or `{id, error}` and sends `{event}` in between.
 */
import type { EngineError } from './errors.ts';
import type { EngineEvent } from './events.ts';

export interface CommandLine {
  id: number | string;
  command: unknown;
}

export type HostLine =
  | { id: number | string | null; result: unknown }
  | { id: number | string | null; error: EngineError }
  | { event: EngineEvent };
