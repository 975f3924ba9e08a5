import { foldEntries, type SessionSummary } from '@black-ide/protocol';
import { describe, expect, it } from 'vitest';
import { FakeEngine } from '../testing/fake-engine.ts';
import { runBlack } from '../testing/test-world.ts';
import { widthOf } from '../text/fit-width.ts';

function summary(id: string, title: string, cwd = '/work'): SessionSummary {
  const created = '2026-11-30T13:44:00.000Z';
  return { id, path: `/home/${id}.jsonl`, cwd, title, created, modified: created, messages: 3 };
}

function listing(...sessions: SessionSummary[]): FakeEngine {
  return new FakeEngine({ listSessions: () => ({ sessions }) });
}

describe('black sessions list', () => {
  it('SES-24 lists id, time, messages and title', async () => {
    const engine = listing(summary('aaaaaaaa-1', 'Fix\nthe \u001b[31mbug'), summary('aaaaaaaa-2', ''));
    const { code, out, err } = await runBlack(['sessions', 'list'], { engine });
    expect({ code, err }).toEqual({ code: 0, err: '' });
    const lines = out.trimEnd().split('\n');
    expect(lines[0]).toMatch(/^aaaaaaaa-1 {2}2026-\d\d-\d\d \d\d:\d\d {5}3 messages {2}Fix the bug$/);
    expect(lines[1]).toContain('(no title)');
    const odd = listing({ ...summary('b', 'x'), atLeast: true, problem: 'No first line.' });
    expect((await runBlack(['sessions', 'list'], { engine: odd })).out).toMatch(
      / {4}3\+ messages {2}x \(damaged: No first line\.\)\n$/,
    );
    expect(engine.commands).toMatchObject([{ type: 'listSessions', everywhere: false }]);
  });

  it('SES-24 lists every folder with --all, even where the working folder is gone', async () => {
    const engine = listing(summary('a', 'one', '/x'), summary('b', 'two', '/y'), summary('c', 'three', '/x'));
    const { code, out } = await runBlack(['sessions', 'list', '--all'], { engine, cwd: undefined });
    expect(code).toBe(0);
    expect(out.split('\n').map((line) => line.split('  ').at(-1))).toEqual(['/x', 'one', 'three', '/y', 'two', '']);
    expect((await runBlack(['sessions', 'list'], { engine, cwd: undefined })).code).toBe(1);
  });

  it('SES-24 lists JSON, and says on stderr that there is nothing', async () => {
    const sessions = [summary('a', 'one')];
    expect(JSON.parse((await runBlack(['sessions', 'list', '--json'], { engine: listing(...sessions) })).out)).toEqual(
      sessions,
    );
    expect(JSON.parse((await runBlack(['sessions', 'list', '--json'], { engine: listing() })).out)).toEqual([]);
    const none = await runBlack(['sessions', 'list'], { engine: listing() });
    expect(none).toMatchObject({ code: 0, out: '' });
    expect(none.err).toContain('no sessions of this folder');
  });

  it('IDE-88 fits 40 columns', async () => {
    const engine = listing(summary('a', '你好'.repeat(40)));
    const { out } = await runBlack(['sessions', 'list'], { engine, terminal: true, columns: 40 });
    expect(widthOf(out.split('\n')[0]!)).toBeLessThanOrEqual(40);
  });
});

describe('black sessions show', () => {
  function told(): FakeEngine {
    const engine = new FakeEngine();
    engine.user('Fix it\nplease');
    engine.append({ type: 'model_change', provider: 'a', modelId: 'b' });
    engine.assistant('I look.', [{ id: 'c1', name: 'read_file', arguments: { path: 'a.ts' } }]);
    engine.toolResult('c1', 'read_file', { from: 1, to: 2 });
    engine.assistant('Fixed.');
    engine.custom('task_end', { outcome: 'completed', message: 'Fixed.' });
    return engine;
  }

  it('SES-24 tells the timeline in plain words', async () => {
    const engine = told();
    const { code, out, err } = await runBlack(['sessions', 'show', 'abc'], { engine });
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out.split('\n').slice(3)).toEqual([
      'you    Fix it',
      '       please',
      '       · model a/b',
      'black  I look.',
      '       ▸ Read a.ts 1–2',
      'black  Fixed.',
      '',
      '2 turns · 200 tokens in, 20 out · $0.20',
      '',
    ]);
    expect(engine.commands[0]).toEqual({ type: 'readSession', session: 'abc' });
  });

  it('SES-24 shows how it ended, what was asked, answered and still waits', async () => {
    const engine = told();
    const options = [{ value: 'allow', label: 'Allow' }];
    const base = { kind: 'permission' as const, payload: {}, options, default: 'deny' };
    engine.request({ ...base, id: 'q1', title: 'Run a?' });
    engine.custom('response', { requestId: 'q1', kind: 'permission', value: 'deny', text: 'no', by: 'headless' });
    engine.custom('task_end', { outcome: 'failed', message: 'It broke.', next: 'Mend it.' });
    engine.request({ ...base, id: 'q2', title: 'Run b?' });
    const { out, err } = await runBlack(['sessions', 'show', 'abc'], { engine });
    expect(out).toContain(
      '       ? Run a?\n       → deny (no), by headless\n       ✗ It broke. Mend it.\n       ? Run b?\n',
    );
    expect(err).toContain(`black approve ${engine.sessionId}`);
  });

  it('SES-24 shows data with --json', async () => {
    const { out } = await runBlack(['sessions', 'show', 'abc', '--json'], { engine: told() });
    const data = JSON.parse(out) as { timeline: { kind: string }[]; header: { cwd: string } };
    expect(data.timeline.map(({ kind }) => kind)).toEqual([
      'user',
      'model',
      'assistant',
      'toolResult',
      'assistant',
      'taskEnd',
    ]);
    expect(data.header.cwd).toBe('/work');
  });

  it('SES-6 shows a damaged session with what is wrong with it', async () => {
    const engine = told();
    const header = { type: 'session', version: 3, id: engine.sessionId, timestamp: '', cwd: '' };
    engine.handlers.readSession = () => ({
      sessionId: engine.sessionId,
      header,
      view: foldEntries(engine.sessionId, engine.entries),
      problems: ['Line 3 is garbage.'],
    });
    const { code, err } = await runBlack(['sessions', 'show', 'abc'], { engine });
    expect(code).toBe(0);
    expect(err).toBe('black: Line 3 is garbage.\n');
  });
});
