import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { main } from '../main.ts';
import { FakeEngine } from '../testing/fake-engine.ts';
import { asking, until, working } from '../testing/scripted-engines.ts';
import { temporaryFolder } from '../testing/temporary-folder.ts';
import { runBlack, TestWorld } from '../testing/test-world.ts';

describe('black -p', () => {
  it('IDE-83 prints the answer and nothing else', async () => {
    const { code, out, err, world } = await runBlack(['-p', 'hi', 'there'], { engine: FakeEngine.answering('Hello.') });
    expect({ code, out, err }).toEqual({ code: 0, out: 'Hello.\n', err: '' });
    expect(world.engine.commands).toMatchObject([
      { type: 'newSession' },
      { type: 'subscribe' },
      { type: 'startAgentTask', text: 'hi there' },
    ]);
    expect(world.engineOptions).toMatchObject({
      cwd: '/work',
      home: world.home,
      face: 'headless',
      asks: 'stop',
      inMemory: false,
    });
    expect(world.engine.disposed).toBe(true);
    expect(world.left).toBe(0);
  });

  it('IDE-83 hands the flags on', async () => {
    const flags = ['--mode', 'Ask', '--model', 'a/b', '--max-iterations', '9', '--max-cost', '0.5', '--yes'];
    const ceilings = ['--max-tokens', '900', '--max-time', '3s'];
    const { world } = await runBlack(['-p', ...flags, ...ceilings, 'hi'], { engine: FakeEngine.answering('x') });
    expect(world.engine.commands.at(-1)).toMatchObject({ mode: 'Ask', model: 'a/b', maxIterations: 9, maxCost: 0.5 });
    expect(world.engine.commands.at(-1)).toMatchObject({ maxTokens: 900, maxTimeMs: 3_000 });
    expect(world.engineOptions?.autoApprove).toBe(true);
  });

  it('IDE-83 adds standard input, 10 MB of it too, NUL and all', async () => {
    const input = Buffer.concat([Buffer.alloc(10 * 1024 * 1024, 'x'), Buffer.from('\0end')]);
    const { code, err, world } = await runBlack(['-p', 'why?'], { engine: FakeEngine.answering('x'), input });
    const task = world.engine.commands.at(-1) as { text: string };
    expect(code).toBe(0);
    expect(task.text).toMatch(/^why\?\n\nx+\ufffdend$/);
    expect(err).toContain('NUL');
  });

  it('IDE-83 prints one object with --output json', async () => {
    const engine = working((each) => {
      each.assistant('', [{ id: 'c1', name: 'edit_file', arguments: { path: 'a.ts' } }]);
      each.custom('checkpoint', {
        checkpointId: 'k',
        messageId: '1',
        callId: 'c1',
        files: ['a.ts', 'b.ts'],
        changes: [],
      });
      each.toolResult('c1', 'edit_file', { kind: 'modified', path: 'a.ts', added: 1, removed: 1, diff: '' });
      each.toolResult('c2', 'write_file', { kind: 'created', path: 'c.ts', added: 1, removed: 0, diff: '' });
      each.toolResult('c3', 'read_file', { kind: 'read', path: 'd.ts' });
      each.assistant('done');
    });
    const { code, out } = await runBlack(['-p', '--output', 'json', 'hi'], { engine });
    expect(code).toBe(0);
    expect(out.endsWith('}\n')).toBe(true);
    expect(JSON.parse(out)).toEqual({
      sessionId: engine.sessionId,
      outcome: 'completed',
      result: 'done',
      files: ['a.ts', 'b.ts', 'c.ts'],
      usage: { input: 200, output: 20, cacheRead: 0, cacheWrite: 0, cost: 0.2 },
      turns: 2,
      durationMs: 0,
      model: 'fake/model',
      mode: 'Agent',
    });
  });

  it('IDE-83 prints an event a line and the result last with --output stream-json', async () => {
    const engine = FakeEngine.answering('Hello.');
    const { out } = await runBlack(['-p', '--output', 'stream-json', 'hi'], { engine });
    const lines = out
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { type: string });
    expect(lines.map(({ type }) => type)).toEqual([
      'UserMessageAdded',
      'RunningChanged',
      'TaskStarted',
      'AssistantMessageAdded',
      'UsageUpdated',
      'TaskCompleted',
      'RunningChanged',
      'Result',
    ]);
    expect(lines.at(-1)).toMatchObject({ type: 'Result', outcome: 'completed', result: 'Hello.', turns: 1 });
  });

  it('IDE-24 counts only its own use in a session that goes on', async () => {
    const engine = FakeEngine.answering('again');
    engine.assistant('before');
    const { out } = await runBlack(['-p', '-c', '--output', 'json', 'hi'], { engine });
    expect(JSON.parse(out)).toMatchObject({ turns: 1, usage: { input: 100, cost: 0.1 } });
  });

  it('IDE-83 stops with 3 where it needs an approval, and gives the commands that answer', async () => {
    const engine = asking('permission');
    const { code, out, err } = await runBlack(['-p', 'hi'], { engine });
    expect({ code, out }).toEqual({ code: 3, out: '' });
    expect(err).toBe(
      `black: Stopped to ask: Run \`make\`?\n       yes: black approve ${engine.sessionId}\n       no:  black reject ${engine.sessionId}\n`,
    );
    const json = await runBlack(['-p', '--output', 'json', 'hi'], { engine: asking('permission') });
    expect(JSON.parse(json.out)).toMatchObject({
      outcome: 'needs_approval',
      error: { code: 'permission', message: 'Run `make`?' },
      requests: [{ id: 'q1', kind: 'permission', options: [{ value: 'allow' }] }],
    });
  });

  it('IDE-16 stops with 4 at the limit of iterations', async () => {
    const { code, err } = await runBlack(['-p', 'hi'], {
      engine: asking('loop_limit', 'Reached 25 iterations. Go on?'),
    });
    expect(code).toBe(4);
    expect(err).toContain('Stopped at the limit: Reached 25 iterations. Go on?');
    expect(err).toContain('black approve ');
  });

  it('keeps a question from steering the terminal', async () => {
    const { err } = await runBlack(['-p', 'hi'], { engine: asking('permission', 'Run `a\u001b[2K\rb`?') });
    expect([...err].filter((character) => character < ' ' && character !== '\n')).toEqual([]);
  });

  it('IDE-83 fails with 1, with the words and the next step on stderr', async () => {
    const error = { code: 'missing_key', message: 'There is no key.', next: 'Set ONE.' };
    const engine = new FakeEngine({ startAgentTask: () => ({ ok: false, error }) });
    const text = await runBlack(['-p', 'hi'], { engine });
    expect(text).toMatchObject({ code: 1, out: '', err: 'black: There is no key.\n       Set ONE.\n' });
    const json = await runBlack(['-p', '--output', 'json', 'hi'], { engine });
    expect(JSON.parse(json.out)).toMatchObject({ outcome: 'failed', result: '', error });
    expect(engine.disposed).toBe(true);
  });

  it('IDE-83 counts an unknown mode or provider as wrong use', async () => {
    const error = { code: 'unknown_provider', message: 'There is no provider `x`.' };
    const engine = new FakeEngine({ startAgentTask: () => ({ ok: false, error }) });
    expect(await runBlack(['-p', '--output', 'json', 'hi'], { engine })).toMatchObject({ code: 2, out: '' });
  });

  it('IDE-83 refuses an empty prompt with 2', async () => {
    const { code, out, err } = await runBlack(['-p', ''], { input: '' });
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toContain('The prompt is empty.');
  });

  it('IDE-83 hands on that the plan is approved', async () => {
    const { world } = await runBlack(['-p', '--approve-plan', 'x'], { engine: FakeEngine.answering('x') });
    expect(world.engineOptions).toMatchObject({ approvePlan: true, autoApprove: false });
  });

  it('IDE-30 what is piped in does not decide about planning', async () => {
    const engine = FakeEngine.answering('x');
    await runBlack(['-p', 'Why?'], { engine, input: 'cannot build, fix it' });
    expect(engine.commands).toContainEqual(
      expect.objectContaining({ type: 'startAgentTask', text: 'Why?\n\ncannot build, fix it', said: 'Why?' }),
    );
  });

  it('IDE-35 a message while a plan waits is refused with 3 and the way on', async () => {
    const error = { code: 'plan_pending', message: 'A plan waits for your answer.', next: 'black approve abc' };
    const engine = new FakeEngine({ startAgentTask: () => ({ ok: false, error }) });
    const { code, err } = await runBlack(['-p', '-c', 'hi'], { engine });
    expect(code).toBe(3);
    expect(err).toContain('black approve abc');
  });

  it('IDE-67 --trust trusts the folder for this run, and nothing else does', async () => {
    const trusted = await runBlack(['-p', '--trust', 'x'], { engine: FakeEngine.answering('x') });
    expect(trusted.world.engineOptions).toMatchObject({ trust: true });
    const usual = await runBlack(['-p', '--yes', 'x'], { engine: FakeEngine.answering('x') });
    expect(usual.world.engineOptions).toMatchObject({ trust: false, autoApprove: true });
  });

  it('IDE-67 ends with 3 where a call was refused for lack of trust, naming it and --trust; the answer is printed', async () => {
    const engine = working((each) => {
      each.assistant('', [{ id: 'c1', name: 'write_file', arguments: {} }]);
      each.toolResult('c1', 'write_file', { refused: true, untrusted: true });
    });
    const { code, out, err } = await runBlack(['-p', 'x'], { engine });
    expect({ code, out }).toEqual({ code: 3, out: 'done\n' });
    expect(err).toContain('not trusted: write_file');
    expect(err).toContain('--trust');
  });

  it('§4-22 comes back though the engine hangs while it is disposed', async () => {
    const engine = FakeEngine.answering('Hello.');
    engine.disposing = new Promise(() => undefined);
    const world = new TestWorld({ engine });
    const running = main(['-p', 'hi'], world);
    await until(() => engine.disposed && world.sleeping > 0);
    world.advance(5_000);
    expect(await running).toBe(0);
    expect(world.stdout.text).toBe('Hello.\n');
  });
});

describe('black -p -c and -r', () => {
  it('SES-24 goes on with the newest session or a named one', async () => {
    const engine = FakeEngine.answering('x');
    await runBlack(['-p', '-c', 'go on', '--mode', 'Ask'], { engine });
    expect(engine.commands).toMatchObject([
      { type: 'openSession', session: 'latest' },
      { type: 'subscribe' },
      { type: 'startAgentTask', text: 'go on', mode: 'Ask' },
    ]);
    const named = FakeEngine.answering('x');
    await runBlack(['-p', '-r', 'abc', 'go on'], { engine: named });
    expect(named.commands[0]).toEqual({ type: 'openSession', session: 'abc' });
  });

  it('SES-24 says clearly that there is none', async () => {
    const error = { code: 'unknown_session', message: 'There is no session of this folder.' };
    const engine = new FakeEngine({ openSession: () => ({ ok: false, error }) });
    expect(await runBlack(['-p', '-c', 'go on'], { engine })).toMatchObject({
      code: 1,
      err: 'black: There is no session of this folder.\n',
    });
  });

  it('SES-7 does not go on with a session that is open elsewhere, and says what to do', async () => {
    const engine: FakeEngine = new FakeEngine({
      openSession: () => ({
        sessionId: engine.sessionId,
        header: {},
        problems: ['Line 3 is garbage.'],
        readOnly: 'it is open in process 7.',
      }),
    });
    const { code, err } = await runBlack(['-p', '-c', 'go on'], { engine });
    expect(code).toBe(1);
    expect(err).toContain('black: Line 3 is garbage.');
    expect(err).toContain('can only be read: it is open in process 7.');
    expect(err).toContain('black sessions show');
    expect(engine.commands.map(({ type }) => type)).toEqual(['openSession']);
  });

  it('tells of a session that began in another folder', async () => {
    const engine = FakeEngine.answering('x');
    expect((await runBlack(['-p', '-r', 'a', 'x'], { engine, cwd: '/elsewhere' })).err).toContain('began in /work');
    expect((await runBlack(['-p', '-r', 'a', 'x'], { engine })).err).toBe('');
  });
});

describe('black -p at a terminal', () => {
  it('IDE-83 draws facts on stderr in the words of the work, and the cost', async () => {
    const engine = working((each) => {
      each.assistant('I look.', [{ id: 'c1', name: 'grep_search', arguments: { pattern: 'save' } }]);
      each.toolResult('c1', 'grep_search', { matches: 1 });
      each.emit({ type: 'RetryScheduled', attempt: 1, delayMs: 2_000, reason: 'rate limited' });
      each.assistant('done');
    });
    const { out, err } = await runBlack(['-p', 'hi'], { engine, terminal: true, env: { TERM: 'dumb' } });
    expect(out).toBe('done\n');
    expect(err.split('\n')).toEqual([
      'I look.',
      '▸ Searched "save" · 1 hit',
      '↻ trying again in 2 s (1): rate limited',
      'Agent · fake/model · 2 turns · 200 tokens in, 20 out · $0.20 · 0.0 s',
      '',
    ]);
  });

  it('IDE-83 says how to take back what was written', async () => {
    const engine = working((each) => {
      each.assistant('', [{ id: 'c1', name: 'write_file', arguments: { path: 'a.ts' } }]);
      each.toolResult('c1', 'write_file', { path: 'a.ts', diff: '+x', added: 1, removed: 0 });
    });
    const { err } = await runBlack(['-p', 'hi'], { engine, terminal: true, env: { TERM: 'dumb' } });
    expect(err).toContain(`\n1 file changed · take back: black undo ${engine.sessionId.slice(0, 8)}\n`);
    const nothing = working((each) => each.assistant('done'));
    expect((await runBlack(['-p', 'hi'], { engine: nothing, terminal: true })).err).not.toContain('take back');
  });

  it('IDE-88 fits 40 columns, and one', async () => {
    for (const columns of [40, 1]) {
      const engine = working((each) => {
        each.assistant('', [{ id: 'c1', name: 'run_command', arguments: { command: '你好'.repeat(90) } }]);
        each.toolResult('c1', 'run_command', { exitCode: 1, seconds: 3.2 });
      });
      const { code, err } = await runBlack(['-p', 'hi'], { engine, terminal: true, columns, env: { TERM: 'dumb' } });
      expect(code).toBe(0);
      expect(err.split('\n')[0]!.length).toBeLessThanOrEqual(Math.max(columns, 2));
    }
  });

  it('shows what is being done now only where it can be taken back', async () => {
    const script = (each: FakeEngine): void => {
      each.emit({ type: 'ToolStarted', callId: 'c1', name: 'run_command', args: { command: 'npm test' } });
      each.toolResult('c1', 'run_command', { exitCode: 0, seconds: 3.2 });
    };
    const clever = await runBlack(['-p', 'hi'], { engine: working(script), terminal: true, env: { NO_COLOR: '1' } });
    expect(clever.err).toContain('… $ npm test\r\u001b[K▸ $ npm test ✓ · 3.2 s\n');
    const plain = await runBlack(['-p', 'hi'], { engine: working(script), terminal: true, env: { TERM: undefined } });
    expect(plain.err).not.toContain('\u001b');
    const coloured = await runBlack(['-p', 'hi'], { engine: working(script), terminal: true });
    expect(coloured.err).toContain('\u001b[2m▸ $ npm test');
  });

  it('shows what an answer hides when it goes to a terminal, and its bytes when it does not', async () => {
    const answer = 'a\u001b]0;title\u0007b';
    const shown = await runBlack(['-p', 'hi'], { engine: FakeEngine.answering(answer), terminal: true });
    expect(shown.out).toBe('a␛]0;title␇b\n');
    expect((await runBlack(['-p', 'hi'], { engine: FakeEngine.answering(answer) })).out).toBe(`${answer}\n`);
  });

  it('is silent without a terminal but for warnings', async () => {
    const engine = working((each) => {
      each.assistant('x', [{ id: 'c1', name: 'read_file', arguments: { path: 'a' } }]);
      each.toolResult('c1', 'read_file', { from: 1, to: 1 });
      each.emit({ type: 'DiagnosticReported', level: 'warning', message: 'A mode is broken.' });
      each.emit({ type: 'DiagnosticReported', level: 'info', message: 'never mind' });
    });
    expect((await runBlack(['-p', 'hi'], { engine })).err).toBe('black: A mode is broken.\n');
  });
});

describe('black -p on a bad day', () => {
  it('IDE-88 keeps the session in memory where the home cannot be written, and says so once', async () => {
    const file = join(temporaryFolder(), 'file');
    writeFileSync(file, '');
    const env = { BLACKIDE_HOME: join(file, 'home') };
    const { code, out, err, world } = await runBlack(['-p', 'hi'], { engine: FakeEngine.answering('Hello.'), env });
    expect({ code, out }).toEqual({ code: 0, out: 'Hello.\n' });
    expect(err.match(/not saved/g)).toHaveLength(1);
    expect(world.engineOptions?.inMemory).toBe(true);
    expect(existsSync(world.engineOptions!.home)).toBe(false);
    const stopped = await runBlack(['-p', 'hi'], { engine: asking('permission'), env });
    expect(stopped.code).toBe(3);
    expect(stopped.err).not.toContain('black approve');
  });

  it('IDE-88 takes a relative BLACKIDE_HOME from the working folder', async () => {
    const cwd = temporaryFolder();
    const { world } = await runBlack(['-p', 'hi'], {
      engine: FakeEngine.answering('x'),
      cwd,
      env: { BLACKIDE_HOME: 'state' },
    });
    expect(world.engineOptions?.home).toBe(join(cwd, 'state'));
    expect(existsSync(join(cwd, 'state'))).toBe(true);
  });

  it('IDE-88 works with no HOME in the environment', async () => {
    const env = { BLACKIDE_HOME: undefined, HOME: undefined, TERM: undefined };
    const home = temporaryFolder();
    const { code } = await runBlack(['-p', 'hi'], { engine: FakeEngine.answering('x'), env: { ...env, HOME: home } });
    expect(code).toBe(0);
    expect(existsSync(join(home, '.blackide'))).toBe(true);
  });

  it('IDE-88 says that the working folder is gone', async () => {
    const { code, out, err } = await runBlack(['-p', 'hi'], { engine: FakeEngine.answering('x'), cwd: undefined });
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err).toContain('The working folder no longer exists.');
  });

  it('IDE-3 tells of an engine that gave up', async () => {
    const engine: FakeEngine = new FakeEngine({
      startAgentTask: () => engine.tell({ type: 'EngineFailed', error: { code: 'gone', message: 'The engine died.' } }),
    });
    expect(await runBlack(['-p', 'hi'], { engine })).toMatchObject({ code: 1, err: 'black: The engine died.\n' });
  });

  it('reports a fault of its own without a stack, with 1', async () => {
    const engine = new FakeEngine({
      startAgentTask: () => {
        throw new TypeError('boom');
      },
    });
    const { code, err } = await runBlack(['-p', 'hi'], { engine });
    expect(code).toBe(1);
    expect(err).toContain('boom');
    expect(err).not.toContain('.ts:');
  });
});
