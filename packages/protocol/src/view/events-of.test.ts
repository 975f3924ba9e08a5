import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Entry } from '../entries.ts';
import { eventsOf } from './events-of.ts';
import { foldEntries } from './reduce.ts';

const TYPES = [
  'message',
  'thinking_level_change',
  'model_change',
  'mode_change',
  'compaction',
  'branch_summary',
  'custom',
  'custom_message',
  'label',
  'ttsr_injection',
  'session_info',
  'usage',
  'of_the_future',
  'constructor',
];
const CUSTOM_TYPES = [
  'request',
  'pending-plan-1',
  'response',
  'tool_start',
  'task_start',
  'task_end',
  'cut',
  'checkpoint',
  'leaf',
  'of_the_future',
];
const FIELDS = [
  'message',
  'content',
  'customType',
  'data',
  'usage',
  'label',
  'targetId',
  'name',
  'summary',
  'details',
  'timestamp',
  'parentId',
  'injectedRules',
];

/** Any JSON under the names that matter, so that garbage gets deep into the code. */
const garbage: fc.Arbitrary<unknown> = fc.oneof(
  fc.jsonValue(),
  fc.dictionary(fc.constantFrom('role', 'content', 'type', 'text', 'usage', 'cost', 'id', 'name'), fc.jsonValue()),
  fc.record({
    role: fc.constantFrom('user', 'assistant', 'toolResult', 'bashExecution', 'custom', 'system'),
    content: fc.oneof(
      fc.jsonValue(),
      fc.array(fc.dictionary(fc.constantFrom('type', 'text', 'id', 'name'), fc.jsonValue())),
    ),
    usage: fc.jsonValue(),
  }),
  fc.dictionary(
    fc.constantFrom('id', 'kind', 'callId', 'name', 'args', 'outcome', 'message', 'cuts', 'files', 'requestId'),
    fc.jsonValue(),
  ),
);

describe('eventsOf', () => {
  it('IDE-9 tells every entry as one event or more, unknown and damaged ones too, and never throws', () => {
    const line = fc.record({
      type: fc.constantFrom(...TYPES),
      id: fc.string(),
      fields: fc.dictionary(fc.constantFrom(...FIELDS), garbage),
      customType: fc.option(fc.constantFrom(...CUSTOM_TYPES), { nil: undefined }),
    });
    fc.assert(
      fc.property(line, ({ type, id, fields, customType }) => {
        const entry = { ...fields, ...(customType ? { customType } : {}), type, id } as unknown as Entry;
        const events = eventsOf(entry);
        expect(events.length).toBeGreaterThan(0);
        expect(events.every((event) => event.entry.id === id)).toBe(true);
        const view = foldEntries('s', [entry, entry]);
        expect(view.leafId).toBe(id);
        expect(JSON.parse(JSON.stringify(view))).toEqual(view);
        expect(Object.values(view.usage.cost).every(Number.isFinite)).toBe(true);
      }),
    );
  });

  it('IDE-9 knows the entries of this program by their own events', () => {
    const data: Record<string, unknown> = {
      request: { id: 'r', kind: 'permission', title: '', payload: {}, options: [], default: 'deny' },
      'pending-plan-t': { id: 'r', kind: 'plan', title: '', payload: {}, options: [], default: 'reject' },
      response: { requestId: 'r', kind: 'plan', value: 'reject', by: 'face' },
      tool_start: { callId: 'c', name: 'write_file', args: { path: 'a' } },
      task_start: { messageId: 'm', mode: 'Agent', model: 'x/y', maxIterations: 25 },
      task_end: { outcome: 'budget', message: 'Reached.' },
      cut: { cuts: [{ entryId: 'e', text: '' }] },
      checkpoint: { checkpointId: 'k', messageId: 'm', callId: 'c', files: ['a', 5] },
      leaf: {},
    };
    const types = Object.entries(data).map(
      ([customType, value]) => eventsOf(line({ type: 'custom', customType, data: value }))[0]?.type,
    );
    expect(types).toEqual([
      'RequestOpened',
      'PlanApprovalRequested',
      'PlanRejected',
      'ToolStarted',
      'TaskStarted',
      'TaskStopped',
      'ContextCut',
      'CheckpointCreated',
      'LeafMoved',
    ]);
  });

  it('IDE-9 hands out content that is in order as the very same object, and leaves out what is not', () => {
    const content = [{ type: 'text', text: 'hi' }];
    const [same] = eventsOf(line({ type: 'message', message: { role: 'user', content } }));
    expect(same?.type === 'UserMessageAdded' && same.content).toBe(content);
    const damaged = [null, { type: 'text' }, { type: 'song' }, { type: 'toolCall', id: 'c', name: 'n' }, ...content];
    const [answer] = eventsOf(line({ type: 'message', message: { role: 'assistant', content: damaged } }));
    expect(answer).toMatchObject({
      content: [
        { type: 'toolCall', arguments: {} },
        { type: 'text', text: 'hi' },
      ],
    });
  });

  it('IDE-9 counts what answers, summaries and other programs say they cost', () => {
    const usage = { input: 10, output: 5, totalTokens: '15', cost: { total: 0.5 } };
    const lines = [
      line({ type: 'message', message: { role: 'assistant', content: [], usage } }),
      line({ type: 'compaction', summary: 's', usage }),
      line({ type: 'usage', kind: 'cache_warm', usage }),
      line({ type: 'message', message: { role: 'assistant', content: [], usage: 'much' } }),
    ];
    expect(foldEntries('s', lines).usage).toMatchObject({
      input: 30,
      output: 15,
      totalTokens: 0,
      cost: { total: 1.5 },
    });
  });
});

function line(fields: { type: string } & Record<string, unknown>): Entry {
  return { ...fields, id: 'e', parentId: null, timestamp: '2026-01-01T00:00:00.000Z' };
}
