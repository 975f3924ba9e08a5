import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { killAnywhere, runBlack, serverEvents, startBlack, type Turn } from '@black-ide/testkit';
import { describe, expect, it } from 'vitest';
import { type KillWorld, setUpKillWorld, tearDownKillWorld as tearDown } from './kill-world.ts';

/** A deep run kills at every change of a file; others at one in so many, from a place that the seed chooses. */
const EVERY = Number(process.env.BLACK_TEST_RUNS) >= 1_000 ? 1 : 15;

const SOURCE = 'one\r\ntwo\r\nthree\r\n';
const EDITED = SOURCE.replace('two', 'TWO');

const TURNS: Turn[] = [
  { toolCalls: [{ id: 'c_read', name: 'read_file', args: { path: 'a.txt' } }] },
  {
    toolCalls: [{ id: 'c_edit', name: 'edit_file', args: { path: 'a.txt', old_string: 'two\n', new_string: 'TWO\n' } }],
  },
  { toolCalls: [{ id: 'c_run', name: 'run_command', args: { command: 'echo ran >> ran.txt' } }] },
  { text: 'all done' },
];

const setUp = () => setUpKillWorld(TURNS, { 'a.txt': SOURCE });

interface Line {
  type: string;
  customType?: string;
  data?: { callId?: string };
  message?: { role: string; toolCallId?: string; content: { type: string; id?: string }[] };
}

/** The whole lines of every session: where not even the first line was complete, the resumed run begins another one. */
async function linesOf(home: string): Promise<Line[]> {
  const files = (await readdir(home, { recursive: true })).filter((name) => name.endsWith('.jsonl')).sort();
  const texts = await Promise.all(files.map((name) => readFile(join(home, name), 'utf8')));
  return texts
    .flatMap((text) => text.split('\n'))
    .filter((line) => line.startsWith('{') && line.endsWith('}'))
    .map((line) => JSON.parse(line));
}

/** Nothing lost, nothing done twice unseen. */
async function check({ server, home, workspace }: KillWorld): Promise<void> {
  const before = await linesOf(home.path);
  expect([SOURCE, EDITED]).toContain(await workspace.read('a.txt'));

  const args = ['-p', ...(before.length > 0 ? ['-c'] : []), 'go on', '--model', 'openai/mock', '--yes'];
  const resumed = await runBlack({ args, cwd: workspace.path, home: home.path, modelServer: server });
  expect(resumed.stdout).toBe('all done\n');
  expect(resumed.code).toBe(0);
  expect(server.modelCalls().filter((call) => call.refusal)).toEqual([]);

  const after = await linesOf(home.path);
  expect(after.slice(0, before.length)).toEqual(before);
  const calls = after.flatMap((line) => line.message?.content ?? []).filter((block) => block.type === 'toolCall');
  const results = after.filter((line) => line.message?.role === 'toolResult');
  expect(results.map((line) => line.message?.toolCallId).sort()).toEqual(calls.map((call) => call.id).sort());
  const starts = after.filter((line) => line.customType === 'tool_start' && line.data?.callId === 'c_run').length;
  const files = Object.keys(await workspace.snapshot());
  const ran = files.includes('ran.txt') ? (await workspace.read('ran.txt')).split('\n').length - 1 : 0;
  expect(ran).toBeLessThanOrEqual(starts);
  expect(files.filter((name) => name !== 'ran.txt')).toEqual(['a.txt']);
}

describe('killed anywhere', () => {
  const start = ({ server, home, workspace }: KillWorld, env: Record<string, string>) =>
    startBlack({
      args: ['-p', 'do it', '--model', 'openai/mock', '--yes'],
      cwd: workspace.path,
      home: home.path,
      modelServer: server,
      env,
    });

  it('IDE-7 SES-6 killed at every request to the model, and resumed: nothing lost, nothing done twice unseen', async () => {
    const points = { by: 'events', source: ({ server }: KillWorld) => serverEvents(server) } as const;
    const { kills } = await killAnywhere<KillWorld>({ points, setUp, start, tearDown, check });
    expect(kills).toBe(TURNS.length);
  });

  it('IDE-7 SES-6 killed before and inside changes of files, and resumed', async () => {
    const from = 1 + (Number(process.env.BLACK_TEST_SEED) % EVERY);
    const points = { by: 'fs-steps', roots: ({ home, workspace }: KillWorld) => [home.path, workspace.path] } as const;
    const { kills } = await killAnywhere<KillWorld>({ points, setUp, start, tearDown, check, every: EVERY, from });
    expect(kills).toBeGreaterThan(2);
  }, 1_200_000);
});
