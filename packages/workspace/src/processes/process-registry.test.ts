import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { BlackError } from '@black-ide/protocol';
import {
  createTempWorkspace,
  findProcesses,
  leakCheck,
  type RunningProcess,
  startProcess,
  type TempWorkspace,
} from '@black-ide/testkit';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ProcessTable } from '../stores/process-table.ts';
import { ProcessRegistry } from './process-registry.ts';
import { RunRecords } from './run-records.ts';
import { startTimeOf } from './running-processes.ts';

const PARENT = fileURLToPath(new URL('./fixtures/hold-command.ts', import.meta.url));
const env = { PATH: process.env.PATH };
let workspace: TempWorkspace;
let leaks: ReturnType<typeof leakCheck>;

beforeEach(async () => {
  workspace = await createTempWorkspace();
  leaks = leakCheck();
});

afterEach(async () => {
  await leaks.expectNoLeaks();
  await workspace.dispose();
});

function isRunning(pid: number): boolean {
  return findProcesses(1).some((entry) => entry.pid === pid);
}

function records(): string[] {
  return readdirSync(workspace.at('processes'));
}

/** A parent that runs a command and is killed in the middle of it; the numbers that the command printed. */
async function killedParent(command: string, lines: number): Promise<{ parent: RunningProcess; pids: number[] }> {
  const parent = await startProcess({ command: process.execPath, args: [PARENT, workspace.path, command], env });
  const [output] = await parent.waitForOutput(new RegExp(`(?:\\d+\\n){${lines}}`));
  parent.kill('SIGKILL');
  await parent.result;
  return { parent, pids: output.trim().split('\n').map(Number) };
}

describe('ProcessRegistry', () => {
  it('IDE-18 leaves nothing behind when it is disposed', async () => {
    const registry = new ProcessRegistry({ stateFolder: workspace.path });
    const pids: number[] = [];
    const started = Promise.withResolvers<void>();
    const runs = [1, 2, 3].map((index) =>
      registry.run({
        command: `setsid sleep 32${index} & echo $!; sleep 33${index}`,
        cwd: workspace.path,
        env,
        onOutput: (text) => {
          pids.push(Number(text));
          if (pids.length === 3) started.resolve();
        },
      }),
    );
    await started.promise;
    expect(registry.running).toBe(3);
    expect(records()).toHaveLength(3);
    await registry.dispose();
    for (const result of await Promise.all(runs)) expect(result).toMatchObject({ aborted: true, survivors: [] });
    expect(pids.filter(isRunning)).toEqual([]);
    expect(records()).toEqual([]);
    expect(registry.running).toBe(0);
    await expect(registry.run({ command: 'true', cwd: '/', env })).rejects.toMatchObject({ code: 'disposed' });
  });

  it('IDE-18 ends a run that was just being started', async () => {
    const registry = new ProcessRegistry({ stateFolder: workspace.path });
    const run = registry.run({ command: 'sleep 340', cwd: '/', env });
    await registry.dispose();
    expect(await run).toMatchObject({ aborted: true });
  });

  it('IDE-18 takes the signal of the caller as well, and ends one run alone', async () => {
    await using registry = new ProcessRegistry();
    const stop = new AbortController();
    await registry.run({ command: 'mkfifo go', cwd: workspace.path, env });
    const other = registry.run({ command: 'read x < go; echo done', cwd: workspace.path, env });
    const run = registry.run({
      command: 'echo ready; sleep 341',
      cwd: workspace.path,
      env,
      signal: stop.signal,
      onOutput: () => stop.abort(),
    });
    expect(await run).toMatchObject({ aborted: true, output: 'ready\n' });
    await registry.run({ command: 'echo > go', cwd: workspace.path, env });
    expect((await other).aborted).toBe(false);
  });

  it('runs commands where nothing can be written down, and says so', async () => {
    writeFileSync(workspace.at('file'), '');
    const problems: BlackError[] = [];
    await using registry = new ProcessRegistry({
      stateFolder: workspace.at('file'),
      onProblem: (problem) => problems.push(problem),
    });
    expect(await registry.run({ command: 'echo fine', cwd: '/', env })).toMatchObject({ output: 'fine\n' });
    expect(problems.map(({ code }) => code)).toContain('run_not_recorded');
    expect(await registry.sweepOrphans()).toEqual({ runs: 0, processes: 0, survivors: [] });
    expect(problems.at(-1)?.code).toBe('sweep_failed');
  });

  it('IDE-18 marks a run inside a run with both names', async () => {
    await using registry = new ProcessRegistry({ env: { BLACK_RUN_ID: 'a'.repeat(32) } });
    const { output } = await registry.run({ command: 'echo $BLACK_RUN_ID', cwd: '/', env });
    expect(output).toMatch(/^a{32}\.[0-9a-f]{32}\n$/);
  });
});

describe('sweepOrphans', () => {
  it('IDE-18 ends at the next start what a killed process left running', async () => {
    const command = 'trap "" TERM; echo $$; sleep 342 & echo $!; setsid sleep 343 & echo $!; wait';
    const { pids } = await killedParent(command, 3);
    expect(pids.map(isRunning)).toEqual([true, true, true]);
    await using registry = new ProcessRegistry({ stateFolder: workspace.path });
    expect(await registry.sweepOrphans()).toEqual({ runs: 1, processes: 3, survivors: [] });
    expect(pids.filter(isRunning)).toEqual([]);
    expect(records()).toEqual([]);
    expect(await registry.sweepOrphans()).toEqual({ runs: 0, processes: 0, survivors: [] });
  });

  it('IDE-18 finds them although the shell is gone', async () => {
    const { pids } = await killedParent('sleep 344 & echo $!; echo $$; wait', 2);
    process.kill(pids[1]!, 'SIGKILL');
    await expect.poll(() => isRunning(pids[1]!)).toBe(false);
    await using registry = new ProcessRegistry({ stateFolder: workspace.path });
    expect(await registry.sweepOrphans()).toMatchObject({ runs: 1, processes: 1, survivors: [] });
    expect(isRunning(pids[0]!)).toBe(false);
  });

  it('IDE-18 finds a process that its owner had started itself', async () => {
    const registryUrl = new URL('./process-registry.ts', import.meta.url).href;
    const script = `
      import { spawn } from 'node:child_process';
      import { ProcessRegistry } from ${JSON.stringify(registryUrl)};
      await new ProcessRegistry({ stateFolder: ${JSON.stringify(workspace.path)}, env: { BLACK_RUN_ID: 'outer' } }).own((env) => {
        console.log(spawn('/bin/sleep', ['346'], { env, stdio: 'ignore' }).pid);
        return new Promise(() => setInterval(() => undefined, 1_000));
      });`;
    const owner = await startProcess({ command: process.execPath, args: ['--input-type=module', '-e', script], env });
    const pid = Number((await owner.waitForOutput(/\d+\n/))[0]);
    owner.kill('SIGKILL');
    await owner.result;
    expect(isRunning(pid)).toBe(true);
    await using registry = new ProcessRegistry({ stateFolder: workspace.path });
    expect(await registry.sweepOrphans()).toEqual({ runs: 1, processes: 1, survivors: [] });
    expect(isRunning(pid)).toBe(false);
  });

  it('leaves the commands of a living process alone', async () => {
    await using owner = new ProcessRegistry({ stateFolder: workspace.path });
    const run = owner.run({
      command: 'mkfifo go; echo ready; read x < go; echo done',
      cwd: workspace.path,
      env,
      onOutput: (text) => {
        if (text !== 'ready\n') return;
        const second = new ProcessRegistry({ stateFolder: workspace.path });
        void second.sweepOrphans().then((swept) => writeFileSync(workspace.at('go'), `${swept.runs}\n`));
      },
    });
    expect(await run).toMatchObject({ exitCode: 0, output: 'ready\ndone\n' });
  });

  it('touches nobody whose number, start, boot or marker is not the recorded one', async () => {
    const innocent = await startProcess({ command: 'sleep', args: ['345'], env });
    try {
      const { pid } = innocent;
      const startTime = startTimeOf(pid)!;
      const { bootId } = new ProcessTable().self();
      const dead = { pid: 2 ** 22 - 1, startTime: '1', bootId };
      const write = (digit: string, record: object): void => {
        const runId = digit.repeat(32);
        mkdirSync(workspace.at('processes'), { recursive: true });
        writeFileSync(workspace.at('processes', `${runId}.run.json`), JSON.stringify({ runId, ...record }));
      };
      write('1', { pid, startTime, owner: dead });
      write('2', { pid, startTime: startTime - 1, owner: dead });
      write('3', { pid, startTime, owner: { ...dead, bootId: 'another' } });
      write('4', { owner: dead });
      writeFileSync(workspace.at('processes', 'notes.txt'), 'foreign');
      await using registry = new ProcessRegistry({ stateFolder: workspace.path });
      expect(await registry.sweepOrphans()).toEqual({ runs: 4, processes: 0, survivors: [] });
      expect(isRunning(pid)).toBe(true);
      expect(records()).toEqual(['notes.txt']);
      expect(readFileSync(workspace.at('processes', 'notes.txt'), 'utf8')).toBe('foreign');
    } finally {
      await innocent.dispose();
    }
  });

  it('removes records that are torn or say nonsense', async () => {
    mkdirSync(workspace.at('processes'));
    const texts = ['', '{', '[]', '{"runId":"x"}', '{"runId":"5","owner":{"pid":"one"}}', '\0'];
    for (const [index, text] of texts.entries()) {
      writeFileSync(workspace.at('processes', `${String(index).repeat(32)}.run.json`), text);
    }
    expect(new RunRecords(workspace.path).read()).toEqual([]);
    expect(records()).toEqual([]);
  });
});
