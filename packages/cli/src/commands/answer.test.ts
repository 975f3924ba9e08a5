import type { Request } from '@black-ide/protocol';
import { describe, expect, it } from 'vitest';
import { FakeEngine } from '../testing/fake-engine.ts';
import { runBlack } from '../testing/test-world.ts';

function question(id: string, values: readonly string[], kind: Request['kind'] = 'permission'): Request {
  const options = values.map((value) => ({ value, label: value }));
  return { id, kind, title: `Question ${id}?`, payload: {}, options, default: values.at(-1)! };
}

/** A session that stopped with these questions open, and is completed once it is resumed. */
function stopped(...requests: Request[]): FakeEngine {
  const engine: FakeEngine = new FakeEngine({
    respond: ({ requestId, value }) => {
      const { kind } = requests.find(({ id }) => id === requestId)!;
      engine.custom('response', { requestId, kind, value, by: 'person' });
    },
    resumeTask: () => {
      engine.task(() => engine.custom('task_end', { outcome: 'completed', message: 'Went on.' }));
    },
  });
  engine.user('go');
  for (const request of requests) engine.request(request);
  return engine;
}

describe('black approve and reject', () => {
  it.each([
    ['approve', 'allow', ['allow', 'deny']],
    ['approve', 'approve', ['approve', 'reject']],
    ['approve', 'continue', ['continue', 'stop']],
    ['reject', 'deny', ['allow', 'deny']],
    ['reject', 'reject', ['approve', 'reject']],
    ['reject', 'stop', ['continue', 'stop']],
  ] as const)('IDE-83 %s answers %s and goes on like a run', async (command, value, values) => {
    const engine = stopped(question('q1', values));
    const ran = await runBlack([command, 'abc'], { engine });
    expect(ran).toMatchObject({ code: 0, out: 'Went on.\n', err: '' });
    expect(engine.commands).toMatchObject([
      { type: 'openSession', session: 'abc' },
      { type: 'subscribe' },
      { type: 'respond', requestId: 'q1', value, by: 'person' },
      { type: 'resumeTask' },
    ]);
  });

  it('IDE-83 passes a reason on, and answers in JSON', async () => {
    const engine = stopped(question('q1', ['allow', 'deny']));
    const { out } = await runBlack(['reject', 'abc', '--reason', 'use pnpm', '--output', 'json'], { engine });
    expect(engine.commands[2]).toMatchObject({ type: 'respond', value: 'deny', text: 'use pnpm' });
    expect(JSON.parse(out)).toMatchObject({ outcome: 'completed', result: 'Went on.' });
  });

  it.each([
    ['approve', 'Blue', { value: 'blue' }],
    ['approve', '1', { value: 'red' }],
    ['approve', 'green, please', { value: 'green, please' }],
    ['reject', 'no matter', { value: '', text: 'no matter' }],
  ] as const)('IDE-83 %s answers a question of the model with %s', async (command, reason, said) => {
    const engine = stopped(question('q1', ['red', 'blue'], 'ask_user'));
    const ran = await runBlack([command, 'abc', '--reason', reason], { engine });
    expect(ran.code).toBe(0);
    expect(engine.commands[2]).toMatchObject({ type: 'respond', ...said });
  });

  it('IDE-83 asks for the words of such an answer', async () => {
    const ran = await runBlack(['approve', 'abc'], { engine: stopped(question('q1', ['red'], 'ask_user')) });
    expect(ran.code).toBe(1);
    expect(ran.err).toContain('black approve abc q1 --reason "the answer"');
  });

  it('IDE-83 shows the questions where there are several, and answers the one that is named', async () => {
    const questions = [question('aa11', ['allow', 'deny']), question('bb22', ['allow', 'deny'])];
    const unclear = await runBlack(['approve', 'abc'], { engine: stopped(...questions) });
    expect(unclear.code).toBe(2);
    expect(unclear.err).toContain('aa11   Question aa11?');
    expect(unclear.err).toContain('bb22   Question bb22?');
    expect(unclear.world.engine.commands.map(({ type }) => type)).not.toContain('respond');
    const named = await runBlack(['approve', 'abc', 'bb'], { engine: stopped(...questions) });
    expect(named.code).toBe(0);
    expect(named.world.engine.commands[2]).toMatchObject({ type: 'respond', requestId: 'bb22' });
    const wrong = await runBlack(['approve', 'abc', 'cc'], { engine: stopped(...questions) });
    expect(wrong).toMatchObject({ code: 2 });
  });

  it('IDE-83 says clearly what cannot be answered', async () => {
    const none = await runBlack(['approve', 'abc'], { engine: stopped() });
    expect(none).toMatchObject({ code: 1 });
    expect(none.err).toContain('Nothing waits for an answer');
    const other = await runBlack(['approve', 'abc'], { engine: stopped(question('q1', ['red', 'blue'])) });
    expect(other.code).toBe(1);
    expect(other.err).toContain('Its answers are: red, blue.');
    const engine = stopped(question('q1', ['allow', 'deny']));
    engine.handlers.resumeTask = () => ({ resumed: false });
    const ended = await runBlack(['approve', 'abc', '--output', 'json'], { engine });
    expect(JSON.parse(ended.out)).toMatchObject({ outcome: 'failed', error: { code: 'nothing_to_resume' } });
  });
});
