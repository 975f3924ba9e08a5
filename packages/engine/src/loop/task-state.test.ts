import type { Entry } from '@black-ide/protocol';
import { zeroUsage } from '@black-ide/protocol';
import { describe, expect, it } from 'vitest';
import { repeatedFailure } from './repeated-failures.ts';
import { declined, openCalls, taskState } from './task-state.ts';

let count = 0;
function entry(fields: Record<string, unknown>): Entry {
  count += 1;
  return { id: String(count).padStart(8, '0'), parentId: null, timestamp: '', ...fields } as Entry;
}
const custom = (customType: string, data: unknown) => entry({ type: 'custom', customType, data });
const user = (content = 'hi') => entry({ type: 'message', message: { role: 'user', content, timestamp: 0 } });
const answer = (...calls: { id: string; name?: string; args?: object }[]) =>
  entry({
    type: 'message',
    message: {
      role: 'assistant',
      content: calls.map(({ id, name = 'read_file', args = {} }) => ({ type: 'toolCall', id, name, arguments: args })),
      usage: { ...zeroUsage(), cost: { ...zeroUsage().cost, total: 0.5 } },
    },
  });
const result = (id: string, text = 'ok', isError = false, toolName = 'read_file') =>
  entry({
    type: 'message',
    message: { role: 'toolResult', toolCallId: id, toolName, content: [{ type: 'text', text }], isError },
  });
const begin = (maxIterations = 5) =>
  custom('task_start', { messageId: 'm', mode: 'Agent', model: 'x/y', maxIterations });
const respond = (kind: string, value: string, text?: string) =>
  custom('response', { requestId: 'r', kind, value, by: 't', text });

describe('taskState', () => {
  it('IDE-16 counts model calls of the newest task only and adds what a person granted', () => {
    const path = [
      user(),
      begin(),
      answer(),
      custom('task_end', { outcome: 'completed', message: '' }),
      user(),
      begin(),
      answer(),
      answer(),
    ];
    expect(taskState(path)).toMatchObject({ iterations: 2, limit: 5, ended: false, cost: 1 });
    expect(taskState([...path, respond('loop_limit', 'continue', '7')])?.limit).toBe(12);
    expect(taskState([...path, respond('loop_limit', 'continue')])?.limit).toBe(10);
    expect(taskState([...path, respond('loop_limit', 'stop')])?.limit).toBe(5);
  });

  it('IDE-16 knows no task where none has begun, and an ended one as ended', () => {
    expect(taskState([user()])).toBeUndefined();
    expect(taskState([begin(), custom('task_end', { outcome: 'failed', message: '' })])?.ended).toBe(true);
  });

  it('IDE-16 a "stop" counts until the conversation goes on', () => {
    expect(declined([begin(), answer(), respond('loop_limit', 'stop')])).toBe(true);
    expect(declined([begin(), answer(), respond('loop_limit', 'continue')])).toBe(false);
    expect(declined([begin(), answer(), respond('loop_limit', 'stop'), user()])).toBe(false);
    expect(declined([begin(), answer(), respond('permission', 'deny')])).toBe(false);
  });
});

describe('openCalls', () => {
  it('IDE-7 tells calls that were begun from calls that were not', () => {
    const path = [
      user(),
      answer({ id: 'a' }, { id: 'b' }, { id: 'c' }),
      result('a'),
      custom('tool_start', { callId: 'b', name: 'x', args: {} }),
    ];
    expect(openCalls(path).map(({ call, started }) => [call.id, started])).toEqual([
      ['b', true],
      ['c', false],
    ]);
  });

  it('IDE-7 looks at the newest answer only', () => {
    expect(openCalls([answer({ id: 'a' }), user(), answer({ id: 'b' }), result('b')])).toEqual([]);
  });
});

describe('repeatedFailure', () => {
  const failing = (n: number, args: object = { path: 'x' }) => [
    answer({ id: `f${n}`, name: 'edit_file', args }),
    result(`f${n}`, 'not found', true, 'edit_file'),
  ];

  it('IDE-22 notices the third identical failure in a row, not the second', () => {
    expect(repeatedFailure([...failing(1), ...failing(2)])).toBeUndefined();
    expect(repeatedFailure([...failing(1), ...failing(2), ...failing(3)])).toMatchObject({
      name: 'edit_file',
      error: 'not found',
    });
  });

  it('IDE-22 other arguments, a success, a new message or "go on" start the count anew', () => {
    const two = [...failing(1), ...failing(2)];
    expect(repeatedFailure([...two, ...failing(3, { path: 'y' })])).toBeUndefined();
    expect(repeatedFailure([...two, answer({ id: 'g' }), result('g'), ...failing(3)])).toBeUndefined();
    expect(repeatedFailure([...two, user(), ...failing(3)])).toBeUndefined();
    expect(repeatedFailure([...two, ...failing(3), respond('repeated_failure', 'continue')])).toBeUndefined();
    expect(repeatedFailure([...two, ...failing(3), respond('repeated_failure', 'stop')])).toBeDefined();
  });
});

describe('calls that fail by turns', () => {
  const failing = (id: string, name: string) => [answer({ id, name }), result(id, `${name} is no good`, true, name)];
  const pair = (n: number) => [...failing(`a${n}`, 'one'), ...failing(`b${n}`, 'two')];

  it('IDE-22 a pair that fails twice in the same way is noticed, a third kind or a success between is not', () => {
    expect(repeatedFailure([...pair(1), ...pair(2)])?.what).toBe('`one` and `two` fail by turns, in the same way');
    expect(repeatedFailure(pair(1))).toBeUndefined();
    expect(repeatedFailure([...pair(1), ...failing('c', 'three'), ...pair(2)])).toBeUndefined();
    expect(repeatedFailure([...pair(1), answer({ id: 'ok' }), result('ok'), ...pair(2)])).toBeUndefined();
    expect(repeatedFailure([...pair(1), ...pair(2), respond('repeated_failure', 'continue')])).toBeUndefined();
  });
});
