import { createMockModelServer, createTempWorkspace, readProcessTable, runBlack } from '@black-ide/testkit';
import { describe, expect, it } from 'vitest';

describe('the tools of a headless run', () => {
  it('§4-23 a background command that never ends does not hold the run up, and is gone when it is over', async () => {
    const mark = `black-e2e-tools-${process.pid}`;
    const command = `exec -a ${mark} sleep 1000`;
    await using workspace = await createTempWorkspace({});
    await using modelServer = await createMockModelServer([
      { toolCalls: [{ name: 'run_command', args: { command, background: true } }] },
      { text: 'It runs.' },
    ]);
    const args = ['-p', 'start it', '--auto-approve', '--model', 'anthropic/mock'];
    const ran = await runBlack({ args, cwd: workspace.path, modelServer, timeoutMs: 20_000 });
    expect(ran).toMatchObject({ code: 0, stdout: 'It runs.\n' });
    expect(readProcessTable().filter((entry) => entry.command.startsWith(mark))).toEqual([]);
  });

  it('IDE-73 ask_user stops the run with exit code 3, and black approve goes on with the answer', async () => {
    await using workspace = await createTempWorkspace({});
    await using home = await createTempWorkspace({});
    await using modelServer = await createMockModelServer([
      { toolCalls: [{ name: 'ask_user', args: { question: 'Which colour?', options: ['red', 'blue'] } }] },
      { text: 'Blue it is.' },
    ]);
    const run = (args: string[]) => runBlack({ args, cwd: workspace.path, home: home.path, modelServer });
    const stopped = await run(['-p', 'paint', '--model', 'openai/mock', '--output', 'json']);
    expect(stopped.code).toBe(3);
    expect(stopped.stderr).toContain('Stopped to ask: Which colour?');
    expect(stopped.stderr).toContain('2. blue');
    const [, session = ''] = /black approve (\S+) --reason/.exec(stopped.stderr) ?? [];
    const approved = await run(['approve', session, '--reason', '2']);
    expect(approved).toMatchObject({ code: 0, stdout: 'Blue it is.\n' });
    expect(modelServer.requests.at(-1)!.rawBody.toString()).toContain('The person answered: blue');
  });
});
