import { existsSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { findProcesses, readProcessTable, startProcess } from '@black-ide/testkit';
import { ProcessRegistry } from '@black-ide/workspace';
import { describe, expect, it } from 'vitest';
import { AdapterProcess } from './adapters/adapter-process.ts';
import { commandLine } from './adapters/command-words.ts';
import type { Debuggee } from './debugger.ts';
import { localsOf, placeOf, stopOf, useDebugger } from './fixtures/use-debugger.ts';

const { here, launch, go, debugger: debug, never, world } = useDebugger();
const NODE = commandLine([process.execPath]);
const FAKE = fileURLToPath(new URL('./fixtures/fake-adapter.mjs', import.meta.url));
const HOLD = fileURLToPath(new URL('./fixtures/hold-session.ts', import.meta.url));

/** A debuggee of the adapter that does what a test wants to see handled. */
function fake(mode: string): Debuggee {
  const cwd = here.workspace.path;
  const configuration = { request: 'launch' as const, arguments: {} };
  const start = () =>
    AdapterProcess.start({ program: process.execPath, args: [FAKE, mode], cwd, world: world(), configuration });
  return { title: `fake ${mode}`, cwd, manners: { exceptionFilters: () => [] }, start };
}

function isRunning(pid: number): boolean {
  return readProcessTable().some((entry) => entry.pid === pid);
}

describe('a debug session is penned in', () => {
  it('INT-32 a second launch is refused and names the running one, whatever that does; then one may begin', async () => {
    await here.workspace.write('a.mjs', 'let n = 1;\nn += 1;\n');
    const first = launch(`${NODE} a.mjs`, { stopOnEntry: true });
    const refusal = { code: 'session_running', message: expect.stringContaining('a.mjs'), next: expect.any(String) };
    await expect(launch('node b.mjs')).rejects.toMatchObject(refusal);
    expect(placeOf(await first)).toBe('(anonymous) a.mjs:1');
    await expect(launch('node b.mjs')).rejects.toMatchObject(refusal);
    expect(placeOf(await go('next'))).toBe('(anonymous) a.mjs:2');
    await debug().terminate(never);
    expect((await launch(`${NODE} a.mjs`)).outcome).toMatchObject({ state: 'ended', exitCode: 0 });
    await expect(go('continue')).rejects.toMatchObject({ code: 'no_session' });
  });

  it('INT-32 the deadline ends a program in the middle of an endless step, and says so', async () => {
    await here.workspace.write('a.mjs', 'const spin = () => {\n  for (;;);\n};\nspin();\n');
    debug({ ttlMs: 1_500 });
    await launch(`${NODE} a.mjs`, { breakpoints: [{ place: 'a.mjs:4' }] });
    const ended = await go('next');
    expect(ended).toMatchObject({ outcome: { state: 'ended', why: 'deadline' }, leftMs: 0 });
    expect(await debug().wait(0, never)).toMatchObject({ outcome: { state: 'ended', why: 'deadline' } });
  });

  it('INT-32 ends a program that ignores signals, and the daemons it has forked', async () => {
    await here.workspace.write(
      'a.mjs',
      `import { spawn } from 'node:child_process';
process.on('SIGTERM', () => undefined);
const daemon = spawn('/bin/sh', ['-c', 'trap "" TERM; while :; do sleep 0.05; done'], { detached: true, stdio: 'ignore' });
daemon.unref();
console.log(daemon.pid);
setInterval(() => { globalThis.ticks = 1; }, 5);
`,
    );
    const stopped = await launch(`${NODE} a.mjs`, {
      breakpoints: [{ place: 'a.mjs:6', condition: 'globalThis.ticks' }],
      waitMs: 2_000,
    });
    const pid = Number(stopped.output);
    expect(isRunning(pid)).toBe(true);
    expect(await debug().terminate(never)).toMatchObject({ outcome: { state: 'ended', why: 'stopped' } });
    expect(isRunning(pid)).toBe(false);
  });

  it('INT-32 where the adapter is killed its debuggee goes with it, and the answer says why', async () => {
    const stopped = await debug().launch(fake('plain'), {}, never);
    const [, adapter, debuggee] = /adapter (\d+) debuggee (\d+)/.exec(stopped.output)!.map(Number);
    expect(isRunning(debuggee!)).toBe(true);
    process.kill(adapter!, 'SIGKILL');
    await expect.poll(() => debug().running).toBe(undefined);
    expect((await debug().wait(10_000, never)).outcome).toMatchObject({ state: 'ended', why: 'adapter' });
    expect(isRunning(debuggee!)).toBe(false);
  });

  it('INT-32 the deadline ends an adapter that answers nothing any more, and its debuggee', async () => {
    debug({ ttlMs: 1_200 });
    const stopped = await debug().launch(fake('deaf'), {}, never);
    const [, adapter, debuggee] = /adapter (\d+) debuggee (\d+)/.exec(stopped.output)!.map(Number);
    await expect.poll(() => debug().running, { timeout: 10_000 }).toBe(undefined);
    expect((await debug().wait(10_000, never)).outcome).toMatchObject({ state: 'ended', why: 'deadline' });
    expect([adapter!, debuggee!].filter(isRunning)).toEqual([]);
  });

  it('INT-32 what a killed debugger leaves is ended at the next start, its letters too', async () => {
    await here.workspace.write('a.mjs', 'setInterval(() => undefined, 1000);\n');
    const args = [HOLD, here.home.path, here.workspace.path, `${NODE} a.mjs`];
    const holder = await startProcess({ command: process.execPath, args, env: { PATH: process.env.PATH } });
    await holder.waitForOutput(/stopped/);
    const program = findProcesses(holder.pid).filter(({ command }) => command.endsWith('a.mjs'));
    expect(program.length).toBeGreaterThan(0);
    holder.kill('SIGKILL');
    await holder.result;
    const registry = new ProcessRegistry({ stateFolder: here.home.path });
    expect(await registry.sweepOrphans()).toMatchObject({ runs: 1, survivors: [] });
    expect(program.filter(({ pid }) => isRunning(pid))).toEqual([]);
    expect(readdirSync(here.home.at('processes'))).toEqual([]);
    await registry.dispose();
  });

  it('INT-32 cancelling ends a launch that hangs and a wait that would, and a cancelled wait leaves the session', async () => {
    const stop = new AbortController();
    const hanging = debug().launch(fake('silent'), {}, stop.signal);
    await expect.poll(() => debug().running).toBe('fake silent');
    stop.abort(new Error('cancelled by hand'));
    await expect(hanging).rejects.toThrow('cancelled by hand');
    expect(debug().running).toBe(undefined);
    await here.workspace.write('a.mjs', 'setInterval(() => undefined, 10);\n');
    await launch(`${NODE} a.mjs`, { waitMs: 0 });
    const wait = new AbortController();
    const waiting = debug().wait(60_000, wait.signal);
    wait.abort(new Error('enough'));
    await expect(waiting).rejects.toThrow('enough');
    expect(debug().running).toContain('a.mjs');
  });

  it('INT-31 says in the words of the adapter why it does not start, and leaves nothing', async () => {
    await expect(debug().launch(fake('dies'), {}, never)).rejects.toMatchObject({
      code: 'not_started',
      message: expect.stringContaining('fake adapter: its library is missing'),
    });
    await expect(debug().launch(fake('refuses'), {}, never)).rejects.toThrow('no such program: x');
    expect(debug().running).toBe(undefined);
  });

  it('INT-31 answers of another shape than agreed are read as nothing', async () => {
    const stopped = await debug().launch(fake('odd'), { breakpoints: [{ place: 'a.x:1' }] }, never);
    expect(stopOf(stopped)).toMatchObject({ reason: 'unknown', locals: [], alsoStopped: [] });
    expect(stopped.breakpoints).toEqual([{ place: 'a.x:1', verified: false, line: undefined, message: undefined }]);
  });
});

describe('programs that go wrong', () => {
  it.each([
    ['does not exist', 'node-that-is-not-there a.mjs', 127, /not found/],
    ['has no such file', `${NODE} missing.mjs`, 1, /Cannot find module/],
    ['is no JavaScript', `${NODE} broken.mjs`, 1, /SyntaxError: /],
  ])('INT-31 one that %s ends at once, with what it printed', async (_what, command, exitCode, words) => {
    await here.workspace.write('broken.mjs', 'const a = ;\n');
    const ended = await launch(command, { adapter: 'node' });
    expect(ended.outcome).toMatchObject({ state: 'ended', exitCode });
    expect(ended.output).toMatch(words);
  });

  it('INT-31 a hundred megabytes of output stay bounded, and their end is told', async () => {
    await here.workspace.write(
      'a.mjs',
      `const line = 'x'.repeat(99) + '\\n';
let left = 1_000_000;
const more = () => {
  while (left > 0) {
    left -= 1000;
    if (!process.stdout.write(line.repeat(1000))) return process.stdout.once('drain', more);
  }
  console.log('the end');
};
more();
`,
    );
    const before = process.memoryUsage().rss;
    const ended = await launch(`${NODE} a.mjs`);
    expect(ended.outcome).toMatchObject({ state: 'ended', exitCode: 0 });
    expect(ended.output.length).toBeLessThanOrEqual(4_000);
    expect(ended.output.endsWith('the end\n')).toBe(true);
    expect(ended.dropped).toBeGreaterThan(99_000_000);
    expect(process.memoryUsage().rss - before).toBeLessThan(100 * 1024 * 1024);
  });

  it('INT-31 an evaluation that fails, never ends or is huge leaves the program where it is', async () => {
    await here.workspace.write('a.mjs', 'const list = new Array(3_000_000).fill("v");\nlist.length;\n');
    const stopped = await launch(`${NODE} a.mjs`, { breakpoints: [{ place: 'a.mjs:2' }] });
    expect(localsOf(stopped).list).toMatch(/^Array\(3000000\) \["v", /);
    const session = debug().current;
    await expect(session.evaluate('null.x', undefined, never)).rejects.toThrow(/TypeError/);
    await expect(session.evaluate('for (;;);', undefined, never)).rejects.toThrow('It did not end within 5 s.');
    expect((await session.evaluate('"y".repeat(200_000_000)', undefined, never)).value).toMatch(/^"y{100,}…$/);
    expect(placeOf(await debug().wait(0, never))).toBe('(anonymous) a.mjs:2');
    expect((await go('continue')).outcome).toMatchObject({ state: 'ended', exitCode: 0 });
    expect(existsSync(here.home.at('processes'))).toBe(true);
  });
});
