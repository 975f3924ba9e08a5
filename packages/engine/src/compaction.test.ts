import type { CompactionDetails, CompactionEntry } from '@black-ide/protocol';
import { foldEntries } from '@black-ide/protocol';
import { createMockModelServer, createTempWorkspace, type Script, type Turn } from '@black-ide/testkit';
import { afterEach, describe, expect, it } from 'vitest';
import { ScriptedSession } from './testing/scripted-session.ts';

const FILES = { 'a.txt': 'alpha\n', 'long.txt': 'All work and no play.\n'.repeat(300) };

let session: Awaited<ReturnType<typeof beginWith>>;

afterEach(() => session[Symbol.asyncDispose]());

async function begin(script: Script, options: object = {}): Promise<void> {
  session = await beginWith(script, options);
}

async function beginWith(script: Script, options: object) {
  const home = await createTempWorkspace({});
  const workspace = await createTempWorkspace({ files: FILES });
  const server = await createMockModelServer(script);
  return await ScriptedSession.begin({ home, workspace, server }, options);
}

async function stored(): Promise<CompactionEntry[]> {
  const { entries } = await session.stored();
  return entries.filter((entry) => entry.type === 'compaction') as CompactionEntry[];
}

const isSummary = (system: string) => system.startsWith('You condense the record');
const summaries = () =>
  session.server.modelCalls().filter((call) => JSON.stringify(call.body).includes('You condense the record'));
const read = (path: string): Turn => ({ toolCalls: [{ name: 'read_file', args: { path } }] });
const NEAR = { input: 100_000, output: 10 };
const SUMMARY = '## Goal\nFind the word.\n\n## Next\n1. Answer.';

/** Summaries get `summary`, everything else the turns in their order. */
function withSummaries(turns: Turn[], summary: Turn = { text: SUMMARY }): Script {
  let next = 0;
  return (request) => (isSummary(request.system) ? summary : (turns[next++] ?? { text: 'out of turns' }));
}

describe('automatic compaction', () => {
  it('SES-17 near the limit the older part becomes a summary, with the files; the recent part stays word for word', async () => {
    await begin(withSummaries([read('long.txt'), read('a.txt'), { ...read('a.txt'), usage: NEAR }, { text: 'done' }]));
    await session.run(`find the word ${'x'.repeat(8_000)}`);
    expect(summaries()).toHaveLength(1);
    const sent = session.server.modelCalls().at(-1)!.request!;
    expect(sent.messages[0]!.text).toContain('<summary>\n## Goal\nFind the word.');
    expect(sent.messages[0]!.text).toContain('<read-files>\nlong.txt');
    expect(sent.messages.at(-1)!.text).toContain('alpha');
    expect(session.ofType('TaskCompleted')).toMatchObject([{ message: 'done' }]);
    const [entry] = await stored();
    expect(entry!.details).toMatchObject({ reason: 'threshold', by: 'model', modifiedFiles: [] });
    expect((entry!.details as CompactionDetails).readFiles).toContain('long.txt');
  });

  it('SES-17 the record is one text with bounded results, so that the model does not go on with it', async () => {
    await begin(withSummaries([read('long.txt'), read('a.txt'), { ...read('a.txt'), usage: NEAR }, { text: 'done' }]));
    await session.run('find the word');
    const { messages, tools } = summaries()[0]!.request!;
    expect(messages.map((message) => message.role)).toEqual(['user']);
    expect(tools).toEqual([]);
    expect(messages[0]!.text).toMatch(/characters left out/);
    expect(messages[0]!.text.length).toBeLessThan(6_000);
  });

  it('SES-17 usage from before a compaction does not trigger the next, nor do absurd numbers', async () => {
    const absurd = { input: 9_000_000, output: 10 };
    await begin(
      withSummaries([
        read('long.txt'),
        { ...read('long.txt'), usage: NEAR },
        { ...read('a.txt'), usage: absurd },
        { ...read('a.txt'), usage: { input: 0, output: 0 } },
        { text: 'done' },
      ]),
    );
    await session.run('find the word');
    expect(session.ofType('Compacted')).toHaveLength(1);
    expect(session.ofType('TaskCompleted')).toMatchObject([{ message: 'done' }]);
  });

  it('SES-17 a count that stays high whatever is condensed does not condense again and again', async () => {
    const stuck: Turn = { ...read('long.txt'), usage: NEAR };
    await begin(withSummaries([stuck, stuck, stuck, stuck, stuck, { text: 'done', usage: NEAR }]));
    await session.run('find the word');
    expect(session.ofType('Compacted').length).toBeLessThanOrEqual(2);
    expect(session.ofType('TaskCompleted')).toMatchObject([{ message: 'done' }]);
  });

  it('SES-17 the files of an earlier compaction are carried on, and its summary is taken up', async () => {
    await begin(
      withSummaries([
        { toolCalls: [{ name: 'write_file', args: { path: 'new.txt', content: 'x'.repeat(3_000) } }] },
        read('long.txt'),
        { ...read('a.txt'), usage: NEAR },
        { text: 'one' },
        read('long.txt'),
        { ...read('a.txt'), usage: NEAR },
        { text: 'two' },
      ]),
    );
    await session.run('first');
    await session.run('second');
    expect(summaries()).toHaveLength(2);
    expect(summaries()[1]!.request!.messages[0]!.text).toContain('<previous-summary>\n## Goal\nFind the word.');
    const [, second] = await stored();
    expect(second!.details).toMatchObject({ modifiedFiles: ['new.txt'] });
  });

  it('IDE-20 an overflow is answered by a compaction and one more try', async () => {
    const overflow: Turn = { error: { status: 400, message: 'prompt is too long: 210000 tokens > 200000 maximum' } };
    await begin(withSummaries([read('long.txt'), read('a.txt'), overflow, { text: 'fits now' }]));
    await session.run('find the word');
    expect(session.ofType('Compacted')).toHaveLength(1);
    expect(session.ofType('TaskCompleted')).toMatchObject([{ message: 'fits now' }]);
  });

  it('SES-17 after two compactions without a successful turn it stops, and says what to do', async () => {
    const overflow: Turn = { error: { status: 400, message: 'prompt is too long' } };
    await begin(withSummaries([read('long.txt'), read('a.txt'), read('long.txt'), ...Array(9).fill(overflow)]));
    for (const text of [`one ${'y'.repeat(4_000)}`, `two ${'y'.repeat(4_000)}`, 'three', 'four'])
      await session.run(text);
    expect(session.ofType('Compacted').length).toBeLessThanOrEqual(2);
    expect(summaries().length).toBeLessThanOrEqual(2);
    expect(session.ofType('TaskFailed')).toHaveLength(4);
    for (const end of session.ofType('TaskFailed'))
      expect(end).toMatchObject({ code: 'context_overflow', next: /new session/ });
  });

  it('IDE-21 what is said while the summary is written steers the very next turn', async () => {
    const turns = [read('long.txt'), read('a.txt'), { ...read('a.txt'), usage: NEAR }, { text: 'done' }];
    await begin(withSummaries(turns, { text: SUMMARY, gate: 'g' }));
    const { sessionId } = session;
    await session.engine.execute({ type: 'startAgentTask', sessionId, text: 'find it', model: 'openai/mock' });
    await session.server.reached('g');
    await session.engine.execute({ type: 'startAgentTask', sessionId, text: 'in French' });
    session.server.release('g');
    await session.ended();
    expect(session.server.modelCalls().at(-1)!.request!.lastUserText).toBe('in French');
    expect(session.ofType('TaskCompleted')).toMatchObject([{ message: 'done' }]);
  });

  it('SES-17 a summary that is larger than what it replaces is not taken', async () => {
    const turns = [read('long.txt'), read('a.txt'), { ...read('a.txt'), usage: NEAR }, { text: 'done' }];
    await begin(withSummaries(turns, { text: 'blah '.repeat(20_000) }));
    await session.run('find the word');
    const [entry] = await stored();
    expect(entry!.summary.length).toBeLessThan(6_000);
    expect(entry!.summary).toContain('find the word');
    expect(entry!.details).toMatchObject({ by: 'mechanical' });
  });

  it('SES-17 where no summary comes about the task goes on with what can be cut, and does not try without end', async () => {
    const refused: Turn = { error: { status: 400, message: 'no' } };
    const near: Turn = { ...read('long.txt'), usage: NEAR };
    await begin(withSummaries([near, near, near, near, near, { text: 'done' }], refused));
    await session.run('find the word');
    expect(summaries()).toHaveLength(2);
    expect(session.ofType('TaskCompleted')).toMatchObject([{ message: 'done' }]);
    expect(session.ofType('DiagnosticReported').some((event) => event.message.includes('could not be condensed'))).toBe(
      true,
    );
  });
});

describe('a long task', () => {
  it('IDE-23 each request begins with the bytes of the one before, except where a cut is recorded; cuts are rare', async () => {
    const turns: Turn[] = Array.from({ length: 60 }, () => read('long.txt'));
    await begin([...turns, { text: 'done' }]);
    await session.run('go', { maxIterations: 100 });
    expect(session.ofType('TaskCompleted')).toHaveLength(1);
    const sent = session.server.modelCalls().map(({ body }) => (body as { messages: unknown[] }).messages);
    const broken = sent.slice(1).filter((messages, i) => {
      const before = sent[i]!;
      return JSON.stringify(messages.slice(0, before.length)) !== JSON.stringify(before);
    });
    expect(broken).toHaveLength(session.ofType('ContextCut').length);
    expect(broken.length).toBeGreaterThan(0);
    expect(broken.length).toBeLessThan(6);
  });

  it('IDE-20 switching to a smaller model in mid-session fits or condenses what is there', async () => {
    await begin(withSummaries([read('long.txt'), { text: 'one' }, { text: 'two' }]));
    await session.run('first', { model: 'openai/gpt-4.1-mock' });
    await session.run('second', { model: 'openai/gpt-4o-mock' });
    expect(session.ofType('TaskCompleted').at(-1)).toMatchObject({ message: 'two' });
  });
});

describe('the compact command', () => {
  const compactNow = (instructions?: string) =>
    session.engine.execute({
      type: 'compact',
      sessionId: session.sessionId,
      ...(instructions ? { instructions } : {}),
    });

  it('SES-17 condenses at once, as instructed; the money is told apart (IDE-24)', async () => {
    await begin(withSummaries([read('long.txt'), { text: 'done' }, { text: 'go' }]));
    await session.run('find the word');
    const result = await compactNow('keep the names');
    expect(result).toMatchObject({ ok: true, value: { queued: false } });
    if (!result.ok || result.value.queued) throw new Error('not done');
    expect(result.value.tokensAfter).toBeLessThan(result.value.tokensBefore);
    expect(summaries()[0]!.request!.messages[0]!.text).toContain('The person asks of this summary: keep the names');
    expect(session.ofType('UsageUpdated').map((event) => event.source)).toEqual(['turn', 'turn', 'compaction']);
    await session.run('go on');
    expect(session.ofType('TaskCompleted').at(-1)).toMatchObject({ message: 'go' });
  });

  it('SES-17 says that there is nothing to condense', async () => {
    await begin([]);
    expect(await compactNow()).toMatchObject({ ok: false, error: { code: 'nothing_to_compact' } });
  });

  it('SES-17 while a task runs it waits for the next turn', async () => {
    const turns: Turn[] = [read('long.txt'), { ...read('a.txt'), gate: 'g' }, { text: 'done' }];
    await begin(withSummaries(turns));
    await session.engine.execute({
      type: 'startAgentTask',
      sessionId: session.sessionId,
      text: 'find it',
      model: 'openai/mock',
    });
    await session.server.reached('g');
    expect(await compactNow()).toEqual({ ok: true, value: { queued: true } });
    session.server.release('g');
    await session.ended();
    expect(session.ofType('Compacted')).toHaveLength(1);
    expect(session.ofType('TaskCompleted')).toMatchObject([{ message: 'done' }]);
  });

  it('SES-17 can be cancelled, and messages that come meanwhile begin a task when it is done', async () => {
    await begin(withSummaries([read('long.txt'), { text: 'done' }, { text: 'second' }], { text: SUMMARY, gate: 'g' }));
    await session.run('find the word');
    const first = compactNow();
    await session.server.reached('g');
    expect(await session.engine.execute({ type: 'cancelTask', sessionId: session.sessionId })).toEqual({
      ok: true,
      value: { cancelled: true },
    });
    expect(await first).toMatchObject({ ok: false, error: { code: 'cancelled' } });
    expect(session.ofType('Compacted')).toEqual([]);

    const since = session.events.length;
    const again = compactNow();
    await session.heard((event) => event.type === 'CompactingChanged' && event.reason === 'manual', since);
    const queued = await session.engine.execute({
      type: 'startAgentTask',
      sessionId: session.sessionId,
      text: 'and then?',
    });
    expect(queued).toMatchObject({ ok: true, value: { queued: true } });
    session.server.release('g');
    expect(await again).toMatchObject({ ok: true });
    await session.ended(since);
    expect(session.ofType('TaskCompleted').at(-1)).toMatchObject({ message: 'second' });
  });

  it('SES-17 an engine that ends in the middle leaves the session as it was', async () => {
    await begin(withSummaries([read('long.txt'), { text: 'done' }], { text: SUMMARY, gate: 'g' }));
    await session.run('find the word');
    const never = compactNow();
    await session.server.reached('g');
    const { entries, problems } = await session.stored();
    expect(await never).toMatchObject({ ok: false });
    expect(problems).toEqual([]);
    expect(entries.filter((entry) => entry.type === 'compaction')).toEqual([]);
    expect(foldEntries('s', entries).items.at(-1)).toMatchObject({ kind: 'taskEnd' });
  });

  it('SES-21 the offline provider summarises mechanically: requests, files touched, outcome; it knows what came after', async () => {
    await begin([]);
    await session.run('read long.txt', { model: 'offline/offline' });
    await session.run('read a.txt', { model: 'offline/offline' });
    await session.reopen();
    expect(await compactNow()).toMatchObject({ ok: true, value: { queued: false } });
    const [entry] = await stored();
    expect(entry!.summary).toContain('- read long.txt');
    expect(entry!.summary).toContain('read_file: 1 call');
    expect(entry!.summary).toContain('<read-files>\nlong.txt\n</read-files>');
    expect(entry!.details).toMatchObject({ by: 'mechanical', reason: 'manual' });
    expect(session.server.modelCalls()).toEqual([]);
  });
});
