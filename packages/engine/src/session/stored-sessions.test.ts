import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createEngine } from '../engine.ts';
import type { Engine } from '../engine-api.ts';
import { SessionStore } from './session-store.ts';

let root: string;
let home: string;
let cwd: string;
let store: SessionStore;
let engine: Engine;
const engines: Engine[] = [];
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'stored-sessions-')));
  home = join(root, 'home');
  cwd = join(root, 'work');
  mkdirSync(cwd);
  store = new SessionStore({ home, now: Date.now });
  engine = anEngine();
});
afterEach(async () => {
  for (const each of engines.splice(0)) await each.dispose();
  rmSync(root, { recursive: true, force: true });
});

function anEngine(inMemory = false): Engine {
  const env = { MY_TOKEN: 'a-very-plain-word' };
  const made = createEngine({ cwd, home, env, face: 'test', asks: 'refuse', inMemory });
  engines.push(made);
  return made;
}

/** A stored session, and the names of everything in the state folder. */
function stored(text = 'hello'): { id: string; path: string } {
  using manager = store.create({ cwd });
  manager.append({ type: 'message', message: { role: 'user', content: text, timestamp: Date.now() } });
  return { id: manager.getSessionId(), path: manager.getPath()! };
}

function tree(folder = home): string[] {
  return existsSync(folder) ? readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort() : [];
}

describe('reading without opening', () => {
  it('SES-7 reads, searches and exports while another process holds the session, and writes nothing', async () => {
    const { id, path } = stored('a-very-plain-word is here');
    using holder = await store.open(id, cwd);
    const [files, bytes] = [tree(), readFileSync(path)];
    const read = await engine.execute({ type: 'readSession', session: id.slice(0, 8) });
    expect(read).toMatchObject({ ok: true, value: { sessionId: id, path, problems: [], header: { cwd } } });
    expect(read.ok && read.value.view.items).toHaveLength(1);
    const searched = await engine.execute({ type: 'searchSessions', query: 'plain-word' });
    expect(searched).toMatchObject({ ok: true, value: { sessions: [{ id }], searched: 1, truncated: false } });
    const exported = await engine.execute({ type: 'exportSession', session: 'latest', format: 'md' });
    expect(exported).toMatchObject({ ok: true, value: { sessionId: id, redacted: 1 } });
    expect(exported.ok && exported.value.content).not.toContain('a-very-plain-word');
    expect(tree()).toEqual(files);
    expect(readFileSync(path).equals(bytes)).toBe(true);
    expect(holder.readOnly).toBeUndefined();
  });

  it('SES-5 reads an old version without migrating it', async () => {
    const { path } = stored();
    const old = join(dirname(path), '2020-01-01T00-00-00-000Z_old00000.jsonl');
    const text = `${JSON.stringify({ type: 'session', id: 'old00000', timestamp: '2020-01-01T00:00:00Z', cwd })}\n${JSON.stringify({ type: 'message', timestamp: '2020-01-01T00:00:00Z', message: { role: 'user', content: 'old words', timestamp: 1 } })}\n`;
    writeFileSync(old, text);
    const files = tree();
    const read = await engine.execute({ type: 'readSession', session: 'old0' });
    expect(read.ok && read.value.view.items).toMatchObject([{ kind: 'user', content: 'old words' }]);
    const found = await engine.execute({ type: 'searchSessions', query: '"old words"' });
    expect(found).toMatchObject({ ok: true, value: { sessions: [{ id: 'old00000' }] } });
    expect(readFileSync(old, 'utf8')).toBe(text);
    expect(tree()).toEqual(files);
  });

  it('SES-6 says what cannot be read', async () => {
    const { path } = stored();
    writeFileSync(join(dirname(path), '2020-01-01T00-00-00-000Z_bad00000.jsonl'), 'no session\n');
    const failed = async (session: string) => {
      const read = await engine.execute({ type: 'readSession', session });
      return read.ok ? 'ok' : read.error.code;
    };
    expect(await failed('bad0')).toBe('not_a_session');
    expect(await failed('nothing')).toBe('session_not_found');
    expect(await failed('./none.jsonl')).toBe('session_not_found');
  });
});

describe('naming and putting away', () => {
  it('SES-24 renames a session, open or not, and takes the name away', async () => {
    const { id } = stored();
    const rename = (name: string) => engine.execute({ type: 'renameSession', session: id, name });
    const title = async () => {
      const listed = await engine.execute({ type: 'listSessions' });
      return listed.ok && listed.value.sessions[0]!.title;
    };
    expect(await rename('  A\nnew   name ')).toEqual({ ok: true, value: { sessionId: id, name: 'A new name' } });
    expect(await title()).toBe('A new name');
    const heard: string[] = [];
    engine.onEvent((event) => heard.push(event.type));
    await engine.execute({ type: 'openSession', session: id });
    await rename('Another');
    expect(heard).toContain('SessionRenamed');
    expect(await title()).toBe('Another');
    await rename('');
    expect(await title()).toBe('hello');
    await engine.execute({ type: 'closeSession', sessionId: id });
    using _held = await store.open(id, cwd);
    expect(await rename('x')).toMatchObject({ ok: false, error: { code: 'session_read_only' } });
  });

  it('SES-24 moves a session and what is beside it to the trash, and back, byte by byte', async () => {
    const { id, path } = stored();
    const other = stored('other');
    const beside = path.replace(/\.jsonl$/, '.d');
    mkdirSync(beside);
    writeFileSync(join(beside, 'output.txt'), 'large');
    writeFileSync(`${path}.before-v3`, 'old');
    const [files, bytes] = [tree(join(home, 'sessions')), readFileSync(path)];
    const gone = await engine.execute({ type: 'deleteSession', session: id });
    expect(gone).toMatchObject({
      ok: true,
      value: { sessionId: id, trashed: expect.stringContaining('/trash/sessions/') },
    });
    expect(tree(join(home, 'sessions')).filter((name) => name.endsWith('.jsonl'))).toEqual([
      join(dirname(other.path).split('/').at(-1)!, other.path.split('/').at(-1)!),
    ]);
    const listed = await engine.execute({ type: 'listSessions', everywhere: true });
    expect(listed.ok && listed.value.sessions.map((each) => each.id)).toEqual([other.id]);
    const again = await engine.execute({ type: 'deleteSession', session: id });
    expect(again).toMatchObject({ ok: false, error: { code: 'session_not_found' } });
    const back = await engine.execute({ type: 'restoreSession', session: id.slice(0, 8) });
    expect(back).toEqual({ ok: true, value: { sessionId: id, path } });
    expect(tree(join(home, 'sessions'))).toEqual(files);
    expect(readFileSync(path).equals(bytes)).toBe(true);
    const twice = await engine.execute({ type: 'restoreSession', session: id });
    expect(twice).toMatchObject({ ok: false, error: { code: 'session_not_found' } });
  });

  it('SES-7 leaves alone what another process holds, what is not in the state folder, and what is in the way', async () => {
    const { id, path } = stored();
    const outside = join(cwd, 'mine.jsonl');
    writeFileSync(outside, readFileSync(path));
    expect(await engine.execute({ type: 'deleteSession', session: outside })).toMatchObject({
      ok: false,
      error: { code: 'not_ours' },
    });
    expect(existsSync(outside)).toBe(true);
    {
      using _holder = await store.open(id, cwd);
      expect(await engine.execute({ type: 'deleteSession', session: id })).toMatchObject({
        ok: false,
        error: { code: 'session_held' },
      });
    }
    const copy = readFileSync(path);
    await engine.execute({ type: 'deleteSession', session: id });
    writeFileSync(path, copy);
    expect(await engine.execute({ type: 'restoreSession', session: id })).toMatchObject({
      ok: false,
      error: { code: 'in_the_way' },
    });
  });

  it('SES-24 closes a session that is open here before it goes', async () => {
    const { id } = stored();
    await engine.execute({ type: 'openSession', session: id });
    expect(await engine.execute({ type: 'deleteSession', session: id })).toMatchObject({ ok: true });
    expect(await engine.execute({ type: 'subscribe', sessionId: id })).toMatchObject({ ok: false });
  });

  it('IDE-88 does the same in memory', async () => {
    const memory = anEngine(true);
    const created = await memory.execute({ type: 'newSession' });
    const session = created.ok ? created.value.sessionId : '';
    await memory.execute({ type: 'setMode', sessionId: session, mode: 'ask' });
    expect(await memory.execute({ type: 'renameSession', session, name: 'Kept' })).toMatchObject({ ok: true });
    expect(await memory.execute({ type: 'searchSessions', query: 'kept' })).toMatchObject({
      ok: true,
      value: { sessions: [{ id: session }] },
    });
    expect(await memory.execute({ type: 'exportSession', session })).toMatchObject({ ok: true });
    expect(await memory.execute({ type: 'deleteSession', session })).toEqual({
      ok: true,
      value: { sessionId: session },
    });
    expect(await memory.execute({ type: 'readSession', session })).toMatchObject({ ok: false });
    expect(await memory.execute({ type: 'restoreSession', session })).toEqual({
      ok: true,
      value: { sessionId: session },
    });
  });
});

describe('what a kill has left', () => {
  it('SES-7 is removed when a task begins, once it is old', async () => {
    const { id, path } = stored();
    const [old, young] = [`${path}.0123456789ab.tmp`, `${path}.ba9876543210.tmp`];
    for (const file of [old, young]) writeFileSync(file, 'half');
    const before = new Date(Date.now() - 3 * 24 * 60 * 60 * 1000);
    utimesSync(old, before, before);
    const ended = new Promise<void>((resolve) => {
      engine.onEvent((event) => {
        if (event.type === 'TaskCompleted') resolve();
      });
    });
    await engine.execute({ type: 'openSession', session: id });
    expect(existsSync(old)).toBe(true);
    await engine.execute({ type: 'startAgentTask', sessionId: id, text: 'help', model: 'offline/offline' });
    await ended;
    expect([existsSync(old), existsSync(young), existsSync(path)]).toEqual([false, true, true]);
  });
});
