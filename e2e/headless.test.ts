import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  BLACK_BIN,
  blackEnvironment,
  createMockModelServer,
  createTempWorkspace,
  type MockModelServer,
  type ProcessResult,
  runBlack,
  runProcess,
  type Script,
  startBlack,
  type TempWorkspace,
} from '@black-ide/testkit';
import { describe, expect, it } from 'vitest';

const MODELS = { anthropic: 'anthropic/claude-sonnet-5-5', openai: 'openai/gpt-5' } as const;

/** A workspace, a home and a scripted model, for one test. */
class Stage implements AsyncDisposable {
  readonly workspace: TempWorkspace;
  readonly server: MockModelServer;
  readonly home: string;

  constructor(workspace: TempWorkspace, server: MockModelServer) {
    this.workspace = workspace;
    this.server = server;
    this.home = join(workspace.path, '..', `${workspace.path.split('/').at(-1)}-home`);
    mkdirSync(this.home);
  }

  static async set(script: Script, files: Record<string, string> = { 'a.txt': 'one\ntwo\n' }): Promise<Stage> {
    return new Stage(await createTempWorkspace({ files }), await createMockModelServer(script));
  }

  run(args: string[], more: Partial<Parameters<typeof runBlack>[0]> = {}): Promise<ProcessResult> {
    const { workspace, server: modelServer, home } = this;
    return runBlack({ args, cwd: workspace.path, home, modelServer, ...more });
  }

  /** Runs a shell line in which `$BLACK` is the program. */
  shell(line: string, env: Record<string, string | undefined> = {}): Promise<ProcessResult> {
    const black = `${process.execPath} ${BLACK_BIN}`;
    return runProcess({
      command: 'bash',
      args: ['-c', line],
      cwd: this.workspace.path,
      env: { ...blackEnvironment(this.home, { modelServer: this.server, env }), BLACK: black },
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.server[Symbol.asyncDispose]();
    await this.workspace[Symbol.asyncDispose]();
    rmSync(this.home, { recursive: true, force: true });
  }
}

function runs(command: string): Script {
  return {
    match: 'conversation',
    turns: [{ toolCalls: [{ name: 'run_command', args: { command } }] }, { text: 'Ran.' }],
  };
}

describe.each(Object.entries(MODELS))('black -p over the wire of %s', (_wire, model) => {
  it('IDE-83 prints the answer and nothing else', async () => {
    await using stage = await Stage.set([
      { toolCalls: [{ name: 'read_file', args: { path: 'a.txt' } }], usage: { input: 10, output: 5 } },
      { text: 'It says one and two.', usage: { input: 30, output: 7, cacheRead: 20 } },
    ]);
    const ran = await stage.run(['-p', '--model', model, 'What does a.txt say?']);
    expect(ran).toMatchObject({ code: 0, stdout: 'It says one and two.\n', stderr: '' });
  });

  it('IDE-83 prints one object with its use, its files and its session', async () => {
    await using stage = await Stage.set([
      { toolCalls: [{ name: 'read_file', args: { path: 'a.txt' } }], usage: { input: 10, output: 5 } },
      {
        toolCalls: [{ name: 'edit_file', args: { path: 'a.txt', old_string: 'two', new_string: '2' } }],
        usage: { input: 20, output: 6 },
      },
      {
        toolCalls: [{ name: 'complete_task', args: { message: 'Changed it.' } }],
        usage: { input: 30, output: 7, cacheRead: 20 },
      },
    ]);
    const { code, stdout, stderr } = await stage.run(['-p', '--model', model, '--output', 'json', 'Make two a 2']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(JSON.parse(stdout)).toMatchObject({
      sessionId: expect.any(String),
      outcome: 'completed',
      result: 'Changed it.',
      files: ['a.txt'],
      usage: { input: 60, output: 18, cacheRead: 20 },
      turns: 3,
      model,
      mode: 'Agent',
    });
    expect(readFileSync(join(stage.workspace.path, 'a.txt'), 'utf8')).toBe('one\n2\n');
  });

  it('IDE-83 streams an event a line and the result last', async () => {
    await using stage = await Stage.set([{ text: 'Hello there.', split: 'awkward' }]);
    const { stdout } = await stage.run(['-p', '--model', model, '--output', 'stream-json', 'hi']);
    const events = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { type: string; text?: string });
    expect(events.at(-1)).toMatchObject({ type: 'Result', outcome: 'completed', result: 'Hello there.' });
    expect(
      events
        .filter(({ type }) => type === 'TextDelta')
        .map(({ text }) => text)
        .join(''),
    ).toBe('Hello there.');
    expect(events.map(({ type }) => type)).toEqual(
      expect.arrayContaining(['TaskStarted', 'AssistantMessageAdded', 'TaskCompleted']),
    );
  });
});

describe('black -p, stopped', () => {
  it('IDE-83 stops with 3 for a command, and goes on when it is approved', async () => {
    await using stage = await Stage.set(runs('echo made > made.txt'));
    const stopped = await stage.run(['-p', 'make it']);
    expect(stopped).toMatchObject({ code: 3, stdout: '' });
    expect(stopped.stderr).toContain('Run `echo made > made.txt`?\n');
    const command = /black approve (\S+)/.exec(stopped.stderr)!;
    expect(existsSync(join(stage.workspace.path, 'made.txt'))).toBe(false);
    const approved = await stage.run(['approve', command[1]!]);
    expect(approved).toMatchObject({ code: 0, stdout: 'Ran.\n' });
    expect(existsSync(join(stage.workspace.path, 'made.txt'))).toBe(true);
    const again = await stage.run(['approve', command[1]!]);
    expect(again.code).toBe(1);
    expect(again.stderr).toContain('Nothing waits for an answer');
  });

  it('IDE-83 goes on without it when it is rejected, and the model reads why', async () => {
    await using stage = await Stage.set(runs('echo made > made.txt'));
    const { stdout } = await stage.run(['-p', '--output', 'json', 'make it']);
    const { sessionId, outcome, requests } = JSON.parse(stdout) as {
      sessionId: string;
      outcome: string;
      requests: unknown[];
    };
    expect({ outcome, count: requests.length }).toEqual({ outcome: 'needs_approval', count: 1 });
    const rejected = await stage.run(['reject', sessionId.slice(0, 8), '--reason', 'not today']);
    expect(rejected).toMatchObject({ code: 0, stdout: 'Ran.\n' });
    expect(existsSync(join(stage.workspace.path, 'made.txt'))).toBe(false);
    expect(JSON.stringify(stage.server.modelCalls().at(-1))).toContain('not today');
  });

  it('IDE-83 runs it at once with --yes, but never what is denied', async () => {
    await using stage = await Stage.set(runs('echo made > made.txt'));
    expect(await stage.run(['-p', '--yes', 'make it'])).toMatchObject({ code: 0, stdout: 'Ran.\n' });
    expect(existsSync(join(stage.workspace.path, 'made.txt'))).toBe(true);
    await using denied = await Stage.set(runs('rm -rf --no-preserve-root /'));
    expect(await denied.run(['-p', '--yes', 'do it'])).toMatchObject({ code: 0, stdout: 'Ran.\n' });
    expect(JSON.stringify(denied.server.modelCalls().at(-1))).toMatch(/denied|refused|not allowed/i);
  });

  it('IDE-16 stops with 4 at the limit, and goes on when more is granted', async () => {
    const read = { toolCalls: [{ name: 'read_file', args: { path: 'a.txt' } }] };
    await using stage = await Stage.set({ match: 'conversation', turns: [read, read, { text: 'Done.' }] });
    const stopped = await stage.run(['-p', '--max-iterations', '2', 'read it']);
    expect(stopped).toMatchObject({ code: 4, stdout: '' });
    const command = /black approve (\S+)/.exec(stopped.stderr)!;
    expect(await stage.run(['approve', command[1]!])).toMatchObject({ code: 0, stdout: 'Done.\n' });
    const refused = await stage.run(['-p', '--max-iterations', '1', 'read it']);
    const other = /black reject (\S+)/.exec(refused.stderr)!;
    const ended = await stage.run(['reject', other[1]!, '--output', 'json']);
    expect(ended.code).toBe(4);
    expect(JSON.parse(ended.stdout)).toMatchObject({
      outcome: 'limit',
      error: { message: 'Reached the maximum of 1 tool iterations.' },
    });
  });

  it('IDE-83 refuses a budget that could not hold, because no price is known', async () => {
    await using stage = await Stage.set([{ text: 'Done.' }]);
    const ran = await stage.run(['-p', '--model', 'openai/of-no-price', '--max-cost', '0.01', 'hi']);
    expect(ran).toMatchObject({ code: 1, stdout: '' });
    expect(ran.stderr).toMatch(/No price is known for of-no-price.*\n.*Leave --max-cost out/);
  });
});

describe('black -p, interrupted', () => {
  it.each(['SIGINT', 'SIGTERM'] as const)(
    'IDE-18 is cancelled by %s while the model answers, and its session goes on',
    async (signal) => {
      await using stage = await Stage.set({
        match: 'index',
        turns: [{ text: 'Half of it', gate: { name: 'more', afterEvents: 3 } }, { text: 'All of it.' }],
      });
      const { workspace, home, server: modelServer } = stage;
      await using running = await startBlack({
        args: ['-p', '--output', 'stream-json', 'tell'],
        cwd: workspace.path,
        home,
        modelServer,
      });
      await running.waitForOutput(/AssistantMessage|TextDelta|TaskStarted/);
      running.kill(signal);
      const { code, stdout } = await running.result;
      expect(code).toBe(130);
      expect(JSON.parse(stdout.trimEnd().split('\n').at(-1)!)).toMatchObject({ type: 'Result', outcome: 'cancelled' });
      expect(await stage.run(['-p', '-c', 'go on'])).toMatchObject({ code: 0, stdout: 'All of it.\n' });
    },
  );

  it('IDE-18 takes the command that runs along', async () => {
    await using stage = await Stage.set(runs('echo started; sleep 600'));
    const { workspace, home, server: modelServer } = stage;
    await using running = await startBlack({
      args: ['-p', '--yes', '--output', 'stream-json', 'x'],
      cwd: workspace.path,
      home,
      modelServer,
    });
    await running.waitForOutput(/"ToolOutput".*started/);
    running.kill('SIGINT');
    expect((await running.result).code).toBe(130);
    const left = await runProcess({
      command: 'pgrep',
      args: ['-g', String(running.pid)],
      env: { PATH: process.env.PATH },
    });
    expect(left.stdout).toBe('');
  });

  it('§4-23 comes back although a command left something behind that never ends', async () => {
    await using stage = await Stage.set(runs('sleep 600 & echo $!'));
    expect(await stage.run(['-p', '--yes', 'x'], { timeoutMs: 20_000 })).toMatchObject({ code: 0, stdout: 'Ran.\n' });
  });

  it('IDE-83 ends quietly when the reader goes away', async () => {
    await using stage = await Stage.set([{ text: 'x'.repeat(200_000), split: 2000 }]);
    const { stdout, stderr } = await stage.shell('$BLACK -p --output stream-json hi | head -c 10');
    expect({ length: stdout.length, stderr }).toEqual({ length: 10, stderr: '' });
  });

  it('IDE-83 hands a slow reader everything', async () => {
    const answer = 'x'.repeat(3_000_000);
    await using stage = await Stage.set([{ text: answer, split: 'whole' }]);
    const { stdout } = await stage.shell('$BLACK -p hi | (sleep 1; wc -c)');
    expect(Number(stdout)).toBe(answer.length + 1);
  });
});

describe('black -p on a bad day', () => {
  it('§4-48 takes 10 MB of standard input without a crash', async () => {
    await using stage = await Stage.set([{ text: 'ok' }]);
    const { code, stderr } = await stage.run(['-p', 'sum it up'], { stdin: Buffer.alloc(10 * 1024 * 1024, 'word ') });
    expect(code).toBe(1);
    expect(stderr).toMatch(/^black: The message is about \d+ tokens/);
  });

  it('IDE-88 takes a NUL in standard input', async () => {
    await using stage = await Stage.set([{ text: 'ok' }]);
    expect(await stage.run(['-p', 'read'], { stdin: 'a\0b' })).toMatchObject({ code: 0, stdout: 'ok\n' });
  });

  it('IDE-88 goes on without a standard input that says nothing', async () => {
    await using stage = await Stage.set([{ text: 'ok' }]);
    const { workspace, home, server: modelServer } = stage;
    await using running = await startBlack({
      args: ['-p', 'hi'],
      cwd: workspace.path,
      home,
      modelServer,
      stdin: 'open',
    });
    expect(await running.result).toMatchObject({
      code: 0,
      stdout: 'ok\n',
      stderr: expect.stringContaining('standard input'),
    });
  });

  it('IDE-88 works with standard streams closed', async () => {
    await using stage = await Stage.set({ match: 'conversation', turns: [{ text: 'ok' }] });
    expect(await stage.shell('$BLACK -p hi <&-')).toMatchObject({ code: 0, stdout: 'ok\n' });
    expect((await stage.shell('$BLACK -p hi >&-')).code).toBe(0);
    expect(await stage.shell('$BLACK -p hi 2>&-')).toMatchObject({ code: 0, stdout: 'ok\n' });
    expect(await stage.shell('$BLACK -p hi > /dev/full')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('could not be written'),
    });
  });

  it('IDE-88 works where the home cannot be written, is relative, or is missing', async () => {
    await using stage = await Stage.set({ match: 'conversation', turns: [{ text: 'ok' }] });
    const file = join(stage.home, 'file');
    writeFileSync(file, '');
    const unwritable = await stage.run(['-p', 'hi'], { env: { BLACKIDE_HOME: join(file, 'x') } });
    expect(unwritable).toMatchObject({ code: 0, stdout: 'ok\n', stderr: expect.stringContaining('not saved') });
    const odd = await stage.run(['-p', 'hi'], { env: { BLACKIDE_HOME: '/proc/self/x' } });
    expect(odd).toMatchObject({ code: 0, stdout: 'ok\n' });
    const relative = await stage.run(['-p', 'hi'], { env: { BLACKIDE_HOME: 'state' } });
    expect(relative).toMatchObject({ code: 0, stdout: 'ok\n', stderr: '' });
    expect(readdirSync(join(stage.workspace.path, 'state'))).toContain('sessions');
    const none = await stage.run(['-p', 'hi'], {
      env: { BLACKIDE_HOME: join(stage.home, 'h'), HOME: undefined, TERM: undefined },
    });
    expect(none).toMatchObject({ code: 0, stdout: 'ok\n', stderr: '' });
  });

  it('IDE-88 says that the working folder is gone', async () => {
    await using stage = await Stage.set([{ text: 'ok' }]);
    const line = 'mkdir gone && cd gone && rmdir ../gone && $BLACK';
    expect(await stage.shell(`${line} -p hi`)).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining('no longer exists'),
    });
    expect(await stage.shell(`${line} --help`)).toMatchObject({ code: 0, stderr: '' });
    expect((await stage.shell(`${line} doctor --json`)).stdout).toContain('"it no longer exists"');
  });

  it('IDE-20 says what to do about a key that is missing or wrong', async () => {
    await using stage = await Stage.set({ turns: [], apiKey: 'another' });
    const wrong = await stage.run(['-p', 'hi']);
    expect(wrong).toMatchObject({ code: 1, stdout: '' });
    expect(wrong.stderr).toContain('ANTHROPIC_API_KEY');
    const missing = await stage.run(['-p', '--model', MODELS.anthropic, 'hi'], {
      env: { ANTHROPIC_API_KEY: undefined },
    });
    expect(missing).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('Set ANTHROPIC_API_KEY') });
  });

  it('SES-7 refuses to write a session that is open elsewhere', async () => {
    await using stage = await Stage.set([{ text: 'first' }, { text: 'x', gate: 'hold' }]);
    await stage.run(['-p', 'hi']);
    const { workspace, home, server: modelServer } = stage;
    await using running = await startBlack({
      args: ['-p', '-c', '--output', 'stream-json', 'more'],
      cwd: workspace.path,
      home,
      modelServer,
    });
    await running.waitForOutput(/TaskStarted/);
    const second = await stage.run(['-p', '-c', 'me too']);
    expect(second).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('can only be read') });
    expect((await stage.run(['sessions', 'show', 'latest'])).stdout).toContain('you    more');
  });
});

describe('black sessions and doctor', () => {
  it('SES-24 lists and shows what was said', async () => {
    await using stage = await Stage.set({ match: 'conversation', turns: [{ text: 'Hello.' }] });
    await stage.run(['-p', 'Say hello']);
    const { stdout } = await stage.run(['sessions', 'list']);
    expect(stdout).toContain('Say hello');
    const id = stdout.split(' ')[0]!;
    expect(JSON.parse((await stage.run(['sessions', 'list', '--json'])).stdout)).toMatchObject([
      { id: expect.stringContaining(id) },
    ]);
    const shown = await stage.run(['sessions', 'show', id]);
    expect(shown).toMatchObject({ code: 0, stderr: '' });
    expect(shown.stdout).toContain('you    Say hello\n');
    expect(shown.stdout).toContain('black  Hello.\n');
    expect((await stage.run(['sessions', 'show', 'nope'])).code).toBe(1);
  });

  it('IDE-84 says what works on this machine', async () => {
    await using stage = await Stage.set([]);
    const { code, stdout } = await stage.run(['doctor', '--json']);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ ok: true });
    expect(stdout).not.toContain('mock-key');
  });
});
