import { BlackError } from '@black-ide/protocol';
import { describe, expect, it } from 'vitest';
import { encodeFrame } from './encode-frame.ts';
import { JsonRpcConnection, type JsonRpcOptions, RpcError } from './json-rpc-connection.ts';
import { parseObject } from './parse-object.ts';

interface Side {
  connection: JsonRpcConnection;
  sent: Record<string, unknown>[];
  problems: string[];
  notified: unknown[];
  receive: (message: unknown) => void;
}

/** A connection whose other side is the test. */
function open(more: Partial<JsonRpcOptions> = {}): Side {
  const sent: Record<string, unknown>[] = [];
  const problems: string[] = [];
  const notified: unknown[] = [];
  const connection = new JsonRpcConnection({
    write: (text) => sent.push(parseObject(Buffer.from(text.slice(text.indexOf('{'))))!),
    onNotification: (method, params) => notified.push({ method, params }),
    onRequest: () => undefined,
    onProblem: (problem) => problems.push(problem),
    ...more,
  });
  const receive = (message: unknown): void => connection.receive(Buffer.from(encodeFrame(message)));
  return { connection, sent, problems, notified, receive };
}

describe('JsonRpcConnection', () => {
  it('INT-36 joins answers to requests by id, in whatever order they come', async () => {
    const { connection, sent, receive } = open();
    const [first, second] = [connection.request('a', { x: 1 }), connection.request('b', null)];
    expect(sent).toEqual([
      { jsonrpc: '2.0', id: 1, method: 'a', params: { x: 1 } },
      { jsonrpc: '2.0', id: 2, method: 'b', params: null },
    ]);
    receive({ id: 2, result: 'two' });
    receive({ id: 1, result: null });
    expect(await Promise.all([first, second])).toEqual([null, 'two']);
    expect(connection.pending).toBe(0);
  });

  it('INT-36 rejects with the code, the words and the data of a failure', async () => {
    const { connection, receive } = open();
    const request = connection.request('a', {});
    receive({ id: 1, error: { code: -32802, message: 'busy', data: { retriggerRequest: true } } });
    const failure = (await request.catch((error: unknown) => error)) as RpcError;
    expect(failure).toBeInstanceOf(RpcError);
    expect(failure).toMatchObject({ code: -32802, message: 'busy', data: { retriggerRequest: true } });
  });

  it.each(['oops', 7, [], {}])('INT-36 takes a failure of any shape: %j', async (error) => {
    const { connection, receive } = open();
    const request = connection.request('a', {});
    receive({ id: 1, error });
    await expect(request).rejects.toMatchObject({ code: -32603, message: JSON.stringify(error) });
  });

  it('INT-36 hands on notifications, and requests of the other side, whose answers it sends', async () => {
    const { notified, sent, receive } = open({
      onRequest: (method) => {
        if (method === 'ask') return Promise.resolve([1]);
        if (method === 'nothing') return Promise.resolve(undefined);
        if (method === 'fail') return Promise.reject(new BlackError('no', 'It cannot be done.'));
        if (method === 'throw') throw new RpcError(-7, 'own code');
        return undefined;
      },
    });
    receive({ method: 'window/logMessage', params: { message: 'hi' } });
    expect(notified).toEqual([{ method: 'window/logMessage', params: { message: 'hi' } }]);
    for (const [id, method] of [
      [9, 'ask'],
      ['s', 'nothing'],
      [10, 'fail'],
      [11, 'throw'],
      [12, 'unknown'],
    ]) {
      receive({ id, method });
    }
    await expect.poll(() => sent.length).toBe(5);
    expect(sent.sort((a, b) => String(a.id).localeCompare(String(b.id)))).toEqual([
      { jsonrpc: '2.0', id: 10, error: { code: -32603, message: 'It cannot be done.' } },
      { jsonrpc: '2.0', id: 11, error: { code: -7, message: 'own code' } },
      { jsonrpc: '2.0', id: 12, error: { code: -32601, message: 'There is no method unknown.' } },
      { jsonrpc: '2.0', id: 9, result: [1] },
      { jsonrpc: '2.0', id: 's', result: null },
    ]);
  });

  it('INT-36 gives a request up at once, tells the other side, and overlooks its late answer', async () => {
    const { connection, sent, problems, receive } = open();
    const stop = new AbortController();
    const request = connection.request('slow', {}, stop.signal);
    stop.abort(new BlackError('late', 'Too late.'));
    await expect(request).rejects.toMatchObject({ code: 'late' });
    expect(sent.at(-1)).toEqual({ jsonrpc: '2.0', method: '$/cancelRequest', params: { id: 1 } });
    receive({ id: 1, result: 'late' });
    expect(problems).toEqual(['an answer to no open request (1) was skipped']);
    await expect(connection.request('never sent', {}, stop.signal)).rejects.toMatchObject({ code: 'late' });
    expect(sent).toHaveLength(2);
  });

  it('INT-36 overlooks answers with wrong ids and messages that are none, and goes on', async () => {
    const { connection, problems, receive } = open();
    const request = connection.request('a', {});
    receive({ id: 99, result: 'wrong' });
    receive({ id: '1', result: 'a string' });
    receive({ id: null, error: { code: -32700, message: 'cannot parse' } });
    receive({ jsonrpc: '2.0' });
    expect(problems).toHaveLength(4);
    receive({ id: 1, result: 'right' });
    expect(await request).toBe('right');
  });

  it('INT-36 tells everyone who waits why nothing comes any more', async () => {
    const { connection, sent, receive } = open();
    const requests = [connection.request('a', {}), connection.request('b', {})];
    const reason = new BlackError('gone', 'The server has ended.');
    connection.close(reason);
    for (const request of requests) await expect(request).rejects.toBe(reason);
    await expect(connection.request('c', {})).rejects.toBe(reason);
    connection.notify('d', {});
    receive({ id: 1, method: 'late' });
    expect(sent).toHaveLength(2);
  });

  it('INT-35 reads the answer behind a banner, and skips one that is too large', async () => {
    const noise: string[] = [];
    const { connection, problems, receive } = open({
      maxBody: 1_000,
      onNoise: (bytes) => noise.push(bytes.toString()),
    });
    const request = connection.request('a', {});
    connection.receive(Buffer.from('Server v1.0\n'));
    receive({ id: 1, result: 'x'.repeat(2_000) });
    receive({ id: 1, result: 'small' });
    expect(await request).toBe('small');
    expect(noise.join('')).toBe('Server v1.0\n');
    expect(problems).toEqual(['a message of 2020 bytes was skipped: that is too much']);
  });
});
