import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import {
  createMockModelServer,
  createTempWorkspace,
  killAnywhere,
  type MockModelServer,
  runBlack,
  startBlack,
  type TempWorkspace,
  type Turn,
} from '@black-ide/testkit';
import { describe, expect, it } from 'vitest';

/** A deep run kills at every change of a file; others at one in so many, from a place that the seed chooses. */
const EVERY = Number(process.env.BLACK_TEST_RUNS) >= 1_000 ? 1 : 15;

const TURNS: Turn[] = [
  { toolCalls: [{ id: 'c1', name: 'edit_file', args: { path: 'a.txt', old_string: 'two\n', new_string: 'TWO\n' } }] },
  {
    toolCalls: [
      { id: 'c2', name: 'run_command', args: { command: 'rm b.txt; echo x >> untracked.txt; mkdir d; echo n > d/n' } },
    ],
  },
  { text: 'all done' },
];

interface World {
  server: MockModelServer;
  home: TempWorkspace;
  workspace: TempWorkspace;
  git: string;
  before: Awaited<ReturnType<TempWorkspace['snapshot']>>;
}

async function setUp(): Promise<World> {
  const workspace = await createTempWorkspace({
    git: true,
    files: { 'a.txt': 'one\r\ntwo\r\n', 'b.txt': 'b\n', '.gitignore': '*.log\n', 'foreign.log': 'mine\n' },
  });
  await workspace.write('untracked.txt', 'mine\n');
  return {
    server: await createMockModelServer({ match: 'conversation', turns: TURNS, fallback: { text: 'all done' } }),
    home: await createTempWorkspace({}),
    workspace,
    git: await gitState(workspace),
    before: await workspace.snapshot(),
  };
}

async function gitState(workspace: TempWorkspace): Promise<string> {
  const index = createHash('sha256')
    .update(await readFile(workspace.at('.git', 'index')))
    .digest('hex');
  return [await workspace.git('for-each-ref'), await workspace.git('stash', 'list'), index].join('\n');
}

async function tearDown({ server, home, workspace }: World): Promise<void> {
  await server.close();
  await home[Symbol.asyncDispose]();
  await workspace[Symbol.asyncDispose]();
}

/** Whatever it was killed at: what it did can be taken back. */
async function check({ home, workspace, git, before }: World): Promise<void> {
  const undone = await runBlack({ args: ['undo'], cwd: workspace.path, home: home.path });
  expect(undone.stderr).not.toContain('inside black');
  expect([0, 1]).toContain(undone.code);
  expect(await workspace.snapshot(), undone.stderr).toEqual(before);
  expect(await gitState(workspace)).toBe(git);
}

describe('black undo', () => {
  it('IDE-48 IDE-51 after kill -9 before and inside changes of files every byte comes back', async () => {
    const start = ({ server, home, workspace }: World, env: Record<string, string>) =>
      startBlack({
        args: ['-p', 'do it', '--model', 'openai/mock', '--yes'],
        cwd: workspace.path,
        home: home.path,
        modelServer: server,
        env,
      });
    const from = 1 + (Number(process.env.BLACK_TEST_SEED) % EVERY);
    const points = { by: 'fs-steps', roots: ({ home, workspace }: World) => [home.path, workspace.path] } as const;
    const { kills } = await killAnywhere<World>({ points, setUp, start, tearDown, check, every: EVERY, from });
    expect(kills).toBeGreaterThan(2);
  }, 1_200_000);

  it('IDE-49 lists, takes back by file and by message, and back again', async () => {
    const world = await setUp();
    const { server, home, workspace, before } = world;
    const black = (...args: string[]) => runBlack({ args, cwd: workspace.path, home: home.path, modelServer: server });
    try {
      await black('-p', 'do it', '--model', 'openai/mock', '--yes');
      const after = await workspace.snapshot();
      const listed = await black('undo', '--list');
      expect(listed.stdout).toMatch(/^[0-9a-f]{8} {2}do it\n {2}✎ a\.txt {2}\+1 −1\n {2}✎ b\.txt {2}deleted −1\n/);
      const one = await black('undo', 'latest', '--file', 'b.txt', '--json');
      expect(JSON.parse(one.stdout)).toMatchObject({ files: [{ path: 'b.txt', kind: 'created' }], skipped: [] });
      expect((await black('undo')).stdout).toContain('Took the changes of 3 files back.');
      expect(await workspace.snapshot()).toEqual(before);
      const nothing = await black('undo');
      expect([nothing.code, nothing.stderr]).toEqual([
        1,
        expect.stringContaining('No change of this session is pending'),
      ]);
      await black('undo', '--redo');
      await black('undo', '--redo');
      expect(await workspace.snapshot()).toEqual(after);
      await workspace.write('a.txt', 'one\r\nTWO\r\nx\r\ny\r\n');
      const asked = await black('undo');
      expect([asked.code, asked.stderr]).toEqual([
        1,
        expect.stringMatching(/You or another program changed a\.txt since\..*\n.*--merge/),
      ]);
      expect((await black('undo', '--merge')).code).toBe(0);
      expect(await workspace.read('a.txt')).toBe('one\r\ntwo\r\nx\r\ny\r\n');
      expect((await black('undo', '--list', '--redo')).code).toBe(2);
    } finally {
      await tearDown(world);
    }
  }, 120_000);
});
