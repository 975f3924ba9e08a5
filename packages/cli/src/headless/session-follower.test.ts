import type { EngineEvent } from '@black-ide/protocol';
import { foldEntries } from '@black-ide/protocol';
import { describe, expect, it } from 'vitest';
import { FakeEngine } from '../testing/fake-engine.ts';
import { SessionFollower } from './session-follower.ts';

describe('SessionFollower', () => {
  it('IDE-12 has the same picture as the log, whenever it attached', async () => {
    const engine = new FakeEngine();
    engine.user('before');
    const follower = await SessionFollower.attach(engine, engine.sessionId);
    engine.assistant('after');
    expect(follower.view).toEqual(foldEntries(engine.sessionId, engine.entries));
    expect(follower.view.items.map(({ kind }) => kind)).toEqual(['user', 'assistant']);
  });

  it('IDE-12 counts an event once that comes while the snapshot is taken', async () => {
    const engine = new FakeEngine();
    let early: FakeEngine['entries'][number] | undefined;
    engine.handlers.subscribe = () => {
      early = engine.append({ type: 'mode_change', mode: 'Ask' });
    };
    const follower = await SessionFollower.attach(engine, engine.sessionId);
    expect(early).toBeDefined();
    expect(follower.view.items).toHaveLength(1);
  });

  it('IDE-12 takes missing events in place of a view', async () => {
    const engine = new FakeEngine();
    const sessionId = engine.sessionId;
    const entry = { id: '1', parentId: null, timestamp: '' };
    engine.handlers.subscribe = () => ({
      seq: 1,
      events: [{ type: 'ModeChanged', entry, mode: 'Ask', sessionId, seq: 1 }],
    });
    const follower = await SessionFollower.attach(engine, sessionId);
    expect(follower.view.items).toMatchObject([{ kind: 'mode', mode: 'Ask' }]);
  });

  it("ignores other sessions' events and hears no more once disposed", async () => {
    const engine = new FakeEngine();
    const follower = await SessionFollower.attach(engine, engine.sessionId);
    const heard: EngineEvent[] = [];
    follower.listener = (event) => heard.push(event);
    engine.tell({ type: 'TextDelta', text: 'x', sessionId: 'another', seq: 99 });
    engine.emit({ type: 'TextDelta', text: 'ours' });
    follower.dispose();
    engine.emit({ type: 'TextDelta', text: 'late' });
    expect(heard).toMatchObject([{ type: 'TextDelta', text: 'ours' }]);
    expect(follower.view.live.text).toBe('ours');
  });

  it('IDE-3 wakes up when the engine as a whole gives up', async () => {
    const engine = new FakeEngine();
    const follower = await SessionFollower.attach(engine, engine.sessionId);
    engine.tell({ type: 'EngineFailed', error: { code: 'engine_failed', message: 'gone' } });
    await follower.whenIdle();
    expect(follower.engineError?.message).toBe('gone');
  });

  it('throws what subscribing failed with', async () => {
    const engine = new FakeEngine({
      subscribe: () => ({ ok: false, error: { code: 'unknown_session', message: 'No such session.' } }),
    });
    await expect(SessionFollower.attach(engine, 'x')).rejects.toThrow('No such session.');
  });
});
