import { createServer as createHttp, type Server } from 'node:http';
import { type AddressInfo, connect, createServer, type Server as TcpServer } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { parseHostRule } from '../network/host-rules.ts';
import { EgressProxy } from './egress-proxy.ts';

let door: TcpServer;
let target: Server;
let port: number;
let proxy: EgressProxy;
const asked: string[] = [];
const heard: string[] = [];

beforeEach(async () => {
  asked.length = 0;
  heard.length = 0;
  target = createHttp((request, response) => {
    heard.push(`${request.headers.host} ${request.url} ${request.headers['proxy-authorization'] ?? ''}`.trim());
    response.end('body');
  });
  await listening(target);
  port = (target.address() as AddressInfo).port;
  const allowed = ['web.test', 'web.test:443', '*.example.com', 'gone.example'].map((host) =>
    parseHostRule(/\.test$|example$/.test(host) ? `${host}:${port}` : host),
  );
  proxy = new EgressProxy({
    allowed: allowed.filter((rule) => rule !== undefined),
    resolve: async (host) => {
      asked.push(host);
      if (host === 'gone.example') throw new Error('no such name');
      return [{ address: '127.0.0.1', family: 4 }];
    },
  });
  door = createServer((socket) => proxy.accept(socket));
  await listening(door);
});

afterEach(async () => {
  proxy.dispose();
  target.closeAllConnections();
  await Promise.all([target, door].map((server) => new Promise((resolve) => server.close(resolve))));
});

function listening(server: TcpServer): Promise<void> {
  return new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
}

/** Sends bytes to the proxy and answers all that comes back. */
function send(bytes: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect((door.address() as AddressInfo).port, '127.0.0.1');
    let text = '';
    socket.setEncoding('latin1').on('data', (chunk: string) => {
      text += chunk;
      if (text.endsWith('Established\r\n\r\n')) socket.end('GET /in HTTP/1.0\r\nHost: web.test\r\n\r\n');
    });
    socket.on('close', () => resolve(text));
    socket.on('error', reject);
    socket.write(Buffer.from(bytes, 'latin1'));
  });
}

const CLOSE = 'Connection: close\r\n\r\n';
const connectTo = (authority: string): Promise<string> =>
  send(`CONNECT ${authority} HTTP/1.1\r\nHost: ${authority}\r\n${CLOSE}`);
const get = (url: string, more = ''): Promise<string> =>
  send(`GET ${url} HTTP/1.1\r\nHost: liar.test\r\n${more}${CLOSE}`);

describe('EgressProxy', () => {
  it('IDE-65 tunnels and forwards to an allowed host, saying to it what was judged', async () => {
    expect(await connectTo(`web.test:${port}`)).toContain('body');
    expect(await get(`http://web.test:${port}/p?q`, 'Proxy-Authorization: secret\r\n')).toMatch(
      /^HTTP\/1\.1 200 OK\r\n[\s\S]*body/,
    );
    expect(heard).toEqual(['web.test /in', `web.test:${port} /p?q`]);
    expect(proxy.blockedCount).toBe(0);
  });

  it.each([
    'evil.test:443',
    'web.test.evil.org:443',
    'web.test:22',
    'web.test.:443',
    '127.0.0.1:443',
    '2130706433:443',
    '[::1]:443',
    'evil.org\0.example.com:443',
    'x@web.test:443',
    'web.test',
    'web.test:',
    ':443',
    'web.test:99999',
  ])('field notes §5c: does not connect to %j', async (authority) => {
    expect(await connectTo(authority)).toMatch(/^HTTP\/1\.1 4\d\d /);
    expect(asked).toEqual([]);
  });

  it.each([
    'http://evil.test/',
    'http://2130706433/',
    'http://0x7f.1/',
    'http://x@web.test/',
    'http://web.test@evil.org/',
    'https://web.test/',
    'ftp://web.test/',
    '/local',
    '*',
    'http://web.test\\@evil.org/',
  ])('field notes §5c: does not forward to %j', async (url) => {
    expect(await get(url)).toMatch(/^HTTP\/1\.1 4\d\d /);
    expect([asked, heard]).toEqual([[], []]);
  });

  it('IDE-65 does not follow a public name to an inner address, and says what it has blocked', async () => {
    expect(await connectTo('a.example.com:443')).toContain('leads to 127.0.0.1');
    expect(await get('http://other.org/')).toContain('"sandbox.allowedHosts"');
    expect(proxy.blockedSince(1)).toEqual([
      { host: 'other.org', entry: 'other.org', port: 80, why: 'it is not an allowed host' },
    ]);
    expect(proxy.blockedSince(0)).toHaveLength(2);
    expect(proxy.blockedSince(2)).toEqual([]);
  });

  it('IDE-65 a name that is not there, and a server that does not answer, are told as such', async () => {
    expect(await get(`http://gone.example:${port}/`)).toMatch(/^HTTP\/1\.1 502 [\s\S]*no such name/);
    await new Promise((resolve) => target.close(resolve));
    expect(await connectTo(`web.test:${port}`)).toMatch(/^HTTP\/1\.1 502 /);
    expect(await get(`http://web.test:${port}/`)).toMatch(/^HTTP\/1\.1 502 /);
    await listening(target);
  });

  it('IDE-65 what is no HTTP ends the connection alone', async () => {
    expect(await send('\x16\x03\x01 nonsense\r\n\r\n')).toMatch(/^HTTP\/1\.1 400 /);
    expect(await get(`http://web.test:${port}/`)).toContain('body');
  });
});
