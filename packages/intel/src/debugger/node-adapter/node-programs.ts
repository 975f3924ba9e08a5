import { basename } from 'node:path';
import type { CdpTransport } from './cdp-client.ts';
import type { Dial } from './dial.ts';
import { openInspector } from './inspector-socket.ts';
import { NodeTarget, type TargetHost, type TargetSettings } from './node-target.ts';

export interface NodeProgramsOptions {
  host: Omit<TargetHost, 'onWorker' | 'onWorkerGone' | 'onGone' | 'newReference'>;
  dial: Dial;
  settings: () => TargetSettings;
  /** A program has come or gone; its number. */
  onChange: (reason: 'started' | 'exited', id: number) => void;
}

/** The programs of one session: Node processes as they begin, and their worker threads. */
export class NodePrograms {
  readonly #options: NodeProgramsOptions;
  readonly #targets = new Map<number, NodeTarget>();
  /** Worker threads by their program and its name of them. */
  readonly #workers = new Map<string, NodeTarget>();
  readonly #host: TargetHost;
  #lastId = 0;
  #lastReference = 0;

  constructor(options: NodeProgramsOptions) {
    this.#options = options;
    this.#host = {
      ...options.host,
      newReference: () => ++this.#lastReference,
      onGone: (target) => this.#gone(target),
      onWorker: (target, workerId, transport, title) => this.#addWorker(target, workerId, transport, title),
      onWorkerGone: (target, workerId) => {
        const worker = this.#workers.get(workerKey(target, workerId));
        worker?.closed(new Error('The worker thread has ended.'));
        if (worker) this.#gone(worker);
      },
    };
  }

  all(): NodeTarget[] {
    return [...this.#targets.values()];
  }

  get(id: number): NodeTarget | undefined {
    return this.#targets.get(id);
  }

  /**
   * Takes a process in and lets it run.
   * @param entry its main file, where it is to stop before the first line of that
   * @throws BlackError `inspector_unreachable`
   */
  async add(url: string, name: string, entry?: string): Promise<void> {
    const id = ++this.#lastId;
    // Messages may come before there is somebody to receive them.
    let target: NodeTarget | undefined;
    const early: string[] = [];
    const transport = await openInspector(url, this.#options.dial, {
      onMessage: (text) => (target ? target.receive(text) : void early.push(text)),
      onClose: (reason) => {
        target?.closed(reason);
        if (target) this.#gone(target);
      },
    });
    target = new NodeTarget(id, name, transport, this.#host);
    for (const text of early) target.receive(text);
    await this.#start(target, entry);
  }

  /** Lets all of them run on without us. */
  detach(): void {
    for (const target of this.all()) target.detach();
  }

  #addWorker(owner: NodeTarget, workerId: string, transport: CdpTransport, title: string): (text: string) => void {
    const worker = new NodeTarget(++this.#lastId, `worker ${basename(title)}`, transport, this.#host);
    this.#workers.set(workerKey(owner, workerId), worker);
    // One that ends meanwhile is gone, which is told apart.
    this.#start(worker).catch(() => this.#gone(worker));
    return (text) => worker.receive(text);
  }

  async #start(target: NodeTarget, entry?: string): Promise<void> {
    this.#targets.set(target.id, target);
    this.#options.onChange('started', target.id);
    await target.start({ ...this.#options.settings(), ...(entry === undefined ? {} : { entry }) });
  }

  #gone(target: NodeTarget): void {
    if (this.#targets.delete(target.id)) this.#options.onChange('exited', target.id);
  }
}

function workerKey({ id }: NodeTarget, workerId: string): string {
  return `${id}/${workerId}`;
}
