import { BlackError } from '@black-ide/protocol';
import { describe, expect, it } from 'vitest';
import { DapConnection, DapError, type DapOptions } from './dap-connection.ts';
import { encodeFrame } from './encode-frame.ts';
import { parseObject } from './parse-object.ts';

interface Side {
  connection: DapConnection;
  sent: Record<string, unknown>[];
  events: unknown[];
  problems: string[];
  receive: (message: unknown) => void;
}

/** A connection whose adapter is the test. */
function open(more: Partial<DapOptions> = {}): Side {
  const sent: Record<string, unknown>[] = [];
  const events: unknown[] = [];
  const problems: string[] = [];
  const connection = new DapConnection({
    write: (text) => sent.push(parseObject(Buffer.from(text.slice(text.indexOf('{'))))!),
    onEvent: (event, body) => events.push({ event, body }),
    onRequest: () => undefined,
    onProblem: (problem) => problems.push(problem),
    ...more,
  });
  const receive = (message: unknown): void => connection.receive(Buffer.from(encodeFrame(message)));
  return { connection, sent, events, problems, receive };
}

const answer = (seq: number, more: object) => ({ seq: 100 + seq, type: 'response', request_seq: seq, ...more });

describe('DapConnection', () => {
  it('INT-36 joins answers to requests by request_seq, and hands on events in between', async () => {
    const { connection, sent, events, receive } = open();
    const [first, second] = [
      connection.request('initialize', { adapterID: 'x' }),
      connection.request('threads', undefined),
    ];
    expect(sent).toEqual([
      { seq: 1, type: 'request', command: 'initialize', arguments: { adapterID: 'x' } },
      { seq: 2, type: 'request', command: 'threads' },
    ]);
    receive(answer(2, { success: true, command: 'threads', body: { threads: [] } }));
    receive({ seq: 103, type: 'event', event: 'stopped', body: { reason: 'step' } });
    receive(answer(1, { success: true, command: 'initialize' }));
    expect(await Promise.all([first, second])).toEqual([{}, { threads: [] }]);
    expect(events).toEqual([{ event: 'stopped', body: { reason: 'step' } }]);
  });

  it.each([
    [{ message: 'notStopped' }, 'notStopped', 'notStopped', undefined],
    [{}, 'The debugger refused `next`.', undefined, undefined],
    [
      { message: 'failed', body: { error: { id: 7, format: 'No {thing} in {place}.', variables: { thing: 'x' } } } },
      'No x in {place}.',
      'failed',
      7,
    ],
  ])('INT-36 rejects with the words of a failure: %j', async (failure, message, reason, id) => {
    const { connection, receive } = open();
    const request = connection.request('next', { threadId: 1 });
    receive(answer(1, { success: false, command: 'next', ...failure }));
    const error = (await request.catch((cause: unknown) => cause)) as DapError;
    expect(error).toBeInstanceOf(DapError);
    expect({ ...error, message: error.message }).toMatchObject({ command: 'next', message, reason, id });
  });

  it('INT-36 answers requests of the adapter, each answer with a number of its own', async () => {
    const { connection, sent, receive } = open({
      onRequest: (command, args) => {
        if (command === 'runInTerminal') return Promise.resolve({ processId: 5, args });
        if (command === 'startDebugging') return Promise.reject(new BlackError('no', 'Not now.'));
        return undefined;
      },
    });
    void connection.request('launch', {}).catch(() => undefined);
    receive({ seq: 8, type: 'request', command: 'runInTerminal', arguments: { kind: 'integrated' } });
    receive({ seq: 9, type: 'request', command: 'startDebugging' });
    receive({ seq: 10, type: 'request', command: 'dance' });
    await expect.poll(() => sent.length).toBe(4);
    const head = { type: 'response', request_seq: 8, command: 'runInTerminal', success: true };
    const answers = sent.slice(1).sort((a, b) => Number(a.request_seq) - Number(b.request_seq));
    expect(answers[0]).toMatchObject({ ...head, body: { processId: 5, args: { kind: 'integrated' } } });
    expect(answers[1]).toMatchObject({ request_seq: 9, success: false, message: 'Not now.' });
    expect(answers[2]).toMatchObject({ request_seq: 10, success: false, message: 'There is no command dance.' });
    expect(new Set(sent.map(({ seq }) => seq)).size).toBe(4);
    connection.close(new Error('over'));
  });

  it('INT-36 gives a request up at once, and tells an adapter that takes it', async () => {
    const { connection, sent } = open();
    for (const takesCancel of [false, true]) {
      connection.takesCancel = takesCancel;
      const stop = new AbortController();
      const request = connection.request('evaluate', {}, stop.signal);
      stop.abort(new BlackError('late', 'Too late.'));
      await expect(request).rejects.toMatchObject({ code: 'late' });
    }
    expect(sent.map(({ command, arguments: args }) => [command, args])).toEqual([
      ['evaluate', {}],
      ['evaluate', {}],
      ['cancel', { requestId: 2 }],
    ]);
  });

  it('INT-36 overlooks what is no message and answers to nothing', async () => {
    const { connection, problems, receive } = open();
    const request = connection.request('a', {});
    for (const message of [answer(5, { success: true }), { type: 'response' }, { type: 'event' }, {}]) receive(message);
    expect(problems).toHaveLength(4);
    receive(answer(1, { success: true, body: 'yes' }));
    expect(await request).toBe('yes');
  });

  it('INT-36 tells everyone who waits why nothing comes any more', async () => {
    const { connection, sent, receive } = open();
    const request = connection.request('a', {});
    const reason = new BlackError('gone', 'The adapter has ended.');
    connection.close(reason);
    await expect(request).rejects.toBe(reason);
    await expect(connection.request('b', {})).rejects.toBe(reason);
    receive({ seq: 1, type: 'request', command: 'late' });
    expect(sent).toHaveLength(1);
  });
});
