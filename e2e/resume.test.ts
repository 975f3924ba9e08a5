import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createMockModelServer, createTempWorkspace, leakCheck, runBlack, startBlack } from '@black-ide/testkit';
import { describe, expect, it } from 'vitest';

async function sessionLines(home: string): Promise<Record<string, unknown>[]> {
  const folder = join(home, 'sessions');
  const file = (await readdir(folder, { recursive: true })).find((name) => name.endsWith('.jsonl'));
  const text = await readFile(join(folder, file!), 'utf8');
  return text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));
}

describe('resume', () => {
  it('IDE-7 kill -9 in mid-command, then -c "go on": nothing lost, the command known as interrupted, nothing left running', async () => {
    await using server = await createMockModelServer({
      match: 'conversation',
      turns: [
        {
          toolCalls: [
            { id: 'call_1', name: 'run_command', args: { command: 'echo started > started.txt; sleep 600' } },
          ],
        },
        { text: 'I see that it was interrupted.' },
      ],
    });
    await using home = await createTempWorkspace({});
    await using workspace = await createTempWorkspace({});
    const leaks = await leakCheck();
    const args = ['--model', 'openai/mock', '--auto-approve'];
    const started = Promise.withResolvers<void>();
    const running = await startBlack({
      args: ['-p', 'start it', ...args, '--output', 'stream-json'],
      cwd: workspace.path,
      home: home.path,
      modelServer: server,
    });
    await running.waitForOutput(/"type":"ToolStarted"/);
    started.resolve();
    running.kill('SIGKILL', 'process');
    await running.result;

    const resumed = await runBlack({
      args: ['-p', '-c', 'go on', ...args],
      cwd: workspace.path,
      home: home.path,
      modelServer: server,
    });
    expect(resumed.stderr).toBe('');
    expect(resumed.stdout).toBe('I see that it was interrupted.\n');
    const lines = await sessionLines(home.path);
    const texts = JSON.stringify(lines);
    expect(texts).toContain('may have had effects');
    expect(lines.filter((line) => JSON.stringify(line).includes('"customType":"tool_start"'))).toHaveLength(1);
    await running.dispose();
    await leaks.expectNoLeaks();
  });

  it('IDE-16 the ceiling stops headless with 4 and the very text; approve goes on where it stood', async () => {
    const read = { toolCalls: [{ name: 'list_directory', args: {} }] };
    await using server = await createMockModelServer([read, read, read, { text: 'done after all' }]);
    await using home = await createTempWorkspace({});
    await using workspace = await createTempWorkspace({});
    const run = { cwd: workspace.path, home: home.path, modelServer: server };
    const stopped = await runBlack({
      args: ['-p', 'go', '--model', 'openai/mock', '--max-iterations', '2', '--output', 'json'],
      ...run,
    });
    expect(stopped.code).toBe(4);
    const { sessionId, result, error } = JSON.parse(stopped.stdout);
    expect(`${result}${error?.message ?? ''}`).toContain('Reached the maximum of 2 tool iterations.');
    const approved = await runBlack({ args: ['approve', sessionId], ...run });
    expect(approved.stdout).toBe('done after all\n');
    expect(approved.code).toBe(0);
  });

  it('IDE-83 a command that needs a person stops with 3; approve runs it, reject tells the model', async () => {
    for (const [verb, expected] of [
      ['approve', 'made.txt'],
      ['reject', ''],
    ] as const) {
      await using server = await createMockModelServer([
        { toolCalls: [{ id: 'c1', name: 'run_command', args: { command: 'touch made.txt' } }] },
        { text: 'over' },
      ]);
      await using home = await createTempWorkspace({});
      await using workspace = await createTempWorkspace({});
      const run = { cwd: workspace.path, home: home.path, modelServer: server };
      const stopped = await runBlack({
        args: ['-p', 'make it', '--model', 'anthropic/mock', '--output', 'json'],
        ...run,
      });
      expect(stopped.code).toBe(3);
      expect(stopped.stderr).toMatch(/black approve/);
      const { sessionId } = JSON.parse(stopped.stdout);
      const answered = await runBlack({ args: [verb, sessionId], ...run });
      expect(answered.stdout).toBe('over\n');
      expect((await readdir(workspace.path)).join()).toBe(expected);
    }
  });

  it('IDE-83 approve works in the folder where the question was asked, wherever the person stands', async () => {
    await using server = await createMockModelServer([
      { toolCalls: [{ id: 'c1', name: 'run_command', args: { command: 'touch made.txt' } }] },
      { text: 'over' },
    ]);
    await using home = await createTempWorkspace({});
    await using asked = await createTempWorkspace({});
    await using elsewhere = await createTempWorkspace({});
    const run = { home: home.path, modelServer: server };
    const stopped = await runBlack({
      args: ['-p', 'make it', '--model', 'openai/mock', '--output', 'json'],
      cwd: asked.path,
      ...run,
    });
    const { sessionId } = JSON.parse(stopped.stdout);
    const answered = await runBlack({ args: ['approve', sessionId], cwd: elsewhere.path, ...run });
    expect(answered.stdout).toBe('over\n');
    expect(answered.stderr).toContain(asked.path);
    expect(await readdir(elsewhere.path)).toEqual([]);
    expect(await readdir(asked.path)).toEqual(['made.txt']);
  });

  it('IDE-35 a message that overtakes an open question says that the question counts as answered with no', async () => {
    await using server = await createMockModelServer([
      { toolCalls: [{ id: 'c1', name: 'run_command', args: { command: 'touch made.txt' } }] },
      { text: 'not made' },
    ]);
    await using home = await createTempWorkspace({});
    await using workspace = await createTempWorkspace({});
    const run = { cwd: workspace.path, home: home.path, modelServer: server };
    await runBlack({ args: ['-p', 'make it', '--model', 'openai/mock'], ...run });
    const next = await runBlack({ args: ['-p', '-c', 'yes', '--model', 'openai/mock'], ...run });
    expect(next.stderr).toMatch(/before an answer to “Run `touch made.txt`\?”: it counts as no/);
    expect(await readdir(workspace.path)).toEqual([]);
  });

  it('SES-7 a second process on one session is told, and nothing is interleaved', async () => {
    await using server = await createMockModelServer([{ hang: true, text: 'first' }, { text: 'second' }]);
    await using home = await createTempWorkspace({});
    await using workspace = await createTempWorkspace({});
    const run = { cwd: workspace.path, home: home.path, modelServer: server };
    const first = await startBlack({ args: ['-p', 'one', '--model', 'openai/mock'], ...run });
    await server.waitForModelCalls(1);
    const second = await runBlack({ args: ['-p', '-c', 'two', '--model', 'openai/mock'], ...run });
    expect(second.code).toBe(1);
    expect(second.stderr).toMatch(/open|held|another/i);
    server.release('hang');
    expect((await first.result).stdout).toBe('first\n');
    await first.dispose();
  });

  it('IDE-18 SIGINT cancels within a second with 130, the session stays loadable, no process is left', async () => {
    await using server = await createMockModelServer([
      { toolCalls: [{ name: 'run_command', args: { command: 'sleep 600 & sleep 600' } }] },
      { text: 'went on' },
    ]);
    await using home = await createTempWorkspace({});
    await using workspace = await createTempWorkspace({});
    const leaks = await leakCheck();
    const run = { cwd: workspace.path, home: home.path, modelServer: server };
    const args = ['--model', 'openai/mock', '--auto-approve'];
    const running = await startBlack({ args: ['-p', 'sleep', ...args, '--output', 'stream-json'], ...run });
    await running.waitForOutput(/"type":"ToolStarted"/);
    running.kill('SIGINT', 'process');
    const { code } = await running.result;
    expect(code).toBe(130);
    const resumed = await runBlack({ args: ['-p', '-c', 'go on', ...args], ...run });
    expect(resumed.stdout).toBe('went on\n');
    await running.dispose();
    await leaks.expectNoLeaks();
  });
});
