import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { killAnywhere, runBlack, serverEvents, startBlack, type Turn } from '@black-ide/testkit';
import { describe, expect, it } from 'vitest';
import { type KillWorld, setUpKillWorld, tearDownKillWorld as tearDown } from './kill-world.ts';

/** A deep run kills at every change of a file; others at one in so many, from a place that the seed chooses. */
const EVERY = Number(process.env.BLACK_TEST_RUNS) >= 1_000 ? 1 : 20;

const artifact = (kind: string) => ({ name: 'create_artifact', args: { kind, content: `# ${kind}` } });
const TURNS: Turn[] = [
  { toolCalls: [artifact('implementation_plan'), artifact('task_list')] },
  { text: 'The plan is ready.' },
  { toolCalls: [{ name: 'edit_file', args: { path: 'a.txt', old_string: 'two', new_string: 'TWO' } }] },
  { toolCalls: [artifact('walkthrough')] },
  { text: 'all done' },
];

const setUp = () => setUpKillWorld(TURNS, { 'a.txt': 'one\ntwo\n' });

const start = ({ server, home, workspace }: KillWorld, env: Record<string, string>) =>
  startBlack({
    args: ['-p', 'fix the second line of the file', '--model', 'openai/mock', '--yes'],
    cwd: workspace.path,
    home: home.path,
    modelServer: server,
    env: { BLACK_PLANNING: undefined, ...env },
  });

/** The whole lines of every session: one that the kill cut off was never there. */
async function logOf(home: string): Promise<string> {
  const files = (await readdir(home, { recursive: true })).filter((name) => name.endsWith('.jsonl')).sort();
  const texts = await Promise.all(files.map((name) => readFile(join(home, name), 'utf8')));
  const lines = texts.flatMap((text) => text.split('\n'));
  return lines.filter((line) => line.startsWith('{') && line.endsWith('}')).join('\n');
}

/** Nothing changes that no approval in the log covers, and a plan that waits can be approved. */
async function check({ server, home, workspace }: KillWorld): Promise<void> {
  const covered = async () => {
    const log = await logOf(home.path);
    const edited = (await workspace.read('a.txt')).includes('TWO');
    expect(edited && !/"value":"approve"/.test(log), log).toBe(false);
    return log;
  };
  const log = await covered();
  const run = (args: string[]) =>
    runBlack({
      args,
      cwd: workspace.path,
      home: home.path,
      modelServer: server,
      env: { BLACK_PLANNING: undefined },
    });
  const waits = /"customType":"pending-plan-/.test(log) && !/"customType":"response"/.test(log);
  if (waits) {
    expect(await run(['approve', 'latest'])).toMatchObject({ code: 0, stdout: 'all done\n' });
    expect(await workspace.read('a.txt')).toBe('one\nTWO\n');
  } else {
    const session = log.includes('"type":"session"') ? ['-c'] : [];
    const more = await run(['-p', ...session, 'go on', '--model', 'openai/mock']);
    expect([0, 1, 3], more.stderr).toContain(more.code);
    expect(more.stderr).not.toContain('Something went wrong inside');
  }
  await covered();
}

describe('a planned task, killed anywhere', () => {
  it('IDE-34 at every request to the model: nothing changes without an approval in the log', async () => {
    const points = { by: 'events', source: ({ server }: KillWorld) => serverEvents(server) } as const;
    const { kills } = await killAnywhere<KillWorld>({ points, setUp, start, tearDown, check });
    expect(kills).toBe(TURNS.length);
  });

  it('IDE-34 before and inside changes of files: a plan that was asked for is never lost', async () => {
    const from = 1 + (Number(process.env.BLACK_TEST_SEED) % EVERY);
    const points = { by: 'fs-steps', roots: ({ home, workspace }: KillWorld) => [home.path, workspace.path] } as const;
    const { kills } = await killAnywhere<KillWorld>({ points, setUp, start, tearDown, check, every: EVERY, from });
    expect(kills).toBeGreaterThan(2);
  }, 1_200_000);
});
