import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, rmdir } from 'node:fs/promises';
import { createServer } from 'node:net';
import { expect, it } from 'vitest';
import { startProcess } from '../processes/start-process.ts';
import { createTempWorkspace } from '../workspaces/temp-workspace.ts';
import { leakCheck } from './leak-check.ts';

it('finds a child process that stays, and is content when it is gone', async () => {
  const leaks = leakCheck({ graceMs: 50 });
  const child = spawn('sleep', ['303'], { stdio: 'ignore' });
  await once(child, 'spawn');
  await expect(leaks.expectNoLeaks()).rejects.toThrow(`process ${child.pid}: sleep 303`);
  child.kill();
  await leaks.expectNoLeaks();
  expect(leaks.leftovers()).toEqual([]);
});

it('finds a daemon by the mark in its environment', async () => {
  const marker = `BLACK_TEST_MARK=${process.pid}`;
  const leaks = leakCheck({ marker, graceMs: 50 });
  const [name, value] = marker.split('=');
  const env = { PATH: process.env.PATH, [name!]: value };
  const parent = await startProcess({ command: 'sh', args: ['-c', 'setsid sleep 304 >/dev/null 2>&1 & echo $!'], env });
  const { stdout } = await parent.result;
  const daemon = Number(stdout);
  await expect(leaks.expectNoLeaks()).rejects.toThrow('sleep 304');
  process.kill(daemon, 'SIGKILL');
  await leakCheck({ marker }).expectNoLeaks();
  await leaks.expectNoLeaks();
});

it('finds an open server and a forgotten folder', async () => {
  await using workspace = await createTempWorkspace();
  const leaks = leakCheck({ tempFolder: workspace.path, graceMs: 200 });
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  await mkdir(workspace.at('forgotten'));
  await expect(leaks.expectNoLeaks()).rejects.toThrow(/1 × TCPServerWrap\n\s+temporary forgotten/);
  server.close();
  await rmdir(workspace.at('forgotten'));
  await leaks.expectNoLeaks();
});
