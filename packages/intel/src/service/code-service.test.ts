import { describe, expect, it } from 'vitest';
import type { CodeIntelligence, RefreshProgress } from '../code-intelligence-api.ts';
import { CodeService } from './code-service.ts';

/** Code intelligence whose looks at the disk end when a test says so. */
class SlowCode {
  readonly asked: string[] = [];
  complete = false;
  disposed = false;
  progress: ((progress: RefreshProgress) => void) | undefined;
  #waiting: PromiseWithResolvers<void> | undefined;

  refresh({ signal, onProgress }: { signal?: AbortSignal; onProgress?(progress: RefreshProgress): void } = {}) {
    this.progress = onProgress;
    return this.#look('all', signal);
  }

  refreshFiles(paths: readonly string[]) {
    return this.#look(paths.join(' '));
  }

  async watch() {
    this.asked.push('watch');
  }

  async dispose() {
    this.disposed = true;
  }

  /** Ends the look that goes on. */
  async end(failure?: Error) {
    if (failure) this.#waiting?.reject(failure);
    else this.#waiting?.resolve();
    this.complete ||= !failure;
    await Promise.resolve();
  }

  #look(what: string, signal?: AbortSignal): Promise<void> {
    this.asked.push(what);
    const waiting = Promise.withResolvers<void>();
    signal?.addEventListener('abort', () => waiting.reject(signal.reason));
    this.#waiting = waiting;
    return waiting.promise;
  }
}

/** A service over it whose patience ends when a test says so. */
function serve({ watch = false } = {}) {
  const code = new SlowCode();
  const patience: PromiseWithResolvers<void>[] = [];
  const service = new CodeService({
    open: async () => code as unknown as CodeIntelligence,
    watch,
    wait: (_ms, signal) => {
      const waiting = Promise.withResolvers<void>();
      signal.addEventListener('abort', () => waiting.reject(signal.reason));
      patience.push(waiting);
      return waiting.promise;
    },
  });
  return { code, service, impatient: () => patience.at(-1)!.resolve() };
}

const settled = () => new Promise<void>((resolve) => setImmediate(resolve));

async function firstAnswer(world: ReturnType<typeof serve>) {
  const ready = world.service.ready({ patience: 1 });
  await settled();
  await world.code.end();
  await ready;
}

describe('CodeService', () => {
  it('INT-16 has the code at hand once it is known, with what was told since, and never looks at the tree for that', async () => {
    const world = serve();
    const { code, service } = world;
    const { signal } = new AbortController();
    expect(await service.atHand(signal)).toBeUndefined();
    expect(code.asked).toEqual([]);
    await firstAnswer(world);
    expect(await service.atHand(signal)).toBe(code);
    service.changed(['a', 'b']);
    const told = service.atHand(signal);
    await settled();
    expect(await service.atHand(signal)).toBeUndefined();
    await code.end();
    expect(await told).toBe(code);
    service.stale();
    expect(await service.atHand(signal)).toBeUndefined();
    expect(code.asked).toEqual(['all', 'a b']);
    await service.dispose();
  });

  it('INT-13 opens nothing before the first question', async () => {
    const { code, service } = serve();
    expect(service.isOpen).toBe(false);
    await service.dispose();
    expect(code.asked).toEqual([]);
  });

  it('INT-13 answers with what is known when the patience is over, and reads on', async () => {
    const { code, service, impatient } = serve();
    const ready = service.ready({ patience: 1 });
    await settled();
    impatient();
    expect((await ready).complete).toBe(false);
    const again = service.ready({ patience: 1 });
    await settled();
    await code.end();
    expect((await again).complete).toBe(true);
    expect(code.asked).toEqual(['all']);
    await service.dispose();
  });

  it('INT-4 without a watcher looks at the disk before each answer, once for questions at the same time', async () => {
    const world = serve();
    await firstAnswer(world);
    const both = Promise.all([world.service.ready({ patience: 1 }), world.service.ready({ patience: 1 })]);
    await settled();
    await world.code.end();
    await both;
    expect(world.code.asked).toEqual(['all', 'all']);
    await world.service.dispose();
  });

  it('INT-4 with a watcher reads only what it was told of', async () => {
    const world = serve({ watch: true });
    await firstAnswer(world);
    await settled();
    await world.service.ready({ patience: 1 });
    expect(world.code.asked).toEqual(['all', 'watch']);
    world.service.changed(['a.ts', 'b.ts']);
    await firstAnswer(world);
    world.service.stale();
    await firstAnswer(world);
    expect(world.code.asked).toEqual(['all', 'watch', 'a.ts b.ts', 'all']);
    await world.service.dispose();
  });

  it('INT-4 looks again where something changed while it looked', async () => {
    const { code, service } = serve({ watch: true });
    const first = service.ready({ patience: 1 });
    await settled();
    service.changed(['late.ts']);
    const second = service.ready({ patience: 1 });
    await code.end();
    await first;
    await settled();
    await code.end();
    await second;
    expect(code.asked).toEqual(['all', 'watch', 'late.ts']);
    await service.dispose();
  });

  it('INT-4 tells everybody who waits how far it is, and nobody else', async () => {
    const { code, service } = serve();
    const told: number[] = [];
    const ready = service.ready({ patience: 1, onProgress: ({ done }) => told.push(done) });
    await settled();
    code.progress?.({ done: 1, total: 2 });
    await code.end();
    await ready;
    code.progress?.({ done: 2, total: 2 });
    expect(told).toEqual([1]);
    await service.dispose();
  });

  it('INT-4 a question can be cancelled while the others wait on', async () => {
    const { code, service } = serve();
    const controller = new AbortController();
    const cancelled = service.ready({ patience: 1, signal: controller.signal });
    const other = service.ready({ patience: 1 });
    await settled();
    controller.abort(new Error('cancelled'));
    await expect(cancelled).rejects.toThrow('cancelled');
    await code.end();
    expect((await other).complete).toBe(true);
    await service.dispose();
  });

  it('INT-12 a failure is told to who waits, and the next question tries again', async () => {
    const { code, service } = serve({ watch: true });
    const ready = service.ready({ patience: 1 });
    await settled();
    await code.end(new Error('disk on fire'));
    await expect(ready).rejects.toThrow('disk on fire');
    const again = service.ready({ patience: 1 });
    await settled();
    await code.end();
    await again;
    expect(code.asked).toEqual(['all', 'all', 'watch']);
    await service.dispose();
  });

  it('INT-4 its end stops what runs, and nothing is answered afterwards', async () => {
    const { code, service } = serve();
    const ready = service.ready({ patience: 1 });
    await settled();
    const [result] = await Promise.allSettled([ready, service.dispose()]);
    expect(result.status).toBe('rejected');
    expect(code.disposed).toBe(true);
    await expect(service.ready({ patience: 1 })).rejects.toThrow();
  });
});
