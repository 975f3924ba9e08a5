import { costs, foldEntries } from '@black-ide/protocol';
import { createMockModelServer, createTempWorkspace, FakeClock, type Script, type Turn } from '@black-ide/testkit';
import { afterEach, describe, expect, it } from 'vitest';
import { ScriptedSession } from '../testing/scripted-session.ts';

let session: Awaited<ReturnType<typeof beginWith>>;

afterEach(() => session[Symbol.asyncDispose]());

async function begin(script: Script, options: object = {}): Promise<void> {
  session = await beginWith(script, options);
}

async function beginWith(script: Script, options: object) {
  const home = await createTempWorkspace({});
  const workspace = await createTempWorkspace({ files: { 'a.txt': 'alpha\n' } });
  const server = await createMockModelServer(script);
  return await ScriptedSession.begin({ home, workspace, server }, options);
}

const read: Turn = { toolCalls: [{ name: 'read_file', args: { path: 'a.txt' } }] };
const asText = 'I will look.\n<tool_call>\n{"name": "read_file", "arguments": {"path": "a.txt"}}\n</tool_call>';

describe('an answer that is none', () => {
  it.each<[string, Turn, RegExp]>([
    ['empty', {}, /neither text nor a tool call/],
    ['only blanks', { text: '  \n' }, /neither text nor a tool call/],
    ['a tool call written as text', { text: asText }, /tool call written as text/],
    ['a tool call as bare JSON', { text: '```json\n{"name":"read_file","arguments":{}}\n```' }, /written as text/],
  ])('IDE-20 %s: the model is told once, and goes on', async (_what, turn, said) => {
    await begin([turn, read, { text: 'alpha' }]);
    await session.run('go');
    expect(session.server.modelCalls()[1]!.request!.lastUserText).toMatch(said);
    expect(session.ofType('TaskCompleted')).toMatchObject([{ message: 'alpha' }]);
  });

  it('IDE-20 only thought: the model is told once, and goes on', async () => {
    await begin([{ thinking: 'hm' }, { text: 'there' }]);
    await session.run('go', { model: 'openai/mock' });
    expect(session.ofType('TaskCompleted')).toMatchObject([{ message: 'there' }]);
    expect(session.server.modelCalls()).toHaveLength(2);
  });

  it('IDE-20 the second time in a row is the end, in clear words and without more spending', async () => {
    await begin([{}, {}, { text: 'late' }]);
    await session.run('go');
    expect(session.ofType('TaskFailed')).toMatchObject([{ code: 'empty_answer', message: /twice/ }]);
    expect(session.server.modelCalls()).toHaveLength(2);
  });

  it('IDE-20 calls as text, twice, say what to do; work in between counts as going on', async () => {
    await begin([{}, read, { text: asText }, { text: asText }]);
    await session.run('go');
    expect(session.ofType('TaskFailed')).toMatchObject([{ code: 'call_as_text', next: /can call tools/ }]);
    expect(session.server.modelCalls()).toHaveLength(4);
  });

  it('IDE-20 an answer about such elements is an answer', async () => {
    const text = 'Models write `<tool_call>` with read_file inside; {"name": "x"} is JSON.';
    await begin([{ text }]);
    await session.run('explain');
    expect(session.ofType('TaskCompleted')).toMatchObject([{ message: text }]);
  });

  it('IDE-19 200 calls in one answer all get their results, in their order', async () => {
    const toolCalls = Array.from({ length: 200 }, (_, i) => ({
      id: `c${i}`,
      name: 'read_file',
      args: { path: 'a.txt' },
    }));
    await begin([{ toolCalls }, { text: 'done' }]);
    await session.run('go');
    expect(session.ofType('ToolFinished').map((event) => event.callId)).toEqual(toolCalls.map(({ id }) => id));
    expect(session.ofType('ToolFinished').every((event) => !event.isError)).toBe(true);
    expect(session.ofType('TaskCompleted')).toMatchObject([{ message: 'done' }]);
  });
});

describe('a run’s budget', () => {
  it('IDE-24 tokens: reaching the ceiling is a stop of its own kind, before the next call is paid', async () => {
    const turn: Turn = { ...read, usage: { input: 3_000, output: 100, cacheRead: 900 } };
    await begin([turn, turn, turn, { text: 'late' }]);
    await session.run('go', { maxTokens: 9_000 });
    expect(session.ofType('TaskStopped')).toMatchObject([
      { outcome: 'budget', code: 'budget', message: 'Reached the budget of 9000 tokens.', next: /--max-tokens/ },
    ]);
    expect(session.server.modelCalls()).toHaveLength(2);
  });

  it('IDE-24 time: stops in the middle of whatever is being done, and the session goes on later', async () => {
    const clock = new FakeClock(1_000);
    await begin([{ ...read, hang: 'g' }, { text: 'done' }], { clock });
    const { sessionId } = session;
    const task = { type: 'startAgentTask' as const, sessionId, text: 'go', model: 'openai/mock', maxTimeMs: 5_000 };
    await session.engine.execute(task);
    await clock.waitForSleepers();
    await clock.advance(5_000);
    await session.ended();
    expect(session.ofType('TaskStopped')).toMatchObject([
      { outcome: 'budget', message: 'Reached the time limit of 5 s.', next: /--max-time/ },
    ]);
    session.server.release('g');
    await session.run('go on');
    expect(session.ofType('TaskCompleted')).toMatchObject([{ message: 'done' }]);
  });

  it('IDE-24 a task that is taken up again keeps what it has spent', async () => {
    const ask: Turn = { toolCalls: [{ name: 'run_command', args: { command: 'touch x' } }], usage: { input: 4_000 } };
    await begin([ask, { ...read, usage: { input: 4_000 } }, { text: 'late' }], { autoApprove: false });
    await session.run('go', { maxTokens: 8_000 });
    const since = session.events.length;
    const { sessionId } = session;
    const [asked] = session.ofType('RequestOpened');
    await session.engine.execute({ type: 'respond', sessionId, requestId: asked!.request.id, value: 'deny' });
    await session.engine.execute({ type: 'resumeTask', sessionId });
    await session.ended(since);
    expect(session.ofType('TaskStopped')).toMatchObject([{ outcome: 'budget' }]);
    expect(session.server.modelCalls()).toHaveLength(1);
  });

  it('IDE-24 costs are told per task and source, from the log', async () => {
    await begin([read, { text: 'one' }, { text: 'two' }]);
    await session.run('first', { model: 'openai/gpt-5' });
    await session.run('second', { model: 'openai/gpt-5' });
    const { entries } = await session.stored();
    const { tasks, total, bySource } = costs(foldEntries('s', entries));
    expect(tasks.map(({ turns }) => turns)).toEqual([2, 1]);
    expect(total.cost.total).toBeGreaterThan(0);
    expect(bySource.turn!.cost.total).toBeCloseTo(total.cost.total, 12);
  });
});
