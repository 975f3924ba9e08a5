import { isRecord } from '@black-ide/protocol';

/** Carries messages of the inspector protocol: a WebSocket, or another client for a worker thread. */
export interface CdpTransport {
  send(text: string): void;
  close(): void;
}

/** A refusal by the inspector. */
export class CdpError extends Error {}

interface Pending {
  resolve: (result: Record<string, unknown>) => void;
  reject: (error: Error) => void;
  dispose: () => void;
}

/**
 * The inspector protocol of V8 and Node (Chrome DevTools Protocol): requests with answers, and events. What is no message
 * is left out.
 */
export class CdpClient {
  readonly #transport: CdpTransport;
  readonly #onEvent: (method: string, params: Record<string, unknown>) => void;
  readonly #pending = new Map<number, Pending>();
  #nextId = 1;
  #closed: Error | undefined;

  constructor(transport: CdpTransport, onEvent: (method: string, params: Record<string, unknown>) => void) {
    this.#transport = transport;
    this.#onEvent = onEvent;
  }

  /** @throws CdpError the inspector's refusal; why the connection is closed; the signal's reason */
  call(method: string, params: object = {}, signal?: AbortSignal): Promise<Record<string, unknown>> {
    signal?.throwIfAborted();
    if (this.#closed) return Promise.reject(this.#closed);
    const id = this.#nextId++;
    return new Promise((resolve, reject) => {
      const abort = (): void => {
        this.#take(id);
        reject(signal?.reason);
      };
      signal?.addEventListener('abort', abort, { once: true });
      this.#pending.set(id, { resolve, reject, dispose: () => signal?.removeEventListener('abort', abort) });
      this.#transport.send(JSON.stringify({ id, method, params }));
    });
  }

  receive(text: string): void {
    const message = parse(text);
    if (!message) return;
    const { id, method, params, result, error } = message;
    if (typeof method === 'string') {
      this.#onEvent(method, isRecord(params) ? params : {});
      return;
    }
    const pending = typeof id === 'number' ? this.#take(id) : undefined;
    if (isRecord(error)) pending?.reject(new CdpError(String(error.message)));
    else pending?.resolve(isRecord(result) ? result : {});
  }

  /** Nothing comes any more. */
  closed(reason: Error): void {
    this.#closed ??= reason;
    for (const id of [...this.#pending.keys()]) this.#take(id)?.reject(reason);
  }

  /** Lets the other side go on without us. */
  close(): void {
    this.closed(new Error('The program is not debugged any more.'));
    this.#transport.close();
  }

  #take(id: number): Pending | undefined {
    const pending = this.#pending.get(id);
    this.#pending.delete(id);
    pending?.dispose();
    return pending;
  }
}

function parse(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : undefined;
  } catch {
    // Whatever answers there is no inspector.
    return undefined;
  }
}
