import { request } from 'node:http';
import { BlackError, isRecord } from '@black-ide/protocol';
import { WebSocket } from 'ws';
import type { CdpTransport } from './cdp-client.ts';
import type { Dial } from './dial.ts';

/** One message may hold a value of the program as large as V8's longest string. */
const MAX_MESSAGE = 600 * 1024 * 1024;
const PATIENCE_MS = 10_000;
const LOOPBACK = new Set(['127.0.0.1', '[::1]', 'localhost']);

export interface SocketListener {
  onMessage: (text: string) => void;
  onClose: (reason: Error) => void;
}

/**
 * Opens the WebSocket of an inspector. Only the port of the address is dialled: it comes from the program.
 * @throws BlackError `inspector_unreachable`
 */
export async function openInspector(url: string, dial: Dial, { onMessage, onClose }: SocketListener) {
  const { protocol, hostname, port } = new URL(url);
  if (protocol !== 'ws:' || !LOOPBACK.has(hostname) || port === '') throw unreachable(url, 'it is no inspector here');
  const socket = await dial(Number(port)).catch((cause: Error) => {
    throw unreachable(url, cause.message);
  });
  const web = new WebSocket(url, {
    createConnection: () => socket,
    perMessageDeflate: false,
    maxPayload: MAX_MESSAGE,
    handshakeTimeout: PATIENCE_MS,
  });
  await new Promise<void>((resolve, reject) => {
    web.once('open', resolve);
    web.once('error', (cause) => {
      socket.destroy();
      reject(unreachable(url, cause.message));
    });
  });
  let why = 'The program has ended, or lets nobody debug it any more.';
  web.on('message', (data) => onMessage(String(data)));
  web.on('error', (cause) => {
    why = cause.message;
  });
  web.on('close', () => onClose(new BlackError('inspector_closed', why)));
  return { send: (text) => web.send(text), close: () => web.close() } satisfies CdpTransport;
}

/**
 * The address of the first thing that can be debugged behind a port, as the inspector lists it.
 * @throws BlackError `inspector_unreachable`
 */
export async function findInspector(port: number, dial: Dial): Promise<string> {
  const socket = await dial(port).catch((cause: Error) => {
    throw unreachable(`port ${port}`, cause.message);
  });
  const text = await new Promise<string>((resolve, reject) => {
    const options = {
      host: '127.0.0.1',
      port,
      path: '/json/list',
      timeout: PATIENCE_MS,
      createConnection: () => socket,
    };
    const asked = request(options, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => resolve(Buffer.concat(chunks).toString('utf8')));
    });
    asked.on('timeout', () => asked.destroy(new Error('no answer in time')));
    asked.on('error', reject);
    asked.end();
  }).catch((cause: Error) => {
    throw unreachable(`port ${port}`, cause.message);
  });
  const url = addressIn(text);
  if (url === undefined) throw unreachable(`port ${port}`, 'it is no inspector of Node');
  return url;
}

function addressIn(text: string): string | undefined {
  try {
    const list: unknown = JSON.parse(text);
    const first: unknown = Array.isArray(list) ? list[0] : undefined;
    return isRecord(first) && typeof first.webSocketDebuggerUrl === 'string' ? first.webSocketDebuggerUrl : undefined;
  } catch {
    // Something else answers there.
    return undefined;
  }
}

function unreachable(where: string, why: string): BlackError {
  return new BlackError(
    'inspector_unreachable',
    `The inspector at ${where} cannot be reached: ${why}.`,
    'Start the program with --inspect, and give its port.',
  );
}
