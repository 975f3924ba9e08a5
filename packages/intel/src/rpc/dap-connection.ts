import { BlackError, isRecord } from '@black-ide/protocol';
import { encodeFrame } from './encode-frame.ts';
import { FrameReader } from './frame-reader.ts';
import { parseObject } from './parse-object.ts';

/** A failure that the adapter answered with. */
export class DapError extends Error {
  readonly command: string;
  /** The protocol's short word, e.g. `cancelled`, `notStopped`; not for people. */
  readonly reason: string | undefined;
  /** The adapter's own number of the failure. */
  readonly id: number | undefined;

  constructor(command: string, message: string, reason: string | undefined, id: number | undefined) {
    super(message);
    this.name = 'DapError';
    this.command = command;
    this.reason = reason;
    this.id = id;
  }
}

export interface DapOptions {
  /** Writes to the adapter. */
  write: (text: string) => void;
  onEvent: (event: string, body: unknown) => void;
  /**
   * Answers a request of the adapter (`runInTerminal`, `startDebugging`). Undefined: there is no such command. What it
   * throws is the failure.
   */
  onRequest: (command: string, args: unknown) => Promise<unknown> | undefined;
  /** What stood between the messages: a banner, a stray print. */
  onNoise?: (bytes: Buffer) => void;
  /** What was skipped and why, in one sentence. */
  onProblem?: (problem: string) => void;
  maxBody?: number;
}

interface Pending {
  command: string;
  resolve: (body: unknown) => void;
  reject: (error: Error) => void;
  dispose: () => void;
}

/**
 * The Debug Adapter Protocol over `Content-Length` frames: requests both ways and events, told apart by `type` and joined
 * by `seq` and `request_seq` (INT-36). Whatever the adapter sends, nothing is thrown at the reader: what makes no sense is
 * told to `onProblem` and left out.
 */
export class DapConnection {
  readonly #options: DapOptions;
  readonly #frames: FrameReader;
  readonly #pending = new Map<number, Pending>();
  #nextSeq = 1;
  #closed: Error | undefined;

  /** The adapter has told that it takes `cancel` requests (`supportsCancelRequest`). */
  takesCancel = false;

  constructor(options: DapOptions) {
    this.#options = options;
    this.#frames = new FrameReader({
      onFrame: (body) => this.#read(body),
      ...(options.onNoise ? { onNoise: options.onNoise } : {}),
      onOversized: (length) => this.#problem(`a message of ${length} bytes was skipped: that is too much`),
      ...(options.maxBody === undefined ? {} : { maxBody: options.maxBody }),
    });
  }

  /** How many requests of ours are open. */
  get pending(): number {
    return this.#pending.size;
  }

  /** Takes the next bytes from the adapter. */
  receive(chunk: Buffer): void {
    if (!this.#closed) this.#frames.push(chunk);
  }

  /**
   * Asks the adapter; resolves with the body of its answer. When the signal fires the call rejects with the signal's reason
   * at once, and the adapter is told where it takes that.
   * @throws DapError the adapter's answer; what `close` was given; the signal's reason
   */
  async request(command: string, args: unknown, signal?: AbortSignal): Promise<unknown> {
    signal?.throwIfAborted();
    if (this.#closed) throw this.#closed;
    const seq = this.#nextSeq++;
    return await new Promise<unknown>((resolve, reject) => {
      const abort = (): void => {
        this.#take(seq);
        if (this.takesCancel) this.#ask(this.#nextSeq++, 'cancel', { requestId: seq });
        reject(signal?.reason);
      };
      signal?.addEventListener('abort', abort, { once: true });
      const dispose = () => signal?.removeEventListener('abort', abort);
      this.#pending.set(seq, { command, resolve, reject, dispose });
      this.#ask(seq, command, args);
    });
  }

  /** Nothing comes any more: whoever waits is told why. */
  close(reason: Error): void {
    if (this.#closed) return;
    this.#frames.end();
    this.#closed = reason;
    for (const seq of [...this.#pending.keys()]) this.#take(seq)?.reject(reason);
  }

  #ask(seq: number, command: string, args: unknown): void {
    const given = args === undefined ? {} : { arguments: args };
    this.#options.write(encodeFrame({ seq, type: 'request', command, ...given }));
  }

  #take(seq: number): Pending | undefined {
    const pending = this.#pending.get(seq);
    this.#pending.delete(seq);
    pending?.dispose();
    return pending;
  }

  #read(body: Buffer): boolean {
    const message = parseObject(body);
    if (!message) return false;
    const { type, seq, command, event } = message;
    if (type === 'event' && typeof event === 'string') this.#options.onEvent(event, message.body);
    else if (type === 'response') this.#settle(message);
    else if (type === 'request' && typeof command === 'string' && typeof seq === 'number') {
      void this.#answer(seq, command, message.arguments);
    } else this.#problem('a message that is no request, answer or event was skipped');
    return true;
  }

  #settle(message: Record<string, unknown>): void {
    const { request_seq: seq, success, body } = message;
    // The answer to a `cancel` request, or a late one: nobody waits for it.
    const pending = typeof seq === 'number' ? this.#take(seq) : undefined;
    if (!pending) this.#problem(`an answer to no open request (${String(seq)}) was skipped`);
    else if (success === true) pending.resolve(body ?? {});
    else pending.reject(failureOf(pending.command, message));
  }

  async #answer(seq: number, command: string, args: unknown): Promise<void> {
    const answer = { type: 'response', request_seq: seq, command };
    try {
      const answered = this.#options.onRequest(command, args);
      if (!answered) throw new BlackError('unknown_command', `There is no command ${command}.`);
      const body = await answered;
      this.#reply({ ...answer, success: true, ...(body === undefined ? {} : { body }) });
    } catch (cause) {
      this.#reply({ ...answer, success: false, message: BlackError.toValue(cause).message });
    }
  }

  #reply(answer: Record<string, unknown>): void {
    if (!this.#closed) this.#options.write(encodeFrame({ seq: this.#nextSeq++, ...answer }));
  }

  #problem(problem: string): void {
    this.#options.onProblem?.(problem);
  }
}

/** The adapter's words: those of `body.error` with its variables filled in, else the short reason. */
function failureOf(command: string, { message, body }: Record<string, unknown>): DapError {
  const reason = typeof message === 'string' ? message : undefined;
  const error = isRecord(body) && isRecord(body.error) ? body.error : {};
  const variables = isRecord(error.variables) ? error.variables : {};
  const format = typeof error.format === 'string' ? error.format : undefined;
  const text = format?.replaceAll(/\{(\w+)\}/g, (whole, name: string) => String(variables[name] ?? whole));
  const id = typeof error.id === 'number' ? error.id : undefined;
  return new DapError(command, text ?? reason ?? `The debugger refused \`${command}\`.`, reason, id);
}
