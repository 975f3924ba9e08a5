import type { CdpClient, CdpTransport } from './cdp-client.ts';

export interface TargetWorkersOptions {
  client: CdpClient;
  /** A worker thread has begun and waits for us. @returns what takes its messages */
  onWorker(workerId: string, transport: CdpTransport, title: string): (text: string) => void;
  onGone(workerId: string): void;
}

/** The worker threads of a program, whose messages come and go with its own (Node's `NodeWorker` domain). */
export class TargetWorkers {
  readonly #options: TargetWorkersOptions;
  readonly #receivers = new Map<string, (text: string) => void>();

  constructor(options: TargetWorkersOptions) {
    this.#options = options;
  }

  /** An event of the domain. */
  onEvent(method: string, params: Record<string, unknown>): void {
    const sessionId = String(params.sessionId);
    switch (method) {
      case 'NodeWorker.attachedToWorker': {
        const { title, url } = params.workerInfo as { title?: string; url?: string };
        const receive = this.#options.onWorker(sessionId, this.#transport(sessionId), title || url || 'worker');
        this.#receivers.set(sessionId, receive);
        return;
      }
      case 'NodeWorker.receivedMessageFromWorker':
        this.#receivers.get(sessionId)?.(String(params.message));
        return;
      case 'NodeWorker.detachedFromWorker':
        this.#receivers.delete(sessionId);
        this.#options.onGone(sessionId);
        return;
      default:
    }
  }

  #transport(sessionId: string): CdpTransport {
    const { client } = this.#options;
    return {
      send: (message) => {
        // A worker may end at any moment.
        client.call('NodeWorker.sendMessageToWorker', { sessionId, message }).catch(() => undefined);
      },
      close: () => {
        client.call('NodeWorker.detach', { sessionId }).catch(() => undefined);
      },
    };
  }
}
