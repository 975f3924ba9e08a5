import { type EngineEvent, foldEntries, reduce, type SessionEvent, timeline, type View } from '@black-ide/protocol';
import {
  createMockModelServer,
  createTempWorkspace,
  type MockModelServer,
  PNG,
  type Script,
  type TempWorkspace,
  type Turn,
} from '@black-ide/testkit';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createEngine } from './engine.ts';
import type { AskPolicy, Engine } from './engine-api.ts';
import { SessionStore } from './session/session-store.ts';

let home: TempWorkspace;
let workspace: TempWorkspace;
let server: MockModelServer | undefined;
let engine: Engine | undefined;
let events: SessionEvent[];

beforeEach(async () => {
  home = await createTempWorkspace({});
  workspace = await createTempWorkspace({ files: { 'a.txt': 'alpha\n', 'b.txt': 'beta\n' } });
  events = [];
});

afterEach(async () => {
  await engine?.dispose();
  await server?.close();
  await home[Symbol.asyncDispose]();
  await workspace[Symbol.asyncDispose]();
  engine = undefined;
  server = undefined;
});

/** An engine against a scripted model, with one new session. */
async function begin(script: Script, options: { asks?: AskPolicy; autoApprove?: boolean } = {}) {
  server = await createMockModelServer(script);
  engine = createEngine({
    cwd: workspace.path,
    home: home.path,
    env: {
      OPENAI_API_KEY: 'k',
      OPENAI_BASE_URL: server.openaiUrl,
      ANTHROPIC_API_KEY: 'k',
      ANTHROPIC_BASE_URL: server.anthropicUrl,
      PATH: process.env.PATH,
    },
    face: 'test',
    asks: options.asks ?? 'wait',
    ...(options.autoApprove ? { autoApprove: true } : {}),
  });
  engine.onEvent((event) => {
    if ('sessionId' in event) events.push(event);
  });
  const created = await engine.execute({ type: 'newSession' });
  if (!created.ok) throw new Error(created.error.message);
  return { engine, server, sessionId: created.value.sessionId };
}

/** Resolves with the first event, past or coming, that matches. */
function heard(matches: (event: SessionEvent) => boolean): Promise<SessionEvent> {
  const known = events.find(matches);
  if (known) return Promise.resolve(known);
  return new Promise((resolve) => {
    const stop = engine!.onEvent((event: EngineEvent) => {
      if (!('sessionId' in event) || !matches(event)) return;
      stop();
      resolve(event);
    });
  });
}

const ended = () => heard((event) => event.type === 'RunningChanged' && !event.running);
const ofType = <T extends SessionEvent['type']>(type: T) =>
  events.filter((event) => event.type === type) as (SessionEvent & { type: T })[];

async function run(sessionId: string, text: string, more: object = {}): Promise<void> {
  const started = await engine!.execute({ type: 'startAgentTask', sessionId, text, model: 'openai/mock', ...more });
  expect(started).toMatchObject({ ok: true });
  await ended();
}

const call = (name: string, args: object, id?: string) => ({ name, args: args as never, ...(id ? { id } : {}) });

describe('a task', () => {
  it('IDE-17 complete_task is the normal exit, its message the answer; calls behind it are not run', async () => {
    const { sessionId } = await begin([
      {
        toolCalls: [
          call('complete_task', { message: 'It is done.' }),
          call('write_file', { path: 'late.txt', content: 'x' }),
        ],
      },
    ]);
    await run(sessionId, 'go');
    expect(ofType('TaskCompleted')).toMatchObject([{ message: 'It is done.' }]);
    expect(ofType('ToolFinished').map((event) => [event.name, event.isError])).toEqual([
      ['complete_task', false],
      ['write_file', true],
    ]);
    expect(Object.keys(await workspace.snapshot())).not.toContain('late.txt');
  });

  it('IDE-17 cancel_task ends it as cancelled, plain text ends it too', async () => {
    const { sessionId } = await begin([
      { toolCalls: [call('cancel_task', { message: 'Cannot be done.' })] },
      { text: 'Plain.' },
    ]);
    await run(sessionId, 'one');
    expect(ofType('TaskCancelled')).toMatchObject([{ message: 'Cannot be done.' }]);
    events = [];
    await run(sessionId, 'two');
    expect(ofType('TaskCompleted')).toMatchObject([{ message: 'Plain.' }]);
  });

  it('IDE-19 read-only calls of one turn run side by side, writes in order behind them', async () => {
    const { sessionId } = await begin([
      {
        toolCalls: [
          call('read_file', { path: 'a.txt' }, 'r1'),
          call('read_file', { path: 'b.txt' }, 'r2'),
          call('edit_file', { path: 'a.txt', old_string: 'alpha', new_string: 'one' }, 'w1'),
          call('edit_file', { path: 'a.txt', old_string: 'one', new_string: 'two' }, 'w2'),
        ],
      },
      { text: 'done' },
    ]);
    await run(sessionId, 'go');
    const order = events
      .filter((event) => event.type === 'ToolFinished' || (event.type === 'ToolStarted' && !event.entry))
      .map((event) => `${event.type === 'ToolFinished' ? 'end' : 'start'} ${(event as { callId: string }).callId}`);
    expect(order.slice(0, 2)).toEqual(['start r1', 'start r2']);
    expect(order.slice(4)).toEqual(['start w1', 'end w1', 'start w2', 'end w2']);
    expect(order.filter((step) => step.startsWith('end'))).toEqual(['end r1', 'end r2', 'end w1', 'end w2']);
    expect(await workspace.read('a.txt')).toBe('two\n');
  });

  it('IDE-21 a message sent while the loop runs steers the next turn', async () => {
    const { sessionId, server, engine } = await begin([
      { toolCalls: [call('read_file', { path: 'a.txt' })], gate: 'first' },
      { text: 'as you wish' },
    ]);
    await engine.execute({ type: 'startAgentTask', sessionId, text: 'begin', model: 'openai/mock' });
    await server.reached('first');
    const queued = await engine.execute({ type: 'startAgentTask', sessionId, text: 'rather in French' });
    expect(queued).toEqual({ ok: true, value: { queued: true } });
    expect(ofType('QueueChanged').at(-1)).toMatchObject({ queue: ['rather in French'] });
    server.release('first');
    await ended();
    const { messages } = server.modelCalls().at(-1)!.body as { messages: { role: string; content: unknown }[] };
    expect(messages.map((message) => message.role)).toEqual(['system', 'user', 'assistant', 'tool', 'user']);
    expect(JSON.stringify(messages.at(-1))).toContain('rather in French');
  });

  it('IDE-21 a message that comes with the last answer begins a task of its own', async () => {
    const { sessionId, server, engine } = await begin([{ text: 'first', gate: 'g' }, { text: 'second' }]);
    await engine.execute({ type: 'startAgentTask', sessionId, text: 'one', model: 'openai/mock' });
    await server.reached('g');
    await engine.execute({ type: 'startAgentTask', sessionId, text: 'two' });
    server.release('g');
    await ended();
    expect(ofType('TaskCompleted').at(-1)).toMatchObject({ message: 'second' });
  });

  it('IDE-22 three identical failing calls end in a question; "stop" ends the task', async () => {
    const failing: Turn = { toolCalls: [call('read_file', { path: 'missing.txt' })] };
    const { sessionId, engine, server } = await begin([failing, failing, failing, failing]);
    await engine.execute({ type: 'startAgentTask', sessionId, text: 'go', model: 'openai/mock' });
    const asked = await heard((event) => event.type === 'RequestOpened');
    expect(asked).toMatchObject({ request: { kind: 'repeated_failure' } });
    expect(server.modelCalls()).toHaveLength(3);
    const requestId = ofType('RequestOpened')[0]!.request.id;
    await engine.execute({ type: 'respond', sessionId, requestId, value: 'stop', by: 'test' });
    await ended();
    expect(ofType('TaskFailed')).toMatchObject([{ code: 'repeated_failure' }]);
  });

  it('IDE-16 the ceiling is a checkpoint: granted two more, the loop goes on where it stood', async () => {
    const look: Turn = { toolCalls: [call('list_directory', {})] };
    const { sessionId, engine, server } = await begin([look, look, look, { text: 'done' }]);
    await engine.execute({ type: 'startAgentTask', sessionId, text: 'go', model: 'openai/mock', maxIterations: 2 });
    await heard((event) => event.type === 'LoopLimitReached');
    expect(server.modelCalls()).toHaveLength(2);
    await engine.execute({ type: 'continueLoop', sessionId, more: 2 });
    await ended();
    expect(ofType('TaskCompleted')).toMatchObject([{ message: 'done' }]);
  });

  it('IDE-16 nothing granted, it ends with the very words; where nobody can ever answer nothing is granted', async () => {
    const look: Turn = { toolCalls: [call('list_directory', {})] };
    const { sessionId } = await begin([look, look, look], { asks: 'refuse' });
    await run(sessionId, 'go', { maxIterations: 2 });
    expect(ofType('TaskStopped')).toMatchObject([
      { message: 'Reached the maximum of 2 tool iterations.', outcome: 'limit' },
    ]);
  });

  it('IDE-18 cancelling stops the stream, keeps the partial text, and the session goes on', async () => {
    const { sessionId, engine, server } = await begin([
      { text: 'a long answer, cut', split: 'chars', gate: { name: 'g', afterEvents: 6 } },
      { text: 'on we go' },
    ]);
    await engine.execute({ type: 'startAgentTask', sessionId, text: 'go', model: 'openai/mock' });
    await heard((event) => event.type === 'TextDelta');
    await server.reached('g');
    expect(await engine.execute({ type: 'cancelTask', sessionId })).toEqual({ ok: true, value: { cancelled: true } });
    expect(ofType('AssistantMessageAdded')).toMatchObject([{ stopReason: 'aborted', content: [{ type: 'text' }] }]);
    expect(ofType('TaskCancelled')).toHaveLength(1);
    events = [];
    await run(sessionId, 'go on');
    expect(ofType('TaskCompleted')).toMatchObject([{ message: 'on we go' }]);
  });

  it('IDE-18 cancelling at a question closes it: nothing can be said to it afterwards', async () => {
    const { engine, sessionId } = await begin([{ toolCalls: [call('run_command', { command: 'rm a.txt' })] }]);
    await engine.execute({ type: 'startAgentTask', sessionId, text: 'go', model: 'openai/mock' });
    await heard((event) => event.type === 'RequestOpened');
    await engine.execute({ type: 'cancelTask', sessionId });
    expect(ofType('RequestAnswered').at(-1)?.response).toMatchObject({
      value: 'deny',
      by: 'policy',
      text: 'Cancelled.',
    });
    const requestId = ofType('RequestOpened')[0]!.request.id;
    const late = await engine.execute({ type: 'respond', sessionId, requestId, value: 'allow', by: 'late' });
    expect(late).toMatchObject({ ok: false, error: { code: 'answered' } });
    expect(Object.keys(await workspace.snapshot())).toContain('a.txt');
  });

  it('IDE-83 a budget stops the task; where no price is known it is refused at the start', async () => {
    const look: Turn = { toolCalls: [call('list_directory', {})], usage: { input: 1_000_000, output: 1 } };
    const { sessionId, engine } = await begin([look, look, look]);
    const unpriced = { type: 'startAgentTask', sessionId, text: 'go', model: 'openai/mock', maxCost: 1 } as const;
    expect(await engine.execute(unpriced)).toMatchObject({ ok: false, error: { code: 'no_price' } });
    await run(sessionId, 'go', { model: 'openai/gpt-5', maxCost: 2 });
    expect(ofType('TaskStopped')).toMatchObject([{ outcome: 'budget', code: 'budget' }]);
    expect(ofType('UsageUpdated')).toHaveLength(2);
  });

  it('IDE-14 a message that alone exceeds the model’s room is refused with its size, and nothing is logged', async () => {
    const { sessionId, engine } = await begin([]);
    const refused = await engine.execute({
      type: 'startAgentTask',
      sessionId,
      text: 'x'.repeat(2_000_000),
      model: 'openai/mock',
    });
    expect(refused).toMatchObject({
      ok: false,
      error: { code: 'message_too_long', message: expect.stringMatching(/500000 tokens/) },
    });
    const snapshot = await engine.execute({ type: 'subscribe', sessionId });
    expect(snapshot).toMatchObject({ ok: true, value: { view: { items: [] } } });
  });

  it('IDE-25 an image that a provider would refuse never becomes part of the conversation', async () => {
    const { engine, sessionId, server } = await begin([{ text: 'Seen.' }]);
    const send = (bytes: Buffer, mimeType = 'image/png') =>
      engine.execute({
        type: 'startAgentTask',
        sessionId,
        text: 'look',
        model: 'openai/mock',
        images: [{ type: 'image', data: bytes.toString('base64'), mimeType }],
      });
    for (const refused of [send(PNG.subarray(0, -20)), send(Buffer.from('no picture')), send(PNG, 'image/jpeg')]) {
      expect(await refused).toMatchObject({ ok: false, error: { code: 'bad_image' } });
    }
    expect(ofType('UserMessageAdded')).toEqual([]);
    expect(await send(PNG)).toMatchObject({ ok: true });
    await ended();
    expect(server.modelCalls()).toHaveLength(1);
  });

  it('IDE-73 in Ask mode writing tools are neither offered nor run', async () => {
    const { sessionId, server } = await begin([
      { toolCalls: [call('write_file', { path: 'x', content: 'y' })] },
      { text: 'I cannot' },
    ]);
    await run(sessionId, 'write it', { mode: 'ask' });
    const { tools } = server.modelCalls()[0]!.body as { tools: { function: { name: string } }[] };
    expect(tools.map((tool) => tool.function.name)).not.toContain('write_file');
    expect(ofType('ToolFinished')).toMatchObject([{ name: 'write_file', isError: true }]);
    expect(Object.keys(await workspace.snapshot())).toEqual(['a.txt', 'b.txt']);
  });

  it('call_tool is the tool it names: same gate, same log, same name', async () => {
    const { sessionId } = await begin([
      {
        toolCalls: [
          call('call_tool', { name: 'read_file', arguments: { path: 'a.txt' } }),
          call('call_tool', { name: 'call_tool' }),
        ],
      },
      { text: 'ok' },
    ]);
    await run(sessionId, 'go');
    expect(ofType('ToolFinished').map((event) => [event.name, event.isError])).toEqual([
      ['read_file', false],
      ['call_tool', true],
    ]);
  });
});

describe('a face', () => {
  it('IDE-11 an unknown, malformed or untimely command is a typed error, never a throw', async () => {
    const { engine, sessionId } = await begin([]);
    for (const [input, code] of [
      [{ type: 'makeCoffee' }, 'unknown_command'],
      [{ type: 'startAgentTask' }, 'malformed_command'],
      [null, 'malformed_command'],
      [{ type: 'cancelTask', sessionId: 'nobody' }, 'unknown_session'],
      [{ type: 'respond', sessionId, requestId: 'r', value: 'yes' }, 'unknown_request'],
      [{ type: 'startAgentTask', sessionId, text: 'x', mode: 'Sorcerer' }, 'unknown_mode'],
      [{ type: 'startAgentTask', sessionId, text: 'x', model: 'nobody/x' }, 'unknown_provider'],
      [{ type: 'keepFile', sessionId, path: 'a' }, 'not_available'],
    ] as const) {
      expect(await engine.executeUnknown(input)).toMatchObject({ ok: false, error: { code } });
    }
  });

  it('IDE-12 one that connects in the middle gets the picture so far, then the rest; at the end the log gives the same', async () => {
    const { sessionId, engine, server } = await begin([
      { toolCalls: [call('read_file', { path: 'a.txt' })] },
      { text: 'the whole answer', split: 'chars', gate: { name: 'g', afterEvents: 8 } },
    ]);
    await engine.execute({ type: 'startAgentTask', sessionId, text: 'go', model: 'openai/mock' });
    await heard((event) => event.type === 'TextDelta');
    await server.reached('g');
    const late = await engine.execute({ type: 'subscribe', sessionId });
    if (!late.ok || !late.value.view) throw new Error('no snapshot');
    let view: View = late.value.view;
    const { seq } = late.value;
    expect(view.live.running).toBe(true);
    expect('the whole answer'.startsWith(view.live.text)).toBe(true);
    server.release('g');
    await ended();
    for (const event of events.filter((event) => event.seq > seq)) view = reduce(view, event);
    const missed = await engine.execute({ type: 'subscribe', sessionId, sinceSeq: seq });
    expect(missed.ok && missed.value.events).toEqual(events.filter((event) => event.seq > seq));

    const { title } = view;
    await engine.dispose();
    const again = await new SessionStore({ home: home.path, now: () => 0 }).open(sessionId, workspace.path);
    const folded = foldEntries(sessionId, again.getEntries(), title);
    again.close();
    expect({ ...view, live: undefined }).toEqual({ ...folded, live: undefined });
    expect(timeline(view).some((item) => item.kind === 'assistant')).toBe(true);
  });

  it('IDE-27 a session goes from one provider to the other between turns', async () => {
    const { sessionId, server } = await begin([
      { thinking: 'signed thought', toolCalls: [call('read_file', { path: 'a.txt' })] },
      { text: 'read' },
      { text: 'over here' },
    ]);
    await run(sessionId, 'one', { model: 'anthropic/mock' });
    events = [];
    await run(sessionId, 'two', { model: 'openai/mock' });
    expect(ofType('TaskCompleted')).toMatchObject([{ message: 'over here' }]);
    expect(ofType('ModelChanged')).toMatchObject([{ provider: 'openai', modelId: 'mock' }]);
    expect(JSON.stringify(server.modelCalls().at(-1)!.body)).not.toContain('signed thought');
  });

  it('IDE-27 `offline` stays where a person chose it, though there is a key', async () => {
    const { engine, sessionId, server } = await begin([{ text: 'From afar.' }]);
    await run(sessionId, 'hi');
    await engine.execute({ type: 'setModel', sessionId, model: 'offline' });
    events = [];
    await run(sessionId, 'hi', { model: undefined });
    expect(ofType('ModelChanged')).toEqual([]);
    expect(server.modelCalls()).toHaveLength(1);
  });

  it('IDE-64 a question may be answered by any face, once; the answer is logged with who gave it', async () => {
    const { sessionId, engine } = await begin([
      { toolCalls: [call('run_command', { command: 'touch made.txt' })] },
      { text: 'ok' },
    ]);
    await engine.execute({ type: 'startAgentTask', sessionId, text: 'go', model: 'openai/mock' });
    await heard((event) => event.type === 'RequestOpened');
    const requestId = ofType('RequestOpened')[0]!.request.id;
    expect(await engine.execute({ type: 'respond', sessionId, requestId, value: 'maybe', by: 'x' })).toMatchObject({
      ok: false,
      error: { code: 'bad_answer' },
    });
    expect(
      await engine.execute({ type: 'respond', sessionId, requestId, value: 'allow', by: 'terminal' }),
    ).toMatchObject({ ok: true });
    await ended();
    expect(await engine.execute({ type: 'respond', sessionId, requestId, value: 'deny', by: 'late' })).toMatchObject({
      ok: false,
      error: { code: 'answered' },
    });
    expect(ofType('RequestAnswered')).toMatchObject([{ response: { by: 'terminal', value: 'allow' } }]);
    expect(Object.keys(await workspace.snapshot())).toContain('made.txt');
  });

  it('IDE-64 a call id that a server uses again is asked about again: yes was said to one call only', async () => {
    const touch = (name: string): Turn => ({
      toolCalls: [call('run_command', { command: `touch ${name}` }, 'call_0')],
    });
    const { sessionId, engine } = await begin([touch('one'), touch('two'), { text: 'ok' }]);
    await engine.execute({ type: 'startAgentTask', sessionId, text: 'go', model: 'openai/mock' });
    await heard((event) => event.type === 'RequestOpened');
    const first = ofType('RequestOpened')[0]!.request.id;
    await engine.execute({ type: 'respond', sessionId, requestId: first, value: 'allow', by: 'test' });
    await heard((event) => event.type === 'RequestOpened' && event.request.id !== first);
    const second = ofType('RequestOpened')[1]!.request.id;
    await engine.execute({ type: 'respond', sessionId, requestId: second, value: 'deny', by: 'test' });
    await ended();
    expect(Object.keys(await workspace.snapshot())).toContain('one');
    expect(Object.keys(await workspace.snapshot())).not.toContain('two');
  });

  it('IDE-64 two calls of one answer with the same id are two: each is asked about', async () => {
    const { sessionId, engine } = await begin([
      {
        toolCalls: [
          call('run_command', { command: 'touch one' }, 'dup'),
          call('run_command', { command: 'touch two' }, 'dup'),
        ],
      },
      { text: 'ok' },
    ]);
    await engine.execute({ type: 'startAgentTask', sessionId, text: 'go', model: 'anthropic/mock' });
    await heard((event) => event.type === 'RequestOpened');
    const first = ofType('RequestOpened')[0]!.request.id;
    await engine.execute({ type: 'respond', sessionId, requestId: first, value: 'allow', by: 'test' });
    await heard((event) => event.type === 'RequestOpened' && event.request.id !== first);
    const second = ofType('RequestOpened')[1]!.request.id;
    await engine.execute({ type: 'respond', sessionId, requestId: second, value: 'deny', by: 'test' });
    await ended();
    const files = Object.keys(await workspace.snapshot());
    expect(files).toContain('one');
    expect(files).not.toContain('two');
  });

  it.each(['openai/mock', 'anthropic/mock'])(
    'IDE-15 a tool named constructor does not brick a session on %s',
    async (model) => {
      const { sessionId, server } = await begin([
        { toolCalls: [call('constructor', {}), call('', {}), call('käse tool', {}, 'id with spaces')] },
        { text: 'still here' },
      ]);
      await run(sessionId, 'go', { model });
      expect(ofType('TaskCompleted')).toMatchObject([{ message: 'still here' }]);
      expect(server.modelCalls().filter((request) => request.refusal)).toEqual([]);
    },
  );

  it('IDE-62 what three readings do not agree on is asked about, also with yes said in advance where none could be read', async () => {
    const { sessionId } = await begin(
      [
        { toolCalls: [call('run_command', { command: 'true \\ #; touch hidden' })] },
        { toolCalls: [call('run_command', { command: `${'rm x;'.repeat(2_001)}touch padded` })] },
        { text: 'ok' },
      ],
      { asks: 'refuse', autoApprove: false },
    );
    await run(sessionId, 'go');
    expect(ofType('ToolFinished').every((event) => event.isError)).toBe(true);
    expect(Object.keys(await workspace.snapshot())).toEqual(['a.txt', 'b.txt']);
  });

  it('IDE-6 closing the engine leaves an open question open, for the next one to answer', async () => {
    const { sessionId, engine } = await begin([
      { toolCalls: [call('run_command', { command: 'touch made.txt' })] },
      { text: 'ok' },
    ]);
    await engine.execute({ type: 'startAgentTask', sessionId, text: 'go', model: 'openai/mock' });
    await heard((event) => event.type === 'RequestOpened');
    await engine.dispose();
    const again = await new SessionStore({ home: home.path, now: () => 0 }).open(sessionId, workspace.path);
    const view = foldEntries(sessionId, again.getEntries());
    again.close();
    expect(Object.values(view.requests)).toMatchObject([{ request: { kind: 'permission' } }]);
    expect(Object.values(view.requests).map((state) => state.response)).toEqual([undefined]);
  });
});
