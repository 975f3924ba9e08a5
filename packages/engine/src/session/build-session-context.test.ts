import type { Entry } from '@black-ide/protocol';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { buildSessionContext, pathOf } from './build-session-context.ts';
import { conversationOf } from './conversation.ts';

describe('buildSessionContext', () => {
  it('SES-14 an empty path has nothing, and the defaults', () => {
    expect(buildSessionContext([])).toEqual({
      messages: [],
      entryIds: [],
      thinkingLevel: 'off',
      model: null,
      mode: null,
      injectedRules: [],
    });
  });

  it('SES-14 messages come in order, as the very objects of the log', () => {
    const path = chain([user('1'), assistant('2'), user('3')]);
    const { messages, entryIds } = buildSessionContext(path);
    expect(messages).toEqual(path.map((entry) => entry.message));
    expect(messages.every((message, i) => message === path[i]!.message)).toBe(true);
    expect(entryIds).toEqual(['e0', 'e1', 'e2']);
  });

  it('SES-14 the latest thinking level, model, mode and injected rules count, also from before a compaction', () => {
    const path = chain([
      { type: 'thinking_level_change', thinkingLevel: 'high' },
      { type: 'mode_change', mode: 'Ask' },
      { type: 'model_change', provider: 'openai', modelId: 'a' },
      { type: 'ttsr_injection', injectedRules: ['one', 'two'] },
      assistant('x'),
      { type: 'mode_change', mode: 'Agent' },
      { type: 'thinking_level_change', thinkingLevel: 'low' },
      { type: 'compaction', summary: 's', firstKeptEntryId: 'none', tokensBefore: 1 },
      { type: 'ttsr_injection', injectedRules: ['two', 'three'] },
    ]);
    expect(buildSessionContext(path.slice(0, 4)).model).toEqual({ provider: 'openai', modelId: 'a' });
    expect(buildSessionContext(path)).toMatchObject({
      thinkingLevel: 'low',
      mode: 'Agent',
      model: { provider: 'anthropic', modelId: 'claude' },
      injectedRules: ['one', 'two', 'three'],
    });
  });

  it('SES-14 a compaction: its summary, what it kept, what came after', () => {
    const path = chain([user('1'), assistant('2'), user('3'), assistant('4'), compaction('e2'), user('6')]);
    expect(shown(path)).toEqual(['summary of e2', '3', '4', '6']);
    expect(buildSessionContext(path).entryIds).toEqual(['e4', 'e2', 'e3', 'e5']);
    expect(shown(chain([user('1'), assistant('2'), compaction('e0'), user('4')]))).toEqual([
      'summary of e0',
      '1',
      '2',
      '4',
    ]);
  });

  it('SES-14 of several compactions the latest counts, and the older ones say nothing any more', () => {
    const path = chain([user('1'), compaction('e0'), user('3'), compaction('e0'), user('5')]);
    expect(shown(path)).toEqual(['summary of e0', '1', '3', '5']);
  });

  it('SES-14 a compaction that keeps nothing: itself, or an entry that is not on the path', () => {
    expect(shown(chain([user('1'), compaction('e1'), user('3')]))).toEqual(['summary of e1', '3']);
    expect(shown(chain([user('1'), compaction('gone'), user('3')]))).toEqual(['summary of gone', '3']);
  });

  it('SES-14 branch summaries and custom messages become messages; labels, custom entries and unknown ones do not', () => {
    const path = chain([
      user('1'),
      { type: 'label', targetId: 'e0', label: 'l' },
      { type: 'custom', customType: 'x', data: {} },
      { type: 'branch_summary', fromId: 'e0', summary: 'tried' },
      { type: 'branch_summary', fromId: 'e0', summary: '' },
      { type: 'custom_message', customType: 'x', content: 'note', display: true, details: { a: 1 } },
      { type: 'song', summary: 'la' },
      { type: 'session_info', name: 'n' },
    ]);
    expect(buildSessionContext(path).messages).toEqual([
      { role: 'user', content: '1', timestamp: 5 },
      { role: 'branchSummary', summary: 'tried', fromId: 'e0', timestamp: 3_000 },
      { role: 'custom', customType: 'x', content: 'note', display: true, details: { a: 1 }, timestamp: 5_000 },
    ]);
  });

  it('SES-3 what was edited out of, or in, the context in pi stays so here', () => {
    const edit = (targetId: string, replacement: unknown) => ({ type: 'context_edit', targetId, replacement });
    const path = chain([
      user('a secret'),
      assistant('long'),
      user('3'),
      edit('e0', null),
      edit('e1', { content: 'overwritten' }),
      edit('e1', { content: 'short' }),
    ]);
    expect(shown(path)).toEqual(['short', '3']);
    expect(shown(path.slice(0, 3))).toEqual(['a secret', 'long', '3']);
  });

  it('SES-14 pathOf: the given leaf, the last entry for an unknown one, nothing for null, orphans and cycles', () => {
    const [one, two, three] = chain([user('1'), assistant('2'), user('3')]) as [Entry, Entry, Entry];
    const left = { ...three, id: 'other', parentId: 'e0' };
    const entries = [one, two, left, three];
    expect(pathOf(entries, 'other')).toEqual([one, left]);
    expect(pathOf(entries)).toEqual([one, two, three]);
    expect(pathOf(entries, 'unknown')).toEqual([one, two, three]);
    expect(pathOf(entries, null)).toEqual([]);
    expect(pathOf([], 'x')).toEqual([]);
    expect(pathOf([two, three])).toEqual([two, three]);
    const cycle = [{ ...one, parentId: 'e1' }, two];
    expect(pathOf(cycle)).toEqual(cycle);
  });
});

describe('conversationOf', () => {
  it('SES-14 places every message at its entry and collects the recorded cuts', () => {
    const path = chain([
      user('1'),
      { type: 'branch_summary', fromId: 'root', summary: 'tried' },
      { type: 'custom', customType: 'cut', data: { cuts: [{ entryId: 'e9', text: 'a' }, null, { entryId: 5 }] } },
      { type: 'custom', customType: 'cut', data: { cuts: [{ entryId: 'e9', text: 'b' }] } },
      { type: 'custom', customType: 'cut', data: { cuts: 'none' } },
    ]);
    const { placed, cuts } = conversationOf(path);
    expect(placed.map(({ entryId, message }) => [entryId, message.role])).toEqual([
      ['e0', 'user'],
      ['e1', 'user'],
    ]);
    expect(placed[0]!.message).toBe(path[0]!.message);
    expect([...cuts]).toEqual([['e9', 'b']]);
  });

  it('SES-6 SES-14 never throws, whatever a damaged entry holds', () => {
    const types = [
      'message',
      'custom_message',
      'branch_summary',
      'compaction',
      'context_edit',
      'custom',
      'mode_change',
      'ttsr_injection',
    ];
    // JSON can hold what no conversion to text takes.
    const json = fc.oneof(
      fc.jsonValue(),
      fc.constantFrom({ toString: 0 }, [{ toString: 0 }], { valueOf: 0, toString: 0 }),
    );
    const fields = fc.dictionary(
      fc.constantFrom(
        'summary',
        'content',
        'customType',
        'data',
        'targetId',
        'replacement',
        'timestamp',
        'mode',
        'injectedRules',
      ),
      json,
    );
    const message = fc.oneof(
      json,
      fc.record({
        exitCode: json,
        fullOutputPath: json,
        truncated: fc.boolean(),
        role: fc.constantFrom('user', 'assistant', 'toolResult', 'bashExecution', 'custom', 'system', 'constructor'),
        content: fc.oneof(json, fc.array(fc.record({ type: fc.constant('toolCall'), id: json }))),
        output: json,
        toolCallId: json,
      }),
    );
    const entry = fc.record({ type: fc.constantFrom(...types), fields, message });
    fc.assert(
      fc.property(fc.array(entry, { maxLength: 8 }), (entries) => {
        const path = chain(entries.map(({ type, fields, message }) => ({ ...fields, message, type })));
        const { placed } = conversationOf(path);
        expect(placed.every(({ message }) => ['user', 'assistant', 'toolResult'].includes(message.role))).toBe(true);
      }),
    );
  });
});

type Fields = { type: string } & Record<string, unknown>;

function chain(fields: Fields[]): (Entry & Record<string, unknown>)[] {
  return fields.map((each, i) => ({
    timestamp: new Date(i * 1000).toISOString(),
    ...each,
    id: `e${i}`,
    parentId: i ? `e${i - 1}` : null,
  })) as (Entry & Record<string, unknown>)[];
}

function user(content: string): Fields {
  return { type: 'message', message: { role: 'user', content, timestamp: 5 } };
}

function assistant(text: string): Fields {
  const content = [{ type: 'text', text }];
  return { type: 'message', message: { role: 'assistant', content, provider: 'anthropic', model: 'claude' } };
}

function compaction(firstKeptEntryId: string): Fields {
  return { type: 'compaction', summary: `summary of ${firstKeptEntryId}`, firstKeptEntryId, tokensBefore: 1 };
}

function shown(path: readonly Entry[]): unknown[] {
  return buildSessionContext(path).messages.map((message) => {
    if (message.role === 'compactionSummary') return message.summary;
    if (message.role === 'assistant') return message.content[0]?.type === 'text' && message.content[0].text;
    return 'content' in message && message.content;
  });
}
