import { findProcesses } from '@black-ide/testkit';
import { describe, expect, it } from 'vitest';
import type { CheckedFile, DiagnosticsByFile } from './diagnostics/diagnostics-source.ts';
import { type FakeProject, type FakeProjectOptions, fakeProject } from './fixtures/fake-project.ts';
import type { ManagedServer } from './managed-server.ts';

const never = new AbortController().signal;

interface Opened extends FakeProject {
  server: ManagedServer;
  /** The messages of files, as they stand with these texts. */
  collect: (texts: Record<string, string | null>, written?: boolean) => Promise<Record<string, string[]>>;
}

async function open(options: FakeProjectOptions = {}): Promise<Opened> {
  const project = await fakeProject(options);
  const { workspace, servers } = project;
  const [server] = await servers.serversOf(workspace.at('a.fake'));
  const collect = async (texts: Record<string, string | null>, written = false) => {
    const files = Object.entries(texts).map(([name, text]): CheckedFile => ({ path: workspace.at(name), text }));
    return messagesOf(await server!.collect(files, { written }, never), workspace.path);
  };
  return { ...project, server: server!, collect };
}

function messagesOf(found: DiagnosticsByFile, root: string): Record<string, string[]> {
  return Object.fromEntries(
    [...found].map(([path, list]) => [path.slice(root.length + 1), list.map((each) => each.message)]),
  );
}

/** Nothing is known of how it begins. */
const COLD = { trustsFirstPull: undefined };
const UNKNOWN = 'x is not made anywhere';
const ways = [{ pull: true }, { pull: false }, { pull: false, unversioned: true }] as const;

describe('ManagedServer', () => {
  it('INT-19 starts nothing until something is needed, and then one process', async () => {
    const { server, collect, log } = await open({ manners: { pull: true } });
    expect([server.state, log()]).toEqual(['idle', []]);
    server.noticed([{ path: '/a', type: 'changed' }]);
    expect(server.state).toBe('idle');
    await collect({ 'a.fake': '' });
    await collect({ 'a.fake': 'export a' });
    expect(server.state).toBe('ready');
    expect(log().filter((line) => line.startsWith('start'))).toHaveLength(1);
  });

  it.each(ways)('INT-15 tells how files stand with texts that are not on the disk: %j', async (manners) => {
    // What a server publishes of other files is waited for by its silence alone.
    const { collect } = await open({ manners, files: { 'b.fake': 'export y' }, spec: { quietMs: 700 } });
    expect(await collect({ 'a.fake': 'use x\nuse y' })).toMatchObject({ 'a.fake': [UNKNOWN] });
    expect(await collect({ 'a.fake': 'use x', 'c.fake': 'export x' })).toMatchObject({ 'a.fake': [], 'c.fake': [] });
    expect(await collect({ 'a.fake': 'use x', 'c.fake': null })).toMatchObject({ 'a.fake': [UNKNOWN] });
  });

  it.each(ways)('INT-16 tells what a change does to other files that are open: %j', async (manners) => {
    const { collect } = await open({ manners });
    expect(await collect({ 'a.fake': 'use x', 'b.fake': 'export x' })).toMatchObject({ 'a.fake': [], 'b.fake': [] });
    expect(await collect({ 'a.fake': 'use x', 'b.fake': 'export z' })).toMatchObject({ 'a.fake': [UNKNOWN] });
  });

  it('INT-15 sends each text once, with growing versions, and what is saved', async () => {
    const { collect, log } = await open({ manners: { pull: true } });
    await collect({ 'a.fake': 'one' });
    await collect({ 'a.fake': 'one' });
    await collect({ 'a.fake': 'two' }, true);
    await collect({ 'a.fake': null });
    await collect({ 'a.fake': 'three' });
    expect(log().slice(2)).toEqual(['text a.fake 1', 'text a.fake 2', 'save a.fake', 'close a.fake', 'text a.fake 3']);
  });

  it('INT-15 counts columns as we do where the server counts bytes', async () => {
    const { server, workspace } = await open({ manners: { pull: true, encoding: 'utf-8' } });
    const path = workspace.at('a.fake');
    const found = await server.collect([{ path, text: '/* é🦊 */ use x' }], { written: false }, never);
    expect(found.get(path)?.[0]?.range).toEqual({ start: { line: 0, character: 10 }, end: { line: 0, character: 15 } });
  });

  it('INT-15 asks a server that tells only later that it can be asked', async () => {
    const { collect } = await open({ manners: { pull: 'registered', delayMs: 50 } });
    expect(await collect({ 'a.fake': 'use x' })).toEqual({ 'a.fake': [UNKNOWN] });
  });

  it('INT-18 takes an empty answer of a server that has only begun for none', async () => {
    const { collect } = await open({ manners: { pull: true, readyAfterMs: 100 }, spec: COLD });
    expect(await collect({ 'a.fake': 'use x' })).toEqual({ 'a.fake': [UNKNOWN] });
  });

  it('INT-18 takes the silence of a server that only publishes changes for what it was', async () => {
    const { collect } = await open({ manners: { pull: false, onlyChanges: true }, spec: { silentWhenSame: 200 } });
    expect(await collect({ 'a.fake': 'use x' })).toEqual({ 'a.fake': [UNKNOWN] });
    expect(await collect({ 'a.fake': '\nuse x' })).toEqual({ 'a.fake': [UNKNOWN] });
    expect(await collect({ 'a.fake': 'export x\nuse x' })).toEqual({ 'a.fake': [] });
  });

  it('INT-18 waits until a server that tells so has read the project', async () => {
    const { collect, server } = await open({
      manners: { pull: true, quiescent: false, readyAfterMs: 600_000 },
      spec: COLD,
    });
    expect(await collect({ 'a.fake': 'use x' })).toEqual({ 'a.fake': [UNKNOWN] });
    expect(server.status.activities).toEqual([]);
  });

  it('INT-18 waits for the check that a server makes of the disk after a save', async () => {
    const files = { 'a.fake': '', 'b.fake': '' };
    const manners = { pull: true, check: true, delayMs: 20 };
    const { collect, server, workspace } = await open({ manners, files, spec: { checksOnSave: /^fake\/check$/ } });
    expect(server.answersForOldTexts).toBe(false);
    expect(await collect({ 'a.fake': 'use x' })).toEqual({ 'a.fake': [UNKNOWN], 'b.fake': [] });
    await workspace.write('b.fake', 'disk-error broken\n');
    expect(await collect({ 'a.fake': 'use x' }, true)).toEqual({ 'a.fake': [UNKNOWN], 'b.fake': ['broken'] });
  });

  it('INT-18 says when something becomes known unasked', async () => {
    const { collect, server, workspace } = await open({ manners: { pull: false, asks: true } });
    let later = 0;
    server.onLater(() => later++);
    await collect({ 'a.fake': 'use x' });
    expect(later).toBe(0);
    server.noticed([{ path: workspace.at('b.fake'), type: 'created' }]);
    await expect.poll(() => later).toBeGreaterThan(0);
  });

  it('INT-15 answers what servers ask, and refuses what it does not know', async () => {
    const { collect, log } = await open({
      manners: { pull: true, asks: true },
      spec: { settings: ({ contained }) => ({ fake: { deep: { contained } } }) },
    });
    await collect({ 'a.fake': '' });
    await expect.poll(() => log().filter((line) => line.startsWith('answer'))).toHaveLength(3);
    const [what, configuration, registered] = log().filter((line) => line.startsWith('answer'));
    expect(what).toMatch(/^answer q1 .*-32601/);
    expect(configuration).toBe('answer q2 [{"contained":false},{"fake":{"deep":{"contained":false}}},null]');
    expect(registered).toBe('answer q3 null');
  });

  it('INT-20 tells a contained server no process to watch, since it sees none', async () => {
    const { collect, log } = await open({ manners: { pull: true }, isContained: async () => true });
    await collect({ 'a.fake': '' });
    expect(log()[1]).toBe('initialize null');
  });
});

describe('ManagedServer with a server that misbehaves', () => {
  it.each([{ banner: true, prints: true }, { wrongIds: true }, { asks: true }])(
    'INT-21 gets on with one that has bad manners: %j',
    async (manners) => {
      const { collect } = await open({ manners: { pull: true, ...manners } });
      expect(await collect({ 'a.fake': 'use x' })).toEqual({ 'a.fake': [UNKNOWN] });
    },
  );

  it('INT-21 skips 100 MB that are no messages', async () => {
    const { collect } = await open({ manners: { pull: true, flood: 'initialized' } });
    expect(await collect({ 'a.fake': 'use x' })).toEqual({ 'a.fake': [UNKNOWN] });
  });

  it('INT-21 starts one again that crashes, at most three times, and says why', async () => {
    const { collect, server, log } = await open({ manners: { crash: 'start' } });
    await expect(collect({ 'a.fake': '' })).rejects.toMatchObject({ code: 'server_ended' });
    for (let more = 0; more < 3; more++) await collect({ 'a.fake': '' }).catch(() => undefined);
    expect(log().filter((line) => line.startsWith('start'))).toHaveLength(4);
    expect(server.status).toMatchObject({ state: 'failed', crashes: 4 });
    await expect(collect({ 'a.fake': '' })).rejects.toMatchObject({
      code: 'server_failed',
      message: expect.stringContaining('error: cannot read the flux'),
    });
    expect(log().filter((line) => line.startsWith('start'))).toHaveLength(4);
  });

  it.each(['initialized', 'change'])('INT-21 does not loop on one that crashes: %s', async (crash) => {
    const { collect, server, log } = await open({ manners: { pull: true, crash } });
    for (let time = 0; time < 6; time++) await collect({ 'a.fake': `text ${time}` }).catch(() => undefined);
    for (let time = 0; time < 6; time++) await collect({ 'a.fake': `text ${time}` }).catch(() => undefined);
    expect(server.state).toBe('failed');
    expect(log().filter((line) => line.startsWith('start')).length).toBeLessThanOrEqual(4);
  });

  it('INT-21 asks one again that crashed in the middle and shows it the texts anew', async () => {
    const { collect, server } = await open({ manners: { pull: true, crash: 'first change' } });
    await collect({ 'a.fake': 'use y' });
    expect(await collect({ 'a.fake': 'use x' })).toEqual({ 'a.fake': [UNKNOWN] });
    expect(server.status).toMatchObject({ state: 'ready', crashes: 1 });
  });

  it('INT-21 waits longer before each restart', async () => {
    const { server, log } = await open({ manners: { crash: 'start' }, backoffMs: [1, 600_000] });
    const stop = new AbortController();
    const waiting = server.collect([], { written: false }, stop.signal);
    await expect.poll(() => server.status).toMatchObject({ state: 'waiting', crashes: 2 });
    expect(log()).toHaveLength(2);
    stop.abort(new Error('given up'));
    await expect(waiting).rejects.toThrow('given up');
  });

  it('INT-21 gives one up that never answers the handshake', async () => {
    const { collect, server } = await open({ manners: { silent: 'initialize' }, startMs: 50 });
    await expect(collect({ 'a.fake': '' })).rejects.toMatchObject({ code: 'server_timeout' });
    expect(server.status).toMatchObject({ state: 'waiting', crashes: 1 });
  });

  it.each([true, false])('INT-18 can be left by who waits for one that never answers (pull: %s)', async (pull) => {
    const { server, workspace } = await open({ manners: { pull, silent: 'diagnostics' } });
    const stop = new AbortController();
    const files = [{ path: workspace.at('a.fake'), text: 'use x' }];
    const waiting = server.collect(files, { written: false }, stop.signal);
    await expect.poll(() => server.state).toBe('ready');
    stop.abort(new Error('given up'));
    await expect(waiting).rejects.toThrow('given up');
    await server.hangs(new Error('It hangs.') as never);
    expect(server.status).toMatchObject({ state: 'waiting', crashes: 1, problem: 'It hangs.' });
  });

  it('INT-21 ends one that takes too much memory, and tells that', async () => {
    const { collect, server } = await open({ manners: { pull: true, silent: 'diagnostics' }, maxMemory: 1_000_000 });
    await expect(collect({ 'a.fake': '' })).rejects.toMatchObject({
      message: expect.stringContaining('too much memory'),
    });
    expect(server.status.crashes).toBeGreaterThan(0);
  });

  it('INT-19 ends one that is idle, politely, and starts it again when it is needed', async () => {
    const { collect, server, log } = await open({ manners: { pull: true }, idleMs: () => 10 });
    await collect({ 'a.fake': '' });
    await expect.poll(() => server.state).toBe('idle');
    await expect.poll(log).toContain('exit');
    expect(log()).toContain('shutdown');
    expect(await collect({ 'a.fake': 'use x' })).toEqual({ 'a.fake': [UNKNOWN] });
    expect(server.status.crashes).toBe(0);
  });

  it('INT-21 ends one that ignores the farewell', async () => {
    const { collect, server, log } = await open({ manners: { pull: true, ignoresShutdown: true } });
    await collect({ 'a.fake': '' });
    const { pid } = server.status;
    await server.stop();
    expect(findProcesses(1).some((entry) => entry.pid === pid)).toBe(false);
    expect(log()).toContain('SIGTERM');
    expect(server.status).toMatchObject({ state: 'idle', crashes: 0 });
  });

  it('INT-21 dies with the session, also in the middle of a question', async () => {
    const { server, servers, workspace } = await open({ manners: { pull: true, silent: 'diagnostics' } });
    const files = [{ path: workspace.at('a.fake'), text: '' }];
    const waiting = server.collect(files, { written: false }, never);
    await expect.poll(() => server.state).toBe('ready');
    const { pid } = server.status;
    await Promise.all([expect(waiting).rejects.toMatchObject({ code: 'disposed' }), servers.dispose()]);
    expect(findProcesses(1).some((entry) => entry.pid === pid)).toBe(false);
    await expect(servers.serversOf(workspace.at('a.fake'))).rejects.toMatchObject({ code: 'disposed' });
  });
});
