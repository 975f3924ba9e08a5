import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import {
  BLACK_BIN,
  blackEnvironment,
  createMockModelServer,
  createTempWorkspace,
  runBlack,
  runProcess,
  type Script,
  startBlack,
  type Turn,
} from '@black-ide/testkit';
import { describe, expect, it } from 'vitest';

/** Ten words. */
const TASK = 'change the greeting in the store to good day please';
const PLAN = '# Greeting\n\nIn `store.txt` hello becomes good day.\n\n## Check\n\nRead the file.';
const TASKS = '- [ ] change the greeting\n- [ ] look at it';

const artifact = (kind: string, content: string) => ({ name: 'create_artifact', args: { kind, content } });
const steps = (...status: string[]) => ({
  name: 'update_plan',
  args: { steps: status.map((each, at) => ({ step: `step ${at + 1}`, status: each })) },
});
const planned: Turn[] = [
  { toolCalls: [{ name: 'read_file', args: { path: 'store.txt' } }] },
  { toolCalls: [artifact('implementation_plan', PLAN), artifact('task_list', TASKS)] },
  { text: 'The plan is ready.' },
];
const executed: Turn[] = [
  {
    toolCalls: [
      steps('in_progress', 'pending'),
      { name: 'edit_file', args: { path: 'store.txt', old_string: 'hello', new_string: 'good day' } },
    ],
  },
  { toolCalls: [steps('completed', 'completed'), artifact('walkthrough', '# Walkthrough\n\nThe greeting is new.')] },
  { text: 'Changed.' },
];

async function stage(turns: Turn[]) {
  const server = await createMockModelServer({ turns, match: 'conversation' } satisfies Script);
  const workspace = await createTempWorkspace({ files: { 'store.txt': 'hello\n' } });
  const home = await createTempWorkspace({});
  const common = { cwd: workspace.path, home: home.path, modelServer: server, env: { BLACK_PLANNING: undefined } };
  return {
    server,
    workspace,
    home,
    common,
    black: (...args: string[]) => runBlack({ args, ...common }),
    async [Symbol.asyncDispose]() {
      await server.close();
      await workspace.dispose();
      await home.dispose();
    },
  };
}

async function sessionFile(home: string): Promise<string> {
  const names = await readdir(join(home, 'sessions'), { recursive: true });
  return join(home, 'sessions', names.find((name) => name.endsWith('.jsonl'))!);
}

const systems = (bodies: readonly { request?: { system?: string | undefined } }[]) =>
  bodies.map((call) => call.request?.system ?? '');

describe.each(['openai/mock', 'anthropic/mock'])('planning with %s', (model) => {
  it('IDE-31 IDE-83 headless: exit 3 with the plan → edited → approve → exit 0 with a walkthrough', async () => {
    await using set = await stage([...planned, ...executed]);
    const stopped = await set.black('-p', TASK, '--model', model, '--output', 'json');
    expect(stopped.code).toBe(3);
    const result = JSON.parse(stopped.stdout);
    expect(result).toMatchObject({ outcome: 'needs_approval', mode: 'Agent', requests: [{ kind: 'plan' }] });
    expect(result.files).toBeUndefined();
    const folder = `.blackide/artifacts/${result.sessionId}`;
    expect(result.artifacts).toEqual([`${folder}/implementation_plan.md`, `${folder}/task_list.md`]);
    expect(stopped.stderr).toContain(`${folder}/task_list.md`);
    expect(stopped.stderr).toContain('| - [ ] change the greeting');
    expect(stopped.stderr).toContain(`black approve ${result.sessionId}`);
    expect(await set.workspace.read('store.txt')).toBe('hello\n');

    await set.workspace.write(`${folder}/implementation_plan.md`, '# Mine\n\nOnly the greeting, nothing else.\n');
    const approved = await set.black('approve', result.sessionId, '--output', 'json');
    expect(JSON.parse(approved.stdout)).toMatchObject({
      outcome: 'completed',
      result: 'Changed.',
      files: ['store.txt'],
      artifacts: [`${folder}/walkthrough.md`],
    });
    expect(approved).toMatchObject({ code: 0, stderr: '' });
    expect(await set.workspace.read('store.txt')).toBe('good day\n');
    expect(await set.workspace.read(`${folder}/walkthrough.md`)).toContain('The greeting is new.');
    expect(systems(set.server.modelCalls()).at(-1)).toContain('Only the greeting, nothing else.');
    expect(set.server.requests.every((request) => request.refusal === undefined)).toBe(true);

    const again = await set.black('approve', result.sessionId);
    expect(again).toMatchObject({ code: 1, stderr: expect.stringContaining('Nothing waits for an answer') });
  });

  it('IDE-23 the first request of a planning run stays under 8 KB, and the prefix changes at the approval alone', async () => {
    await using set = await stage([...planned, ...executed]);
    await set.black('-p', TASK, '--model', model, '--approve-plan');
    const calls = set.server.modelCalls();
    expect(calls[0]!.rawBody.length).toBeLessThan(8 * 1024);
    const fixed = calls.map(({ body }) => {
      const { messages: _messages, input: _input, system, tools } = body as Record<string, unknown>;
      return JSON.stringify([system, tools]);
    });
    expect(new Set(fixed.slice(0, 3)).size).toBe(1);
    expect(new Set(fixed.slice(3)).size).toBe(1);
  });
});

describe('planning, headless', () => {
  it('IDE-34 killed with -9 while the plan waits, and before its question: nothing is lost, approve goes on', async () => {
    await using set = await stage([...planned, ...executed]);
    const args = ['-p', TASK, '--model', 'openai/mock', '--output', 'stream-json'];
    const running = await startBlack({ args, ...set.common });
    await running.waitForOutput(/"type":"PlanApprovalRequested"/);
    running.kill('SIGKILL', 'process');
    await running.result;
    await running.dispose();
    const refused = await set.black('-p', '-c', 'and something else');
    expect(refused).toMatchObject({ code: 3, stdout: '' });
    expect(refused.stderr).toContain('A plan waits for your answer');
    const approved = await set.black('approve', 'latest');
    expect(approved).toMatchObject({ code: 0, stdout: 'Changed.\n' });
    expect(await set.workspace.read('store.txt')).toBe('good day\n');
  });

  it('IDE-34 killed with -9 while the plan is carried out: it goes on with the plan', async () => {
    const [first, ...rest] = executed;
    await using set = await stage([...planned, first!, { ...rest[0]!, gate: 'stop' }, ...rest.slice(1)]);
    await set.black('-p', TASK, '--model', 'openai/mock');
    const running = await startBlack({ args: ['approve', 'latest'], ...set.common });
    await set.server.waitForModelCalls(5);
    running.kill('SIGKILL', 'process');
    await running.result;
    await running.dispose();
    set.server.release('stop');
    const more = await set.black('-p', '-c', 'go on', '--model', 'openai/mock');
    expect(more).toMatchObject({ code: 0, stdout: 'Changed.\n' });
    expect(await set.workspace.read('store.txt')).toBe('good day\n');
    expect(systems(set.server.modelCalls()).at(-1)).toContain('In `store.txt` hello becomes good day.');
  });

  it('IDE-34 a disk that fills up while the plan is approved loses nothing: it still waits, and is approved later', async () => {
    const long = `${PLAN}\n\n${'Why it is done so. '.repeat(900)}`;
    const turns = [{ toolCalls: [artifact('implementation_plan', long), artifact('task_list', TASKS)] }, planned[2]!];
    await using set = await stage([...turns, ...executed]);
    await set.black('-p', TASK, '--model', 'openai/mock');
    const { size } = await stat(await sessionFile(set.home.path));
    const full = await runProcess({
      command: 'bash',
      args: [
        '-c',
        `ulimit -f ${Math.ceil(size / 1024) + 1}; exec "$0" "$1" approve latest`,
        process.execPath,
        BLACK_BIN,
      ],
      cwd: set.workspace.path,
      env: blackEnvironment(set.home.path, set.common),
    });
    expect(full.code).toBe(1);
    expect(full.stderr).toContain('cannot be written');
    expect(await set.workspace.read('store.txt')).toBe('hello\n');
    const approved = await set.black('approve', 'latest');
    expect(approved).toMatchObject({ code: 0, stdout: 'Changed.\n' });
  });

  it('IDE-32 reject ends it with 0 and changes nothing; with feedback the plan is made anew', async () => {
    await using set = await stage([
      ...planned,
      { toolCalls: [artifact('task_list', '- [ ] smaller')] },
      { text: 'Smaller now.' },
      ...executed,
    ]);
    await set.black('-p', TASK, '--model', 'openai/mock');
    const revised = await set.black('reject', 'latest', '--feedback', 'make it smaller');
    expect(revised.code).toBe(3);
    expect(revised.stderr).toContain('| - [ ] smaller');
    expect(
      set.server
        .modelCalls()
        .at(-1)!
        .request!.messages.map((each) => JSON.stringify(each))
        .join(),
    ).toContain('make it smaller');
    const rejected = await set.black('reject', 'latest');
    expect(rejected).toMatchObject({ code: 0, stdout: '' });
    expect(rejected.stderr).toContain('The plan was rejected');
    expect(await set.workspace.read('store.txt')).toBe('hello\n');
    expect(await set.black('approve', 'latest')).toMatchObject({ code: 1 });
  });

  it('IDE-83 --yes approves plan and commands, --auto-approve no plan, --no-plan makes none', async () => {
    const command: Turn = { toolCalls: [{ name: 'run_command', args: { command: 'touch made.txt' } }] };
    await using set = await stage([...planned, command, ...executed]);
    const half = await set.black('-p', TASK, '--model', 'openai/mock', '--auto-approve');
    expect(half.code).toBe(3);
    const whole = await set.black('-p', TASK, '--model', 'openai/mock', '--yes');
    expect(whole).toMatchObject({ code: 0, stdout: 'Changed.\n' });
    expect(await set.workspace.read('made.txt')).toBe('');

    await using direct = await stage(executed);
    const ran = await direct.black('-p', TASK, '--model', 'openai/mock', '--no-plan');
    expect(ran).toMatchObject({ code: 0, stdout: 'Changed.\n' });
  });

  it('IDE-30 the built-in provider and read-only modes plan nothing', async () => {
    await using set = await stage([{ text: 'Looked.' }]);
    const read = await set.black('-p', TASK, '--model', 'openai/mock', '--mode', 'ask');
    expect(read).toMatchObject({ code: 0, stdout: 'Looked.\n' });
    const none = { ANTHROPIC_API_KEY: undefined, OPENAI_API_KEY: undefined, OPENAI_BASE_URL: undefined };
    const env = { ...set.common.env, ...none };
    const offline = await runBlack({
      args: ['-p', 'replace "hello" with "good day" in store.txt'],
      ...set.common,
      env,
    });
    expect(offline.code).toBe(0);
    expect(await set.workspace.read('store.txt')).toBe('good day\n');
    await rm(set.home.at('sessions'), { recursive: true });
  });
});
