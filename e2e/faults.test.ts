import { mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  BLACK_BIN,
  blackEnvironment,
  createMockModelServer,
  createTempWorkspace,
  type RecordedRequest,
  runBlack,
  runProcess,
  type Turn,
} from '@black-ide/testkit';
import { describe, expect, it } from 'vitest';

/** The tool results that the last request carried, as text. */
function resultsOf(calls: readonly RecordedRequest[]): string[] {
  const { messages } = calls.at(-1)!.body as { messages: { role: string; content: unknown }[] };
  return messages.filter((message) => message.role === 'tool').map((message) => String(message.content));
}

/** Runs one turn of calls and answers what the model got back for each. */
async function callTools(
  toolCalls: Turn['toolCalls'],
  files: Record<string, string | Uint8Array> = {},
  prepare?: (cwd: string) => Promise<void>,
) {
  await using server = await createMockModelServer([{ toolCalls: toolCalls! }, { text: 'done' }]);
  await using workspace = await createTempWorkspace({ files });
  await prepare?.(workspace.path);
  const result = await runBlack({
    args: ['-p', 'go', '--model', 'openai/mock'],
    cwd: workspace.path,
    modelServer: server,
  });
  expect(result.stdout).toBe('done\n');
  expect(result.code).toBe(0);
  return { results: resultsOf(server.modelCalls()), workspace: await workspace.snapshot() };
}

describe('bad input to tools goes back to the model and the loop goes on', () => {
  it('IDE-15 broken JSON arguments, a missing field, an unknown tool, a tool named constructor', async () => {
    const { results } = await callTools([
      { name: 'read_file', rawArgs: '{"path": "a' },
      { name: 'read_file', args: { file: 'a' } },
      { name: 'no_such_tool', args: {} },
      { name: 'constructor', args: {} },
    ]);
    expect(results).toHaveLength(4);
    expect(results[0]).toMatch(/not a JSON object/);
    expect(results[1]).toMatch(/do not fit.*path/);
    expect(results[2]).toMatch(/no tool `no_such_tool`/);
    expect(results[3]).toMatch(/no tool `constructor`/);
  });

  it('IDE-14 a 5 MB file is read in bounded parts', async () => {
    const { results } = await callTools([{ name: 'read_file', args: { path: 'big.txt' } }], {
      'big.txt': 'a line of text\n'.repeat(350_000),
    });
    expect(results[0]!.length).toBeLessThan(60_000);
    expect(results[0]).toMatch(/of 350000; read on with offset \d+\]/);
  });

  it('IDE-53 a FIFO, a folder, a binary, a link out of the workspace, a path above: each a clear refusal', async () => {
    const outside = join(tmpdir(), `black-outside-${process.pid}.txt`);
    await writeFile(outside, 'secret');
    try {
      const read = (path: string) => ({ name: 'read_file', args: { path } });
      const { results } = await callTools(
        [read('pipe'), read('folder'), read('binary.bin'), read('out'), read('../x'), read('nothing.txt')],
        { 'binary.bin': new Uint8Array([0, 1, 2, 255, 0]) },
        async (cwd) => {
          await mkdir(join(cwd, 'folder'));
          await symlink(outside, join(cwd, 'out'));
          await runProcess({ command: 'mkfifo', args: [join(cwd, 'pipe')], env: { PATH: process.env.PATH } });
        },
      );
      expect(results[0]).toMatch(/named pipe/);
      expect(results[1]).toMatch(/folder/);
      expect(results[2]).toMatch(/not text/);
      expect(results[3]).toMatch(/Refused \(stage 3/);
      expect(results[4]).toMatch(/Refused \(stage 3/);
      expect(results[5]).toMatch(/no such file/);
      expect(results.join()).not.toContain('secret');
    } finally {
      await rm(outside);
    }
  });

  it('IDE-63 a command that would wreck the machine is refused, whatever the flags say', async () => {
    await using server = await createMockModelServer([
      { toolCalls: [{ name: 'run_command', args: { command: 'X=/; rm -r -f "$X"' } }] },
      { text: 'refused, I see' },
    ]);
    await using workspace = await createTempWorkspace({});
    const result = await runBlack({
      args: ['-p', 'go', '--model', 'openai/mock', '--yes'],
      cwd: workspace.path,
      modelServer: server,
    });
    expect(result.stdout).toBe('refused, I see\n');
    expect(resultsOf(server.modelCalls())[0]).toMatch(/Refused \(stage 4/);
  });

  it('IDE-86 commands see no key of ours and no loader variable', async () => {
    await using server = await createMockModelServer([
      { toolCalls: [{ name: 'run_command', args: { command: 'env' } }] },
      { text: 'ok' },
    ]);
    await using workspace = await createTempWorkspace({});
    await runBlack({
      args: ['-p', 'go', '--model', 'openai/mock', '--yes'],
      cwd: workspace.path,
      modelServer: server,
      env: { LD_PRELOAD: '', BASH_ENV: '/dev/null', MY_SECRET_TOKEN: 'hush', HARMLESS: 'seen' },
    });
    const [output] = resultsOf(server.modelCalls());
    expect(output).toContain('HARMLESS=seen');
    expect(output).not.toMatch(/mock-key|BASH_ENV|hush|LD_PRELOAD/);
  });

  it('IDE-52 a file that changed since it was read is refused until it is read again', async () => {
    await using server = await createMockModelServer([
      { toolCalls: [{ name: 'read_file', args: { path: 'a.txt' } }] },
      { toolCalls: [{ name: 'run_command', args: { command: 'echo changed > a.txt' } }] },
      { toolCalls: [{ name: 'edit_file', args: { path: 'a.txt', old_string: 'changed', new_string: 'mine' } }] },
      { toolCalls: [{ name: 'read_file', args: { path: 'a.txt' } }] },
      { toolCalls: [{ name: 'edit_file', args: { path: 'a.txt', old_string: 'changed', new_string: 'mine' } }] },
      { text: 'ok' },
    ]);
    await using workspace = await createTempWorkspace({ files: { 'a.txt': 'first\n' } });
    await runBlack({ args: ['-p', 'go', '--model', 'openai/mock', '--yes'], cwd: workspace.path, modelServer: server });
    const results = resultsOf(server.modelCalls());
    expect(results[2]).toMatch(/changed since it was read/);
    expect(results[4]).toMatch(/^Edited a.txt/);
    expect(await workspace.read('a.txt')).toBe('mine\n');
  });
});

describe('a hostile world', () => {
  it('IDE-88 no network: a clear error with what to do, exit code 1', async () => {
    await using workspace = await createTempWorkspace({});
    const { code, stderr, stdout } = await runBlack({
      args: ['-p', 'hi', '--model', 'anthropic/x'],
      cwd: workspace.path,
      env: { ANTHROPIC_API_KEY: 'k', ANTHROPIC_BASE_URL: 'http://127.0.0.1:9' },
      timeoutMs: 60_000,
    });
    expect(code).toBe(1);
    expect(stdout).toBe('');
    expect(stderr).toMatch(/cannot be reached/);
  });

  it('IDE-20 a wrong key stops at once with what to do', async () => {
    await using server = await createMockModelServer({ turns: [], apiKey: 'right' });
    await using workspace = await createTempWorkspace({});
    const { code, stderr } = await runBlack({
      args: ['-p', 'hi', '--model', 'openai/mock'],
      cwd: workspace.path,
      modelServer: server,
    });
    expect(code).toBe(1);
    expect(stderr).toMatch(/OPENAI_API_KEY/);
    expect(server.modelCalls()).toHaveLength(1);
  });

  it('IDE-88 a home that cannot be written: the run works, one line says that it is not saved', async () => {
    await using workspace = await createTempWorkspace({ files: { 'file.txt': '' } });
    await using server = await createMockModelServer([{ text: 'hello' }]);
    const { code, stdout, stderr } = await runBlack({
      args: ['-p', 'hi', '--model', 'openai/mock'],
      cwd: workspace.path,
      home: join(workspace.path, 'file.txt/home'),
      untrusted: true,
      modelServer: server,
    });
    expect(code).toBe(0);
    expect(stdout).toBe('hello\n');
    expect(stderr).toMatch(/not saved/);
  });

  it('IDE-88 a deleted working folder is said in words, with what to do', async () => {
    await using workspace = await createTempWorkspace({});
    const script = 'mkdir gone && cd gone && rmdir ../gone && exec "$0" "$1" -p hi';
    const { code, stderr } = await runProcess({
      command: '/bin/sh',
      args: ['-c', script, process.execPath, BLACK_BIN],
      cwd: workspace.path,
      env: blackEnvironment(join(workspace.path, 'home')),
    });
    expect(code).toBe(1);
    expect(stderr).toMatch(/folder/);
    expect(stderr).not.toMatch(/\n\s+at /);
  });

  it('IDE-18 IDE-20 a rate limit is waited for as the server asks', async () => {
    await using server = await createMockModelServer([
      { error: { status: 429, headers: { 'retry-after-ms': '20' } } },
      { text: 'half an answ', cutAfterEvents: 3 },
      { text: 'whole answer' },
    ]);
    await using workspace = await createTempWorkspace({});
    const { stdout, code } = await runBlack({
      args: ['-p', 'hi', '--model', 'openai/mock'],
      cwd: workspace.path,
      modelServer: server,
    });
    expect(stdout).toBe('whole answer\n');
    expect(code).toBe(0);
    expect(server.modelCalls()).toHaveLength(3);
  });
});
