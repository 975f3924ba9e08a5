import {
  BlackError,
  type Entry,
  type NewEntry,
  type Request,
  type Response,
  type TransientEvent,
} from '@black-ide/protocol';

/** What the loop needs of its session: the log, the events, and the questions. */
export interface SessionPort {
  readonly id: string;
  /** Root to leaf. */
  path(): readonly Entry[];
  /** On disk, then told, when this returns. */
  append(entry: NewEntry): Entry;
  emit(event: TransientEvent): void;
  /**
   * Logs a question and waits for its answer.
   * @returns undefined when nobody can answer now: the task stops with the question open.
   */
  ask(request: Omit<Request, 'id'>, signal: AbortSignal): Promise<Response | undefined>;
  /** Messages that a person sent while the loop ran, taken out of the queue. */
  takeQueued(): { text: string; images?: { type: 'image'; data: string; mimeType: string }[] }[];
  /** A compaction that was asked for while the loop ran, taken out. */
  takeCompaction(): { instructions?: string } | undefined;
}

/** Appends a `custom` entry. */
export function appendCustom(port: SessionPort, customType: string, data: unknown): Entry {
  return port.append({ type: 'custom', customType, data });
}

/** Why a run is stopped: a person gave it up, or the engine closes and the task may go on later with its question open. */
export const STOP = {
  cancelled: () => new BlackError('cancelled', 'Cancelled.'),
  closing: () => new BlackError('closing', 'The engine is closing.'),
};

/** Whether a person gave the run up. */
export function isCancelled(signal: AbortSignal): boolean {
  return signal.aborted && (signal.reason as { code?: unknown } | undefined)?.code === 'cancelled';
}
