import { type Entry, zeroUsage } from '@black-ide/protocol';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { conversationOf, GrowingConversation } from './conversation.ts';

const by = { api: 'x', provider: 'x', model: 'x', usage: zeroUsage(), timestamp: 0 };
const id = fc.constantFrom('c1', 'c2', 'c3');

/** Whatever may stand in a log, in any order: results before their calls, the same id twice, edits, compactions. */
const line = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      type: fc.constant('message'),
      message: fc.record({ role: fc.constant('user'), content: fc.string() }),
    }),
  },
  {
    weight: 4,
    arbitrary: fc
      .tuple(fc.array(id, { maxLength: 3 }), fc.constantFrom('stop', 'aborted'))
      .map(([ids, stopReason]) => ({
        type: 'message',
        message: {
          role: 'assistant',
          content: ids.map((callId) => ({ type: 'toolCall', id: callId, name: 'read_file', arguments: {} })),
          ...by,
          stopReason,
        },
      })),
  },
  {
    weight: 5,
    arbitrary: id.map((toolCallId) => ({
      type: 'message',
      message: {
        role: 'toolResult',
        toolCallId,
        toolName: 'x',
        content: [{ type: 'text', text: 'r' }],
        isError: false,
      },
    })),
  },
  fc.constant({ type: 'custom_message', customType: 'x', content: 'note', display: true }),
  fc.nat(9).map((n) => ({ type: 'custom', customType: 'cut', data: { cuts: [{ entryId: `e${n}`, text: 'cut' }] } })),
  fc.nat(9).map((n) => ({ type: 'compaction', summary: 's', firstKeptEntryId: `e${n}`, tokensBefore: 1 })),
  fc.nat(9).map((n) => ({ type: 'context_edit', targetId: `e${n}`, replacement: null })),
);

describe('GrowingConversation', () => {
  it('IDE-23 property: after every entry it equals the plain computation, on whatever path', () => {
    fc.assert(
      fc.property(fc.array(line, { maxLength: 20 }), fc.array(fc.nat(20), { maxLength: 4 }), (lines, moves) => {
        const growing = new GrowingConversation();
        let path: Entry[] = [];
        for (const [i, fields] of lines.entries()) {
          if (moves.includes(i)) path = path.slice(0, Math.floor(i / 2));
          path.push({ id: `e${i}`, parentId: null, timestamp: '', ...fields } as unknown as Entry);
          expect(growing.of(path)).toEqual(conversationOf(path));
        }
      }),
    );
  });

  it('IDE-23 hands out the very same objects turn after turn, made-up messages too', () => {
    const growing = new GrowingConversation();
    const entry = (n: number, fields: object) => ({ id: `e${n}`, parentId: null, timestamp: '', ...fields }) as Entry;
    const path = [entry(0, { type: 'custom_message', customType: 'x', content: 'note', display: true })];
    const before = growing.of(path).placed[0]!.message;
    path.push(entry(1, { type: 'message', message: { role: 'user', content: 'more', timestamp: 0 } }));
    expect(growing.of(path).placed[0]!.message).toBe(before);
  });
});
