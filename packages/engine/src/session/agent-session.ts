import {
  BlackError,
  type CustomEntry,
  customData,
  type Entry,
  emptyView,
  eventsOf,
  foldEntries,
  isRequestType,
  type Live,
  type NewEntry,
  type Request,
  type Response,
  reduce,
  requestCustomType,
  type Snapshot,
  type TaskEnd,
  type TransientEvent,
} from '@black-ide/protocol';
import type { AskPolicy } from '../engine-api.ts';
import type { EventBus } from '../events/event-bus.ts';
import { appendCustom, type SessionPort, STOP } from '../loop/session-port.ts';
import { assistantOf, taskState } from '../loop/task-state.ts';
import type { SessionManager } from './session-manager.ts';

export interface Prompt {
  text: string;
  images?: { type: 'image'; data: string; mimeType: string }[];
}

/** Runs the task of a path until it ends or a question stops it. */
export type TaskRunner = (session: AgentSession, signal: AbortSignal) => Promise<TaskEnd | undefined>;

export interface AgentSessionOptions {
  manager: SessionManager;
  bus: EventBus;
  face: string;
  asks: AskPolicy;
  now: () => number;
  newId: () => string;
}

/**
 * One conversation at run time: its log, its task, its open questions, its queue. It is the only writer of its log, and
 * every entry is on disk before anyone is told of it.
 */
export class AgentSession implements SessionPort {
  readonly id: string;
  readonly manager: SessionManager;
  readonly #bus: EventBus;
  readonly #options: AgentSessionOptions;
  readonly #waiting = new Map<string, (response: Response) => void>();
  #queue: Prompt[] = [];
  #compaction: { instructions?: string } | undefined;
  #path: Entry[] | undefined;
  #live: Live;
  #run: { abort: AbortController; done: Promise<void> } | undefined;

  constructor(options: AgentSessionOptions) {
    this.#options = options;
    this.manager = options.manager;
    this.#bus = options.bus;
    this.id = options.manager.getSessionId();
    this.#live = emptyView(this.id).live;
  }

  get running(): boolean {
    return this.#run !== undefined;
  }

  path(): readonly Entry[] {
    this.#path ??= this.manager.getBranch();
    return this.#path;
  }

  append(entry: NewEntry): Entry {
    const path = this.path();
    const added = this.manager.append(entry);
    if (added.parentId === (path.at(-1)?.id ?? null)) this.#path!.push(added);
    else this.#path = undefined;
    for (const event of eventsOf(added)) this.#tell(event);
    return added;
  }

  emit(event: TransientEvent): void {
    this.#tell(event);
  }

  async ask(asked: Omit<Request, 'id'>, signal: AbortSignal): Promise<Response | undefined> {
    const request = this.#openTwin(asked) ?? this.#open(asked);
    if (this.#options.asks === 'stop') return undefined;
    if (this.#options.asks === 'refuse') return this.#answer(request, request.default, 'policy');
    return await new Promise((resolve) => {
      const stop = () => {
        this.#waiting.delete(request.id);
        resolve(undefined);
      };
      signal.addEventListener('abort', stop, { once: true });
      this.#waiting.set(request.id, (response) => {
        signal.removeEventListener('abort', stop);
        resolve(response);
      });
      if (signal.aborted) stop();
    });
  }

  takeQueued(): Prompt[] {
    const queued = this.#queue;
    if (queued.length > 0) {
      this.#queue = [];
      this.emit({ type: 'QueueChanged', queue: [] });
    }
    return queued;
  }

  /** Keeps a message for the next turn of the running task. */
  enqueue(prompt: Prompt): void {
    this.#queue.push(prompt);
    this.emit({ type: 'QueueChanged', queue: this.#queue.map((queued) => queued.text) });
  }

  takeCompaction(): { instructions?: string } | undefined {
    const asked = this.#compaction;
    this.#compaction = undefined;
    return asked;
  }

  /** Has the running task condense the conversation before its next turn. */
  askForCompaction(instructions?: string): void {
    this.#compaction = instructions ? { instructions } : {};
  }

  /** Starts the runner on the task that the log has begun. Answers at once; `settled()` tells the end. */
  start(runner: TaskRunner): void {
    const abort = new AbortController();
    const done = this.#runTask(runner, abort.signal);
    this.#run = { abort, done };
  }

  /** When the newest task began, in milliseconds since the epoch; 0 where there was none. */
  taskStartedAt(): number {
    const start = this.path().findLast((entry) => customData(entry, 'task_start'));
    return start ? Date.parse(start.timestamp) || 0 : 0;
  }

  /** Resolves when nothing runs any more. */
  async settled(): Promise<void> {
    while (this.#run) await this.#run.done;
  }

  /** Stops what runs, or ends a task that stands at an open question. @returns whether there was anything to stop. */
  async cancel(): Promise<boolean> {
    if (this.#run) {
      this.#run.abort.abort(STOP.cancelled());
      await this.settled();
      return true;
    }
    const state = taskState(this.path());
    if (!state || state.ended) return false;
    this.end({ outcome: 'cancelled', message: 'Cancelled.', code: 'cancelled' });
    return true;
  }

  /** @throws BlackError `unknown_request`, `answered`, `bad_answer`. */
  respond(requestId: string | undefined, value: string, by: string, text?: string, kind?: Request['kind']): void {
    const open = this.openRequests().filter((request) => !kind || request.kind === kind);
    const request = requestId === undefined ? open.at(-1) : open.find(({ id }) => id === requestId);
    if (!request) {
      const answered = requestId !== undefined && requestsIn(this.path()).some(({ id }) => id === requestId);
      throw answered
        ? new BlackError('answered', `The question ${requestId} has been answered already.`)
        : new BlackError('unknown_request', requestId ? `There is no question ${requestId}.` : 'No question is open.');
    }
    const values = request.options.map((option) => option.value);
    // A question of the model may be answered in words of one's own.
    const isFree = request.kind === 'ask_user';
    if (!isFree && request.options.length > 0 && !values.includes(value)) {
      throw new BlackError(
        'bad_answer',
        `\`${value}\` is no answer to “${request.title}”.`,
        `Answer with one of: ${values.join(', ')}.`,
      );
    }
    const response = this.#answer(request, value, by, text);
    this.#waiting.get(request.id)?.(response);
    this.#waiting.delete(request.id);
  }

  /** The questions on the active path that have no answer. */
  openRequests(): Request[] {
    return this.#openSince(0);
  }

  /** Answers every open question with its default: a new message or a cancel has overtaken it. */
  supersedeRequests(why: string): void {
    this.#supersede(this.openRequests(), why);
  }

  end(end: TaskEnd): void {
    // A question of a task that nothing waits for any more must not stay: it would hide the next one.
    const began = this.path().findLastIndex((entry) => customData(entry, 'task_start'));
    this.#supersede(this.#openSince(began), end.outcome === 'cancelled' ? 'Cancelled.' : 'The task ended first.');
    appendCustom(this, 'task_end', end);
  }

  snapshot(sinceSeq?: number): Snapshot {
    this.#bus.flush(this.id);
    const seq = this.#bus.seq(this.id);
    const events = sinceSeq === undefined ? undefined : this.#bus.since(this.id, sinceSeq);
    if (events) return { seq, events };
    const { title = '' } = this.manager.getHeader();
    return { seq, view: { ...foldEntries(this.id, this.manager.getEntries(), title), live: this.#live } };
  }

  async close(): Promise<void> {
    this.#run?.abort.abort(STOP.closing());
    await this.settled();
    this.#bus.drop(this.id);
    this.manager.close();
  }

  async #runTask(runner: TaskRunner, signal: AbortSignal): Promise<void> {
    // The caller must have stored the run before the first event tells of it.
    await Promise.resolve();
    this.emit({ type: 'RunningChanged', running: true });
    try {
      const end = await runner(this, signal);
      if (end) this.end(end);
    } catch (cause) {
      this.#failed(cause);
    } finally {
      this.#run = undefined;
      this.emit({ type: 'RunningChanged', running: false });
    }
  }

  /** A fault in the run itself. Where even the log cannot be written any more, the faces are told at least. */
  #failed(cause: unknown): void {
    const { message, code, next } = BlackError.toValue(cause);
    try {
      this.end({ outcome: 'failed', message, code, ...(next ? { next } : {}) });
    } catch (second) {
      const reason = BlackError.toValue(second).message;
      this.emit({
        type: 'DiagnosticReported',
        level: 'error',
        message: `The session log cannot be written: ${reason}`,
      });
    }
  }

  #open(asked: Omit<Request, 'id'>): Request {
    const request: Request = { id: this.#options.newId(), ...asked };
    appendCustom(this, requestCustomType(request.kind, this.id), request);
    return request;
  }

  /**
   * The same question, already logged and still open: a resumed run does not ask twice. Some servers use the same call
   * ids in every answer, so it has to be about the same call of the same answer.
   */
  #openTwin({ kind, payload }: Omit<Request, 'id'>): Request | undefined {
    const about = JSON.stringify([kind, payload.callId, payload.name, payload.args]);
    return this.#openSince(this.path().findLastIndex((entry) => assistantOf(entry))).find(
      (request) =>
        JSON.stringify([request.kind, request.payload.callId, request.payload.name, request.payload.args]) === about,
    );
  }

  #supersede(requests: readonly Request[], why: string): void {
    for (const request of requests) this.#answer(request, request.default, 'policy', why);
  }

  /** The questions without an answer that were asked from this place of the path on. */
  #openSince(index: number): Request[] {
    const path = this.path().slice(Math.max(index, 0));
    const answered = new Set(path.map((entry) => customData(entry, 'response')?.requestId));
    return requestsIn(path).filter((request) => !answered.has(request.id));
  }

  #answer(request: Request, value: string, by: string, text?: string): Response {
    const response: Response = { requestId: request.id, kind: request.kind, value, by, ...(text ? { text } : {}) };
    appendCustom(this, 'response', response);
    return response;
  }

  #tell(event: Parameters<EventBus['emit']>[1]): void {
    this.#live = reduce({ ...emptyView(this.id), live: this.#live }, event).live;
    this.#bus.emit(this.id, event);
  }
}

function requestsIn(path: readonly Entry[]): Request[] {
  return path
    .filter((entry): entry is CustomEntry => entry.type === 'custom')
    .filter((entry) => isRequestType(entry.customType) && typeof (entry.data as Request | undefined)?.id === 'string')
    .map((entry) => entry.data as Request);
}
