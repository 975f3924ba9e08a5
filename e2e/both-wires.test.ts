import { createMockModelServer, createTempWorkspace, runBlack, type Turn } from '@black-ide/testkit';
import { describe, expect, it } from 'vitest';

/** CRLF, a BOM, a tab, an emoji: all of it has to survive. */
const SOURCE = '\ufeffexport function add(a, b) {\r\n\t// 😀 sums\r\n\treturn a - b;\r\n}\r\n';
const CHECK =
  "import assert from 'node:assert';\nimport { add } from './add.mjs';\nassert.equal(add(2, 3), 5);\nconsole.log('sum ok');\n";

const TURNS: Turn[] = [
  {
    thinking: 'I look first.',
    toolCalls: [
      { name: 'read_file', args: { path: 'add.mjs' } },
      { name: 'list_directory', args: {} },
    ],
  },
  {
    toolCalls: [
      {
        name: 'edit_file',
        args: { path: 'add.mjs', old_string: '\treturn a - b;\n', new_string: '\treturn a + b;\n' },
      },
    ],
  },
  { toolCalls: [{ name: 'run_command', args: { command: 'node check.mjs' } }] },
  { text: 'Fixed: it added with a minus.', usage: { input: 200, output: 20, cacheRead: 150 } },
];

describe.each(['openai', 'anthropic'] as const)('%s', (wire) => {
  it.each(['whole', 'awkward'] as const)(
    'IDE-13 IDE-25 IDE-52 read → edit → run tests → answer, streamed %s, bytes right',
    async (split) => {
      await using server = await createMockModelServer(TURNS.map((turn) => ({ ...turn, split })));
      await using workspace = await createTempWorkspace({ files: { 'add.mjs': SOURCE, 'check.mjs': CHECK } });
      const result = await runBlack({
        args: ['-p', 'fix add', '--model', `${wire}/mock`, '--output', 'json', '--auto-approve'],
        cwd: workspace.path,
        modelServer: server,
      });
      expect(result.stderr).toBe('');
      expect(result.code).toBe(0);
      const answer = JSON.parse(result.stdout);
      expect(answer).toMatchObject({ outcome: 'completed', result: 'Fixed: it added with a minus.', turns: 4 });
      expect(answer.usage.cacheRead).toBe(150);
      const bytes = await workspace.readBytes('add.mjs');
      expect(Buffer.from(bytes).toString('utf8')).toBe(SOURCE.replace('a - b', 'a + b'));
      const last = JSON.stringify(server.modelCalls().at(-1)!.body);
      expect(last).toContain('sum ok');
      expect(last).toContain('[exit code 0');
      expect(server.requests.every((request) => request.refusal === undefined)).toBe(true);
    },
  );

  it('IDE-23 prefixes of consecutive requests are byte-identical', async () => {
    const reads: Turn[] = Array.from({ length: 6 }, () => ({
      toolCalls: [{ name: 'read_file', args: { path: 'a.txt' } }],
    }));
    await using server = await createMockModelServer([...reads, { text: 'done' }]);
    await using workspace = await createTempWorkspace({ files: { 'a.txt': 'one\ntwo\n' } });
    await runBlack({ args: ['-p', 'go', '--model', `${wire}/mock`], cwd: workspace.path, modelServer: server });
    const bodies = server.modelCalls().map((call) => call.body as Record<string, unknown>);
    expect(bodies).toHaveLength(7);
    for (const [i, body] of bodies.slice(1).entries()) {
      const before = bodies[i]!;
      const { messages: now, ...rest } = body as { messages: unknown[] };
      const { messages: then, ...restBefore } = before as { messages: unknown[] };
      expect(JSON.stringify(rest)).toBe(JSON.stringify(restBefore));
      expect(JSON.stringify(now.slice(0, then.length))).toBe(JSON.stringify(then));
    }
  });

  it('IDE-23 the first request in Agent mode stays under 8 KB', async () => {
    await using server = await createMockModelServer([{ text: 'hello' }]);
    await using workspace = await createTempWorkspace({});
    await runBlack({ args: ['-p', 'hi', '--model', `${wire}/mock`], cwd: workspace.path, modelServer: server });
    expect(server.modelCalls()[0]!.rawBody.length).toBeLessThan(8 * 1024);
  });
});
