import { BlackError, isRecord } from '@black-ide/protocol';
import { encodeFrame } from './encode-frame.ts';
import { FrameReader } from './frame-reader.ts';
import { parseObject } from './parse-object.ts';

/** A failure that the other side answered with. Codes: JSON-RPC 2.0 and the Language Server Protocol. */
export class RpcError extends Error {
  readonly code: number;
  readonly data: unknown;

  constructor(code: number, message: string, data?: unknown) {
    super(message);
    this.name = 'RpcError';
    this.code = code;
    this.data = data;
  }
}

export const RPC_CODES = {
  methodNotFound: -32601,
  internalError: -32603,
  requestCancelled: -32800,
  contentModified: -32801,
  serverCancelled: -32802,
} as const;

export interface JsonRpcOptions {
  /** Writes to the other side. */
  write: (text: string) => void;
  onNotification: (method: string, params: unknown) => void;
  /** Answers a request of the other side. Undefined: there is no such method. What it throws is the failure. */
  onRequest: (method: string, params: unknown) => Promise<unknown> | undefined;
  /** What stood between the messages: a banner, a stray print. */
  onNoise?: (bytes: Buffer) => void;
  /** What was skipped and why, in one sentence: no message, no answer to anything, too large. */
  onProblem?: (problem: string) => void;
  maxBody?: number;
}

interface Pending {
  resolve: (result: unknown) => void;
  reject: (error: Error) => void;
  dispose: () => void;
}

/**
 * JSON-RPC 2.0 as language servers speak it, over `Content-Length` frames: requests both ways, notifications,
 * cancellation by `$/cancelRequest` (INT-36). Whatever the other side sends, nothing is thrown at the reader: what makes
 * no sense is told to `onProblem` and left out.
 */
export class JsonRpcConnection {
  readonly #options: JsonRpcOptions;
  readonly #frames: FrameReader;
  readonly #pending = new Map<number, Pending>();
  #nextId = 1;
  #closed: Error | undefined;

  constructor(options: JsonRpcOptions) {
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

  /** Takes the next bytes from the other side. */
  receive(chunk: Buffer): void {
    if (!this.#closed) this.#frames.push(chunk);
  }

  /**
   * Asks the other side. When the signal fires, it is told to stop and the call rejects with the signal's reason at once.
   * @throws RpcError the other side's answer; what `close` was given; the signal's reason
   */
  async request(method: string, params: unknown, signal?: AbortSignal): Promise<unknown> {
    signal?.throwIfAborted();
    if (this.#closed) throw this.#closed;
    const id = this.#nextId++;
    return await new Promise<unknown>((resolve, reject) => {
      const abort = (): void => {
        this.#take(id);
        this.notify('$/cancelRequest', { id });
        reject(signal?.reason);
      };
      signal?.addEventListener('abort', abort, { once: true });
      const dispose = () => signal?.removeEventListener('abort', abort);
      this.#pending.set(id, { resolve, reject, dispose });
      this.#send({ id, method, params });
    });
  }

  notify(method: string, params: unknown): void {
    if (!this.#closed) this.#send({ method, params });
  }

  /** Nothing comes any more: whoever waits is told why. */
  close(reason: Error): void {
    if (this.#closed) return;
    this.#frames.end();
    this.#closed = reason;
    for (const id of [...this.#pending.keys()]) this.#take(id)?.reject(reason);
  }

  #send(message: Record<string, unknown>): void {
    this.#options.write(encodeFrame({ jsonrpc: '2.0', ...message }));
  }

  #take(id: number): Pending | undefined {
    const pending = this.#pending.get(id);
    this.#pending.delete(id);
    pending?.dispose();
    return pending;
  }

  #read(body: Buffer): boolean {
    const message = parseObject(body);
    if (!message) return false;
    const { id, method, params } = message;
    if (typeof method === 'string') {
      if (typeof id === 'number' || typeof id === 'string') void this.#answer(id, method, params);
      else this.#options.onNotification(method, params);
    } else if (typeof id === 'number') this.#settle(id, message);
    else this.#problem('a message that is neither a request nor an answer was skipped');
    return true;
  }

  #settle(id: number, { result, error }: Record<string, unknown>): void {
    // An answer to nothing is a late one, to a request that was given up, or a wrong one: nobody waits for it.
    const pending = this.#take(id);
    if (!pending) this.#problem(`an answer to no open request (${id}) was skipped`);
    else if (error === undefined || error === null) pending.resolve(result ?? null);
    else pending.reject(failureOf(error));
  }

  async #answer(id: number | string, method: string, params: unknown): Promise<void> {
    try {
      const answer = this.#options.onRequest(method, params);
      if (!answer) throw new RpcError(RPC_CODES.methodNotFound, `There is no method ${method}.`);
      const result = (await answer) ?? null;
      if (!this.#closed) this.#send({ id, result });
    } catch (cause) {
      const { message } = BlackError.toValue(cause);
      const code = cause instanceof RpcError ? cause.code : RPC_CODES.internalError;
      if (!this.#closed) this.#send({ id, error: { code, message } });
    }
  }

  #problem(problem: string): void {
    this.#options.onProblem?.(problem);
  }
}

function failureOf(error: unknown): RpcError {
  const { code, message, data } = isRecord(error) ? error : {};
  const text = typeof message === 'string' ? message : JSON.stringify(error);
  return new RpcError(typeof code === 'number' ? code : RPC_CODES.internalError, text, data);
}
