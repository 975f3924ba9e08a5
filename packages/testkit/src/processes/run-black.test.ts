import { expect, it } from 'vitest';
import { createTempWorkspace } from '../workspaces/temp-workspace.ts';
import { blackEnvironment, runBlack, startBlack } from './run-black.ts';

it('runs the program with an isolated home and a clean environment', async () => {
  await using workspace = await createTempWorkspace();
  const result = await runBlack({ args: ['--version'], cwd: workspace.path });
  expect(result).toMatchObject({ code: 0, signal: null });
  await using running = await startBlack({ args: ['--version'], cwd: workspace.path, home: workspace.path });
  expect(await running.result).toMatchObject({ code: 0 });
});

it('gives the mock model server for both wires, and nothing of the machine’s keys', () => {
  const server = { anthropicUrl: 'http://127.0.0.1:1', openaiUrl: 'http://127.0.0.1:1/v1' };
  const env = blackEnvironment('/home/x', { modelServer: server, env: { EXTRA: '1', PATH: undefined } });
  expect(env).toMatchObject({
    HOME: '/home/x',
    BLACKIDE_HOME: '/home/x',
    ANTHROPIC_BASE_URL: 'http://127.0.0.1:1',
    OPENAI_BASE_URL: 'http://127.0.0.1:1/v1',
    EXTRA: '1',
    PATH: undefined,
  });
  expect(blackEnvironment('/home/x').ANTHROPIC_API_KEY).toBeUndefined();
});
