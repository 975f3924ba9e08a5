import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { FakeEngine } from '../testing/fake-engine.ts';
import { temporaryFolder } from '../testing/temporary-folder.ts';
import { runBlack } from '../testing/test-world.ts';
import { widthOf } from '../text/fit-width.ts';

const FOUND = {
  id: '4f1c2a7b-0000-4000-8000-000000000001',
  cwd: '/work',
  title: 'The flaky\nlogin test',
  modified: '2026-11-30T13:44:00.000Z',
  matches: [
    { in: 'title', text: 'The flaky login test', ranges: [[4, 9]] },
    { in: 'user', entryId: 'a', text: 'Why is it flaky? \u001b[31m', ranges: [[10, 15]] },
    { in: 'assistant', entryId: 'b', text: 'It is not.', ranges: [] },
  ],
};

function searching(sessions: object[], more: object = {}): FakeEngine {
  return new FakeEngine({
    searchSessions: () => ({ sessions, searched: 7, truncated: false, problems: [], ...more }),
  });
}

describe('black sessions search', () => {
  it('SES-24 tells each session and the places', async () => {
    const engine = searching([FOUND], { truncated: true, problems: ['/x: EACCES'] });
    const { code, out, err } = await runBlack(['sessions', 'search', 'flaky', 'login test', '--limit', '1'], {
      engine,
    });
    expect(code).toBe(0);
    expect(out).toMatch(/^4f1c2a7b {2}2026-\d\d-\d\d \d\d:\d\d {2}The flaky login test\n {2}you {3}Why is it flaky\?/);
    expect(out).not.toContain('\u001b');
    expect(out.split('\n')[2]).toBe('  black It is not.');
    expect(err).toBe('black: /x: EACCES\nThere may be more; --limit 4 shows more.\n');
    expect(engine.commands).toEqual([
      { type: 'searchSessions', query: 'flaky "login test"', everywhere: false, limit: 1 },
    ]);
  });

  it('SES-24 marks the words on a terminal, and fits it', async () => {
    const { out } = await runBlack(['sessions', 'search', '--all', 're:a b'], {
      engine: searching([{ ...FOUND, matches: [{ in: 'user', text: 'so flaky', ranges: [[3, 8]] }] }]),
      terminal: true,
      columns: 40,
    });
    expect(out).toContain('so \u001b[33mflaky\u001b[39m');
    for (const line of out.split('\n')) expect(widthOf(line)).toBeLessThanOrEqual(40);
  });

  it('SES-24 says that there is nothing, and what is wrong with a query', async () => {
    const none = await runBlack(['sessions', 'search', 'x'], { engine: searching([]) });
    expect(none).toMatchObject({ code: 0, out: '' });
    expect(none.err).toBe('Nothing found in 7 sessions of this folder; --all searches those of every folder.\n');
    const error = { code: 'bad_query', message: 'Unterminated group', next: 'Mend it.' };
    const engine = new FakeEngine({ searchSessions: () => ({ ok: false, error }) });
    expect(await runBlack(['sessions', 'search', 're:('], { engine })).toMatchObject({ code: 1 });
    expect(await runBlack(['sessions', 'search'])).toMatchObject({ code: 2 });
    expect(await runBlack(['sessions', 'search', 'x', '--limit', '0'])).toMatchObject({ code: 2 });
  });

  it('SES-24 prints JSON', async () => {
    const { out } = await runBlack(['sessions', 'search', 'x', '--json'], { engine: searching([FOUND]) });
    expect(JSON.parse(out)).toEqual([FOUND]);
  });
});

describe('black sessions export', () => {
  const engine = () =>
    new FakeEngine({
      exportSession: ({ format }) => ({
        sessionId: 'x',
        format,
        fileName: `black-x.${format}`,
        content: 'the content',
        redacted: 2,
      }),
    });

  it('SES-24 writes a new file for its owner alone, and never replaces one', async () => {
    const cwd = temporaryFolder();
    const first = await runBlack(['sessions', 'export', 'latest'], { engine: engine(), cwd });
    const path = join(cwd, 'black-x.html');
    expect(first).toMatchObject({ code: 0, out: `${path}\n`, err: 'black: 2 secrets were taken out.\n' });
    expect(readFileSync(path, 'utf8')).toBe('the content');
    const again = await runBlack(['sessions', 'export', 'latest'], { engine: engine(), cwd });
    expect(again).toMatchObject({ code: 1, out: '' });
    expect(again.err).toContain('exists already');
    const named = await runBlack(['sessions', 'export', 'latest', '--format', 'md', '-o', 'x.md'], {
      engine: engine(),
      cwd,
    });
    expect(named.out).toBe(`${join(cwd, 'x.md')}\n`);
    const nowhere = await runBlack(['sessions', 'export', 'latest', '-o', 'no/such/x.md'], { engine: engine(), cwd });
    expect(nowhere).toMatchObject({ code: 1 });
    expect(existsSync(join(cwd, 'no'))).toBe(false);
  });

  it('SES-24 prints where asked, and knows its formats', async () => {
    const { out } = await runBlack(['sessions', 'export', 'a', '--out=-', '--format', 'json'], { engine: engine() });
    expect(out).toBe('the content');
    expect(await runBlack(['sessions', 'export', 'a', '--format', 'pdf'])).toMatchObject({ code: 2 });
  });
});

describe('black sessions rename, rm, restore', () => {
  it('SES-24 renames, and takes a name away', async () => {
    const engine = new FakeEngine({ renameSession: ({ name }) => ({ sessionId: 'x', name }) });
    expect((await runBlack(['sessions', 'rename', 'x', 'A', 'new name'], { engine })).out).toBe(
      'x is now called A new name.\n',
    );
    expect((await runBlack(['sessions', 'rename', 'x', ''], { engine })).out).toBe('x has no name any more.\n');
    expect(engine.commands).toEqual([
      { type: 'renameSession', session: 'x', name: 'A new name' },
      { type: 'renameSession', session: 'x', name: '' },
    ]);
    const { out } = await runBlack(['sessions', 'rename', 'x', 'y', '--json'], { engine });
    expect(JSON.parse(out)).toEqual({ sessionId: 'x', name: 'y' });
    expect(await runBlack(['sessions', 'rename', 'x'])).toMatchObject({ code: 2 });
  });

  it('SES-24 puts away and says how to take back', async () => {
    const engine = new FakeEngine({
      deleteSession: ({ session }) => ({ sessionId: session, trashed: `/home/trash/${session}.jsonl` }),
      restoreSession: ({ session }) => ({ sessionId: session, path: `/home/${session}.jsonl` }),
    });
    expect((await runBlack(['sessions', 'rm', 'a', 'b'], { engine })).out).toBe(
      'a is in the trash: /home/trash/a.jsonl\n    black sessions restore a   takes it back\n' +
        'b is in the trash: /home/trash/b.jsonl\n    black sessions restore b   takes it back\n',
    );
    expect((await runBlack(['sessions', 'restore', 'a'], { engine })).out).toBe('a is back: /home/a.jsonl\n');
    const { out } = await runBlack(['sessions', 'rm', 'a', '--json'], { engine });
    expect(JSON.parse(out)).toEqual([{ sessionId: 'a', trashed: '/home/trash/a.jsonl' }]);
    expect(await runBlack(['sessions', 'rm'])).toMatchObject({ code: 2 });
  });
});
