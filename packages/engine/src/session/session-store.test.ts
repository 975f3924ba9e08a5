import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { workspaceKey } from '@black-ide/workspace';
import { describe, expect, it } from 'vitest';
import { cwd, home, lines, node, root, STORE, say, store, tick, useTempStore } from './fixtures/temp-store.ts';
import type { SessionManager } from './session-manager.ts';
import { SessionStore } from './session-store.ts';

useTempStore();

describe('SessionStore: a file', () => {
  it('SES-1 SES-4 appears with its first entry, where it belongs, for its owner alone', () => {
    using session = store.create({ cwd });
    const path = session.getPath()!;
    expect(existsSync(home)).toBe(false);
    const entry = say(session, 'hello 😀');
    expect(path).toBe(
      join(home, 'sessions', workspaceKey(cwd), `2026-03-01T10-00-01-000Z_${session.getSessionId()}.jsonl`),
    );
    expect(lines(path)).toEqual([
      {
        type: 'session',
        version: 3,
        id: session.getSessionId(),
        timestamp: '2026-03-01T10:00:01.000Z',
        cwd,
      },
      { ...entry },
    ]);
    expect(session.getSessionId()).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(statSync(dirname(path)).mode & 0o777).toBe(0o700);
  });

  it('SES-6 every entry is on disk when append returns, and the listener hears of it after that', () => {
    using session = store.create({ cwd });
    const seen: boolean[] = [];
    session.onAppend(({ id }) => seen.push(readFileSync(session.getPath()!, 'utf8').includes(`"id":"${id}"`)));
    say(session, '1');
    session.append({ type: 'custom', customType: 'response', data: { requestId: 'r' } });
    expect(seen).toEqual([true, true]);
  });

  it('SES-6 a write that fails leaves the session as it was, and no later entry below a lost one', () => {
    using session = store.create({ cwd });
    const one = say(session, '1');
    rmSync(session.getPath()!);
    for (let i = 0; i < 2; i++) expect(() => say(session, 'x')).toThrow(expect.objectContaining({ code: 'log_gone' }));
    expect([session.getLeafId(), session.getEntries().length]).toEqual([one.id, 1]);
  });

  it('SES-4 a home that cannot be made is told with the first entry', () => {
    writeFileSync(home, 'a file in its place');
    using session = store.create({ cwd });
    expect(() => say(session, 'x')).toThrow(expect.objectContaining({ code: 'session_unwritable' }));
    expect(session.getEntries()).toEqual([]);
  });

  it('SES-6 cut at every byte it loads all whole entries, and the next append is well-formed', async () => {
    const session = store.create({ cwd });
    say(session, 'first 😀');
    session.append({ type: 'custom', customType: 'x', data: { text: 'zweite „Zeile“\n👩‍👩‍👧' } });
    say(session, 'third');
    session.close();
    const whole = readFileSync(session.getPath()!);
    const all = session.getEntries();
    const path = join(root, `2026-03-01T10-00-00-000Z_cut.jsonl`);
    for (let cut = 0; cut <= whole.length; cut++) {
      writeFileSync(path, whole.subarray(0, cut));
      // An entry is whole as soon as its last brace is there, the line end need not be.
      const complete = whole.subarray(0, cut).toString().split('\n').filter(isJson).slice(1).length;
      const opened = await store.open(path, cwd);
      expect(opened.getEntries(), `cut at ${cut}`).toEqual(all.slice(0, complete));
      expect(opened.readOnly).toBe(undefined);
      const torn =
        cut > 0 &&
        !isJson(
          whole
            .subarray(0, cut)
            .toString()
            .split('\n')
            .findLast((line) => line)!,
        );
      expect(opened.problems).toHaveLength(torn ? 1 : 0);
      const added = say(opened, 'after the crash');
      expect(added.parentId).toBe(all[complete - 1]?.id ?? null);
      opened.close();
      const again = await store.open(path, cwd);
      expect(again.getEntries()).toEqual([...all.slice(0, complete), added]);
      expect(again.getHeader().cwd).toBe(cwd);
      again.close();
      expect(readFileSync(path).subarray(0, cut).equals(whole.subarray(0, cut))).toBe(true);
    }
  });

  it('SES-6 a process killed while it appends loses nothing that it was told is kept', async () => {
    const code = `
      import { SessionStore } from ${STORE};
      const store = new SessionStore({ home: ${JSON.stringify(home)}, now: Date.now });
      const session = store.create({ cwd: ${JSON.stringify(cwd)} });
      console.log(session.getPath());
      for (let i = 0; ; i++) {
        const { id } = session.append({ type: 'custom', customType: 'x', data: 'é'.repeat((i * 997) % 20000) });
        process.stdout.write(id + '\\n');
        await new Promise(setImmediate);
      }`;
    for (const after of [1, 60]) {
      const child = node(code);
      const exited = once(child, 'exit');
      const told: string[] = [];
      for await (const line of createInterface({ input: child.stdout })) {
        told.push(line);
        if (told.length === after + 1) child.kill('SIGKILL');
      }
      await exited;
      const [path, ...ids] = told;
      const session = await store.open(path!, cwd);
      expect(session.readOnly).toBe(undefined);
      expect(
        session
          .getEntries()
          .slice(0, ids.length)
          .map(({ id }) => id),
      ).toEqual(ids);
      expect(say(session, 'on').parentId).toBe(session.getEntries().at(-2)!.id);
      session.close();
      const again = await store.open(path!, cwd);
      expect(again.getEntries()).toEqual(session.getEntries());
      again.close();
    }
  });
});

describe('SessionStore: opening', () => {
  it('SES-4 by id, by an unambiguous beginning, by path, and the latest of the folder', async () => {
    const ids = ['aaaa1111', 'aaaa2222', 'bbbb3333'];
    const given = new SessionStore({
      home,
      now: tick,
      randomHex: (bytes) => (bytes === 16 ? ids.shift()!.padEnd(32, '0') : Math.random().toString(16).slice(2, 10)),
    });
    const [one, two, three] = [0, 1, 2].map((i) => {
      const session = given.create({ cwd });
      say(session, `session ${i}`);
      session.close();
      return session;
    }) as [SessionManager, SessionManager, SessionManager];
    const open = async (name: string, from = cwd) => {
      using session = await given.open(name, from);
      return session.getSessionId();
    };
    expect(await open('bbbb')).toBe(three.getSessionId());
    expect(await open('aaaa1')).toBe(one.getSessionId());
    expect(await open(two.getSessionId())).toBe(two.getSessionId());
    expect(await open(one.getPath()!)).toBe(one.getSessionId());
    expect(await open(one.getPath()!.slice(dirname(one.getPath()!).length + 1), dirname(one.getPath()!))).toBe(
      one.getSessionId(),
    );
    expect(await open('latest')).toBe(three.getSessionId());
    await expect(open('aaaa')).rejects.toThrow(expect.objectContaining({ code: 'session_ambiguous' }));
    for (const name of ['cccc', 'latest', join(root, 'none.jsonl')]) {
      await expect(open(name, root)).rejects.toThrow(expect.objectContaining({ code: 'session_not_found' }));
    }
  });

  it('SES-6 what is no session is refused, and not a byte of it changes', async () => {
    const files = {
      'notes.jsonl': 'no json\n',
      'package.jsonl': '{"name":"x","type":"module"}\n',
      'other.jsonl': '{"type":"user","uuid":"1"}\n{"type":"user","uuid":"2"}\n',
    };
    for (const [name, content] of Object.entries(files)) {
      const path = join(root, name);
      writeFileSync(path, content);
      await expect(store.open(path, cwd)).rejects.toThrow(expect.objectContaining({ code: 'not_a_session' }));
      expect(readFileSync(path, 'utf8')).toBe(content);
    }
    mkdirSync(join(root, 'folder.jsonl'));
    const folder = store.open(join(root, 'folder.jsonl'), cwd);
    await expect(folder).rejects.toThrow(expect.objectContaining({ code: 'session_unreadable' }));
    expect(readdirSync(root).sort()).toEqual(['folder.jsonl', 'notes.jsonl', 'other.jsonl', 'package.jsonl', 'work']);
  });

  it('SES-6 a session that lost its header keeps its entries and gets a header with the next one', async () => {
    const session = store.create({ cwd });
    const [one, two] = [say(session, '1'), say(session, '2')];
    session.close();
    const path = session.getPath()!;
    const [, ...entries] = readFileSync(path, 'utf8').split('\n');
    writeFileSync(path, ['{"type":"sess\u0000\u0000', ...entries].join('\n'));
    const opened = await store.open(path, cwd);
    expect(opened.getEntries()).toEqual([one, two]);
    expect(opened.getSessionId()).toBe(session.getSessionId());
    const three = say(opened, '3');
    opened.close();
    using again = await store.open(session.getSessionId(), cwd);
    expect(again.getEntries()).toEqual([one, two, three]);
    expect(again.getHeader()).toEqual(opened.getHeader());
  });

  it('SES-3 reading a session of the current version changes no byte and leaves nothing beside it', async () => {
    const path = join(root, 's.jsonl');
    const content = [
      '{"type":"session","version":3,"id":"s","timestamp":"2026-01-01T00:00:00.000Z","cwd":"/gone","theirs":1}',
      '{ "type":"song", "id":"a1", "parentId":null, "timestamp":"t", "notes":[1,2] }',
      '',
      '{"type":"compaction","id":"a2","parentId":"a1","timestamp":"t","summary":"s","firstKeptEntryId":"a1","tokensBefore":1,"fromHook":true}',
    ].join('\n');
    writeFileSync(path, content);
    const session = await store.open(path, cwd);
    session.close();
    expect(readFileSync(path, 'utf8')).toBe(content);
    expect(readdirSync(root).sort()).toEqual(['s.jsonl', 'work']);
    expect(session.getEntries()).toMatchObject([{ notes: [1, 2] }, { fromHook: true }]);
  });
});

describe('SessionStore: versions', () => {
  const V1 = [
    '{"type":"session","id":"old","timestamp":"2025-01-01T00:00:00.000Z","cwd":"/w","provider":"anthropic"}',
    '{"type":"message","timestamp":"t","message":{"role":"user","content":"hi"}}',
    'garbage',
    '{"type":"message","timestamp":"t","message":{"role":"hookMessage","content":"hook"}}',
    '{"type":"compaction","timestamp":"t","summary":"s","firstKeptEntryIndex":2,"tokensBefore":1}',
  ].join('\n');

  it('SES-5 an old session is migrated on opening, the original kept beside it once', async () => {
    const path = join(root, 'old.jsonl');
    writeFileSync(path, V1);
    const session = await store.open(path, cwd);
    expect(session.getBranch()).toMatchObject([
      { message: { role: 'user' } },
      { message: { role: 'custom' } },
      { firstKeptEntryId: session.getBranch()[1]!.id },
    ]);
    session.close();
    expect(readFileSync(`${path}.before-v3`, 'utf8')).toBe(V1);
    expect(lines(path)).toEqual([session.getHeader(), ...session.getEntries()]);
    expect(lines(path)[0]).toMatchObject({ version: 3, provider: 'anthropic' });
    const migrated = readFileSync(path, 'utf8');
    const again = await store.open(path, cwd);
    say(again, 'on');
    again.close();
    expect(readFileSync(path, 'utf8').startsWith(migrated)).toBe(true);
    expect(readFileSync(`${path}.before-v3`, 'utf8')).toBe(V1);
    writeFileSync(path, V1.replace('"hi"', '"changed"'));
    (await store.open(path, cwd)).close();
    expect(readFileSync(`${path}.before-v3`, 'utf8')).toBe(V1);
    expect(readdirSync(root).sort()).toEqual(['old.jsonl', 'old.jsonl.before-v3', 'work']);
  });

  it('SES-5 a newer session opens for reading only, is never written, and cannot be forked into our version', async () => {
    const path = join(root, 'new.jsonl');
    const content = `${V1.replace('"id"', '"version":4,"id"').replaceAll('"timestamp":"t"', '"id":"a","parentId":null,"timestamp":"t"')}\n`;
    writeFileSync(path, content);
    using session = await store.open(path, cwd);
    expect(session.readOnlyBecause).toMatchObject({ reason: 'newer_version' });
    expect(session.getEntries()).toHaveLength(1);
    expect(() => say(session, 'x')).toThrow(expect.objectContaining({ code: 'session_read_only' }));
    const id = session.getEntries()[0]!.id;
    for (const copy of [() => session.fork(), () => session.createBranchedSession(id)]) {
      expect(copy).toThrow(expect.objectContaining({ code: 'session_too_new' }));
    }
    expect(readFileSync(path, 'utf8')).toBe(content);
    expect(readdirSync(root).sort()).toEqual(['new.jsonl', 'work']);
  });
});

describe('SessionStore in memory', () => {
  it('SES-4 has the same interface, and no path', async () => {
    const memory = new SessionStore({ home, inMemory: true, now: tick });
    const session = memory.create({ cwd, title: 'Named' });
    expect(await memory.list({ cwd })).toEqual([]);
    const one = say(session, '1');
    expect(session.getPath()).toBe(undefined);
    expect(await memory.list({ cwd })).toMatchObject([{ id: session.getSessionId(), title: 'Named', messages: 1 }]);
    expect((await memory.list({ cwd }))[0]).not.toHaveProperty('path');
    expect(await memory.list({ cwd: root })).toEqual([]);
    using second = await memory.open(session.getSessionId().slice(0, 6), cwd);
    expect(second.readOnlyBecause?.reason).toBe('held');
    expect(second.fork()).toBe(undefined);
    expect(say(second, 'mine').parentId).toBe(one.id);
    session.close();
    using again = await memory.open(session.getSessionId(), cwd);
    expect(again.readOnly).toBe(undefined);
    expect(again.getEntries()).toEqual([one]);
    expect(await memory.list({ everywhere: true })).toHaveLength(2);
    await expect(memory.open('unknown', cwd)).rejects.toThrow(expect.objectContaining({ code: 'session_not_found' }));
    expect((await memory.open('latest', cwd)).getSessionId()).toBe(second.getSessionId());
    expect(existsSync(home)).toBe(false);
  });
});

function isJson(line: string): boolean {
  try {
    JSON.parse(line);
    return true;
  } catch {
    return false;
  }
}
