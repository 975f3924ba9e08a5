import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Entry } from '../entries.ts';
import type { DurableEvent, TransientEvent } from '../events.ts';
import { eventsOf } from './events-of.ts';
import { emptyLive, emptyView, foldEntries, reduce } from './reduce.ts';
import { openRequests, taskStatus, timeline } from './timeline.ts';
import type { View } from './view.ts';

// Ids and names collide often, and some are those of Object.prototype.
const name = fc.constantFrom('a', 'b', 'c1', 'constructor', '__proto__', 'toString', 'x'.repeat(8));
const text = fc.oneof(fc.constant(''), fc.string({ maxLength: 12, unit: 'grapheme' }));
const count = fc.nat({ max: 5_000 });
const usage = fc.record({
  input: count,
  output: count,
  cacheRead: count,
  cacheWrite: count,
  totalTokens: count,
  cost: fc.record({ input: count, output: count, cacheRead: count, cacheWrite: count, total: count }),
});
const block = fc.record({ type: fc.constant('text'), text });
const call = fc.record({ type: fc.constant('toolCall'), id: name, name, arguments: fc.dictionary(name, text) });

const message = fc.oneof(
  fc.record({ role: fc.constant('user'), content: fc.oneof(text, fc.array(block, { maxLength: 2 })) }),
  fc.record({
    role: fc.constant('assistant'),
    content: fc.array(fc.oneof(block, call), { maxLength: 3 }),
    provider: name,
    model: name,
    stopReason: fc.constantFrom('stop', 'toolUse', 'aborted'),
    usage,
  }),
  fc.record({
    role: fc.constant('toolResult'),
    toolCallId: name,
    toolName: name,
    content: fc.array(block, { maxLength: 2 }),
    isError: fc.boolean(),
  }),
  fc.record({ role: fc.constant('bashExecution'), command: text, output: text, exitCode: fc.nat(3) }),
);

const request = fc.record({
  id: name,
  kind: fc.constantFrom('plan', 'permission', 'loop_limit'),
  title: text,
  payload: fc.dictionary(name, text),
  options: fc.array(fc.record({ value: name, label: text }), { maxLength: 2 }),
  default: name,
});
const response = fc.record({ requestId: name, kind: fc.constantFrom('plan', 'permission'), value: name, by: name });

const custom = fc
  .oneof(
    fc.tuple(fc.constantFrom('request', 'pending-plan-t'), request),
    fc.tuple(fc.constant('response'), response),
    fc.tuple(fc.constant('tool_start'), fc.record({ callId: name, name, args: fc.dictionary(name, text) })),
    fc.tuple(
      fc.constant('task_start'),
      fc.record({ messageId: name, mode: name, model: name, maxIterations: fc.nat(50) }),
    ),
    fc.tuple(
      fc.constant('task_end'),
      fc.record({ outcome: fc.constantFrom('completed', 'failed', 'limit'), message: text }),
    ),
    fc.tuple(fc.constant('cut'), fc.record({ cuts: fc.array(fc.record({ entryId: name, text }), { maxLength: 2 }) })),
    fc.tuple(fc.constantFrom('leaf', 'request', 'response', 'unknown', 'tool_start'), fc.jsonValue()),
  )
  .map(([customType, data]) => ({ type: 'custom', customType, data }));

const body = fc.oneof(
  { weight: 4, arbitrary: message.map((content) => ({ type: 'message', message: content })) },
  { weight: 4, arbitrary: custom },
  fc.record({ type: fc.constant('custom_message'), customType: name, content: text, display: fc.boolean() }),
  fc.record({ type: fc.constant('model_change'), provider: name, modelId: name }),
  fc.record({ type: fc.constant('mode_change'), mode: name }),
  fc.record({ type: fc.constant('label'), targetId: name, label: text }),
  fc.record({ type: fc.constant('session_info'), name: text }),
  fc.record({ type: fc.constant('compaction'), summary: text, firstKeptEntryId: name, tokensBefore: count, usage }),
  fc.record({ type: fc.constant('branch_summary'), summary: text, fromId: name }),
  fc.record({ type: fc.constant('of_the_future'), payload: fc.jsonValue() }),
);

/** A log: every entry hangs below an earlier one, or is a root. */
const log = fc.array(fc.tuple(body, fc.nat()), { maxLength: 25 }).map((items) =>
  items.map(([fields, pick], i) => ({
    ...fields,
    id: `e${i}`,
    parentId: pick % (i + 1) === i ? null : `e${pick % (i + 1)}`,
    timestamp: new Date(i * 1000).toISOString(),
  })),
) as fc.Arbitrary<Entry[]>;

const transient: fc.Arbitrary<TransientEvent> = fc.oneof(
  fc.record({ type: fc.constant('TextDelta' as const), text }),
  fc.record({ type: fc.constant('ThinkingDelta' as const), text }),
  fc.record({ type: fc.constant('ToolStarted' as const), callId: name, name, args: fc.dictionary(name, text) }),
  fc.record({ type: fc.constant('ToolOutput' as const), callId: name, text }),
  fc.record({
    type: fc.constant('RetryScheduled' as const),
    attempt: fc.nat(3),
    delayMs: count,
    reason: text,
  }),
  fc.record({ type: fc.constant('QueueChanged' as const), queue: fc.array(text, { maxLength: 2 }) }),
  fc.record({ type: fc.constant('RunningChanged' as const), running: fc.boolean() }),
  fc.record({ type: fc.constant('DiagnosticReported' as const), level: fc.constant('info' as const), message: text }),
);

describe('the view fold', () => {
  it('IDE-12 the fold of the live events equals the fold of the log, cut after any entry', () => {
    const gaps = fc.array(fc.array(transient, { maxLength: 3 }), { minLength: 25, maxLength: 25 });
    fc.assert(
      fc.property(log, gaps, fc.string({ maxLength: 5 }), (entries, between, title) => {
        let live: View = emptyView('s', title);
        entries.forEach((entry, i) => {
          for (const event of between[i]!) live = reduce(live, event);
          for (const event of eventsOf(entry)) live = reduce(live, event);
          expect({ ...live, live: emptyLive() }).toEqual(foldEntries('s', entries.slice(0, i + 1), title));
        });
      }),
    );
    expect(foldEntries('s', [], 't')).toEqual(emptyView('s', 't'));
  });

  it('IDE-24 how full the window is comes from the newest answer, and from none after a compaction', () => {
    const used = (input: number) => ({ input, output: 1, cacheRead: 0, cacheWrite: 0, totalTokens: input + 1 });
    const entry = (id: string, rest: object) => ({ id, parentId: null, timestamp: '', ...rest }) as unknown as Entry;
    const answer = (id: string, input: number) =>
      entry(id, { type: 'message', message: { role: 'assistant', content: [], usage: used(input) } });
    const compaction = entry('b', { type: 'compaction', summary: 's', firstKeptEntryId: 'a', usage: used(900) });
    expect(foldEntries('s', [answer('a', 70)]).lastUsage).toMatchObject({ input: 70 });
    const condensed = foldEntries('s', [answer('a', 70), compaction]);
    expect(condensed.lastUsage).toBeUndefined();
    expect(condensed.usage.input).toBe(970);
    expect(foldEntries('s', [answer('a', 70), compaction, answer('c', 20)]).lastUsage).toMatchObject({ input: 20 });
  });

  it('IDE-12 no event changes a view that was handed out, nor itself', () => {
    fc.assert(
      fc.property(log, fc.array(transient, { maxLength: 30 }), (entries, others) => {
        let view = deepFreeze(emptyView('s'));
        for (const event of [...entries.flatMap(eventsOf), ...others, ...entries.flatMap(eventsOf)]) {
          const before = JSON.stringify(view);
          const next = reduce(view, deepFreeze(event));
          expect(JSON.stringify(view)).toBe(before);
          view = deepFreeze(next);
        }
      }),
    );
  });

  it('IDE-12 the fold of a log leaves its entries alone', () => {
    fc.assert(
      fc.property(log, (entries) => {
        const view = foldEntries('s', deepFreeze(entries));
        expect(view.leafId).toBe(entries.at(-1)?.id ?? null);
      }),
    );
  });

  it('IDE-9 an event of a later version changes nothing but the leaf', () => {
    const view = foldEntries('s', [entry('e1', null, { type: 'message', message: { role: 'user', content: 'hi' } })]);
    expect(reduce(view, { type: 'Sung' } as unknown as TransientEvent)).toBe(view);
    const ref = { id: 'e2', parentId: 'e1', timestamp: '' };
    const next = reduce(view, { type: 'Sung', entry: ref } as unknown as DurableEvent);
    expect(next).toEqual({ ...view, leafId: 'e2' });
  });

  it('IDE-12 partial text, running tools and a waiting retry live until their entry comes', () => {
    let view = emptyView('s');
    view = reduce(view, { type: 'RunningChanged', running: true });
    view = reduce(view, { type: 'RetryScheduled', attempt: 1, delayMs: 5, reason: 'overloaded' });
    view = reduce(view, { type: 'TextDelta', text: 'Hel' });
    view = reduce(view, { type: 'TextDelta', text: 'lo' });
    expect(view.live).toMatchObject({ running: true, text: 'Hello', retry: { attempt: 1 } });
    const said = entry('e1', null, { type: 'message', message: { role: 'assistant', content: [] } });
    for (const event of eventsOf(said)) view = reduce(view, event);
    expect(view.live).toEqual({ running: true, text: '', thinking: '', tools: [], queue: [], background: [] });
    view = reduce(view, { type: 'ToolStarted', callId: 'c', name: 'run_command', args: {} });
    view = reduce(view, { type: 'ToolOutput', callId: 'c', text: 'x'.repeat(20_000) });
    expect(view.live.tools[0]?.output).toHaveLength(8_000);
    const result = { role: 'toolResult', toolCallId: 'c', toolName: 'run_command', content: [] };
    for (const event of eventsOf(entry('e2', 'e1', { type: 'message', message: result }))) view = reduce(view, event);
    expect(view.live.tools).toEqual([]);
    view = reduce(view, { type: 'QueueChanged', queue: ['next'] });
    const running = { id: 'bg1', command: 'serve', state: 'running', exitCode: null, startedAt: 1 } as const;
    view = reduce(view, { type: 'BackgroundChanged', commands: [running] });
    expect(reduce(view, { type: 'RunningChanged', running: false }).live).toEqual({
      ...emptyLive(),
      queue: ['next'],
      background: [running],
    });
  });

  it('IDE-12 the first answer to a question counts', () => {
    const question = { id: 'toString', kind: 'permission', title: 't', payload: {}, options: [], default: 'deny' };
    const answer = (value: string) => ({ requestId: 'toString', kind: 'permission', value, by: 'face' });
    const entries = [
      custom_('e0', null, 'response', answer('too early')),
      custom_('e1', 'e0', 'request', question),
      custom_('e2', 'e1', 'response', answer('allow')),
      custom_('e3', 'e2', 'response', answer('deny')),
    ];
    const asked = foldEntries('s', entries.slice(0, 2));
    expect(openRequests(asked).map((open) => open.id)).toEqual(['toString']);
    const view = foldEntries('s', entries);
    expect(openRequests(view)).toEqual([]);
    expect(Object.values(view.requests)[0]?.response?.value).toBe('allow');
  });

  it('IDE-12 the timeline walks the active path and cuts a cycle', () => {
    const entries = [
      entry('a', null, { type: 'session_info', name: 'A' }),
      entry('b', 'a', { type: 'session_info', name: 'B' }),
      entry('c', 'a', { type: 'session_info', name: 'C' }),
    ];
    expect(timeline(foldEntries('s', entries)).map((item) => item.entry.id)).toEqual(['a', 'c']);
    const cyclic = [entry('a', 'b', { type: 'leaf' }), entry('b', 'a', { type: 'leaf' })];
    expect(timeline(foldEntries('s', cyclic)).map((item) => item.entry.id)).toEqual(['a', 'b']);
  });

  it('IDE-12 a question of a branch that was left does not make a running task wait', () => {
    const start = { messageId: 'm', mode: 'Agent', model: 'x/y', maxIterations: 25 };
    const question = { id: 'q', kind: 'permission', title: 't', payload: {}, options: [], default: 'deny' };
    const left = [custom_('a', null, 'task_start', start), custom_('b', 'a', 'request', question)];
    expect(taskStatus(foldEntries('s', left))).toBe('waiting');
    const moved = [...left, custom_('c', 'a', 'leaf', {})];
    expect(taskStatus(foldEntries('s', moved))).toBe('running');
    const over = [...moved, custom_('d', 'c', 'task_end', { outcome: 'completed', message: 'ok' })];
    expect(taskStatus(foldEntries('s', over))).toBe('idle');
  });

  it('IDE-12 a log of 10,000 questions, labels and running tools folds, live and at once', () => {
    const entries = Array.from({ length: 10_000 }, (_, i) => {
      const data = [
        { type: 'label', targetId: `e${i}`, label: `l${i}` },
        {
          type: 'custom',
          customType: 'request',
          data: { id: `r${i}`, kind: 'ask_user', title: '', payload: {}, options: [], default: '' },
        },
        { type: 'custom', customType: 'tool_start', data: { callId: `c${i}`, name: 'n', args: {} } },
        { type: 'message', message: { role: 'user', content: 'x' } },
      ][i % 4]!;
      return entry(`e${i}`, i ? `e${i - 1}` : null, data);
    });
    const view = foldEntries('s', entries);
    expect(view.items).toHaveLength(10_000);
    expect(timeline(view)).toHaveLength(10_000);
    expect(Object.keys(view.requests)).toHaveLength(2_500);
    expect(Object.keys(view.labels)).toHaveLength(2_500);
  });
});

function entry(id: string, parentId: string | null, fields: { type: string } & Record<string, unknown>): Entry {
  return { ...fields, id, parentId, timestamp: '2026-01-01T00:00:00.000Z' };
}

function custom_(id: string, parentId: string | null, customType: string, data: unknown): Entry {
  return entry(id, parentId, { type: 'custom', customType, data });
}

function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const inner of Object.values(value)) deepFreeze(inner);
  }
  return value;
}
