import { expect, it } from 'vitest';
import { findProcesses } from '../leaks/process-table.ts';
import { runProcess } from './run-process.ts';
import { startProcess } from './start-process.ts';

const NODE = process.execPath;
const env = { PATH: process.env.PATH };

it('returns what a process printed and how it ended', async () => {
  const script = `process.stdin.on('data', (d) => process.stdout.write('got ' + d)); process.stdin.on('end', () => { console.error('bye'); process.exit(3) })`;
  const result = await runProcess({ command: NODE, args: ['-e', script], stdin: 'input', env });
  expect(result).toEqual({ stdout: 'got input', stderr: 'bye\n', code: 3, signal: null });
});

it('passes on no environment but the given', async () => {
  const result = await runProcess({
    command: NODE,
    args: ['-p', 'JSON.stringify(Object.keys(process.env))'],
    env: { A: '1' },
  });
  expect(JSON.parse(result.stdout)).toEqual(['A']);
});

it('kills the group at the wanted moment', async () => {
  const result = await runProcess({
    command: 'sh',
    args: ['-c', 'sleep 300 & echo started; wait'],
    env,
    killAt: (running) => running.waitForOutput(/started/),
  });
  expect(result).toMatchObject({ stdout: 'started\n', signal: 'SIGKILL' });
  expect(findProcesses(process.pid)).toEqual([]);
});

it('does not wait for a grandchild that holds the output, and kills it in the end', async () => {
  const result = await runProcess({ command: 'sh', args: ['-c', 'sleep 301 & echo done'], env });
  expect(result).toMatchObject({ stdout: 'done\n', code: 0 });
});

it('kills and says what came when the time is up', async () => {
  const run = runProcess({ command: 'sh', args: ['-c', 'echo here; sleep 302'], env, timeoutMs: 300 });
  await expect(run).rejects.toThrow(/Not finished after 300 ms: sh -c echo here; sleep 302\nstdout: here/);
});

it('says when awaited output cannot come any more', async () => {
  await using running = await startProcess({ command: 'sh', args: ['-c', 'echo something else'], env });
  await expect(running.waitForOutput(/wanted/)).rejects.toThrow(/without \/wanted\//);
  await running.result;
  await expect(running.waitForOutput(/wanted/)).rejects.toThrow(/without \/wanted\//);
});

it('talks with a process whose stdin stays open', async () => {
  await using running = await startProcess({ command: 'cat', stdin: 'open', env });
  running.stdin.write('hello\n');
  expect((await running.waitForOutput(/hel+o/))[0]).toBe('hello');
  running.stdin.end();
  expect(await running.result).toMatchObject({ code: 0 });
});

it('rejects for a command that is not there', async () => {
  await expect(startProcess({ command: '/no/such/command', env })).rejects.toThrow('ENOENT');
});
