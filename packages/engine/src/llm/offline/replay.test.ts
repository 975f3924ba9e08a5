import type { LanguageModelV4Prompt, LanguageModelV4ToolResultPart } from '@ai-sdk/provider';
import { describe, expect, it } from 'vitest';
import { callKey, readConversation } from './conversation.ts';
import type { Outcome, Plan } from './plan.ts';
import { replay } from './replay.ts';

function user(text: string): LanguageModelV4Prompt[number] {
  return { role: 'user', content: [{ type: 'text', text }] };
}

function called(id: string, toolName: string, input: unknown): LanguageModelV4Prompt[number] {
  return { role: 'assistant', content: [{ type: 'tool-call', toolCallId: id, toolName, input }] };
}

function result(id: string, output: LanguageModelV4ToolResultPart['output']): LanguageModelV4Prompt[number] {
  return { role: 'tool', content: [{ type: 'tool-result', toolCallId: id, toolName: 'read_file', output }] };
}

function* readTwice(): Plan {
  const [a] = yield [{ name: 'read_file', args: { path: 'a' } }];
  const [b, c] = yield [
    { name: 'read_file', args: { path: 'a' } },
    { name: 'edit_file', args: { path: 'c' } },
  ];
  return [a, b, c].map((outcome: Outcome | undefined) => `${outcome?.state} ${outcome?.text}`).join(', ');
}

const READ = callKey('read_file', { path: 'a' });
const EDIT = callKey('edit_file', { path: 'c' });
const done = (text: string) => ({ state: 'done' as const, text });

describe('replay', () => {
  it('IDE-28 goes on at the first call that was not made', () => {
    expect(replay(readTwice(), [])).toEqual({ calls: [{ name: 'read_file', args: { path: 'a' } }] });
    const second = replay(readTwice(), [{ key: READ, outcome: done('1') }]);
    expect(second).toMatchObject({ calls: [{ name: 'read_file' }, { name: 'edit_file' }] });
    const all = [
      { key: READ, outcome: done('1') },
      { key: READ, outcome: done('2') },
      { key: EDIT, outcome: done('3') },
    ];
    expect(replay(readTwice(), all)).toEqual({ answer: 'done 1, done 2, done 3' });
  });

  it('IDE-28 makes only those calls of a turn that have no result', () => {
    const past = [
      { key: READ, outcome: done('1') },
      { key: EDIT, outcome: done('3') },
    ];
    expect(replay(readTwice(), past)).toEqual({ calls: [{ name: 'read_file', args: { path: 'a' } }] });
  });

  it.each(['unstarted', 'dropped', 'lost'] as const)(
    'IDE-28 repeats a reading call whose result is %s, but not for ever',
    (state) => {
      const nothing = { key: READ, outcome: { state, text: 'x' } };
      expect(replay(readTwice(), [nothing])).toMatchObject({ calls: [{ name: 'read_file' }] });
      expect(replay(readTwice(), [nothing, { key: READ, outcome: done('1') }])).toMatchObject({
        calls: [{ name: 'read_file' }, { name: 'edit_file' }],
      });
      expect(replay(readTwice(), [nothing, nothing, nothing])).toMatchObject({
        calls: [{ name: 'read_file' }, { name: 'edit_file' }],
      });
    },
  );

  it('IDE-28 hands an interrupted edit to the plan, which knows how to look', () => {
    const past = [
      { key: READ, outcome: done('1') },
      { key: READ, outcome: done('2') },
      { key: EDIT, outcome: { state: 'lost' as const, text: 'x' } },
    ];
    expect(replay(readTwice(), past)).toEqual({ answer: 'done 1, done 2, lost x' });
    expect(replay(readTwice(), [...past.slice(0, 2), { key: EDIT }])).toEqual({
      answer: 'done 1, done 2, lost It was interrupted.',
    });
  });

  it('IDE-28 never repeats a call that failed', () => {
    const past = [{ key: READ, outcome: { state: 'failed' as const, text: 'no' } }];
    expect(replay(readTwice(), past)).toMatchObject({ calls: [{ name: 'read_file' }, { name: 'edit_file' }] });
  });
});

describe('readConversation', () => {
  it('IDE-28 pairs calls and results by id, whatever the order of arguments', () => {
    const [exchange] = readConversation([
      user('find x'),
      called('1', 'grep_search', { b: 1, a: [2] }),
      called('2', 'grep_search', '{"a":[2],"b":1}'),
      result('2', { type: 'text', value: 'two' }),
      result('1', { type: 'content', value: [{ type: 'text', text: 'one' }] }),
    ]);
    expect(exchange?.calls.map((call) => call.outcome?.text)).toEqual(['one', 'two']);
    expect(new Set(exchange?.calls.map((call) => call.key)).size).toBe(1);
    expect(exchange?.turns).toBe(2);
  });

  it.each<[LanguageModelV4ToolResultPart['output'], string]>([
    [{ type: 'text', value: 'x' }, 'done'],
    [{ type: 'json', value: { a: 1 } }, 'done'],
    [{ type: 'text', value: '[Truncated by ContextManager to save budget]' }, 'dropped'],
    [{ type: 'error-text', value: 'Refused (stage 4, hard deny): no' }, 'failed'],
    [{ type: 'error-json', value: { message: 'no' } }, 'failed'],
    [{ type: 'execution-denied' }, 'failed'],
    [
      { type: 'error-text', value: 'Interrupted: it was begun and may have had effects. Look before you repeat it.' },
      'lost',
    ],
    [{ type: 'error-text', value: 'Cancelled while it ran; it may have had effects.' }, 'lost'],
    [{ type: 'error-text', value: `${'x'.repeat(500)}\n[cancelled after 2.0 s]` }, 'lost'],
    [{ type: 'error-text', value: 'Not run. Cancelled.' }, 'unstarted'],
    [{ type: 'error-text', value: `Interrupted ${'x'.repeat(500)}` }, 'failed'],
  ])('IDE-28 takes %j for %s', (output, state) => {
    const [exchange] = readConversation([user('find x'), called('1', 'read_file', {}), result('1', output)]);
    expect(exchange?.calls[0]?.outcome?.state).toBe(state);
  });

  it('IDE-28 begins with each message of the person, not with notes of the program', () => {
    const said = readConversation([
      user('find x'),
      user('<file-kept path="a.ts">Kept.</file-kept>'),
      user('   '),
      { role: 'user', content: [{ type: 'file', mediaType: 'image/png', data: { type: 'data', data: '' } }] },
      user('replace <b> with <i>'),
      result('unknown', { type: 'text', value: 'x' }),
    ]).map((exchange) => exchange.said);
    expect(said).toEqual(['find x', 'replace <b> with <i>']);
  });
});
