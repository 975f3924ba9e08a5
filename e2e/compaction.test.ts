import { createMockModelServer, createTempWorkspace, runBlack, startBlack } from '@black-ide/testkit';
import { expect, it } from 'vitest';

const ARGS = ['--model', 'openai/mock', '--output', 'json'];

it('SES-17 kill -9 in the middle of a compaction, then -c "go on": the session is as it was, and goes on', async () => {
  let calls = 0;
  await using server = await createMockModelServer((request) => {
    if (request.system.startsWith('You condense the record')) return { text: 'never', hang: 'summary' };
    calls += 1;
    if (calls === 1) return { toolCalls: [{ name: 'read_file', args: { path: 'long.txt' } }] };
    if (calls === 2) return { toolCalls: [{ name: 'read_file', args: { path: 'a.txt' } }] };
    if (calls === 3) return { error: { status: 400, message: 'prompt is too long' } };
    return { text: `I know of ${request.messages.filter(({ role }) => role === 'toolResult').length} files.` };
  });
  await using home = await createTempWorkspace({});
  const files = { 'a.txt': 'alpha\n', 'long.txt': 'All work and no play.\n'.repeat(300) };
  await using workspace = await createTempWorkspace({ files });
  const where = { cwd: workspace.path, home: home.path, modelServer: server };
  await using running = await startBlack({ args: ['-p', 'read them', ...ARGS], ...where });
  await server.reached('summary');
  running.kill('SIGKILL', 'process');
  await running.result;

  const resumed = await runBlack({ args: ['-p', '-c', 'go on', ...ARGS], ...where });
  expect(JSON.parse(resumed.stdout)).toMatchObject({ outcome: 'completed', result: 'I know of 2 files.' });
});

it('IDE-24 a ceiling of tokens or time ends a run with outcome budget and exit code 4', async () => {
  await using server = await createMockModelServer((request) =>
    request.lastUserText === 'hang'
      ? { hang: 'for ever' }
      : { toolCalls: [{ name: 'list_directory', args: {} }], usage: { input: 3_000 } },
  );
  await using home = await createTempWorkspace({});
  await using workspace = await createTempWorkspace({});
  const where = { cwd: workspace.path, home: home.path, modelServer: server };
  const tokens = await runBlack({ args: ['-p', 'go', '--max-tokens', '7000', ...ARGS], ...where });
  expect(tokens.code).toBe(4);
  expect(JSON.parse(tokens.stdout)).toMatchObject({ outcome: 'budget', error: { code: 'budget' }, turns: 2 });
  const time = await runBlack({ args: ['-p', 'hang', '--max-time', '0.3', ...ARGS], ...where });
  expect(time.code).toBe(4);
  expect(JSON.parse(time.stdout)).toMatchObject({
    outcome: 'budget',
    error: { message: 'Reached the time limit of 0.3 s.' },
  });
});
