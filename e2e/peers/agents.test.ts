import { createMockModelServer, createTempWorkspace, type MockModelServer, type Turn } from '@black-ide/testkit';
import { describe, expect, it } from 'vitest';
import { runCodex } from './codex.ts';
import { runGemini } from './gemini-cli.ts';

/** Codex and Gemini CLI are independent clients of the Responses and the Gemini wire, as strict as their makers. */

const FILES = { 'greet.mjs': "const greeting = 'Helo';\nconsole.log(greeting);\n" };
const FIXED = "const greeting = 'Hello, Zoë 👋';\nconsole.log(greeting);\n";
const SPLITS = ['whole', 'awkward'] as const;

function expectTask(server: MockModelServer): void {
  const calls = server.modelCalls();
  expect(calls.map((call) => [call.status, call.refusal])).toEqual(calls.map(() => [200, undefined]));
  expect(calls).toHaveLength(4);
  const results = calls.slice(1).map((call) => call.request!.lastToolResults.map((message) => message.text).join());
  expect(results[0]).toContain("'Helo'");
  expect(results[2]).toContain('Hello, Zoë 👋');
}

describe('codex over the Responses wire', () => {
  const patch =
    "*** Begin Patch\n*** Update File: greet.mjs\n@@\n-const greeting = 'Helo';\n+const greeting = 'Hello, Zoë 👋';\n*** End Patch";
  const run = (cmd: string) => ({ name: 'exec_command', args: { cmd } });
  const task: Turn[] = [
    { thinking: 'I should look first. 🤔', text: 'Reading the file.', toolCalls: [run('cat greet.mjs')] },
    { thinking: 'Now the patch.', toolCalls: [run(`apply_patch <<'EOF'\n${patch}\nEOF`)] },
    { text: 'Running it.', toolCalls: [run('node greet.mjs')] },
    { text: 'Fixed: it greets Zoë 👋 now.', usage: { input: 5, output: 7, cacheRead: 1000, reasoning: 3 } },
  ];

  it.each(SPLITS)('reads, edits, runs and answers, replies sent %s', async (split) => {
    await using workspace = await createTempWorkspace({ files: FILES });
    await using home = await createTempWorkspace();
    await using server = await createMockModelServer(task.map((turn) => ({ ...turn, split })));
    const result = await runCodex({
      cwd: workspace.path,
      home: home.path,
      prompt: 'Mend it',
      baseUrl: server.openaiUrl,
    });
    expect(result).toMatchObject({ code: 0, stdout: 'Fixed: it greets Zoë 👋 now.\n' });
    expect(await workspace.read('greet.mjs')).toBe(FIXED);
    expectTask(server);
    const last = JSON.stringify(server.modelCalls().at(-1)!.body);
    expect(last).toContain('"encrypted_content"');
    expect(result.stderr).toContain('I should look first. 🤔');
  });

  it('takes up after a failure in mid-stream, and says why it gives up', async () => {
    await using workspace = await createTempWorkspace();
    await using home = await createTempWorkspace();
    await using server = await createMockModelServer([
      { text: 'half', error: { status: 500, afterEvents: 3 } },
      { text: 'The whole answer.' },
      { error: { status: 400, message: 'This is no question.' } },
    ]);
    const options = { cwd: workspace.path, home: home.path, prompt: 'Hi', baseUrl: server.openaiUrl };
    expect(await runCodex(options)).toMatchObject({ code: 0, stdout: 'The whole answer.\n' });
    const refused = await runCodex(options);
    expect(refused.code).not.toBe(0);
    expect(refused.stderr).toContain('This is no question.');
  });
});

describe('Gemini CLI over the Gemini wire', () => {
  const task: Turn[] = [
    {
      thinking: 'I should look first. 🤔',
      text: 'Reading the file.',
      toolCalls: [{ name: 'read_file', args: { file_path: 'greet.mjs' } }],
    },
    {
      toolCalls: [
        {
          name: 'replace',
          args: {
            file_path: 'greet.mjs',
            instruction: 'Greet Zoë',
            old_string: "'Helo'",
            new_string: "'Hello, Zoë 👋'",
          },
        },
      ],
    },
    { toolCalls: [{ name: 'run_shell_command', args: { command: 'node greet.mjs' } }] },
    { text: 'Fixed: it greets Zoë 👋 now.', usage: { input: 5, output: 7, cacheRead: 1000, reasoning: 3 } },
  ];

  it.each([
    ['whole', 'gemini-2.5-mock'],
    ['awkward', 'gemini-3-mock'],
  ] as const)('reads, edits, runs and answers, replies sent %s by %s', async (split, model) => {
    await using workspace = await createTempWorkspace({ files: FILES });
    await using home = await createTempWorkspace();
    await using server = await createMockModelServer(task.map((turn) => ({ ...turn, split })));
    const result = await runGemini({
      cwd: workspace.path,
      home: home.path,
      prompt: 'Mend it',
      baseUrl: server.googleUrl,
      model,
    });
    expect(result).toMatchObject({ code: 0 });
    expect(result.stdout).toContain('Fixed: it greets Zoë 👋 now.');
    expect(await workspace.read('greet.mjs')).toBe(FIXED);
    expectTask(server);
    expect(JSON.stringify(server.modelCalls().at(-1)!.body)).toContain('"thoughtSignature"');
  });

  it('says what the server says to a wrong key', async () => {
    await using workspace = await createTempWorkspace();
    await using home = await createTempWorkspace();
    await using server = await createMockModelServer([], { apiKey: 'another-key' });
    const options = { cwd: workspace.path, home: home.path, prompt: 'Hi', baseUrl: server.googleUrl };
    const result = await runGemini({ ...options, model: 'gemini-2.5-mock' });
    expect(result.code).not.toBe(0);
    expect(result.stderr).toContain('API key not valid');
  });
});
