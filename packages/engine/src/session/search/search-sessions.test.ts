import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { SessionStore } from '../session-store.ts';

let root: string;
let cwd: string;
let store: SessionStore;
let clock = Date.parse('2026-03-01T10:00:00Z');
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'search-sessions-')));
  cwd = join(root, 'work');
  mkdirSync(cwd);
  store = new SessionStore({ home: join(root, 'home'), now: tick });
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function tick(): number {
  clock += 1_000;
  return clock;
}

function session(folder: string, ...said: string[]): string {
  using manager = store.create({ cwd: folder });
  for (const [i, text] of said.entries()) {
    const content = [{ type: 'text' as const, text }];
    const message = { role: i % 2 === 0 ? 'user' : 'assistant', content, timestamp: tick() };
    manager.append({ type: 'message', message } as Parameters<typeof manager.append>[0]);
  }
  return manager.getSessionId();
}

async function found(query: string, where: { cwd: string } | { everywhere: true } = { cwd }, limit = 50) {
  return (await store.search(where, query, limit)).sessions.map(({ id }) => id);
}

describe('searchSessions', () => {
  it('SES-24 finds words, phrases and expressions, whatever their case, the newest first', async () => {
    const one = session(cwd, 'The login test is flaky', 'It waits for\nthe wrong event.');
    const two = session(cwd, 'Flaky again', 'Yes, the LOGIN page.');
    session(cwd, 'Something else', 'Fine.');
    expect(await found('flaky login')).toEqual([two, one]);
    expect(await found('"login test"')).toEqual([one]);
    expect(await found('"for the wrong"')).toEqual([one]);
    expect(await found('"test login"')).toEqual([]);
    expect(await found('re:log(in|out) (test|page)')).toEqual([two, one]);
    expect(await found('re:^flaky')).toEqual([two]);
    expect(await found('"unclosed phrase')).toEqual([]);
    expect(await found('login', { cwd }, 1)).toEqual([two]);
    expect(await store.search({ cwd }, 'login', 1)).toMatchObject({ searched: 2, truncated: true });
  });

  it('SES-24 tells the places, with where the words stand', async () => {
    const id = session(cwd, `${'x '.repeat(200)}needle in <b>${' y'.repeat(200)}`, 'Needle. A needle.');
    const { sessions, searched, truncated } = await store.search({ cwd }, 'needle', 50);
    expect({ searched, truncated }).toEqual({ searched: 1, truncated: false });
    const [first, second] = sessions[0]!.matches;
    expect(sessions[0]).toMatchObject({ id, cwd });
    expect(first).toMatchObject({ in: 'user', text: expect.stringMatching(/^…x x .*needle in <b> y.*…$/) });
    expect(first!.ranges.map(([from, to]) => first!.text.slice(from, to))).toEqual(['needle']);
    expect(second).toMatchObject({
      in: 'assistant',
      text: 'Needle. A needle.',
      ranges: [
        [0, 6],
        [10, 16],
      ],
    });
  });

  it('SES-24 looks at the names that were given, and at this folder alone unless asked', async () => {
    const other = join(root, 'other');
    mkdirSync(other);
    const there = session(other, 'zebra');
    const here = session(cwd, 'a question');
    (await store.open(here, cwd)).append({ type: 'session_info', name: 'The Zebra' });
    expect(await found('zebra')).toEqual([here]);
    expect(await found('zebra', { everywhere: true })).toEqual([here, there]);
  });

  it('SES-24 finds other scripts, however their JSON is written', async () => {
    const id = session(cwd, 'Größe der Datei\u0301 and 你好', 'ok');
    const path = (await store.read(id, cwd)).path!;
    const escaped = `{"type":"message","id":"zzzz0001","parentId":null,"timestamp":"","message":{"role":"user","content":"caf\\u00e9 \\"quoted\\" a\\tb"}}`;
    writeFileSync(path, `${escaped}\ngarbage {{{\n{"type":"message","message":null}\n`, { flag: 'a' });
    for (const query of ['GRÖSSE'.replace('SS', 'ß'), 'größe', '你好', 'café', '"a b"', 'caf\u0065\u0301', 're:caf.']) {
      expect(await found(query), query).toEqual([id]);
    }
    expect(await found('quoted')).toEqual([id]);
  });

  it('SES-24 says what is wrong with a query, and goes on past a file that cannot be read', async () => {
    for (const query of ['re:(', 're:', '""', '   ']) {
      await expect(store.search({ cwd }, query, 5)).rejects.toMatchObject({ code: 'bad_query' });
    }
    const id = session(cwd, 'findable');
    const path = (await store.read(id, cwd)).path!;
    mkdirSync(join(path, '..', '2026-01-01T00-00-00-000Z_folder.jsonl'));
    expect(await found('findable')).toEqual([id]);
    expect(await found('re:.*')).toEqual([id]);
  });

  it('SES-24 finds the one of 1,000 sessions', async () => {
    const filler = `${'lorem ipsum dolor '.repeat(200)}\n`.repeat(5);
    const first = session(cwd, 'begin');
    const folder = join((await store.read(first, cwd)).path!, '..');
    const line = (id: string, role: string, text: string) =>
      `${JSON.stringify({ type: 'message', id, parentId: null, timestamp: '2026-01-01T00:00:00Z', message: { role, content: [{ type: 'text', text }], timestamp: 1 } })}\n`;
    for (let i = 0; i < 1_000; i++) {
      const id = `${String(i).padStart(8, '0')}-0000-4000-8000-000000000000`;
      const header = JSON.stringify({ type: 'session', version: 3, id, timestamp: '2026-01-01T00:00:00.000Z', cwd });
      const said = line('a', 'user', i === 500 ? 'the one with the quokka' : 'hello');
      writeFileSync(
        join(folder, `2026-01-01T00-00-00-000Z_${id}.jsonl`),
        `${header}\n${said}${line('b', 'toolResult', filler)}${line('c', 'toolResult', filler)}${line('d', 'assistant', 'ok')}`,
      );
    }
    expect(await found('quokka')).toEqual([`${'500'.padStart(8, '0')}-0000-4000-8000-000000000000`]);
  }, 30_000);
});
