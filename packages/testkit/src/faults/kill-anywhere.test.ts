import { expect, it } from 'vitest';
import { createMockModelServer } from '../mock-model-server/mock-model-server.ts';
import { startProcess } from '../processes/start-process.ts';
import { createTempWorkspace } from '../workspaces/temp-workspace.ts';
import { lineEvents, serverEvents } from './event-source.ts';
import { type KilledRun, killAnywhere } from './kill-anywhere.ts';

const NODE = process.execPath;

/** Replaces a file in the careful way, once with each kind of API. */
const CAREFUL = `
import { appendFileSync, closeSync, fsyncSync, openSync, renameSync, writeSync } from 'node:fs';
import { appendFile, open, rename } from 'node:fs/promises';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
const fd = openSync('one.tmp', 'w');
writeSync(fd, 'NEW-ONE!');
fsyncSync(fd);
closeSync(fd);
renameSync('one.tmp', 'one.txt');
appendFileSync('log.txt', 'one\\n');
const handle = await open('two.tmp', 'w');
await handle.write('NEW-TWO!');
await handle.sync();
await handle.close();
await rename('two.tmp', 'two.txt');
await appendFile('log.txt', 'two\\n');
const child = 'require("fs").appendFileSync("log.txt", "child\\\\n"); console.log("child")';
console.log((await promisify(execFile)(process.execPath, ['-e', child])).stdout);
`;

it('stops a program at every step that changes a file, before it and in its middle', async () => {
  const runs: KilledRun[] = [];
  const { kills } = await killAnywhere({
    points: { by: 'fs-steps', roots: (workspace) => [workspace.path] },
    setUp: async () =>
      await createTempWorkspace({
        files: { 'careful.mjs': CAREFUL, 'one.txt': 'OLD', 'two.txt': 'OLD', 'log.txt': '' },
      }),
    start: async (workspace, env) =>
      await startProcess({ command: NODE, args: ['careful.mjs'], cwd: workspace.path, env }),
    check: async (workspace, run) => {
      runs.push(run);
      expect(['OLD', 'NEW-ONE!']).toContain(await workspace.read('one.txt'));
      expect(['OLD', 'NEW-TWO!']).toContain(await workspace.read('two.txt'));
    },
    tearDown: async (workspace) => await workspace.dispose(),
  });
  const last = runs.at(-1)!;
  expect(last.result.stderr).toBe('');
  const names = last.steps.map((step) => step.split(' ')[0]);
  expect(names).toEqual([
    'open',
    'write',
    'fsync',
    'rename',
    'appendFile',
    'open',
    'write',
    'sync',
    'rename',
    'appendFile',
    'spawn',
  ]);
  expect(last).toMatchObject({ killed: false, result: { code: 0, stdout: 'child\n\n' } });
  expect(kills).toBe(2 * names.length);
  const killed = runs.filter((run) => run.killed);
  expect(killed.map((run) => run.steps.length)).toEqual(killed.map((run) => run.k));
});

it('leaves a half-done write behind when it kills in the middle of one', async () => {
  const seen = new Map<string, string>();
  await killAnywhere({
    points: { by: 'fs-steps', roots: (workspace) => [workspace.path] },
    setUp: async () =>
      await createTempWorkspace({
        files: { 'write.mjs': `import fs from 'node:fs'; fs.appendFileSync('log.txt', 'abcdef');` },
      }),
    start: async (workspace, env) =>
      await startProcess({ command: NODE, args: ['write.mjs'], cwd: workspace.path, env }),
    check: async (workspace, run) => {
      const { 'log.txt': log } = await workspace.snapshot();
      const text = log?.kind === 'file' ? log.bytes.toString() : 'absent';
      seen.set(run.killed ? (run.torn ? 'torn' : 'before') : 'whole', text);
    },
    tearDown: async (workspace) => await workspace.dispose(),
  });
  expect(Object.fromEntries(seen)).toEqual({ torn: 'abc', before: 'absent', whole: 'abcdef' });
});

const ASKING = `
for (let n = 0; n < 3; n++) {
  const reply = await fetch(process.env.BASE + '/chat/completions', {
    method: 'POST',
    headers: { authorization: 'Bearer k' },
    body: JSON.stringify({ model: 'm', messages: [{ role: 'user', content: String(n) }] }),
  });
  await reply.json();
  console.log('turn ' + n);
}
`;

it('stops a program at every request that reaches the model server', async () => {
  const printed: string[] = [];
  const { kills } = await killAnywhere({
    points: { by: 'events', source: (server) => serverEvents(server) },
    setUp: async () => await createMockModelServer(() => ({ text: 'ok' })),
    start: async (server, env) =>
      await startProcess({
        command: NODE,
        args: ['--input-type=module', '-e', ASKING],
        env: { ...env, BASE: server.openaiUrl },
      }),
    check: async (server, run) => {
      printed.push(run.result.stdout);
      expect(server.modelCalls()).toHaveLength(run.killed ? run.k : 3);
    },
    tearDown: async (server) => await server.close(),
  });
  expect(kills).toBe(3);
  expect(printed).toEqual(['', 'turn 0\n', 'turn 0\nturn 1\n', 'turn 0\nturn 1\nturn 2\n']);
});

it('stops a program when lines appear in its log, alone or with its group', async () => {
  const writing = `
    const fs = require('node:fs');
    fs.mkdirSync('sessions/x', { recursive: true });
    let n = 0;
    const next = () => { fs.appendFileSync('sessions/x/a.jsonl', n + '\\n'); if (++n < 3) setTimeout(next, 50); };
    next();
  `;
  for (const target of ['process', 'group'] as const) {
    const { kills } = await killAnywhere({
      points: { by: 'events', source: (workspace) => lineEvents(workspace.at('sessions')), target },
      setUp: async () => await createTempWorkspace(),
      start: async (workspace, env) =>
        await startProcess({ command: NODE, args: ['-e', writing], cwd: workspace.path, env }),
      check: async (workspace, run) => {
        const lines = (await workspace.read('sessions/x/a.jsonl')).split('\n').length - 1;
        expect(lines).toBeGreaterThanOrEqual(Math.min(run.k, 3));
      },
      tearDown: async (workspace) => await workspace.dispose(),
    });
    expect(kills).toBeGreaterThanOrEqual(2);
  }
});

it('names the kill point when a check fails, and gives up on a command without an end', async () => {
  const options = {
    setUp: async () => await createTempWorkspace(),
    start: async (_workspace: unknown, env: Record<string, string>) =>
      await startProcess({ command: NODE, args: ['-e', `require('fs').mkdirSync('/tmp/never/made')`], env }),
    tearDown: async (workspace: { dispose(): Promise<void> }) => await workspace.dispose(),
  };
  const failing = killAnywhere({
    ...options,
    points: { by: 'fs-steps' as const, roots: () => ['/tmp/never'] },
    check: async () => {
      throw new Error('not as it should be');
    },
  });
  await expect(failing).rejects.toThrow('killed at point 1, in the middle of: mkdir /tmp/never/made');
  const endless = killAnywhere({
    ...options,
    points: { by: 'fs-steps' as const, roots: () => ['/tmp/never'] },
    check: async () => undefined,
    maxRuns: 1,
  });
  await expect(endless).rejects.toThrow('still killed after 1 runs');
});
