import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { createTempWorkspace, findProcesses, leakCheck, startProcess, type TempWorkspace } from '@black-ide/testkit';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Sandbox } from '../sandbox/sandbox.ts';
import { memoryOfTree } from './process-memory.ts';
import { ProcessRegistry } from './process-registry.ts';
import type { ServerOptions, ServerProcess } from './server-process.ts';

const PARENT = fileURLToPath(new URL('./fixtures/hold-server.ts', import.meta.url));
const env = { PATH: process.env.PATH };
let workspace: TempWorkspace;
let leaks: ReturnType<typeof leakCheck>;
let registry: ProcessRegistry;

beforeEach(async () => {
  workspace = await createTempWorkspace();
  leaks = leakCheck();
  registry = new ProcessRegistry({ stateFolder: workspace.path });
});

afterEach(async () => {
  await registry.dispose();
  await leaks.expectNoLeaks();
  await workspace.dispose();
});

function isRunning(pid: number): boolean {
  return findProcesses(1).some((entry) => entry.pid === pid);
}

interface Served {
  server: ServerProcess;
  /** Everything it has printed, once that has `lines` lines. */
  printed: (lines: number) => Promise<string[]>;
}

async function serve(script: string, more: Partial<ServerOptions> = {}): Promise<Served> {
  let text = '';
  let look = (): void => undefined;
  const server = await registry.serve({
    program: '/bin/sh',
    args: ['-c', script],
    cwd: workspace.path,
    env,
    onOutput: (chunk) => {
      text += chunk.toString();
      look();
    },
    ...more,
  });
  const printed = (lines: number) =>
    new Promise<string[]>((resolve) => {
      look = () => {
        const all = text.split('\n');
        if (all.length > lines) resolve(all.slice(0, -1));
      };
      look();
    });
  return { server, printed };
}

describe('ServerProcess', () => {
  it('INT-21 speaks both ways, in a process group of its own, and tells its end', async () => {
    const { server, printed } = await serve('echo $$ $(ps -o pgid= -p $$); read line; echo "got $line"; exit 3');
    const [first = ''] = await printed(1);
    const [pid, group] = first.split(/ +/).map(Number);
    expect([pid, group]).toEqual([server.pid, server.pid]);
    server.write('hello\n');
    expect((await printed(2))[1]).toBe('got hello');
    expect(await server.ended).toEqual({ exitCode: 3, signal: null });
    server.write('nobody reads this\n');
  });

  it('INT-21 keeps the beginning and the end of what it writes to standard error', async () => {
    const { server } = await serve('echo first >&2; yes filler | head -n 300000 >&2; echo last >&2');
    await server.ended;
    expect(server.errors.length).toBeLessThan(20_000);
    const lines = server.errors.trim().split('\n');
    expect(lines).toContainEqual(expect.stringMatching(/^\[\d+ bytes cut here\]$/));
    expect([lines[0], lines.at(-1)]).toEqual(['first', 'last']);
  });

  it('INT-21 ends what it has started as well, also where it ends by itself', async () => {
    const script = 'sleep 401 & echo $!; setsid sleep 402 & echo $!; read line';
    const { server, printed } = await serve(script);
    const pids = (await printed(2)).map(Number);
    expect(pids.map(isRunning)).toEqual([true, true]);
    server.write('go\n');
    expect(await server.ended).toEqual({ exitCode: 0, signal: null });
    expect(pids.map(isRunning)).toEqual([false, false]);
  });

  it('INT-21 ends one that ignores the signal', async () => {
    const { server, printed } = await serve('trap "" TERM; echo ready; while true; do sleep 0.1; done');
    await printed(1);
    await server.end();
    expect(await server.ended).toEqual({ exitCode: null, signal: 'SIGKILL', ended: 'asked' });
  });

  it('INT-21 ends one that takes too much memory, its children counted', async () => {
    const hog =
      'const all = []; for (;;) { all.push(Buffer.alloc(1 << 22, 1)); if (all.length > 60) setInterval(() => 0, 1e3), all.length = 61; if (all.length === 61) break; }';
    const { server } = await serve(`${process.execPath} -e '${hog}' & wait`, {
      maxMemory: 150 * 1024 * 1024,
      memoryCheckMs: 20,
    });
    expect(await server.ended).toMatchObject({ ended: 'memory' });
  });

  it('INT-21 lets one be that takes little memory', async () => {
    const { server, printed } = await serve('echo ready; read line', { maxMemory: 1e9, memoryCheckMs: 1 });
    await printed(1);
    expect(memoryOfTree(server.pid)).toBeGreaterThan(100_000);
    expect(memoryOfTree(server.pid)).toBeLessThan(1e9);
    server.write('go\n');
    expect(await server.ended).toEqual({ exitCode: 0, signal: null });
    expect(memoryOfTree(server.pid)).toBeUndefined();
  });

  it('INT-21 ends one that does not read what is written to it', async () => {
    const { server, printed } = await serve('echo ready; sleep 403');
    await printed(1);
    const text = 'x'.repeat(8 * 1024 * 1024);
    for (let written = 0; written < 10; written++) server.write(text);
    expect(await server.ended).toMatchObject({ ended: 'stuck' });
  });

  it('INT-21 says which program cannot be started', async () => {
    await expect(serve('', { program: '/no/such/program' })).rejects.toMatchObject({
      code: 'spawn_failed',
      message: expect.stringContaining('/no/such/program'),
    });
    await expect(serve('', { cwd: workspace.at('missing') })).rejects.toMatchObject({ code: 'cwd_missing' });
    expect(readdirSync(workspace.at('processes'))).toEqual([]);
  });

  it('INT-21 dies with the session, and none begins after it', async () => {
    const { server, printed } = await serve('echo ready; sleep 404');
    await printed(1);
    expect(readdirSync(workspace.at('processes'))).toHaveLength(1);
    await registry.dispose();
    expect(await server.ended).toMatchObject({ ended: 'asked' });
    expect(readdirSync(workspace.at('processes'))).toEqual([]);
    await expect(serve('true')).rejects.toMatchObject({ code: 'disposed' });
  });

  it('INT-21 is found by the next start where we were killed', async () => {
    const script = 'trap "" TERM HUP PIPE; echo $$; while true; do sleep 0.1; done';
    const parent = await startProcess({ command: process.execPath, args: [PARENT, workspace.path, script], env });
    const pid = Number((await parent.waitForOutput(/\d+\n/))[0]);
    parent.kill('SIGKILL');
    await parent.result;
    expect(isRunning(pid)).toBe(true);
    expect(await registry.sweepOrphans()).toMatchObject({ runs: 1, survivors: [] });
    expect(isRunning(pid)).toBe(false);
  });

  it('INT-21 can be contained: it sees the workspace, changes nothing in it, and reaches no network', async () => {
    await workspace.write('a.txt', 'one\n');
    const sandbox = new Sandbox({ root: workspace.path, stateHome: workspace.at('.state'), env: process.env });
    try {
      expect(await sandbox.status()).toMatchObject({ active: true });
      const script = 'cat a.txt; echo x > b.txt || echo refused; echo y > /tmp/mine && echo made; read line';
      const { server, printed } = await serve(script, {
        sandbox: () => sandbox.contain({ cwd: workspace.path, env: { PATH: process.env.PATH! }, readOnly: true }),
      });
      expect(await printed(3)).toEqual(['one', 'refused', 'made']);
      await server.end();
      expect(await server.ended).toMatchObject({ ended: 'asked' });
    } finally {
      sandbox.dispose();
    }
  });
});
