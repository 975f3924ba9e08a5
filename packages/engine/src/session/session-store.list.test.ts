import { appendFileSync, mkdirSync, readFileSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { workspaceKey } from '@black-ide/workspace';
import { describe, expect, it } from 'vitest';
import { cwd, home, root, say, store, tick, useTempStore } from './fixtures/temp-store.ts';
import type { SessionManager } from './session-manager.ts';

useTempStore();

describe('SessionStore: listing', () => {
  it('SES-4 newest talk first, whatever the files say of themselves', async () => {
    const [one, two] = ['a question', 'another'].map((text) => {
      const session = store.create({ cwd });
      session.append({ type: 'message', message: { role: 'user', content: text, timestamp: tick() } });
      session.close();
      return session;
    }) as [SessionManager, SessionManager];
    utimesSync(one.getPath()!, new Date('2031-01-01'), new Date('2031-01-01'));
    using again = await store.open(one.getSessionId(), cwd);
    again.append({ type: 'session_info', name: 'Renamed later' });
    again.append({ type: 'custom', customType: 'x' });
    expect(await store.list({ cwd })).toEqual([
      expect.objectContaining({ id: two.getSessionId(), title: 'another', messages: 1 }),
      {
        id: one.getSessionId(),
        path: one.getPath(),
        cwd,
        title: 'Renamed later',
        created: '2026-03-01T10:00:01.000Z',
        modified: '2026-03-01T10:00:02.000Z',
        messages: 1,
      },
    ]);
    expect((await store.latest(cwd))?.id).toBe(two.getSessionId());
  });

  it('SES-4 goes by the real folder in the header: names that look alike, links, a key that two folders share', async () => {
    const alike = ['a_b', 'a-b', 'a.b'].map((name) => join(root, 'work', name));
    for (const folder of alike) {
      mkdirSync(folder);
      using session = store.create({ cwd: folder });
      say(session, folder);
    }
    symlinkSync(alike[0]!, join(root, 'link'));
    for (const folder of alike) {
      expect((await store.list({ cwd: folder })).map(({ title }) => title)).toEqual([folder.slice(0, 80)]);
    }
    expect(await store.list({ cwd: join(root, 'link') })).toEqual(await store.list({ cwd: alike[0]! }));
    using linked = store.create({ cwd: join(root, 'link') });
    say(linked, 'through the link');
    expect(linked.getHeader().cwd).toBe(alike[0]);
    expect(await store.list({ cwd: alike[0]! })).toHaveLength(2);
    // A session of another folder that lies under our key, and one whose folder was named by a link.
    const folder = join(home, 'sessions', workspaceKey(cwd));
    mkdirSync(folder, { recursive: true });
    leave(folder, 'foreign', { cwd: alike[1]! });
    symlinkSync(cwd, join(root, 'notes-link'));
    leave(folder, 'linked', { cwd: join(root, 'notes-link') });
    expect((await store.list({ cwd })).map(({ id }) => id)).toEqual(['linked']);
    expect((await store.list({ everywhere: true })).map(({ id }) => id)).toEqual(expect.arrayContaining(['foreign']));
  });

  it('SES-4 one damaged file among 1,000 breaks nothing, is shown with its problem, and is not touched', async () => {
    const folder = join(home, 'sessions', workspaceKey(cwd));
    mkdirSync(folder, { recursive: true });
    for (let i = 0; i < 1_000; i++) leave(folder, `s${i}`, { cwd });
    const damaged = join(folder, '2026-01-01_damaged.jsonl');
    writeFileSync(damaged, Buffer.from([0xff, 0xfe, 0, 10, 0x7b]));
    writeFileSync(join(folder, '2026-01-01_empty.jsonl'), '');
    writeFileSync(join(folder, 'not-a-session.txt'), 'x');
    mkdirSync(join(folder, '2026-01-01_folder.jsonl'));
    symlinkSync('nowhere', join(folder, '2026-01-01_dangling.jsonl'));
    const sessions = await store.list({ cwd });
    expect(sessions.filter(({ problem }) => !problem)).toHaveLength(1_000);
    expect(
      sessions
        .filter(({ problem }) => problem)
        .map(({ id }) => id)
        .sort(),
    ).toEqual(['damaged', 'dangling', 'empty']);
    expect((await store.latest(cwd))?.problem).toBe(undefined);
    expect(readFileSync(damaged)).toEqual(Buffer.from([0xff, 0xfe, 0, 10, 0x7b]));
  });

  it('SES-4 of a large file the ends are enough', async () => {
    using session = store.create({ cwd });
    const asked = `${'😀 Where\n is "it"? '.repeat(4_000)}`;
    session.append({ type: 'message', message: { role: 'user', content: asked, timestamp: tick() } });
    for (let i = 0; i < 100; i++) say(session, 'x'.repeat(10_000));
    const last = say(session, 'the last word');
    session.append({ type: 'custom', customType: 'x', data: 'y'.repeat(100_000) });
    const [summary] = await store.list({ cwd });
    expect(summary).toMatchObject({ modified: last.timestamp, atLeast: true });
    expect(summary!.title).toMatch(/^😀 Where is "it"\? .{10,}…$/u);
    expect(Array.from(summary!.title)).toHaveLength(80);
    expect(summary!.messages).toBeLessThan(101);
    expect(summary!.messages).toBeGreaterThan(1);
  });

  it('SES-4 an empty home has no sessions', async () => {
    expect(await store.list({ cwd })).toEqual([]);
    expect(await store.list({ everywhere: true })).toEqual([]);
    expect(await store.latest(cwd)).toBe(undefined);
  });
});

function leave(folder: string, id: string, header: { cwd: string }): void {
  const path = join(folder, `2026-01-01_${id}.jsonl`);
  const first = { type: 'session', version: 3, id, timestamp: '2026-01-01T00:00:00.000Z', ...header };
  appendFileSync(path, `${JSON.stringify(first)}\n`);
  const message = { role: 'user', content: id, timestamp: 1 };
  appendFileSync(path, `${JSON.stringify({ type: 'message', id: 'a', parentId: null, timestamp: 't', message })}\n`);
}
