import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { createMockModelServer, createTempWorkspace, runBlack, type ScriptObject } from '@black-ide/testkit';
import { describe, expect, it } from 'vitest';

const NOTES_APP = join(import.meta.dirname, '../examples/notes-app');
const SECRET = 'correct-horse-battery';

/** The example, a mock server, and `black` with that server's embeddings. */
async function begin(embeddings: ScriptObject['embeddings'] = {}) {
  const workspace = await createTempWorkspace({ files: { '.env': `PASSWORD=${SECRET}\n` } });
  const home = await createTempWorkspace({});
  await cp(NOTES_APP, workspace.path, { recursive: true });
  const server = await createMockModelServer({ turns: [], ...(embeddings ? { embeddings } : {}) });
  const black = (args: string[], env: Record<string, string | undefined> = { BLACK_EMBEDDINGS: 'openai' }) =>
    runBlack({ args, cwd: workspace.path, home: home.path, modelServer: server, env });
  return {
    black,
    workspace,
    server,
    sent: () => server.requests.filter(({ path }) => path.endsWith('/embeddings')),
    [Symbol.asyncDispose]: async () => {
      await server.close();
      await home.dispose();
      await workspace.dispose();
    },
  };
}

describe('search.embeddings', () => {
  it('INT-9 `black index` has vectors made of the code, once, and of no file that holds secrets', async () => {
    await using world = await begin();
    const first = await world.black(['index', '--json']);
    expect(first).toMatchObject({ code: 0, stderr: '' });
    expect(JSON.parse(first.stdout).notes).toEqual([]);
    const bodies = world.sent().map(({ body }) => JSON.stringify(body));
    expect(bodies.join()).toContain('validateTitle');
    expect(bodies.join()).not.toContain(SECRET);
    const asked = bodies.length;
    await world.black(['index']);
    expect(world.sent()).toHaveLength(asked);
    expect((await world.black(['search', 'where titles are checked'])).code).toBe(0);
  });

  it('INT-9 nothing is sent where nobody has asked for it, whatever the workspace says', async () => {
    await using world = await begin();
    await world.workspace.write('.blackide/settings.json', '{"search.embeddings": "openai"}');
    expect((await world.black(['index'], {})).code).toBe(0);
    expect((await world.black(['search', 'title'], {})).code).toBe(0);
    expect(world.server.requests).toEqual([]);
  });

  it('INT-9 what is wrong with it is told by `black index`, and words still find', async () => {
    await using world = await begin();
    const { stdout, code } = await world.black(['index', '--json'], { BLACK_EMBEDDINGS: 'anthropic/voyage' });
    expect(code).toBe(0);
    expect(JSON.parse(stdout).notes).toEqual([
      { path: '.', why: expect.stringContaining('Embeddings of anthropic are not supported.') },
    ]);
    const found = await world.black(['search', 'validateTitle'], { BLACK_EMBEDDINGS: 'anthropic/voyage' });
    expect(found.stdout).toContain('validateTitle');
  });
});
