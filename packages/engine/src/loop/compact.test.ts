import type { CompactionEntry, Entry, NewEntry, TransientEvent } from '@black-ide/protocol';
import { createMockModelServer, type MockModelServer, type Script } from '@black-ide/testkit';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { systemClock } from '../clock.ts';
import { CompactionHooks } from '../context/compaction/compaction-hooks.ts';
import { ProviderRegistry } from '../llm/provider-registry.ts';
import { compact } from './compact.ts';
import { RunBudget } from './run-budget.ts';

let server: MockModelServer;
let providers: ProviderRegistry;
let hooks: CompactionHooks;
let path: Entry[];
let events: TransientEvent[];

beforeEach(() => {
  hooks = new CompactionHooks();
  events = [];
  path = [];
  for (let i = 0; i < 6; i++) {
    add({ type: 'message', message: { role: 'user', content: `question ${i} ${'z'.repeat(2_000)}`, timestamp: 0 } });
  }
});

afterEach(async () => {
  providers.dispose();
  await server.close();
});

function add(entry: NewEntry): Entry {
  const added = { ...entry, id: `e${path.length}`, parentId: path.at(-1)?.id ?? null, timestamp: '' } as Entry;
  path.push(added);
  return added;
}

async function condense(script: Script, limits = {}, signal = new AbortController().signal) {
  server = await createMockModelServer(script);
  providers = new ProviderRegistry({ OPENAI_API_KEY: 'k', OPENAI_BASE_URL: server.openaiUrl });
  const port = {
    id: 's',
    path: () => path,
    append: add,
    emit: (event: TransientEvent) => events.push(event),
    ask: () => Promise.resolve(undefined),
    takeQueued: () => [],
    takeCompaction: () => undefined,
  };
  const model = await providers.resolve('openai/mock');
  const budget = new RunBudget(limits, systemClock.now);
  const parts = { port, model, budget, hooks, clock: systemClock, random: () => 0 };
  const outcome = await compact(parts, { reason: 'manual', messageBudget: 100_000 }, signal);
  return { outcome, budget };
}

const entryOf = () => path.find((entry) => entry.type === 'compaction') as CompactionEntry | undefined;

describe('the points of a compaction', () => {
  it('SES-17 session_before_compact may give it up: nothing is asked, the reason is told and logged', async () => {
    hooks.on('session_before_compact', () => undefined);
    hooks.on('session_before_compact', () => ({ cancel: true, why: 'Not now.' }));
    const { outcome } = await condense([]);
    expect(outcome).toMatchObject({ kind: 'failed', error: { code: 'compaction_refused', message: 'Not now.' } });
    expect(path.at(-1)).toMatchObject({ customType: 'compaction_failed', data: { reason: 'manual' } });
    expect(server.modelCalls()).toEqual([]);
  });

  it('SES-17 session_before_compact may supply the summary; the files are carried along all the same', async () => {
    let told: unknown;
    hooks.on('session_before_compact', ({ plan, reason }) => {
      told = { reason, replaced: plan.replaced.length };
      return { summary: 'Six questions.', details: { own: 1 } };
    });
    const done: unknown[] = [];
    hooks.on('session_compact', ({ entry, fromExtension }) => {
      done.push([entry.id, fromExtension]);
      return undefined;
    });
    await condense([]);
    expect(told).toMatchObject({ reason: 'manual', replaced: expect.any(Number) });
    expect(entryOf()).toMatchObject({ fromExtension: true, details: { own: 1, readFiles: [], by: 'extension' } });
    expect(entryOf()!.summary).toContain('Six questions.');
    expect(done).toEqual([[entryOf()!.id, true]]);
    expect(server.modelCalls()).toEqual([]);
  });

  it('SES-17 session.compacting adds lines to what the model reads; session_compact comes when it is in the log', async () => {
    hooks.on('session.compacting', () => ({ context: ['Mind the ticket BLK-7.'] }));
    let inLog = false;
    const stop = hooks.on('session_compact', ({ entry }) => {
      inLog = path.includes(entry);
      return undefined;
    });
    const { budget } = await condense([{ text: '## Goal\nAnswers.', usage: { input: 700, output: 30 } }]);
    stop();
    expect(server.modelCalls()[0]!.request!.lastUserText).toContain('Mind the ticket BLK-7.');
    expect(inLog).toBe(true);
    expect(budget.spent).toMatchObject({ tokens: 730, turns: 1 });
    expect(events.at(0)).toEqual({ type: 'CompactingChanged', reason: 'manual' });
    expect(events.at(-1)).toEqual({ type: 'CompactingChanged' });
  });

  it('SES-17 a listener that is stopped by the person’s cancel leaves everything as it was', async () => {
    const abort = new AbortController();
    hooks.on('session_before_compact', (_notice, signal) => {
      abort.abort();
      signal.throwIfAborted();
      return undefined;
    });
    const before = path.length;
    const { outcome } = await condense([], {}, abort.signal);
    expect(outcome).toEqual({ kind: 'aborted' });
    expect(path).toHaveLength(before);
  });

  it('IDE-24 a summary that the budget does not allow is not asked for', async () => {
    const { outcome } = await condense([], { tokens: 50 });
    expect(outcome).toMatchObject({ kind: 'budget', stop: { limit: 'tokens' } });
    expect(server.modelCalls()).toEqual([]);
  });
});
