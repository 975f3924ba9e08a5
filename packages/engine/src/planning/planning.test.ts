import { symlink } from 'node:fs/promises';
import type { EngineCommandInput, SessionEvent } from '@black-ide/protocol';
import { createMockModelServer, createTempWorkspace, type Script, type Turn } from '@black-ide/testkit';
import { afterEach, describe, expect, it } from 'vitest';
import type { EngineOptions } from '../engine-api.ts';
import { ScriptedSession } from '../testing/scripted-session.ts';

const TASK = 'rename every greeting to salutation in all of the files';
const PLAN = '# Rename\n\nChange `a.txt`: alpha becomes beta.';
const TASKS = '- [ ] change a.txt\n- [ ] look at it';

let session: Awaited<ReturnType<typeof beginWith>>;

afterEach(() => session[Symbol.asyncDispose]());

async function beginWith(script: Script, options: Partial<EngineOptions>) {
  const home = await createTempWorkspace({});
  const workspace = await createTempWorkspace({ files: { 'a.txt': 'alpha\n', 'src/b.txt': 'b\n' } });
  const world = { home, workspace, server: await createMockModelServer(script) };
  const env = { ...ScriptedSession.environment(world), BLACK_PLANNING: undefined };
  return await ScriptedSession.begin(world, { autoApprove: false, env, ...options });
}

async function begin(script: Script, options: Partial<EngineOptions> = {}): Promise<void> {
  session = await beginWith(script, options);
}

const artifact = (kind: string, content: string) => ({ name: 'create_artifact', args: { kind, content } });
const planned: Turn[] = [
  { toolCalls: [{ name: 'read_file', args: { path: 'a.txt' } }] },
  { toolCalls: [artifact('implementation_plan', PLAN), artifact('task_list', TASKS)] },
  { text: 'The plan is ready.' },
];
const edit = { name: 'edit_file', args: { path: 'a.txt', old_string: 'alpha', new_string: 'beta' } };
const step = (status: string) => ({ name: 'update_plan', args: { steps: [{ step: 'change a.txt', status }] } });
const executed: Turn[] = [
  { toolCalls: [step('in_progress'), edit] },
  { toolCalls: [step('completed'), artifact('walkthrough', '# Walkthrough\n\nChanged a.txt.')] },
  { text: 'Renamed.' },
];

/** Sends a command for the session. */
async function send(type: EngineCommandInput['type'], more: object = {}) {
  return await session.engine.executeUnknown({ type, sessionId: session.sessionId, ...more });
}

/** Sends a command and waits until what it set to work is done. */
async function sendAndSettle(type: EngineCommandInput['type'], more: object = {}): Promise<void> {
  const since = session.events.length;
  expect(await send(type, more)).toMatchObject({ ok: true });
  await session.ended(since);
}

const pending = () => session.ofType('PlanApprovalRequested').at(-1)!.request;
const file = (kind: string) => `.blackide/artifacts/${session.sessionId}/${kind}.md`;
const last = (type: SessionEvent['type']) => session.ofType(type).at(-1);
const systemOf = (at: number) => session.world.server.modelCalls()[at]!.request!.system;
const toolsOf = (at: number) => session.world.server.modelCalls()[at]!.request!.tools.map(({ name }) => name);

describe('a planned task', () => {
  it('IDE-31 IDE-32 IDE-33 is planned, shown, approved, carried out with progress, and ends with a walkthrough', async () => {
    await begin([...planned, ...executed]);
    await session.run(TASK);
    expect(await session.world.workspace.read('a.txt')).toBe('alpha\n');
    expect(pending()).toMatchObject({ kind: 'plan', default: 'reject', payload: { mode: 'Agent' } });
    expect(pending().options.map(({ label }) => label)).toEqual(['Approve & Execute', 'Reject & Revise']);
    expect(pending().payload.artifacts).toEqual([
      { kind: 'implementation_plan', path: file('implementation_plan'), lines: 3, chars: 46, preview: `${PLAN}\n` },
      { kind: 'task_list', path: file('task_list'), lines: 2, chars: 36, preview: `${TASKS}\n` },
    ]);
    expect(session.ofType('TaskCompleted')).toEqual([]);
    await sendAndSettle('approvePlan');
    expect(await session.world.workspace.read('a.txt')).toBe('beta\n');
    expect(await session.world.workspace.read(file('walkthrough'))).toContain('Changed a.txt.');
    expect(last('TaskCompleted')).toMatchObject({ message: 'Renamed.' });
    const { entries } = await session.stored();
    const types = entries.map((entry) => ('customType' in entry ? entry.customType : entry.type));
    expect(types.filter((type) => String(type).startsWith('pending-plan-'))).toEqual([
      `pending-plan-${session.sessionId}`,
    ]);
    expect(types.indexOf('approved_plan')).toBeLessThan(types.indexOf('response'));
  });

  it('IDE-23 IDE-33 the prefix changes at the approval only, and the approved plan is in the system prompt', async () => {
    await begin([...planned, ...executed]);
    await session.run(TASK);
    await sendAndSettle('approvePlan');
    const systems = Array.from({ length: 6 }, (_, at) => systemOf(at));
    expect(new Set(systems).size).toBe(2);
    expect(systems[2]).toContain('# Plan first');
    expect(systems[3]).toContain('alpha becomes beta');
    expect(systems[3]).toContain('- [ ] look at it');
    expect(toolsOf(0)).toEqual(toolsOf(2));
    expect(toolsOf(3)).toEqual(toolsOf(5));
    expect(toolsOf(0)).not.toContain('edit_file');
    expect(toolsOf(3)).toContain('edit_file');
  });

  it('IDE-32 what is approved is what is on disk at that moment', async () => {
    await begin([...planned, ...executed]);
    await session.run(TASK);
    await session.world.workspace.write(file('implementation_plan'), '# Mine\n\nOnly touch $& a.txt.\n');
    await sendAndSettle('approvePlan', { requestId: pending().id });
    expect(systemOf(3)).toContain('after editing implementation_plan.');
    expect(systemOf(3)).toContain('Only touch $& a.txt.');
    expect(systemOf(3)).not.toContain('alpha becomes beta');
  });

  it('IDE-31 ending in words is sent back once; where nothing was tried, both answers are the answer', async () => {
    await begin([{ text: 'Line 7 is in a.txt.' }, { text: 'Nothing has to change.' }]);
    await session.run(TASK);
    expect(session.world.server.modelCalls()[1]!.request!.lastUserText).toContain('implementation_plan and task_list');
    expect(last('TaskFailed')).toBeUndefined();
    expect(last('TaskCompleted')).toMatchObject({
      code: 'no_plan',
      message: 'Line 7 is in a.txt.\n\nNothing has to change.',
      next: 'No plan was made; nothing was changed.',
    });
    expect(session.world.server.modelCalls()).toHaveLength(2);
  });

  it('IDE-31 an answer that is given again is told once', async () => {
    await begin([{ text: 'It is in a.txt.' }, { text: 'As I said: It is in a.txt.' }]);
    await session.run(TASK);
    expect(last('TaskCompleted')).toMatchObject({ message: 'As I said: It is in a.txt.' });
  });

  it.each([
    ['a refused edit', edit],
    ['a refused command', { name: 'run_command', args: { command: 'npm test' } }],
    ['one document of two', artifact('implementation_plan', PLAN)],
    ['a document that could not be written', artifact('task_list', 'x'.repeat(20_001))],
  ])('IDE-31 ending without a plan after %s is reported, with what the model said', async (_what, call) => {
    await begin([{ toolCalls: [call] }, { text: 'Just do it.' }, { text: 'No plan is needed.' }]);
    await session.run(TASK);
    expect(last('TaskFailed')).toMatchObject({
      code: 'no_plan',
      message: expect.stringContaining('Just do it.\n\nNo plan is needed.'),
      next: expect.stringContaining('/direct'),
    });
    expect(session.world.server.modelCalls()).toHaveLength(3);
  });

  it('IDE-31 a command that ran and failed, or a read that was refused, is no try to change anything', async () => {
    const grep = { name: 'run_command', args: { command: 'grep nothing a.txt' } };
    const outside = { name: 'read_file', args: { path: '/etc/shadow' } };
    await begin([{ toolCalls: [grep, outside] }, { text: 'Nobody mentions it.' }, { text: 'No change.' }]);
    await session.run(TASK);
    expect(last('TaskCompleted')).toMatchObject({ message: 'Nobody mentions it.\n\nNo change.' });
  });

  it('IDE-31 one missing artifact is asked for by name', async () => {
    await begin([
      { toolCalls: [artifact('implementation_plan', PLAN)] },
      { text: 'Done.' },
      { toolCalls: [artifact('task_list', TASKS)] },
      { text: 'Now.' },
    ]);
    await session.run(TASK);
    expect(session.world.server.modelCalls()[2]!.request!.lastUserText).toContain('without task_list.');
    expect(pending().payload.summary).toBe('Now.');
  });

  it('IDE-32 rejected without words: PlanRejected, idle, nothing changed, and the next message is a new task', async () => {
    await begin([...planned, { text: 'hello' }]);
    await session.run(TASK);
    await sendAndSettle('rejectPlan');
    expect(session.ofType('PlanRejected')).toHaveLength(1);
    expect(last('TaskCancelled')).toMatchObject({ code: 'plan_rejected' });
    expect(session.world.server.modelCalls()).toHaveLength(3);
    await session.run('hi');
    expect(systemOf(3)).not.toContain('# Plan first');
    expect(toolsOf(3)).not.toContain('edit_file');
  });

  it('IDE-32 rejected with feedback: the same request is planned anew, and has to be revised', async () => {
    await begin([
      ...planned,
      { text: 'I would not change it.' },
      { toolCalls: [artifact('implementation_plan', '# Second')] },
      { text: 'Revised.' },
      ...executed,
    ]);
    await session.run(TASK);
    const first = pending().id;
    await sendAndSettle('rejectPlan', { feedback: 'leave src alone' });
    expect(session.world.server.modelCalls()[3]!.request!.lastUserText).toContain('leave src alone');
    expect(session.world.server.modelCalls()[4]!.request!.lastUserText).toContain('a revised implementation_plan');
    expect(pending().id).not.toBe(first);
    expect(pending().payload).toMatchObject({ summary: 'Revised.', artifacts: [{ preview: '# Second\n' }, {}] });
    await sendAndSettle('approvePlan');
    expect(last('TaskCompleted')).toMatchObject({ message: 'Renamed.' });
  });

  it('IDE-32 what a person wrote into an artifact is not written over unread', async () => {
    const again = { toolCalls: [artifact('implementation_plan', '# Second')] };
    await begin([
      ...planned,
      again,
      { toolCalls: [{ name: 'read_file', args: { path: 'PLACEHOLDER' } }] },
      { text: 'It was edited.' },
      { text: 'It was.' },
    ]);
    await session.run(TASK);
    await session.world.workspace.write(file('implementation_plan'), 'my own words\n');
    await sendAndSettle('rejectPlan', { feedback: 'as I wrote' });
    expect(await session.world.workspace.read(file('implementation_plan'))).toBe('my own words\n');
    const result = session.ofType('ToolFinished').find(({ isError, name }) => isError && name === 'create_artifact');
    expect(JSON.stringify(result?.content)).toContain('changed since it was read');
  });

  it('IDE-33 a walkthrough is asked for once and then written from the log; the answer stays that of the task', async () => {
    await begin([...planned, { toolCalls: [edit] }, { text: 'Renamed.' }, { text: 'I have none.' }]);
    const { server } = session.world;
    await session.run(TASK);
    await sendAndSettle('approvePlan');
    expect(server.modelCalls()).toHaveLength(6);
    expect(last('TaskCompleted')).toMatchObject({ message: 'Renamed.' });
    const text = await session.world.workspace.read(file('walkthrough'));
    expect(text).toContain('Renamed.');
    expect(text).toContain('- `a.txt`');
  });

  it('IDE-33 no question about the ceiling for the walkthrough’s sake', async () => {
    await begin([...planned, { toolCalls: [edit] }, { text: 'never' }, { text: 'Renamed.' }]);
    await session.run(TASK, { maxIterations: 3 });
    await sendAndSettle('approvePlan');
    // Two turns, an answer: the ceiling of three is reached.
    expect(session.ofType('LoopLimitReached')).toEqual([]);
    expect(last('TaskCompleted')).toMatchObject({ message: 'never' });
  });

  it('IDE-34 a plan that waits comes back after the engine is gone, and its approval goes on there', async () => {
    await begin([...planned, ...executed]);
    await session.run(TASK);
    const asked = pending();
    const env = { ...ScriptedSession.environment(session.world), BLACK_PLANNING: undefined };
    await session.reopen({ env });
    const snapshot = await send('subscribe');
    expect(snapshot).toMatchObject({ ok: true, value: { view: { requests: { [asked.id]: { request: asked } } } } });
    await sendAndSettle('approvePlan');
    expect(await session.world.workspace.read('a.txt')).toBe('beta\n');
  });

  it('IDE-35 while a plan waits a new message is refused and says why; nothing is logged of it', async () => {
    await begin([...planned, ...executed]);
    await session.run(TASK);
    const before = session.events.length;
    expect(await send('startAgentTask', { text: 'something else' })).toMatchObject({
      ok: false,
      error: { code: 'plan_pending', next: expect.stringContaining('black approve') },
    });
    expect(session.events.slice(before)).toEqual([]);
    await sendAndSettle('approvePlan');
  });

  it('IDE-35 IDE-6 another thread drops the plan, the same thread restores it, and no thread knows of the other', async () => {
    await begin([...planned, { text: 'hi' }]);
    const threadId = session.sessionId;
    await send('switchThread', { threadId });
    await session.run(TASK);
    await send('switchThread', { threadId });
    expect(session.ofType('PlanRejected')).toEqual([]);
    const other = await send('newSession');
    if (!other.ok) throw new Error(other.error.message);
    const { sessionId } = other.value as { sessionId: string };
    expect(session.ofType('PlanRejected')).toEqual([]);
    // The other thread is no longer held up, nor does it see a plan.
    expect(await send('approvePlan', { sessionId })).toMatchObject({ ok: false, error: { code: 'unknown_request' } });
    expect(await send('switchThread', { threadId: sessionId })).toMatchObject({ ok: true });
    expect(last('TaskCancelled')).toMatchObject({ code: 'plan_dropped', sessionId: threadId });
    expect(await send('approvePlan')).toMatchObject({ ok: false, error: { code: 'answered' } });
    await session.run('hi');
    expect(last('TaskCompleted')).toMatchObject({ message: 'hi' });
  });

  it('IDE-34 approved twice, even at the same time: the second is told', async () => {
    await begin([...planned, ...executed]);
    await session.run(TASK);
    const since = session.events.length;
    const both = await Promise.all([send('approvePlan'), send('approvePlan'), send('approvePlan')]);
    await session.ended(since);
    expect(both.map(({ ok }) => ok).sort()).toEqual([false, false, true]);
    expect(both.filter((one) => !one.ok)).toMatchObject([
      { error: { code: 'answered' } },
      { error: { code: 'answered' } },
    ]);
    const { entries } = await session.stored();
    expect(entries.filter((entry) => 'customType' in entry && entry.customType === 'response')).toHaveLength(1);
  });

  it.each([
    ['gone', undefined, 'artifact_missing'],
    ['empty', ' \n', 'artifact_empty'],
    ['binary', Buffer.from([0, 1, 2, 0xff, 0]), 'artifact_unreadable'],
    ['enormous', 'x'.repeat(70_000), 'artifact_too_long'],
  ])(
    'IDE-34 a plan whose file is %s is not approved, still waits, and can be approved when it is mended',
    async (_what, content, code) => {
      await begin([...planned, ...executed]);
      await session.run(TASK);
      const { rm } = await import('node:fs/promises');
      if (content === undefined) await rm(session.world.workspace.at(file('task_list')));
      else await session.world.workspace.write(file('task_list'), content);
      expect(await send('approvePlan')).toMatchObject({ ok: false, error: { code } });
      expect(await send('startAgentTask', { text: 'hi' })).toMatchObject({ error: { code: 'plan_pending' } });
      await session.world.workspace.write(file('task_list'), '- [ ] mended\n');
      await sendAndSettle('approvePlan');
      expect(systemOf(3)).toContain('- [ ] mended');
    },
  );

  it('IDE-83 a plan that is approved in advance is carried out at once; nobody there means no', async () => {
    await begin([...planned, ...executed], { approvePlan: true });
    await session.run(TASK);
    expect(last('TaskCompleted')).toMatchObject({ message: 'Renamed.' });
    expect(last('RequestAnswered')).toMatchObject({ response: { value: 'approve', by: 'test' } });
    await session[Symbol.asyncDispose]();
    await begin(planned, { asks: 'refuse' });
    await session.run(TASK);
    expect(last('TaskCancelled')).toMatchObject({ code: 'plan_rejected' });
  });

  it('IDE-33 the task and its plan have the ceiling of the mode each for itself', async () => {
    await begin([...planned, ...executed]);
    await session.run(TASK, { maxIterations: 3 });
    await sendAndSettle('approvePlan');
    expect(session.ofType('LoopLimitReached')).toEqual([]);
    expect(last('TaskCompleted')).toMatchObject({ message: 'Renamed.' });
  });

  it('IDE-29 “go on” after planning broke off goes on planning; after a rejection it is a task like any other', async () => {
    const broken: Turn = { error: { status: 401 } };
    await begin([planned[0]!, broken, ...planned, { toolCalls: [edit] }, { text: 'did it' }]);
    await session.run(TASK);
    expect(last('TaskFailed')).toBeDefined();
    await session.run('go on');
    expect(toolsOf(2)).not.toContain('edit_file');
    await sendAndSettle('rejectPlan');
    await session.run('go on');
    expect(await session.world.workspace.read('a.txt')).toBe('beta\n');
  });

  it('IDE-33 “go on” after the work broke off goes on with the approved plan; another message does not', async () => {
    const broken: Turn = { error: { status: 401 } };
    await begin([...planned, broken, ...executed, { text: 'ran' }]);
    await session.run(TASK);
    await sendAndSettle('approvePlan');
    expect(last('TaskFailed')).toBeDefined();
    await session.run('go on');
    expect(systemOf(4)).toContain('alpha becomes beta');
    expect(last('TaskCompleted')).toMatchObject({ message: 'Renamed.' });
    expect(await session.world.workspace.read(file('walkthrough'))).toContain('Changed a.txt.');
    await session.run('go on');
    expect(systemOf(7)).not.toContain('alpha becomes beta');
  });

  it('IDE-33 an answer to the plan by `respond` sets the session going where a face is attached', async () => {
    await begin([...planned, ...executed], { asks: 'wait' });
    await session.run(TASK);
    await sendAndSettle('respond', { requestId: pending().id, value: 'approve', by: 'face' });
    expect(last('TaskCompleted')).toMatchObject({ message: 'Renamed.' });
  });

  it('IDE-29 a message that steers a running task gives it no more tools than it has', async () => {
    await begin([{ text: 'first', gate: 'go' }, { toolCalls: [edit] }, { text: 'cannot' }]);
    const since = session.events.length;
    await send('startAgentTask', { text: 'hi', model: 'openai/mock' });
    await session.world.server.waitForModelCalls(1);
    expect(await send('startAgentTask', { text: 'fix it' })).toMatchObject({ value: { queued: true } });
    session.world.server.release('go');
    await session.ended(since);
    expect(await session.world.workspace.read('a.txt')).toBe('alpha\n');
  });
});

describe('while a plan is made', () => {
  const refused = async (turn: Turn): Promise<string> => {
    await begin([turn, { text: 'x' }, { text: 'y' }], { autoApprove: true });
    await session.run(TASK);
    const results = session.ofType('ToolFinished');
    expect(results.every(({ isError }) => isError)).toBe(true);
    const names = Object.keys(await session.world.workspace.snapshot());
    expect(names.filter((name) => name !== '.blackide')).toEqual(['a.txt', 'src', 'src/b.txt']);
    expect(await session.world.workspace.read('a.txt')).toBe('alpha\n');
    return JSON.stringify(results.map(({ content }) => content));
  };
  const command = (line: string, more: object = {}) => ({
    toolCalls: [{ name: 'run_command', args: { command: line, ...more } }],
  });

  // Field notes §4 #37: how others leaked, with auto-approve on.
  it.each([
    ['a redirect', 'echo x > a.txt'],
    ['an appending redirect behind a read', 'cat src/b.txt >> a.txt'],
    ['a pipe into tee', 'echo x | tee a.txt'],
    ['sed in place', "sed -i 's/alpha/beta/' a.txt"],
    ['a heredoc', 'cat > new.txt <<EOF\nx\nEOF'],
    ['git checkout', 'git checkout -- .'],
    ['git stash', 'git stash'],
    ['git apply', 'git apply change.patch'],
    ['a script language', "node -e \"require('fs').writeFileSync('a.txt','x')\""],
    ['a shell in the shell', "bash -c 'rm a.txt'"],
    ['find that deletes', 'find . -name a.txt -delete'],
    ['xargs', 'ls | xargs rm'],
    ['a substitution', 'cat $(rm a.txt)'],
    ['a package manager', 'npm install left-pad'],
    ['what the tests do', 'npm test'],
    ['another folder', 'cd src && mv b.txt c.txt'],
    ['what nobody can read', 'echo "'],
  ])('IDE-29 %s does not run: %s', async (_what, line) => {
    expect(await refused(command(line))).toContain('read-only-set');
    await session[Symbol.asyncDispose]();
    expect(await refused(command(line, { background: true }))).toContain('read-only-set');
  });

  it.each([
    ['edit_file', edit],
    ['write_file', { name: 'write_file', args: { path: 'new.txt', content: 'x' } }],
    ['apply_patch', { name: 'apply_patch', args: { patch: '--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-alpha\n+beta\n' } }],
    ['remember', { name: 'call_tool', args: { name: 'remember', arguments: { kind: 'term', title: 't', text: 't' } } }],
    ['edit_file through call_tool', { name: 'call_tool', args: { name: 'edit_file', arguments: edit.args } }],
    ['an unknown tool', { name: 'spawn_subagent', args: { mode: 'agent', task: 'edit a.txt' } }],
    ['an artifact of another name', artifact('../../../a.txt', 'x')],
    ['an artifact without end', artifact('task_list', 'x'.repeat(20_001))],
  ])('IDE-29 %s is refused', async (_what, call) => {
    await refused({ toolCalls: [call] });
  });

  it('IDE-29 an artifact is not written through a link into the sources', async () => {
    await begin([planned[1]!, { text: 'x' }, { text: 'y' }]);
    const { workspace } = session.world;
    await workspace.write('.blackide/artifacts/keep', '');
    await symlink(workspace.at('src'), workspace.at(`.blackide/artifacts/${session.sessionId}`));
    await session.run(TASK);
    expect(JSON.stringify(session.ofType('ToolFinished'))).toContain('reached through a link');
    expect(Object.keys(await workspace.snapshot())).not.toContain('src/task_list.md');
    expect(last('TaskFailed')).toMatchObject({ code: 'no_plan' });
  });

  it('IDE-29 reading commands run without a question, and a person’s yes widens nothing', async () => {
    await begin([command('cat a.txt'), command('touch made.txt'), ...planned]);
    await session.run(TASK);
    const [read, touch] = session.ofType('ToolFinished');
    expect(read).toMatchObject({ isError: false });
    expect(touch).toMatchObject({ isError: true });
    // It was not even asked for: the only question is the plan.
    expect(session.ofType('RequestOpened')).toEqual([]);
  });

  it('IDE-30 BLACK_PLANNING and the settings file hold, a wrong value is told with its place', async () => {
    await begin([{ text: 'done' }, ...planned, { text: 'no' }]);
    const settings = session.world.home;
    await settings.write('settings.json', '{\n  "planning": "off"\n}\n');
    await session.run(TASK);
    expect(last('TaskCompleted')).toMatchObject({ message: 'done' });
    await settings.write('settings.json', '{\n  "planning": "strict"\n}\n');
    await session.run('What would have to be changed in here for it?');
    expect(pending().kind).toBe('plan');
    await sendAndSettle('rejectPlan');
    await settings.write('settings.json', '{\n  "planning": "sometimes"\n}\n');
    await session.run('hi');
    const told = session.ofType('DiagnosticReported').map(({ message }) => message);
    expect(told).toContainEqual(expect.stringContaining('settings.json:2'));
  });

  it('IDE-30 questions and greetings run in Ask without changing the session’s mode, a read-only mode runs as it is', async () => {
    await begin([{ text: 'a' }, { text: 'b' }, { text: 'c' }]);
    await session.run('hi');
    await session.run('run it');
    await session.run(`${TASK}`, { mode: 'Ask' });
    expect(session.ofType('TaskStarted').map(({ mode }) => mode)).toEqual(['Ask', 'Agent', 'Ask']);
    expect(session.ofType('ModeChanged').map(({ mode }) => mode)).toEqual(['Agent', 'Ask']);
    expect(toolsOf(0)).not.toContain('edit_file');
    expect(toolsOf(1)).toContain('edit_file');
    expect(session.ofType('TaskStarted').some(({ planning }) => planning)).toBe(false);
  });

  it('IDE-29 IDE-67 in a folder that is not trusted nothing can change, so nothing is planned', async () => {
    await begin([{ text: 'It would go there.' }], { trust: false });
    await session.run(TASK);
    expect(session.ofType('TaskStarted')[0]?.planning).toBeUndefined();
    expect(session.ofType('TaskCompleted')).toMatchObject([{ message: 'It would go there.' }]);
  });

  it('IDE-28 the built-in provider plans nothing and says so where a plan is asked for', async () => {
    await begin([]);
    const offline = { model: 'offline', text: 'replace alpha with gamma in a.txt and in src' };
    await sendAndSettle('startAgentTask', offline);
    expect(session.ofType('TaskStarted').at(-1)?.planning).toBeUndefined();
    expect(await send('startAgentTask', { ...offline, plan: true })).toMatchObject({ error: { code: 'no_planner' } });
  });
});
