import {
  type AssistantMessage,
  type ContextMessage,
  type StopReason,
  type ToolCall,
  type ToolResultMessage,
  textOf,
  type UserMessage,
  zeroUsage,
} from '@black-ide/protocol';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { LlmMessage } from '../llm/to-prompt.ts';
import { convertPlaced, convertToLlm } from './convert-to-llm.ts';

describe('convertToLlm', () => {
  it('SES-15 plain messages come out as the very same objects', () => {
    const messages = [user('1'), answer('2', ['c']), result('c'), user('3')];
    const converted = convertToLlm(messages);
    expect(converted).toEqual(messages);
    expect(converted.every((message, i) => message === messages[i])).toBe(true);
  });

  it('SES-15 summaries and custom messages become user messages, templated or as they are', () => {
    const converted = convertToLlm([
      { role: 'branchSummary', summary: 'tried x', fromId: 'e', timestamp: 1 },
      { role: 'compactionSummary', summary: 'did y', tokensBefore: 5, timestamp: 2 },
      { role: 'custom', customType: 'note', content: 'as it is', display: false, details: { a: 1 }, timestamp: 3 },
    ]);
    expect(converted.map(({ role, timestamp }) => [role, timestamp])).toEqual([
      ['user', 1],
      ['user', 2],
      ['user', 3],
    ]);
    expect(textOf(converted[0]!.content)).toMatch(/another branch.*<summary>\ntried x\n<\/summary>$/s);
    expect(textOf(converted[1]!.content)).toMatch(/condensed.*<summary>\ndid y\n<\/summary>$/s);
    expect(converted[2]).toEqual({ role: 'user', content: 'as it is', timestamp: 3 });
  });

  it('SES-15 a command that the person ran is told, unless it was excluded', () => {
    const run = { role: 'bashExecution' as const, command: 'ls', output: 'a ``` b', timestamp: 1 };
    const [told, none, cut] = convertToLlm([
      run,
      { ...run, excludeFromContext: true },
      { ...run, output: '', exitCode: 2 },
      { ...run, cancelled: true, truncated: true, fullOutputPath: '/tmp/all' },
    ]).map(({ content }) => textOf(content));
    expect(told).toBe('The user ran `ls`:\n````\na ``` b\n````');
    expect(none).toBe('The user ran `ls`:\n(no output)\nIt ended with exit code 2.');
    expect(cut).toMatch(/It was cancelled\.\nThe output was cut; all of it is in \/tmp\/all\.$/);
  });

  it('SES-15 a call without a result gets one, a result without a call is left out', () => {
    const converted = convertToLlm([result('orphan'), user('1'), answer('2', ['a', 'b']), result('b'), user('3')]);
    expect(shape(converted)).toEqual(['user 1', 'assistant 2', 'result a: none', 'result b', 'user 3']);
    expect(shape(convertToLlm([answer('', ['end'])]))).toEqual(['assistant ', 'result end: none']);
  });

  it('SES-15 results move to their call, in the order of the calls, and what stood between comes after', () => {
    const converted = convertToLlm([answer('1', ['a', 'b']), result('b'), user('steer'), result('a'), answer('2')]);
    expect(shape(converted)).toEqual(['assistant 1', 'result a', 'result b', 'user steer', 'assistant 2']);
  });

  it('SES-15 the same id again belongs to the newest call, also twice in one message; the first result counts', () => {
    const again = [
      answer('1', ['x']),
      result('x', 'one'),
      answer('2', ['x']),
      result('x', 'two'),
      result('x', 'three'),
    ];
    expect(texts(convertToLlm(again))).toEqual(['1', 'one', '2', 'two']);
    const late = [answer('1', ['x']), answer('2', ['x']), result('x', 'two')];
    expect(shape(convertToLlm(late))).toEqual(['assistant 1', 'result x: none', 'assistant 2', 'result x']);
    const twins = [answer('1', ['x', 'x']), result('x', 'first'), result('x', 'second')];
    expect(texts(convertToLlm(twins))).toEqual(['1', 'first', 'second']);
  });

  it('SES-15 of an answer that was broken off its text counts, and the calls that were carried out', () => {
    const broken = answer('half an ans', ['never', 'done'], 'aborted');
    broken.content.unshift({ type: 'thinking', thinking: 'hm' });
    const converted = convertToLlm([broken, result('done'), user('go on')]);
    expect(shape(converted)).toEqual(['assistant half an ans', 'result done', 'user go on']);
    expect((converted[0] as AssistantMessage).content.map((block) => block.type)).toEqual(['text', 'toolCall']);
    expect(convertToLlm([answer('', ['never'], 'error'), answer('', [], 'aborted'), answer('')])).toEqual([]);
  });

  it('SES-15 empty, unknown and damaged messages are left out or mended', () => {
    const odd = [
      { role: 'system', content: 'of another program' },
      { role: 'user', content: '' },
      { role: 'user', content: null },
      { role: 'assistant' },
      { role: 'user', content: [{ type: 'song' }, { type: 'text', text: 'kept' }] },
      { role: 'assistant', content: [{ type: 'toolCall', id: 'c', name: 'n' }], timestamp: 1 },
      { role: 'toolResult', toolCallId: 'c', toolName: 'n', content: null },
    ] as unknown as ContextMessage[];
    expect(convertToLlm(odd)).toEqual([
      { role: 'user', content: [{ type: 'text', text: 'kept' }] },
      { role: 'assistant', content: [{ type: 'toolCall', id: 'c', name: 'n', arguments: {} }], timestamp: 1 },
      { role: 'toolResult', toolCallId: 'c', toolName: 'n', content: [] },
    ]);
  });

  it('SES-15 entry ids stay with their messages; what was made up has none', () => {
    const placed = convertPlaced([
      { entryId: 'e1', message: answer('1', ['a', 'b']) },
      { entryId: 'e2', message: user('2') },
      { entryId: 'e3', message: result('b') },
    ]);
    expect(placed.map(({ entryId }) => entryId)).toEqual(['e1', undefined, 'e3', 'e2']);
  });

  it('SES-15 any order of messages comes out paired, and converting again changes nothing', () => {
    const id = fc.constantFrom('a', 'b', 'c', '__proto__');
    const reason = fc.constantFrom<StopReason>('stop', 'toolUse', 'aborted', 'error');
    const message: fc.Arbitrary<ContextMessage> = fc.oneof(
      fc.constantFrom('', 'u').map(user),
      fc
        .tuple(fc.constantFrom('', 't'), fc.array(id, { maxLength: 3 }), reason)
        .map(([text, calls, stop]) => answer(text, calls, stop)),
      id.map((each) => result(each)),
    );
    fc.assert(
      fc.property(fc.array(message, { maxLength: 20 }), (messages) => {
        const converted = convertToLlm(messages);
        expect(isPaired(converted)).toBe(true);
        expect(convertToLlm(converted)).toEqual(converted);
        const users = (all: readonly ContextMessage[]) => all.filter(({ role }) => role === 'user').length;
        expect(users(converted)).toBe(messages.filter((each) => each.role === 'user' && each.content !== '').length);
      }),
    );
  });
});

function user(content: string): UserMessage {
  return { role: 'user', content, timestamp: 1 };
}

function answer(text: string, calls: string[] = [], stopReason: StopReason = 'stop'): AssistantMessage {
  const said = text ? [{ type: 'text' as const, text }] : [];
  const called = calls.map((id): ToolCall => ({ type: 'toolCall', id, name: 'tool', arguments: {} }));
  return {
    role: 'assistant',
    content: [...said, ...called],
    api: 'x',
    provider: 'x',
    model: 'x',
    usage: zeroUsage(),
    stopReason,
    timestamp: 1,
  };
}

function result(toolCallId: string, text = ''): ToolResultMessage {
  const content = [{ type: 'text' as const, text }];
  return { role: 'toolResult', toolCallId, toolName: 'tool', content, isError: false, timestamp: 1 };
}

function texts(messages: readonly LlmMessage[]): string[] {
  return messages.map(({ content }) => textOf(content));
}

function shape(messages: readonly LlmMessage[]): string[] {
  return messages.map((message) => {
    if (message.role !== 'toolResult') return `${message.role} ${textOf(message.content)}`;
    return `result ${message.toolCallId}${message.isError ? ': none' : ''}`;
  });
}

/** What every provider demands: behind a message with calls their results, in that order, and none anywhere else. */
function isPaired(messages: readonly LlmMessage[]): boolean {
  let due: string[] = [];
  for (const message of messages) {
    if (message.role === 'toolResult') {
      if (message.toolCallId !== due.shift()) return false;
    } else {
      if (due.length > 0) return false;
      if (message.content.length === 0) return false;
      if (message.role === 'assistant') {
        due = message.content.filter((block): block is ToolCall => block.type === 'toolCall').map(({ id }) => id);
      }
    }
  }
  return due.length === 0;
}
