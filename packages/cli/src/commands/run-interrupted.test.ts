import { PassThrough, Writable } from 'node:stream';
import type { EngineEvent } from '@black-ide/protocol';
import { describe, expect, it } from 'vitest';
import { main } from '../main.ts';
import { FakeEngine } from '../testing/fake-engine.ts';
import { endless, until, working } from '../testing/scripted-engines.ts';
import { runBlack, TestWorld } from '../testing/test-world.ts';

describe('black -p, interrupted', () => {
  it('IDE-18 cancels at the first signal, with 130 and a result', async () => {
    const engine = endless();
    const world = new TestWorld({ engine });
    const running = main(['-p', '--output', 'json', 'hi'], world);
    await until(() => engine.commands.some(({ type }) => type === 'startAgentTask'));
    world.interrupt();
    expect(await running).toBe(130);
    expect(engine.commands.at(-1)).toMatchObject({ type: 'cancelTask' });
    expect(JSON.parse(world.stdout.text)).toMatchObject({ outcome: 'cancelled', sessionId: engine.sessionId });
    expect(world.exits).toEqual([]);
    expect(engine.disposed).toBe(true);
  });

  it('IDE-18 leaves a task behind that does not end within a second', async () => {
    const engine = endless();
    const world = new TestWorld({ engine });
    const running = main(['-p', 'hi'], world);
    await until(() => engine.handlers.cancelTask !== undefined);
    engine.handlers.cancelTask = () => new Promise(() => undefined);
    world.interrupt();
    await until(() => world.sleeping > 0);
    world.advance(1_000);
    expect(await running).toBe(130);
  });

  it('IDE-18 ends at once at the second signal', async () => {
    const engine = endless();
    const world = new TestWorld({ engine });
    const running = main(['-p', 'hi'], world);
    await until(() => engine.handlers.cancelTask !== undefined);
    engine.handlers.cancelTask = () => new Promise(() => undefined);
    world.interrupt();
    world.interrupt();
    expect(world.exits).toEqual([130]);
    world.advance(1_000);
    await running;
  });

  it('IDE-18 cancels a task that was only being started when the signal came', async () => {
    const engine = endless();
    const { startAgentTask } = engine.handlers;
    const started = Promise.withResolvers<void>();
    engine.handlers.startAgentTask = async (command) => {
      await started.promise;
      startAgentTask!(command);
    };
    const world = new TestWorld({ engine });
    const running = main(['-p', 'hi'], world);
    await until(() => engine.commands.some(({ type }) => type === 'startAgentTask'));
    world.interrupt();
    started.resolve();
    expect(await running).toBe(130);
    expect(engine.commands.filter(({ type }) => type === 'cancelTask')).toHaveLength(2);
  });

  it('IDE-18 can be cancelled before there is a task', async () => {
    const world = new TestWorld({ input: new PassThrough(), inputKind: 'pipe' });
    const running = main(['-p', '--output', 'json', 'hi'], world);
    await until(() => world.sleeping > 0);
    world.interrupt();
    expect(await running).toBe(130);
    expect(JSON.parse(world.stdout.text)).toMatchObject({ outcome: 'cancelled' });
    expect(world.stderr.text).toBe('');
  });

  it('IDE-83 cancels quietly when the reader of stream-json goes away', async () => {
    const engine = endless();
    const stdout = new Writable({
      write: (_chunk, _encoding, done) => done(Object.assign(new Error('write EPIPE'), { code: 'EPIPE' })),
    });
    const { code, err } = await runBlack(['-p', '--output', 'stream-json', 'hi'], { engine, stdout });
    expect(code).toBe(130);
    expect(err).toBe('');
  });

  it('IDE-83 keeps its exit code when the reader of the answer goes away, and tells of a full disk', async () => {
    const failing = (code: string): Writable =>
      new Writable({ write: (_chunk, _encoding, done) => done(Object.assign(new Error(`write ${code}`), { code })) });
    const gone = await runBlack(['-p', 'hi'], { engine: FakeEngine.answering('x'), stdout: failing('EPIPE') });
    expect(gone).toMatchObject({ code: 0, err: '' });
    const full = await runBlack(['-p', 'hi'], { engine: FakeEngine.answering('x'), stdout: failing('ENOSPC') });
    expect(full).toMatchObject({ code: 1, err: 'black: The result could not be written: write ENOSPC\n' });
  });

  it('IDE-83 leaves deltas out, and nothing else, for a reader far behind', async () => {
    const chunks: string[] = [];
    const release: (() => void)[] = [];
    const stdout = new Writable({
      write: (chunk: Buffer, _encoding, done) => {
        chunks.push(chunk.toString());
        release.push(() => done());
        if (chunks.length > 1) done();
      },
    });
    const engine = working((each) => {
      for (let count = 0; count < 3; count++) each.emit({ type: 'TextDelta', text: 'x'.repeat(600_000) });
      each.assistant('whole');
    });
    const world = new TestWorld({ engine, stdout });
    const running = main(['-p', '--output', 'stream-json', 'hi'], world);
    await until(() => engine.entries.length > 2 && chunks.length === 1);
    await new Promise(setImmediate);
    release[0]!();
    expect(await running).toBe(0);
    const types = chunks
      .join('')
      .trimEnd()
      .split('\n')
      .map((line) => (JSON.parse(line) as EngineEvent).type as string);
    expect(types.filter((type) => type === 'TextDelta')).toHaveLength(2);
    expect(types).toContain('AssistantMessageAdded');
    expect(types.at(-1)).toBe('Result');
  });
});
