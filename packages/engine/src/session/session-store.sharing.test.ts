import { once } from 'node:events';
import { chmodSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { workspaceKey } from '@black-ide/workspace';
import { describe, expect, it } from 'vitest';
import { cwd, home, lines, node, root, STORE, say, store, useTempStore } from './fixtures/temp-store.ts';

useTempStore();

describe('SessionStore: two processes', () => {
  it('SES-7 the second reads only, is told who holds it, and may fork; a killed holder is replaced at once', async () => {
    const session = store.create({ cwd });
    say(session, '1');
    session.close();
    const path = session.getPath()!;
    const child = node(`
      import { SessionStore } from ${STORE};
      const store = new SessionStore({ home: ${JSON.stringify(home)}, now: Date.now });
      const session = await store.open('latest', ${JSON.stringify(cwd)});
      session.append({ type: 'custom', customType: 'theirs' });
      console.log(session.readOnly ?? 'writes');
      setInterval(() => {}, 1000);`);
    const [said] = await once(child.stdout, 'data');
    expect(String(said).trim()).toBe('writes');

    const second = await store.open(path, cwd);
    expect(second.readOnly).toContain(String(child.pid));
    expect(second.readOnlyBecause).toMatchObject({ reason: 'held', heldBy: { pid: child.pid } });
    const before = readFileSync(path, 'utf8');
    expect(() => say(second, 'mine')).toThrow(expect.objectContaining({ code: 'session_read_only' }));
    const forked = second.fork()!;
    expect([second.readOnly, second.getPath()]).toEqual([undefined, forked]);
    say(second, 'mine');
    second.close();
    expect(readFileSync(path, 'utf8')).toBe(before);
    expect(lines(forked)).toMatchObject([
      { id: second.getSessionId(), parentSession: path, cwd },
      { message: { content: '1' } },
      { customType: 'theirs' },
      { message: { content: 'mine' } },
    ]);

    child.kill('SIGKILL');
    await once(child, 'exit');
    using third = await store.open(path, cwd);
    expect(third.readOnly).toBe(undefined);
    expect(say(third, 'on').parentId).toBe(third.getEntries().at(-2)!.id);
  });

  it('SES-7 twice in one process is twice as well, and a new session is held from its first entry', async () => {
    using session = store.create({ cwd });
    say(session, '1');
    using second = await store.open(session.getSessionId(), cwd);
    expect(second.readOnlyBecause).toMatchObject({ reason: 'held', heldBy: { pid: process.pid } });
    session.close();
    using third = await store.open(session.getSessionId(), cwd);
    expect(third.readOnly).toBe(undefined);
  });

  it('SES-7 a fork keeps the leaf that was chosen', async () => {
    using session = store.create({ cwd });
    const one = say(session, '1');
    say(session, '2');
    using second = await store.open(session.getSessionId(), cwd);
    second.branch(one.id);
    const path = second.fork()!;
    second.close();
    using again = await store.open(path, cwd);
    expect(again.getBranch()).toMatchObject([{ id: one.id }, { type: 'custom', customType: 'leaf', parentId: one.id }]);
    expect(again.getEntries()).toHaveLength(3);
  });

  it('SES-7 a file that this user may not write is read, and can be forked', async () => {
    const path = join(root, 's.jsonl');
    const header = { type: 'session', version: 3, id: 's', timestamp: 't', cwd };
    const entry = { type: 'x', id: 'a', parentId: null, timestamp: 't' };
    writeFileSync(path, `${JSON.stringify(header)}\n${JSON.stringify(entry)}\n`);
    // Root may write everything; a file in the place of the lock's folder stands in its way as well.
    if (process.getuid?.() === 0) writeFileSync(join(root, 's.lock'), '');
    else chmodSync(path, 0o400);
    using session = await store.open(path, cwd);
    expect(session.readOnlyBecause?.reason).toBe('unwritable');
    expect(session.fork()).toContain(join(home, 'sessions', workspaceKey(cwd)));
    expect(say(session, 'on').parentId).toBe('a');
  });
});

describe('SessionStore: branching', () => {
  it('SES-12 writes the path into a new file at once, switches to it, and leaves the old one alone', async () => {
    using session = store.create({ cwd });
    const [one, two] = [say(session, '1'), say(session, '2')];
    session.appendLabelChange(one.id, 'mark');
    const old = session.getPath()!;
    const before = readFileSync(old, 'utf8');
    const path = session.createBranchedSession(two.id)!;
    expect(path).not.toBe(old);
    expect(dirname(path)).toBe(dirname(old));
    expect(session.getPath()).toBe(path);
    expect(lines(path)).toEqual([session.getHeader(), ...session.getEntries()]);
    expect(session.getHeader()).toMatchObject({ parentSession: old, cwd, version: 3 });
    say(session, '3');
    expect(lines(path)).toHaveLength(5);
    expect(readFileSync(old, 'utf8')).toBe(before);
    // The old one is free for others, the new one is ours.
    using other = await store.open(old, cwd);
    expect(other.readOnly).toBe(undefined);
    using same = await store.open(path, cwd);
    expect(same.readOnlyBecause?.reason).toBe('held');
  });

  it('SES-12 from the first message there are no entries twice', () => {
    using session = store.create({ cwd });
    const one = say(session, '1');
    say(session, '2');
    const path = session.createBranchedSession(one.id)!;
    say(session, 'other');
    say(session, 'more');
    expect(lines(path).map(({ type }) => type)).toEqual(['session', 'message', 'message', 'message']);
    expect(new Set(lines(path).map(({ id }) => id)).size).toBe(4);
  });

  it('SES-12 where the new file cannot be written the session is as before', () => {
    using session = store.create({ cwd });
    const one = say(session, '1');
    const folder = dirname(session.getPath()!);
    const header = session.getHeader();
    rmSync(folder, { recursive: true });
    writeFileSync(folder, 'a file in its place');
    expect(() => session.createBranchedSession(one.id)).toThrow(
      expect.objectContaining({ code: 'session_unwritable' }),
    );
    expect([session.getHeader(), session.getLeafId()]).toEqual([header, one.id]);
  });
});
