import { spawnSync } from 'node:child_process';
import type { DebugHost } from '@black-ide/intel';
import { BlackError, textOf } from '@black-ide/protocol';
import {
  createMockModelServer,
  createTempWorkspace,
  leakCheck,
  readProcessTable,
  type Script,
} from '@black-ide/testkit';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { EngineOptions } from '../engine-api.ts';
import { ScriptedSession } from '../testing/scripted-session.ts';

const FAILING = `import test from 'node:test';
import assert from 'node:assert';
interface Item { price: number; count: number }
function total(items: Item[]): number {
  let sum = 0;
  for (const item of items) sum += item.price * item.count;
  return sum;
}
test('adds up', () => {
  const items: Item[] = [{ price: 2, count: 3 }, { price: 5, count: 1 }];
  const got = total(items);
  assert.equal(got, 12);
});
`;

let leaks: ReturnType<typeof leakCheck>;
beforeEach(() => {
  leaks = leakCheck();
});
afterEach(async () => {
  await leaks.expectNoLeaks();
});

type Call = { action: string } & Record<string, unknown>;
const turn = (args: object) => ({
  toolCalls: [{ name: 'call_tool', args: { name: 'debug', arguments: args } as never }],
});

interface World {
  options?: Partial<EngineOptions>;
  files?: Record<string, string>;
  script?: Script;
  settings?: object;
}

async function session(calls: Call[], { options, files, script, settings = {} }: World = {}) {
  const home = await createTempWorkspace({ files: { 'settings.json': JSON.stringify(settings) } });
  const workspace = await createTempWorkspace({
    files: { 'package.json': '{"type":"module"}', 'a.test.ts': FAILING, 'loop.mjs': 'for (;;);\n', ...files },
  });
  const server = await createMockModelServer(script ?? [...calls.map(turn), { text: 'done' }], {
    allowMissingKey: true,
  });
  return ScriptedSession.begin({ home, workspace, server }, options);
}

type Run = Awaited<ReturnType<typeof session>>;

function results(run: Pick<Run, 'ofType'>) {
  return run.ofType('ToolFinished').map(({ content, details, isError }) => ({
    text: textOf(content),
    details: details as Record<string, unknown> | undefined,
    isError,
  }));
}

describe('the debug tool', () => {
  it('INT-31 INT-33 INT-34 stops a failing test at its assertion and reads the frame, in the sandbox', async () => {
    await using run = await session([
      { action: 'launch', command: 'node --test a.test.ts' },
      { action: 'evaluate', expression: 'items.map((item) => item.price * item.count)' },
      { action: 'scopes' },
      { action: 'variables', ref: 1 },
      { action: 'stack' },
      { action: 'threads' },
      { action: 'continue' },
    ]);
    await run.run('why does it fail');
    const [stopped, value, scopes, variables, stack, threads, ended] = results(run);
    expect(stopped?.text).toMatch(/^Stopped \(exception\): AssertionError.*11 == 12/s);
    expect(stopped?.text).toContain('> 12 |   assert.equal(got, 12);');
    expect(stopped?.text).toContain('got = 11');
    expect(stopped?.text).toContain('[the session is ended in 10 min]');
    expect(stopped?.text.length).toBeLessThan(3_000);
    expect(stopped?.details).toMatchObject({ kind: 'debug', state: 'stopped', place: 'a.test.ts', line: 12 });
    expect(value?.text).toContain('[6, 5]');
    expect(scopes?.text).toMatch(/^Local {2}\[ref \d+\]\nModule/);
    expect(variables?.text).toMatch(/^0 = \{price: 2, count: 3\} {2}\[ref \d+\]$/m);
    expect(stack?.text).toContain('(a.test.ts:12:10)');
    expect(threads?.text).toMatch(/^thread 1 \(a\.test\.ts \(process \d+\), stopped\)$/);
    expect(ended?.details).toMatchObject({ state: 'ended', exitCode: 1 });
    expect(ended?.text).toContain('fail 1');
  });

  it('INT-32 refuses a second launch, tells of the deadline, and misuse gets words that help', async () => {
    await using run = await session(
      [
        { action: 'continue' },
        { action: 'launch', command: 'node a.mjs', stop_on_entry: true },
        { action: 'launch', command: 'node b.mjs' },
        { action: 'attach', port: 9229 },
        { action: 'variables' },
        { action: 'launch' },
        { action: 'attach' },
        { action: 'break', breakpoints: ['a.mjs'] },
        { action: 'terminate' },
        { action: 'step_over' },
      ],
      { files: { 'a.mjs': 'let a = 1;\na += 1;\n' } },
    );
    await run.run('go');
    const told = results(run).map(({ text }) => text);
    expect(told[0]).toBe('No program is debugged now. Launch one first.');
    expect(told[1]).toMatch(/^Stopped \(entry\)\nat \(anonymous\) \(a\.mjs:1/);
    for (const text of [told[2], told[3]])
      expect(text).toMatch(/^A debug session runs already: node a\.mjs\. End it first/);
    expect(told[4]).toBe('`variables` needs `ref`.');
    expect(told[5]).toBe('`launch` needs a `command`. Give the command line.');
    expect(told[6]).toBe('`attach` needs a `port` or a `pid`.');
    expect(told[7]).toMatch(/^"a\.mjs" is no place for a breakpoint\. Give FILE:LINE/);
    expect(told[8]).toBe('The debug session was ended, and node a.mjs with it.');
    expect(told[9]).toContain('No program is debugged now.');
  });

  it('INT-32 asks before something is launched or attached to, and not before it is looked into', async () => {
    const calls = [
      { action: 'launch', command: 'ls' },
      { action: 'attach', port: 9 },
      { action: 'evaluate', expression: '1' },
    ];
    await using run = await session(calls, { options: { autoApprove: false, asks: 'refuse' } });
    await run.run('go');
    const [launch, attach, evaluate] = results(run);
    // Listing files is read-only and would run unasked as a command.
    expect(launch?.text).toMatch(/^Refused/);
    expect(attach?.text).toMatch(/^Refused/);
    expect(evaluate?.text).toBe('No program is debugged now. Launch one first.');
    const [asked] = run.ofType('RequestOpened');
    expect(asked?.request).toMatchObject({
      title: 'Debug `ls`?',
      payload: { decision: { why: 'A debugger can make a program do anything.' } },
    });
  });

  it('INT-32 nothing is debugged while nothing may change, nor in a folder that is not trusted', async () => {
    const calls = [
      { action: 'launch', command: 'node --test a.test.ts' },
      { action: 'evaluate', expression: '1' },
    ];
    await using untrusted = await session(calls, { options: { trust: false } });
    await untrusted.run('go');
    for (const { text } of results(untrusted)) expect(text).toMatch(/^Refused .*not trusted/);
    await using reading = await session(calls);
    await reading.run('go', { mode: 'ask' });
    for (const { text } of results(reading)) expect(text).toMatch(/^Refused .*not part of the mode/);
  });

  it('INT-32 cancelling the task ends what it debugs, and so does closing the conversation', async () => {
    await using run = await session([{ action: 'launch', command: 'node loop.mjs' }]);
    const { sessionId, engine } = run;
    const looping = () => readProcessTable().filter(({ command }) => command.endsWith('loop.mjs'));
    const working = run.run('go');
    await expect.poll(looping, { timeout: 10_000 }).not.toEqual([]);
    await engine.execute({ type: 'cancelTask', sessionId });
    await working;
    expect(looping()).toEqual([]);
  });

  it('INT-32 what a debugged program writes can be taken back', async () => {
    await using run = await session(
      [{ action: 'launch', command: 'node w.mjs', breakpoints: ['w.mjs:3'] }, { action: 'continue' }],
      {
        files: {
          'w.mjs': `import { writeFileSync } from 'node:fs';\nwriteFileSync('made.txt', 'x');\nlet done = 1;\n`,
        },
      },
    );
    await run.run('go');
    expect(results(run)[0]?.details).toMatchObject({ changes: [{ path: 'made.txt' }] });
    await run.engine.execute({ type: 'restoreFile', sessionId: run.sessionId, path: 'made.txt' });
    expect(Object.keys(await run.world.workspace.snapshot())).not.toContain('made.txt');
  });

  it('INT-20 is offered only where something can be debugged here', async () => {
    const offered = async (files: Record<string, string>, PATH = process.env.PATH) => {
      const home = await createTempWorkspace({});
      const workspace = await createTempWorkspace({ files });
      const server = await createMockModelServer([{ text: 'done' }], { allowMissingKey: true });
      const world = { home, workspace, server };
      const env = { ...ScriptedSession.environment(world), PATH };
      await using run = await ScriptedSession.begin(world, { env });
      await run.run('go');
      return server.modelCalls()[0]!.rawBody.toString().includes('debug: Runs a program');
    };
    expect(await offered({ 'package.json': '{}' })).toBe(true);
    expect(await offered({ 'notes.txt': '' })).toBe(false);
    expect(await offered({ 'package.json': '{}' }, '/nowhere')).toBe(false);
  });

  it('INT-31 what a face can debug is debugged by it, except in the sandbox, and all else by ours', async () => {
    const asked: string[] = [];
    const refuses = async (): Promise<never> => {
      throw new BlackError('hosted', 'The editor says no.');
    };
    const host: DebugHost = {
      debuggeeOf: async (request) => {
        const command = request.kind === 'launch' ? request.command : '';
        asked.push(command);
        const manners = { exceptionFilters: () => [] };
        return command === 'hosted' ? { title: command, cwd: request.cwd, manners, start: refuses } : undefined;
      },
    };
    const calls = [
      { action: 'launch', command: 'hosted' },
      { action: 'launch', command: 'node a.mjs' },
    ];
    const files = { 'a.mjs': 'let a = 1;\n' };
    await using contained = await session(calls.slice(1), { options: { host: { debug: host } }, files });
    await contained.run('go');
    expect(results(contained).map(({ text }) => text)).toEqual(['node a.mjs has ended with exit code 0.']);
    expect(asked).toEqual([]);
    const options = { host: { debug: host }, sandbox: { off: true } };
    await using run = await session(calls, { options, files });
    await run.run('go');
    expect(results(run).map(({ text }) => text)).toEqual([
      'The editor says no.',
      'node a.mjs has ended with exit code 0.',
    ]);
    expect(asked).toEqual(['hosted', 'node a.mjs']);
  });

  it('INT-31 a program in the sandbox is held to it, and one that leaves it is asked about', async () => {
    const files = {
      'net.mjs': `import { writeFileSync } from 'node:fs';
let told = 'none';
try { writeFileSync('/etc/black-was-here', ''); } catch (error) { told = error.code; }
debugger;
`,
    };
    const calls = [
      { action: 'launch', command: 'node net.mjs' },
      { action: 'evaluate', expression: 'told' },
    ];
    await using run = await session(calls, { files });
    await run.run('go');
    expect(results(run)[1]?.text).toMatch(/^told = "E(ROFS|ACCES|PERM)"$/);
    expect(spawnSync('test', ['-e', '/etc/black-was-here']).status).toBe(1);
    const outside = { action: 'launch', command: 'node net.mjs', unsandboxed: true };
    await using refused = await session([outside], { files });
    await refused.run('go');
    expect(results(refused)).toEqual([]);
    expect(refused.ofType('RequestOpened')).toMatchObject([{ request: { payload: { args: outside } } }]);
  });

  it('INT-32 no yes in advance lets it attach outside of the sandbox, nor debug outside what may only run there', async () => {
    const attach = { action: 'attach', port: 9, unsandboxed: true };
    await using refused = await session([attach]);
    await refused.run('go');
    expect(results(refused)).toEqual([]);
    expect(refused.ofType('RequestOpened')).toMatchObject([{ request: { payload: { args: attach } } }]);
    const launch = { action: 'launch', command: 'node a.mjs' };
    const options = { autoApprove: false, asks: 'refuse' as const };
    const files = { 'a.mjs': 'let a = 1;\n' };
    const allowing = { 'commandPolicy.allow': ['^node a.mjs$'] };
    for (const { sandbox, told } of [
      { sandbox: {}, told: /has ended with exit code 0/ },
      { sandbox: { off: true }, told: /^Refused/ },
    ]) {
      await using run = await session([launch], { options: { ...options, sandbox }, files, settings: allowing });
      await run.run('go');
      expect(results(run)[0]?.text).toMatch(told);
    }
  });
});
