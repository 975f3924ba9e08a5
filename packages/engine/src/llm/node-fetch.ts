import type { Agent as HttpAgent, IncomingMessage } from 'node:http';
import { createRequire } from 'node:module';
import { BlackError } from '@black-ide/protocol';
import { UsageMender } from './mend-usage.ts';
import { beginningOfEvents, brokenOff } from './plain-answer.ts';

const require = createRequire(import.meta.url);

/** A connection on which nothing comes for so long is given up; servers send pings while a model thinks. */
const SILENCE_MS = 300_000;
/** No answer of a model is larger; what is comes from a server gone wrong, and would fill the memory and the log. */
const MAX_ANSWER_BYTES = 64 * 1024 * 1024;
const MAX_ERROR_BYTES = 1024 * 1024;

/**
 * A `fetch` over node:http for model wires. The global one costs about 20 MB and 15 ms at its first use; a provider
 * needs only status, headers, a byte stream and `text()`. Redirects are not followed: an API key must not be.
 */
export class NodeFetch {
  readonly #transports = new Map<string, Transport>();

  readonly fetch: typeof globalThis.fetch = (input, init) => {
    const url = new URL(String(input));
    const { request, agent } = this.#transport(url.protocol);
    return new Promise((resolve, reject) => {
      const outgoing = request(
        url,
        {
          method: init?.method ?? 'GET',
          headers: plainHeaders(init?.headers),
          agent,
          timeout: SILENCE_MS,
          ...(init?.signal ? { signal: init.signal } : {}),
        },
        (incoming) => resolve(answerOf(incoming, url, init) as Promise<unknown> as Promise<Response>),
      );
      outgoing.once('timeout', () => outgoing.destroy(new Error(`Nothing came for ${SILENCE_MS / 60_000} minutes.`)));
      outgoing.once('error', (error) =>
        // The shape the provider library knows as "cannot connect", so that it marks the failure as retryable.
        reject(init?.signal?.aborted ? init.signal.reason : new TypeError('fetch failed', { cause: error })),
      );
      outgoing.end(init?.body as string | Uint8Array | undefined);
    });
  };

  dispose(): void {
    for (const { agent } of this.#transports.values()) agent.destroy();
  }

  /**
   * An `import` of node:http reads all its exports, some of which load the global fetch's whole library; `require` does
   * not.
   */
  #transport(protocol: string): Transport {
    let transport = this.#transports.get(protocol);
    if (!transport) {
      const http = require(protocol === 'https:' ? 'node:https' : 'node:http') as typeof import('node:http');
      transport = { request: http.request, agent: new http.Agent({ keepAlive: true }) };
      this.#transports.set(protocol, transport);
    }
    return transport;
  }
}

interface Transport {
  request: typeof import('node:http').request;
  agent: HttpAgent;
}

/** A model's answer is a stream of events, or a failure; lists of models and what was asked for as JSON are neither. */
async function answerOf(incoming: IncomingMessage, url: URL, init: RequestInit | undefined): Promise<WireResponse> {
  const headers = plainHeaders(init?.headers);
  const response = new WireResponse(incoming, url, 'anthropic-version' in headers);
  const wantsEvents = init?.method === 'POST' && headers.accept !== 'application/json';
  if (wantsEvents && response.ok && !response.isStream) {
    response.begin(await beginningOfEvents(incoming));
  }
  return response;
}

/** As much of a `Response` as providers read. */
class WireResponse {
  readonly status: number;
  readonly ok: boolean;
  readonly statusText: string;
  readonly url: string;
  readonly headers: Map<string, string>;
  readonly #incoming: IncomingMessage;
  readonly #isAnthropic: boolean;
  /** What was read already, to see that it is a stream of events. */
  #beginning: Buffer | undefined;
  #body: ReadableStream<Uint8Array> | undefined;

  constructor(incoming: IncomingMessage, url: URL, isAnthropic: boolean) {
    this.#incoming = incoming;
    this.#isAnthropic = isAnthropic;
    this.status = incoming.statusCode ?? 0;
    this.ok = this.status >= 200 && this.status < 300;
    this.statusText = incoming.statusMessage ?? '';
    this.url = url.href;
    this.headers = new Map(
      Object.entries(incoming.headers).map(([name, value]) => [
        name,
        Array.isArray(value) ? value.join(', ') : (value ?? ''),
      ]),
    );
  }

  /** Whether it calls itself a stream of events. */
  get isStream(): boolean {
    return /event-stream/i.test(this.headers.get('content-type') ?? '');
  }

  /** Puts back what was read of it: it is a stream of events all the same. */
  begin(beginning: Buffer): void {
    this.#beginning = beginning;
  }

  get body(): ReadableStream<Uint8Array> {
    const isEvents = this.isStream || this.#beginning !== undefined;
    const mender = isEvents ? new UsageMender(this.#isAnthropic ? 'anthropic' : undefined) : undefined;
    this.#body ??= byteStream(this.#incoming, mender, this.#beginning);
    return this.#body;
  }

  /** The whole body; of an error page only the beginning. */
  async text(): Promise<string> {
    const chunks: Uint8Array[] = [];
    let size = 0;
    for await (const chunk of this.#incoming) {
      chunks.push(chunk);
      size += chunk.length;
      if (this.ok && size > MAX_ANSWER_BYTES) throw tooLarge();
      if (!this.ok && size > MAX_ERROR_BYTES) break;
    }
    return Buffer.concat(chunks).toString('utf8');
  }
}

/**
 * The body as a web stream. Not `Readable.toWeb`: it loads a whole adapter layer. What one read of the socket brought is
 * handed on as one chunk: each chunk costs several promises in each of the provider's streams.
 */
function byteStream(
  incoming: IncomingMessage,
  mender: UsageMender | undefined,
  beginning: Buffer | undefined,
): ReadableStream<Uint8Array> {
  let waiting: Buffer[] = beginning ? [beginning] : [];
  let size = beginning?.length ?? 0;
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        const handOn = () => {
          if (waiting.length === 0) return;
          const chunk = waiting.length === 1 ? waiting[0]! : Buffer.concat(waiting);
          waiting = [];
          const ready = mender ? mender.push(chunk) : chunk;
          if (ready.length > 0) controller.enqueue(ready);
          if ((controller.desiredSize ?? 1) <= 0) incoming.pause();
        };
        incoming.on('data', (chunk: Buffer) => {
          size += chunk.length;
          if (size > MAX_ANSWER_BYTES) {
            incoming.destroy(tooLarge());
            return;
          }
          waiting.push(chunk);
          if (waiting.length === 1) process.nextTick(handOn);
        });
        const handOnAll = () => {
          handOn();
          const rest = mender?.end();
          if (rest?.length) controller.enqueue(rest);
        };
        const finish = () => {
          handOnAll();
          controller.close();
        };
        if (waiting.length > 0) process.nextTick(handOn);
        const gone = incoming.errored ?? (incoming.aborted ? brokenOff() : undefined);
        if (gone) process.nextTick(() => fail(gone));
        else if (incoming.readableEnded) process.nextTick(finish);
        else incoming.once('end', finish);
        const fail = (error: Error) => {
          handOnAll();
          controller.error(error);
        };
        incoming.once('error', fail);
        incoming.once('aborted', () => fail(brokenOff()));
      },
      pull() {
        incoming.resume();
      },
      cancel(reason) {
        waiting = [];
        incoming.destroy(reason instanceof Error ? reason : undefined);
      },
    },
    { highWaterMark: 64 },
  );
}

function tooLarge(): BlackError {
  const limit = MAX_ANSWER_BYTES / 1024 / 1024;
  return new BlackError(
    'answer_too_large',
    `The answer is larger than ${limit} MB.`,
    'Ask for less, or look at the server.',
  );
}

function plainHeaders(headers: RequestInit['headers']): Record<string, string> {
  if (!headers) return {};
  if (Array.isArray(headers)) return Object.fromEntries(headers);
  if (typeof (headers as Headers).entries === 'function') return Object.fromEntries((headers as Headers).entries());
  return headers as Record<string, string>;
}
