import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createMockModelServer, createTempWorkspace, type TempWorkspace, trustFolder } from '@black-ide/testkit';
import { afterEach, describe, expect, it } from 'vitest';
import { ScriptedSession } from '../testing/scripted-session.ts';
import { WorkspaceTrust } from './workspace-trust.ts';

const made: TempWorkspace[] = [];
afterEach(async () => {
  for (const each of made.splice(0)) await each.dispose();
});

async function folders() {
  const home = await createTempWorkspace({});
  const workspace = await createTempWorkspace({ files: { 'inner/a.txt': 'a' } });
  made.push(home, workspace);
  const trust = (forRun = false, state = home.path) =>
    new WorkspaceTrust({ home: state, root: workspace.path, env: { HOME: '/home/me' }, now: () => 0, forRun });
  return { home, workspace, trust };
}

describe('WorkspaceTrust', () => {
  it('IDE-67 is off until given, for good or for one run, and follows what another process does', async () => {
    const { home, workspace, trust } = await folders();
    const first = trust();
    expect(first).toMatchObject({ trusted: false, state: 'none' });
    expect(trust(true)).toMatchObject({ trusted: true, state: 'run' });
    await trust().grant();
    expect(first.trusted).toBe(false);
    first.refresh();
    expect(first).toMatchObject({ trusted: true, state: 'stored' });
    writeFileSync(home.at('trust.json'), '{"version":1,"folders":{}}');
    first.refresh();
    expect(first.trusted).toBe(false);
    expect(trust().covers(workspace.path)).toBe(false);
  });

  it('IDE-67 neither a parent nor a child of a trusted folder is trusted with it', async () => {
    const { home, workspace, trust } = await folders();
    await trustFolder(home.path, workspace.at('inner'));
    await trustFolder(home.path, join(workspace.path, '..'));
    expect(trust().trusted).toBe(false);
    expect(trust().covers(workspace.at('inner'))).toBe(false);
    expect(trust(true).covers(workspace.at('inner'))).toBe(true);
    expect(trust(true).covers(workspace.at('other'))).toBe(false);
  });

  it('CVE-2025-61260 a list that lies in the folder itself does not count, and is told', async () => {
    const { workspace, trust } = await folders();
    await trustFolder(workspace.at('.state'), workspace.path);
    const own = trust(false, workspace.at('.state'));
    expect(own).toMatchObject({ trusted: false, problem: expect.stringContaining('does not count') });
  });

  it('IDE-87 a list that cannot be read trusts nothing, and is told', async () => {
    const { home, trust } = await folders();
    writeFileSync(home.at('trust.json'), '{"version":1,"folders":');
    expect(trust()).toMatchObject({ trusted: false, problem: expect.stringContaining('cannot be read') });
    expect(trust(true).covers(home.path)).toBe(false);
    await expect(trust().grant()).rejects.toMatchObject({ code: 'bad_trust_file' });
  });
});

async function session(files: Record<string, string>, turns: Parameters<typeof createMockModelServer>[0]) {
  const home = await createTempWorkspace({});
  const workspace = await createTempWorkspace({ files });
  const server = await createMockModelServer(turns);
  return await ScriptedSession.begin({ home, workspace, server }, { trust: false, asks: 'wait' });
}

describe('trust in a session', () => {
  it('IDE-67 is asked as a Request; a yes counts from the next task on, for the model’s tools, rules and modes', async () => {
    const files = { 'AGENTS.md': 'Use tabs.', '.blackide/modes/m.md': '---\nname: Mine\n---\n', '.env': 'X=1' };
    await using run = await session(files, { match: 'conversation', turns: [{ text: 'one' }, { text: 'two' }] });
    const { engine, sessionId, server } = run;
    const tools = () => server.requests.at(-1)!.request!.tools.map(({ name }) => name);
    await run.run('look');
    expect(tools()).toContain('run_command');
    for (const name of ['edit_file', 'write_file', 'apply_patch']) expect(tools()).not.toContain(name);
    expect(server.requests[0]!.request!.system).toContain('black trust');
    expect(server.requests[0]!.rawBody.toString()).not.toContain('Use tabs.');

    const asked = await engine.execute({ type: 'askTrust', sessionId });
    const again = await engine.execute({ type: 'askTrust', sessionId });
    expect(again).toEqual(asked);
    const [opened] = run.ofType('RequestOpened');
    expect(opened!.request).toMatchObject({ kind: 'trust', default: 'read-only' });
    expect(opened!.request.payload.ignored).toContainEqual({ path: 'AGENTS.md', what: 'rules', ours: true });
    await engine.execute({ type: 'respond', sessionId, requestId: opened!.request.id, value: 'trust', by: 'test' });
    expect(await engine.execute({ type: 'askTrust', sessionId })).toEqual({ ok: true, value: {} });
    expect(await engine.execute({ type: 'describeTrust' })).toMatchObject({
      value: { trusted: true, how: 'stored', ignored: [] },
    });

    await run.run('go on', { mode: 'mine' });
    expect(tools()).toContain('edit_file');
    expect(server.requests.at(-1)!.request!.system).not.toContain('black trust');
    expect(server.requests.at(-1)!.rawBody.toString()).toContain('Use tabs.');
  });

  it('IDE-67 a yes that cannot be stored leaves the question open and says why', async () => {
    await using run = await session({}, []);
    const { engine, sessionId, world } = run;
    mkdirSync(world.home.at('trust.json'));
    await engine.execute({ type: 'askTrust', sessionId });
    const { id } = run.ofType('RequestOpened')[0]!.request;
    const answer = { type: 'respond' as const, sessionId, requestId: id, by: 'test' };
    expect(await engine.execute({ ...answer, value: 'trust' })).toMatchObject({ error: { code: 'bad_trust_file' } });
    expect(run.ofType('RequestAnswered')).toEqual([]);
    expect(await engine.execute({ ...answer, value: 'read-only' })).toMatchObject({ ok: true });
    expect(await engine.execute({ type: 'describeTrust' })).toMatchObject({ value: { trusted: false } });
  });
});
