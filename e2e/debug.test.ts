import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  createMockModelServer,
  createTempWorkspace,
  leakCheck,
  readProcessTable,
  runBlack,
  startTerminal,
  type TempWorkspace,
} from '@black-ide/testkit';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const FAILING = `import test from 'node:test';
import assert from 'node:assert';
import { total } from './cart.ts';
test('adds up', () => {
  const items = [{ price: 2, count: 3 }, { price: 5, count: 1 }];
  assert.equal(total(items), 16);
});
`;
const CART = `interface Item { price: number; count: number }
export function total(items: Item[]): number {
  let sum = 0;
  for (const item of items) {
    sum += item.price * item.count;
  }
  return sum;
}
`;
const NODE = process.execPath;

let workspace: TempWorkspace;
let home: string;
let leaks: ReturnType<typeof leakCheck>;
beforeEach(async () => {
  leaks = leakCheck();
  workspace = await createTempWorkspace({
    files: { 'package.json': '{"type":"module"}', 'cart.test.ts': FAILING, 'cart.ts': CART },
  });
  home = await mkdtemp(join(tmpdir(), 'black-debug-home-'));
});
afterEach(async () => {
  await leaks.expectNoLeaks();
  await workspace.dispose();
  await rm(home, { recursive: true, force: true });
});

const black = (...args: string[]) => runBlack({ args, cwd: workspace.path, home });
/** Processes of a program in this test's workspace. */
const running = (name: string) => readProcessTable().filter(({ command }) => command.endsWith(name));

describe('black debug', () => {
  it('INT-34 stops a failing test at the throw, prints the frame, and leaves nothing', async () => {
    const { code, stdout } = await black('debug', '--', NODE, '--test', 'cart.test.ts');
    expect(stdout).toContain('Stopped (exception): AssertionError: 11 == 16\n');
    expect(stdout).toMatch(/^at \(anonymous\) \(cart\.test\.ts:6:\d+\)/m);
    expect(stdout).toContain('> 6 |   assert.equal(total(items), 16);');
    expect(stdout).toMatch(/^ {2}items = \[.*\] {2}\[ref \d+\]$/m);
    expect(code).toBe(1);
  });

  it('INT-31 stops at a line, passes the output on, and tells by its exit code how it went', async () => {
    await workspace.write('main.ts', `import { total } from './cart.ts';\nconsole.log('total', total([]));\n`);
    const stopped = await black('debug', '-b', 'cart.ts:7', '--', NODE, 'main.ts');
    expect(stopped).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('Stopped (breakpoint)\nat total (cart.ts:7:'),
    });
    const ended = await black('debug', '--', NODE, 'main.ts');
    expect(ended).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^total 0\n\n.* has ended with exit code 0\.\n$/),
    });
    const json = await black('debug', '--json', '--first-line', '--', NODE, 'main.ts');
    expect(JSON.parse(json.stdout)).toMatchObject({
      outcome: { state: 'stopped', stop: { reason: 'entry', top: { place: 'main.ts', line: 2 } } },
    });
    expect(await black('debug', '--', NODE, '-e', 'process.exit(3)')).toMatchObject({ code: 1 });
    expect(await black('debug', '-b', 'nowhere', '-b', '7', '--', NODE, 'main.ts')).toMatchObject({ code: 2 });
    expect(await black('debug', '--', './missing')).toMatchObject({ code: 1 });
    expect(await black('debug')).toMatchObject({ code: 2, stderr: expect.stringContaining('needs more') });
  });

  it('INT-31 asks at a terminal what to do, and ends with the person', async () => {
    await workspace.write('loop.mjs', 'console.log("begun");\nfor (;;);\n');
    const args = ['debug', '-b', 'total', '--', NODE, '--test', 'cart.test.ts'];
    await using shown = await startTerminal({ args, cwd: workspace.path, home, rows: 40 });
    await shown.waitFor(/at total \(cart\.ts:3:.*\(debug\)/s);
    const say = async (line: string, wanted: string | RegExp) => {
      await shown.type(line);
      await shown.press('Enter');
      return shown.waitFor(wanted);
    };
    await say('p items.length + 40', /items\.length \+ 40 = 42/);
    await say('p nothing', 'ReferenceError: nothing is not defined');
    await say('what', 'c continue  n over');
    await say('b cart.ts:7', 'Breakpoint at cart.ts:7, line 7.');
    await say('c', /at total \(cart\.ts:7:.*sum = 11.*\(debug\)\s*$/s);
    await say('bt', /#\d+ +total \(cart\.ts:7/);
    await say('t', /thread 1 \(cart\.test\.ts \(process \d+\), stopped\)/);
    await say('c', /Stopped \(exception\): AssertionError/);
    await say('q', 'ended: 1');
    await using endless = await startTerminal({
      args: ['debug', '--first-line', '--', NODE, 'loop.mjs'],
      cwd: workspace.path,
      home,
    });
    await endless.waitFor(/Stopped \(entry\).*\(debug\)/s);
    await endless.type('c');
    await endless.press('Enter');
    await endless.waitFor('begun');
    await endless.press('C-c');
    await endless.waitFor('ended: 130');
    expect(running('cart.test.ts')).toEqual([]);
  });

  it('INT-32 Ctrl+C ends a program that never stops, and a killed black leaves nothing after the next start', async () => {
    await workspace.write('loop.mjs', 'setInterval(() => undefined, 5);\nconsole.log("begun");\n');
    const args = ['debug', '--', NODE, 'loop.mjs'];
    await using shown = await startTerminal({ args, cwd: workspace.path, home });
    await shown.waitFor('begun');
    await shown.press('C-c');
    await shown.waitFor('ended: 130');
    expect(running('loop.mjs')).toEqual([]);
    await using killed = await startTerminal({ args, cwd: workspace.path, home });
    await killed.waitFor('begun');
    await killed.kill();
    await killed.waitFor('ended: 137');
    await black('debug', '--', NODE, '-e', '0');
    await expect.poll(() => running('loop.mjs')).toEqual([]);
  });
});

describe('an agent that debugs', () => {
  it('INT-34 stops a failing test, reads the frame, and concludes from it', async () => {
    const debug = (args: object) => ({
      toolCalls: [{ name: 'call_tool', args: { name: 'debug', arguments: args } as never }],
    });
    await using modelServer = await createMockModelServer([
      debug({ action: 'launch', command: `${NODE} --test cart.test.ts` }),
      debug({ action: 'evaluate', expression: 'total(items)' }),
      debug({ action: 'terminate' }),
      { text: 'The test expects 16, but 2 × 3 + 5 × 1 is 11.' },
    ]);
    const args = ['-p', 'Why does the test fail?', '--auto-approve', '--model', 'anthropic/mock'];
    const ran = await runBlack({ args, cwd: workspace.path, home, modelServer });
    expect(ran).toMatchObject({ code: 0, stdout: 'The test expects 16, but 2 × 3 + 5 × 1 is 11.\n' });
    const [, second, third, fourth] = modelServer.modelCalls().map(({ rawBody }) => rawBody.toString());
    expect(second).toContain('> 6 |   assert.equal(total(items), 16);');
    expect(second).toContain('AssertionError: 11 == 16');
    expect(third).toContain('total(items) = 11');
    expect(fourth).toContain('The debug session was ended');
    expect(running('cart.test.ts')).toEqual([]);
  });
});
