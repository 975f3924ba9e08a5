import { readFile, writeFile } from 'node:fs/promises';
import { createMockModelServer, createTempWorkspace, type Turn } from '@black-ide/testkit';
import { describe, expect, it } from 'vitest';
import { type PiWire, piSessions, runPi } from './pi.ts';

/** The real pi agent is an independent client of the mock model server, and the reference for the session format. */

const WIRES: PiWire[] = ['chat', 'anthropic', 'responses', 'google', 'openrouter', 'ollama-chat'];

/** read → edit → bash → answer. */
const TASK: Turn[] = [
  {
    thinking: 'I should look at the file first. 🤔',
    text: 'Reading the file.',
    toolCalls: [{ name: 'read', args: { path: 'src/greet.ts' } }],
  },
  {
    toolCalls: [
      {
        name: 'edit',
        args: { path: 'src/greet.ts', edits: [{ oldText: "'Helo'", newText: "'Hello, Zoë 👋'" }] },
      },
    ],
  },
  { text: 'Running it.', toolCalls: [{ name: 'bash', args: { command: 'node src/greet.ts' } }] },
  { text: 'Fixed: it greets Zoë 👋 now.', usage: { input: 5, output: 7, cacheRead: 1000, cacheWrite: 20 } },
];

const FILES = { 'src/greet.ts': "const greeting: string = 'Helo';\r\nconsole.log(greeting);\r\n" };
const FIXED = "const greeting: string = 'Hello, Zoë 👋';\r\nconsole.log(greeting);\r\n";

type Line = Record<string, unknown> & { type: string };

async function readSession(path: string): Promise<Line[]> {
  const text = await readFile(path, 'utf8');
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Line);
}

function messagesOf(lines: Line[]): Record<string, unknown>[] {
  return lines.filter((line) => line.type === 'message').map((line) => line.message as Record<string, unknown>);
}

const WRONG_KEY: Record<PiWire, RegExp> = {
  chat: /401.*Incorrect API key/s,
  anthropic: /401.*invalid x-api-key/s,
  responses: /401.*Incorrect API key/s,
  google: /400.*API key not valid/s,
  openrouter: /401.*User not found/s,
  'ollama-chat': /401.*unauthorized/s,
};

describe.each(WIRES)('pi over the %s wire', (wire) => {
  const sendsBrokenArguments = wire !== 'google';

  it.each(['whole', 'awkward'] as const)('does a task with replies sent %s', async (split) => {
    await using workspace = await createTempWorkspace({ files: FILES });
    await using home = await createTempWorkspace();
    await using server = await createMockModelServer(TASK.map((turn) => ({ ...turn, split })));
    const run = await runPi({ cwd: workspace.path, home: home.path, prompt: 'Mend it', baseUrl: server.url, wire });

    expect(run.stderr).toBe('');
    expect(run).toMatchObject({ code: 0, stdout: 'Fixed: it greets Zoë 👋 now.\n' });
    expect(await workspace.read('src/greet.ts')).toBe(FIXED);
    const calls = server.modelCalls();
    expect(calls.map((call) => [call.status, call.refusal])).toEqual(TASK.map(() => [200, undefined]));
    const results = calls.slice(1).map((call) => call.request!.lastToolResults.map((message) => message.text));
    expect(results[0]?.[0]).toContain("'Helo'");
    expect(results[1]?.[0]).toContain('Successfully replaced');
    expect(results[2]?.[0]).toContain('Hello, Zoë 👋');
    expect(calls.slice(1).every((call) => call.gapMs! >= 0)).toBe(true);
  });

  it('does parallel calls, broken arguments and an unknown tool as any model may send them', async () => {
    await using workspace = await createTempWorkspace({ files: { 'a.txt': 'AAA', 'b.txt': 'BBB' } });
    await using home = await createTempWorkspace();
    await using server = await createMockModelServer([
      {
        toolCalls: [
          { name: 'read', args: { path: 'a.txt' } },
          { name: 'read', args: { path: 'b.txt' } },
          { name: 'no_such_tool', args: {} },
          ...(sendsBrokenArguments ? [{ name: 'read', rawArgs: '{"path": ' }] : []),
        ],
        split: 'awkward',
        interleave: true,
      },
      { text: 'Done.' },
    ]);
    const run = await runPi({ cwd: workspace.path, home: home.path, prompt: 'Read', baseUrl: server.url, wire });
    expect(run).toMatchObject({ code: 0, stdout: 'Done.\n' });
    const results = server.modelCalls()[1]!.request!.lastToolResults.map((message) => message.text);
    expect(results).toHaveLength(sendsBrokenArguments ? 4 : 3);
    expect(results[0]).toContain('AAA');
    expect(results[1]).toContain('BBB');
    expect(results[2]).toContain('no_such_tool');
  });

  it('stops with what the server says to a wrong key', async () => {
    await using workspace = await createTempWorkspace();
    await using home = await createTempWorkspace();
    await using server = await createMockModelServer([], { apiKey: 'another-key' });
    const run = await runPi({ cwd: workspace.path, home: home.path, prompt: 'Hi', baseUrl: server.url, wire });
    expect(run.code).not.toBe(0);
    expect(run.stderr).toMatch(WRONG_KEY[wire]);
  });

  it('waits as a rate limit tells it to, and takes up after a stream that broke off', async () => {
    await using workspace = await createTempWorkspace();
    await using home = await createTempWorkspace();
    await using server = await createMockModelServer([
      { error: { status: 429, headers: { 'retry-after-ms': '1', 'retry-after': '0' } } },
      { text: 'half of an ans', split: 'chars', cutAfterEvents: 6 },
      { text: 'The whole answer.' },
    ]);
    const run = await runPi({ cwd: workspace.path, home: home.path, prompt: 'Hi', baseUrl: server.url, wire });
    expect(run).toMatchObject({ code: 0, stdout: 'The whole answer.\n' });
    expect(server.modelCalls().map((call) => call.status)).toEqual([429, 200, 200]);
  });
});

describe('sessions', () => {
  it('SES-3 records a real pi session on the fly, which pi continues', async () => {
    await using workspace = await createTempWorkspace({ files: FILES });
    await using home = await createTempWorkspace();
    await using server = await createMockModelServer({
      match: 'conversation',
      turns: [...TASK, { text: 'As before.' }],
    });
    const base = { cwd: workspace.path, home: home.path, baseUrl: server.url, wire: 'anthropic' as const };
    const first = await runPi({ ...base, prompt: 'Mend it' });
    const lines = await readSession(first.sessionFile);
    expect(lines[0]).toMatchObject({ type: 'session', version: 3, cwd: workspace.path });
    const roles = messagesOf(lines).map((message) => message.role);
    expect(roles.filter((role) => role !== 'system')).toEqual([
      'user',
      'assistant',
      'toolResult',
      'assistant',
      'toolResult',
      'assistant',
      'toolResult',
      'assistant',
    ]);
    expect(messagesOf(lines).at(-1)).toMatchObject({
      stopReason: 'stop',
      usage: { input: 5, output: 7, cacheRead: 1000, cacheWrite: 20 },
    });

    const second = await runPi({ ...base, prompt: 'And now?', continue: true });
    expect(second).toMatchObject({ stdout: 'As before.\n', sessionFile: first.sessionFile });
    expect(await piSessions(home.path)).toEqual([first.sessionFile]);
    expect(server.modelCalls().at(-1)!.request!.messages).toHaveLength(9);
  });

  it('SES-3 opens a session of version 3 with entries it does not know, and appends to it', async () => {
    await using workspace = await createTempWorkspace();
    await using home = await createTempWorkspace();
    await using server = await createMockModelServer([{ text: 'I remember.' }]);
    const at = (second: number) => `2026-01-01T00:00:0${second}.000Z`;
    const entries = [
      {
        type: 'session',
        version: 3,
        id: '0b5e1d0a-0000-4000-8000-000000000001',
        timestamp: at(0),
        cwd: workspace.path,
        title: 'Ours',
      },
      { type: 'mode_change', id: 'aaaaaaa1', parentId: null, timestamp: at(1), mode: 'agent' },
      {
        type: 'message',
        id: 'aaaaaaa2',
        parentId: 'aaaaaaa1',
        timestamp: at(2),
        message: { role: 'user', content: 'My name is Ada.', timestamp: 1 },
      },
      {
        type: 'custom',
        id: 'aaaaaaa3',
        parentId: 'aaaaaaa2',
        timestamp: at(3),
        customType: 'tool_start',
        data: { callId: 'x' },
      },
      {
        type: 'message',
        id: 'aaaaaaa4',
        parentId: 'aaaaaaa3',
        timestamp: at(4),
        message: {
          role: 'assistant',
          content: [{ type: 'text', text: 'Hello Ada.' }],
          api: 'anthropic-messages',
          provider: 'anthropic',
          model: 'some-model',
          usage: {
            input: 1,
            output: 1,
            cacheRead: 0,
            cacheWrite: 0,
            totalTokens: 2,
            cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 },
          },
          stopReason: 'stop',
          timestamp: 2,
        },
      },
      { type: 'label', id: 'aaaaaaa5', parentId: 'aaaaaaa4', timestamp: at(5), targetId: 'aaaaaaa2', label: 'start' },
    ];
    const ours = `${entries.map((entry) => JSON.stringify(entry)).join('\n')}\n`;
    const sessionFile = home.at('ours.jsonl');
    await writeFile(sessionFile, ours);
    const run = await runPi({
      cwd: workspace.path,
      home: home.path,
      prompt: 'Who am I?',
      baseUrl: server.url,
      wire: 'anthropic',
      sessionFile,
    });
    expect(run).toMatchObject({ code: 0, stdout: 'I remember.\n' });
    const texts = server.modelCalls()[0]!.request!.messages.map((message) => message.text);
    expect(texts).toEqual(['My name is Ada.', 'Hello Ada.', 'Who am I?']);
    const after = await readFile(sessionFile, 'utf8');
    expect(after.startsWith(ours)).toBe(true);
    expect(messagesOf(await readSession(sessionFile)).at(-1)).toMatchObject({ role: 'assistant' });
  });
});
