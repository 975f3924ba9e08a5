import type { IncomingMessage, RequestOptions } from 'node:http';
import { createRequire } from 'node:module';
import type { LookupFunction } from 'node:net';
import type { Readable } from 'node:stream';
import { BlackError } from '@black-ide/protocol';
import { type Address, isPublicAddress, resolveHost } from '@black-ide/workspace';
import { checkUrl } from './check-url.ts';

const require = createRequire(import.meta.url);

export interface WebClientOptions {
  /**
   * Addresses that are reached although they are not public: a search server that the person's own environment names,
   * and the mock server of a test. Nothing that a model says ends up here.
   */
  isAllowed?: (url: URL) => boolean;
  /** Resolves a name; for tests. */
  resolve?: (host: string) => Promise<Address[]>;
  /** Default 30 s for a whole answer. */
  timeoutMs?: number;
  /** Bytes of a body, unpacked, that are read. Default 5 MiB. */
  maxBytes?: number;
}

export interface WebRequest {
  method?: 'GET' | 'POST';
  headers?: Readonly<Record<string, string>>;
  body?: string;
}

export interface WebAnswer {
  url: URL;
  status: number;
  /** Names in lower case. */
  headers: ReadonlyMap<string, string>;
  body: Buffer;
  /** The body was longer. */
  cut: boolean;
}

/**
 * Fetches from the public internet alone. A name is resolved here, every address it has must be public, and the
 * connection goes to one of exactly those, so that no second answer of the resolver can lead elsewhere. Redirects are
 * not followed. Size and time are bounded.
 */
export class WebClient {
  readonly #isAllowed: (url: URL) => boolean;
  readonly #resolve: (host: string) => Promise<Address[]>;
  readonly #timeoutMs: number;
  readonly #maxBytes: number;

  constructor(options: WebClientOptions = {}) {
    this.#isAllowed = options.isAllowed ?? (() => false);
    this.#resolve = options.resolve ?? resolveHost;
    this.#timeoutMs = options.timeoutMs ?? 30_000;
    this.#maxBytes = options.maxBytes ?? 5 * 1024 * 1024;
  }

  /** @throws BlackError `bad_url`, `private_address`, `no_network`, `timed_out`; the signal's reason */
  async request(text: string, signal: AbortSignal, request: WebRequest = {}): Promise<WebAnswer> {
    const checked = checkUrl(text, this.#isAllowed);
    if (!checked.ok) throw new BlackError('bad_url', `${shown(text)} is not fetched: ${checked.why}.`);
    const { url } = checked;
    const time = AbortSignal.timeout(this.#timeoutMs);
    try {
      return await this.#exchange(url, AbortSignal.any([signal, time]), request);
    } catch (cause) {
      if (signal.aborted) throw signal.reason;
      if (cause instanceof BlackError) throw cause;
      if (time.aborted) {
        throw new BlackError('timed_out', `${url.host} did not answer within ${this.#timeoutMs / 1000} s.`);
      }
      throw new BlackError('no_network', `${url.host} could not be reached: ${messageOf(cause)}.`);
    }
  }

  async #exchange(url: URL, signal: AbortSignal, { method = 'GET', headers, body }: WebRequest): Promise<WebAnswer> {
    const options: RequestOptions = {
      method,
      signal,
      agent: false,
      lookup: this.#lookupFor(url),
      headers: {
        'user-agent': 'Mozilla/5.0 (compatible; BlackIDE)',
        'accept-encoding': 'gzip, deflate, br',
        'accept-language': 'en',
        ...headers,
        ...(body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }),
      },
    };
    // A `require` does not load the global fetch's whole library, as an `import` does.
    const transport = require(url.protocol === 'https:' ? 'node:https' : 'node:http') as typeof import('node:http');
    const incoming = await new Promise<IncomingMessage>((resolve, reject) => {
      const outgoing = transport.request(url, options, resolve);
      outgoing.once('error', reject);
      outgoing.end(body);
    });
    try {
      return {
        url,
        status: incoming.statusCode ?? 0,
        headers: new Map(Object.entries(incoming.headers).map(([name, value]) => [name, String(value)])),
        ...(await readBody(incoming, this.#maxBytes)),
      };
    } finally {
      incoming.destroy();
    }
  }

  #lookupFor(url: URL): LookupFunction {
    return (host, options, done) => {
      this.#resolve(host)
        .then((addresses) => {
          const inner = this.#isAllowed(url) ? undefined : addresses.find(({ address }) => !isPublicAddress(address));
          if (inner) {
            const why = `${host} is not fetched: it leads to ${inner.address}, which is not of the public internet.`;
            throw new BlackError('private_address', why);
          }
          const [first] = addresses;
          if (!first) throw new Error(`${host} has no address`);
          if (options.all) done(null, addresses);
          else done(null, first.address, first.family);
        })
        .catch((cause: NodeJS.ErrnoException) => done(cause, '', 0));
    };
  }
}

async function readBody(incoming: IncomingMessage, maxBytes: number): Promise<{ body: Buffer; cut: boolean }> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of unpacked(incoming)) {
    const part = chunk as Buffer;
    chunks.push(part.subarray(0, maxBytes - size));
    size += part.length;
    if (size > maxBytes) return { body: Buffer.concat(chunks), cut: true };
  }
  return { body: Buffer.concat(chunks), cut: false };
}

function unpacked(incoming: IncomingMessage): Readable {
  const zlib = (): typeof import('node:zlib') => require('node:zlib');
  switch (incoming.headers['content-encoding']?.trim().toLowerCase()) {
    case 'gzip':
    case 'x-gzip':
      return piped(incoming, zlib().createGunzip());
    case 'deflate':
      return piped(incoming, zlib().createInflate());
    case 'br':
      return piped(incoming, zlib().createBrotliDecompress());
    default:
      return incoming;
  }
}

/** A failure of the connection is one of what is read from it. */
function piped<T extends Readable & NodeJS.WritableStream>(incoming: IncomingMessage, through: T): T {
  incoming.once('error', (error) => through.destroy(error));
  incoming.once('aborted', () => through.destroy(new Error('the connection was closed in the middle')));
  return incoming.pipe(through);
}

function messageOf(cause: unknown): string {
  if (cause instanceof AggregateError && cause.errors.length > 0) return messageOf(cause.errors[0]);
  const { code, message } = cause as { code?: unknown; message?: unknown };
  return typeof code === 'string' ? code : String(message ?? cause);
}

function shown(text: string): string {
  return text.length > 200 ? `${text.slice(0, 199).toWellFormed()}…` : text;
}
