import { foldEntries, REQUEST_KINDS, type Request, type TaskOutcome } from '@black-ide/protocol';
import { describe, expect, it } from 'vitest';
import { FakeEngine } from '../testing/fake-engine.ts';
import { runOutcome } from './run-outcome.ts';

const NOTHING = { cancelled: false };

function question(kind: Request['kind']): Request {
  return {
    id: 'q1',
    kind,
    title: 'May I?',
    payload: {},
    options: [{ value: 'allow', label: 'Allow' }],
    default: 'deny',
  };
}

function begun(): FakeEngine {
  const engine = new FakeEngine();
  engine.user('go');
  engine.custom('task_start', { messageId: '00000001', mode: 'Agent', model: 'a/b', maxIterations: 25 });
  return engine;
}

function outcomeOf(engine: FakeEngine, facts: Parameters<typeof runOutcome>[2] = NOTHING, since = 0) {
  return runOutcome(foldEntries(engine.sessionId, engine.entries), since, facts);
}

describe('runOutcome', () => {
  it.each<[TaskOutcome, number]>([
    ['completed', 0],
    ['failed', 1],
    ['needs_approval', 3],
    ['limit', 4],
    ['budget', 4],
    ['cancelled', 130],
  ])('IDE-83 ends a task that is %s with %i', (outcome, exitCode) => {
    const engine = begun();
    engine.custom('task_end', { outcome, message: 'words', code: 'why', next: 'do this' });
    const { result, error, ...rest } = outcomeOf(engine);
    expect(rest).toMatchObject({ outcome, exitCode });
    expect(result).toBe(outcome === 'completed' ? 'words' : '');
    expect(error).toEqual(outcome === 'completed' ? undefined : { code: 'why', message: 'words', next: 'do this' });
  });

  it.each(REQUEST_KINDS.filter((kind) => kind !== 'loop_limit'))(
    'IDE-83 stops with 3 where a question of kind %s is open',
    (kind) => {
      const engine = begun();
      engine.request(question(kind));
      expect(outcomeOf(engine)).toEqual({
        outcome: 'needs_approval',
        exitCode: 3,
        result: '',
        error: { code: kind, message: 'May I?' },
        requests: [question(kind)],
      });
    },
  );

  it('IDE-16 stops with 4 at the ceiling of iterations', () => {
    const engine = begun();
    engine.request(question('loop_limit'));
    expect(outcomeOf(engine)).toMatchObject({ outcome: 'limit', exitCode: 4, requests: [{ kind: 'loop_limit' }] });
  });

  it('does not take an earlier task for this one', () => {
    const engine = begun();
    engine.custom('task_end', { outcome: 'completed', message: 'old' });
    const since = foldEntries(engine.sessionId, engine.entries).items.length;
    engine.custom('task_start', { messageId: '1', mode: 'Agent', model: 'a/b', maxIterations: 25 });
    expect(outcomeOf(engine, { cancelled: true }, since)).toMatchObject({ outcome: 'cancelled', exitCode: 130 });
    engine.custom('task_end', { outcome: 'failed', message: 'new' });
    expect(outcomeOf(engine, NOTHING, since)).toMatchObject({ outcome: 'failed', error: { message: 'new' } });
  });

  it('tells of an engine that gave up, and of a task that says nothing', () => {
    const engineError = { code: 'engine_failed', message: 'gone' };
    expect(outcomeOf(begun(), { cancelled: false, engineError })).toMatchObject({ exitCode: 1, error: engineError });
    expect(outcomeOf(begun())).toMatchObject({ exitCode: 1, error: { code: 'no_outcome' } });
  });

  it('IDE-32 who rejects a plan has got what they asked for', () => {
    const engine = begun();
    const message = 'The plan was rejected; nothing was changed.';
    engine.custom('task_end', { outcome: 'cancelled', message, code: 'plan_rejected' });
    expect(outcomeOf(engine)).toMatchObject({ outcome: 'cancelled', exitCode: 0, result: '', note: message });
  });

  it('passes on what a person should know of an answer', () => {
    const engine = begun();
    engine.custom('task_end', { outcome: 'completed', message: 'half', code: 'cut_short', next: 'Say "go on".' });
    expect(outcomeOf(engine)).toMatchObject({ exitCode: 0, result: 'half', note: 'Say "go on".' });
  });
});
