import {
  createServer,
  type IncomingMessage,
  type Server,
  type ServerResponse,
  request as sendRequest,
} from 'node:http';
import { connect, isIP, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { entryFor, type HostRule, judgeHost } from '../network/host-rules.ts';
import { isPublicAddress } from '../network/public-address.ts';
import { type Address, resolveHost } from '../network/resolve-host.ts';

/** A connection that was refused. */
export interface BlockedHost {
  host: string;
  port: number;
  why: string;
  /** The entry of the allowed hosts that would let it through; undefined where there is none. */
  entry?: string;
}

export interface EgressProxyOptions {
  allowed: readonly HostRule[];
  /** Resolves a name; for tests. */
  resolve?: (host: string) => Promise<Address[]>;
}

type Route = { ok: true; address: Address } | { ok: false; blocked: BlockedHost } | { ok: false; failed: string };

const CONNECT_MS = 30_000;
/** The newest ones are kept. */
const MAX_BLOCKED = 200;
const MAX_PORTS = 32;
/** What one connection says to the next one only (RFC 9110, 7.6.1), and what is meant for us. */
const HOP_BY_HOP = /^(connection|keep-alive|proxy-.*|te|trailer|upgrade)$/i;

/**
 * The only way from the sandbox to the network: an HTTP proxy (CONNECT and plain HTTP) in this process, which lets
 * through what the person allowed. It resolves names itself and connects to exactly the address that it judged, so that
 * no second answer of a resolver leads elsewhere. It listens nowhere by itself: connections are handed to it.
 */
export class EgressProxy {
  readonly #allowed: readonly HostRule[];
  readonly #resolve: (host: string) => Promise<Address[]>;
  readonly #server: Server;
  readonly #sockets = new Set<Duplex>();
  #blocked: BlockedHost[] = [];
  #count = 0;

  constructor({ allowed, resolve = resolveHost }: EgressProxyOptions) {
    this.#allowed = allowed;
    this.#resolve = resolve;
    this.#server = createServer((request, response) => void this.#plain(request, response));
    this.#server.on('connect', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
      void this.#tunnel(request, socket, head);
    });
  }

  /** Serves one connection out of the sandbox. */
  accept(socket: Socket): void {
    // Who has said all may still listen.
    socket.allowHalfOpen = true;
    this.#keep(socket);
    this.#server.emit('connection', socket);
  }

  /** The ports of this machine that were allowed: commands find them where they are outside, whatever speaks there. */
  get ownPorts(): number[] {
    const own = this.#allowed.filter(({ host, below }) => !below && ['localhost', '127.0.0.1', '[::1]'].includes(host));
    return [...new Set(own.map(({ port }) => port).filter((port) => port !== undefined))].slice(0, MAX_PORTS);
  }

  /** Leads a connection out of the sandbox to one of the own ports. */
  forward(client: Socket, port: number): void {
    client.allowHalfOpen = true;
    this.#keep(client);
    this.#join(client, connect({ host: 'localhost', port, timeout: CONNECT_MS, allowHalfOpen: true }));
  }

  /** How many connections have been refused so far. */
  get blockedCount(): number {
    return this.#count;
  }

  /** Those that were refused since then, each host once. */
  blockedSince(count: number): BlockedHost[] {
    const fresh = this.#blocked.slice(Math.max(0, this.#blocked.length - (this.#count - count)));
    return [...new Map(fresh.map((each) => [`${each.host}:${each.port}`, each])).values()];
  }

  dispose(): void {
    for (const socket of this.#sockets) socket.destroy();
    this.#server.close();
  }

  async #tunnel(request: IncomingMessage, client: Duplex, head: Buffer): Promise<void> {
    this.#keep(client);
    const target = /^(?<host>\[[^\]]*\]|[^:]*):(?<port>\d{1,5})$/.exec(request.url ?? '')?.groups;
    const route = await this.#route(target?.host ?? request.url ?? '', Number(target?.port ?? 0));
    if (client.destroyed) return;
    if (!route.ok) {
      const { status, text } = refusal(route);
      client.end(
        `HTTP/1.1 ${status}\r\nContent-Type: text/plain\r\nContent-Length: ${Buffer.byteLength(text)}\r\nConnection: close\r\n\r\n${text}`,
      );
      return;
    }
    const server = connect({
      host: route.address.address,
      port: Number(target!.port),
      timeout: CONNECT_MS,
      allowHalfOpen: true,
    });
    server.once('connect', () => {
      client.write('HTTP/1.1 200 Connection Established\r\n\r\n');
      if (head.length > 0) server.write(head);
    });
    server.once('error', (error) => {
      if (server.pending || server.connecting) client.end(`HTTP/1.1 502 ${oneLine(error.message)}\r\n\r\n`);
    });
    this.#join(client, server);
  }

  /** Passes on what either side says, until both have said all or one breaks. */
  #join(client: Duplex, server: Socket): void {
    this.#keep(server);
    server.once('connect', () => {
      server.setTimeout(0);
      server.pipe(client).pipe(server);
    });
    server.once('timeout', () => server.destroy());
    server.once('close', () => (client.writableEnded ? undefined : client.destroy()));
    client.once('close', () => server.destroy());
  }

  async #plain(request: IncomingMessage, response: ServerResponse): Promise<void> {
    // A path alone is what a client sends to a server, not to a proxy.
    const text = request.url ?? '';
    const url = text.startsWith('/') ? null : URL.parse(text);
    if (url?.protocol !== 'http:' || /^[^/?#]*\/\/[^/?#]*@/.test(text)) {
      answer(response, 400, 'This is the proxy of the sandbox: it takes http:// addresses without a user name.');
      return;
    }
    // The text as it was sent: the URL parser makes a usual address of a decimal one.
    const sent = /^http:\/\/(\[[^\]]*\]|[^/:?#]*)/i.exec(text)?.[1] ?? '';
    const port = Number(url.port || 80);
    const route = await this.#route(sent, port);
    if (!route.ok) {
      const { status, text: why } = refusal(route);
      answer(response, Number(status.slice(0, 3)), why);
      return;
    }
    const headers = Object.fromEntries(Object.entries(request.headers).filter(([name]) => !HOP_BY_HOP.test(name)));
    const { address, family } = route.address;
    const outgoing = sendRequest({
      host: address,
      family,
      port,
      method: request.method,
      path: `${url.pathname}${url.search}`,
      // The host that was judged, whatever else the client said in its headers.
      headers: { ...headers, host: url.host },
      agent: false,
      timeout: CONNECT_MS * 4,
    });
    outgoing.once('response', (incoming) => {
      const passed = Object.entries(incoming.headers).filter(([name]) => !HOP_BY_HOP.test(name));
      response.writeHead(incoming.statusCode ?? 502, Object.fromEntries(passed));
      incoming.pipe(response);
      incoming.once('error', () => response.destroy());
    });
    outgoing.once('timeout', () => outgoing.destroy(new Error('the server did not answer in time')));
    outgoing.once('error', (error) => {
      if (response.headersSent) response.destroy();
      else answer(response, 502, `${url.host} could not be reached: ${error.message}.`);
    });
    response.once('close', () => outgoing.destroy());
    request.pipe(outgoing);
  }

  async #route(host: string, port: number): Promise<Route> {
    const verdict = judgeHost(host, port, this.#allowed);
    if (!verdict.ok) return this.#refuse(host, port, verdict.why);
    const name = host.replace(/^\[|\]$/g, '');
    let addresses: Address[];
    try {
      addresses = isIP(name) ? [{ address: name, family: isIP(name) }] : await this.#resolve(name);
    } catch (cause) {
      return { ok: false, failed: `${host} cannot be resolved: ${cause instanceof Error ? cause.message : cause}.` };
    }
    const hidden = verdict.rule.inner ? undefined : addresses.find(({ address }) => !isPublicAddress(address));
    if (hidden) {
      const why = `it leads to ${hidden.address}, an inner address, which is allowed to \`${host}:${port}\` only`;
      return this.#refuse(host, port, why, true);
    }
    const [address] = addresses;
    return address ? { ok: true, address } : { ok: false, failed: `${host} has no address.` };
  }

  #refuse(host: string, port: number, why: string, inner = false): Route {
    const entry = entryFor(host, port, inner);
    const blocked = { host: oneLine(host).slice(0, 300), port, why, ...(entry ? { entry } : {}) };
    this.#count += 1;
    this.#blocked = [...this.#blocked, blocked].slice(-MAX_BLOCKED);
    return { ok: false, blocked };
  }

  #keep(socket: Duplex): void {
    if (this.#sockets.has(socket)) return;
    this.#sockets.add(socket);
    // A connection that breaks is over; whoever waits on its other side is told by `close`.
    socket.on('error', () => socket.destroy());
    socket.once('close', () => this.#sockets.delete(socket));
  }
}

function refusal(route: Exclude<Route, { ok: true }>): { status: string; text: string } {
  if ('failed' in route) return { status: '502 Bad Gateway', text: `${route.failed}\n` };
  const { host, port, why } = route.blocked;
  const text = `The sandbox does not let this command reach ${host}:${port}: ${why}. A person can allow it: "sandbox.allowedHosts" in Black IDE's settings.json.\n`;
  return { status: `403 Blocked by the sandbox: ${host}`, text };
}

function answer(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { 'content-type': 'text/plain', connection: 'close' });
  response.end(text);
}

function oneLine(text: string): string {
  return text.replaceAll(/[^\x20-\x7e]/g, '?');
}
